package main

import "strings"

// told gives what a user asks to have remembered: the rest of a sentence behind
// "remember that" and the like.
func told(s string) (string, bool) {
	l := lower(s)
	if len(l) != len(s) || strings.HasSuffix(l, "?") || strings.HasSuffix(l, "？") {
		return "", false // letters of another length in small: the places would not fit
	}
	for _, x := range [...]string{"remember that ", "remember: ", "remember, ", "please note that ", "keep in mind that ", "keep in mind: ", "bear in mind that ",
		"for future reference, ", "for future reference: ", "from now on, ", "from now on ", "запомни, что ", "запомни: ", "запомните, что ", "запомните: ", "имей в виду, что ",
		"имейте в виду, что ", "на будущее: ", "记住，", "记住：", "请记住", "记住", "기억해: ", "기억해 줘: ", "기억해줘: "} {
		i := strings.Index(l, x)
		if i < 0 || i > 0 && l[i-1] != ' ' && l[i-1] < 0x80 {
			continue
		}
		before := l[:i]
		if strings.HasSuffix(before, "you ") || strings.HasSuffix(before, "i ") || strings.HasSuffix(before, "don't ") || strings.HasSuffix(before, "to ") {
			continue
		}
		if rest := strings.TrimLeft(s[i+len(x):], " ,:：，"); len(rest) >= 12 {
			return rest, true
		}
	}
	return "", false
}
