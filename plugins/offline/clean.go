package main

import (
	"strings"
	"unicode/utf8"
)

// clean takes off a sentence what it says to its neighbours only: a number in a
// list, "And", "So,", "Actually,", the brackets around all of it.
func clean(s string) string {
	s = unline(s)
	for {
		before := s
		s = strings.TrimLeft(s, " ,;-–—")
		if n := ordinal(s); n > 0 {
			s = s[n:]
		}
		if len(s) > 2 && s[0] == '(' && strings.HasSuffix(strings.TrimRight(s, ".!"), ")") && strings.Count(s, "(") == 1 {
			s = strings.TrimRight(s, ".!")
			s = s[1 : len(s)-1]
		}
		if len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"' && strings.Count(s, `"`) == 2 {
			s = s[1 : len(s)-1]
		}
		s = opening(s)
		if s == before {
			break
		}
	}
	if strings.Count(s, `"`)%2 == 1 {
		if s[0] == '"' {
			s = s[1:]
		} else if i := strings.LastIndexByte(s, '"'); i >= len(s)-2 {
			s = s[:i] + s[i+1:]
		}
	}
	if strings.Count(s, "`")%2 == 1 {
		s = strings.ReplaceAll(s, "`", "")
	}
	if strings.Count(s, "(") > strings.Count(s, ")") && !strings.Contains(s, ")") {
		if i := strings.LastIndexByte(s, '('); i > len(s)/2 {
			s = s[:i]
		}
	}
	return strings.TrimSpace(s)
}

// settle takes "now" out of a statement of what is: to a later reader it says
// nothing.
func settle(s string) string {
	if !strings.Contains(s, " now ") {
		return s
	}
	for _, x := range [...]string{" is", " are"} {
		if i := strings.Index(s, x+" now "); i > 0 {
			s = s[:i+len(x)] + s[i+len(x)+len(" now"):]
		}
	}
	for _, x := range [...]string{" now listens ", " now lives ", " now uses ", " now reads ", " now writes ", " now stores ", " now runs ", " now returns ", " now requires ", " now expects ", " now goes ",
		" now defaults ", " now happens ", " now belongs ", " now supports ", " now use ", " now run ", " now live ", " now go ", " now logs ", " now checks ", " now takes ", " now hides ", " now opens ", " now shows ", " now sends ", " now handles ", " now points "} {
		if i := strings.Index(s, x); i > 0 {
			s = s[:i] + x[len(" now"):] + s[i+len(x):]
		}
	}
	return s
}

// unline takes "(line 12)", "Line 12: " and the ":12" of a file out of a
// sentence: lines move.
func unline(s string) string {
	if len(s) > 2000 {
		return s // too long to be kept
	}
	for range 4 {
		i := strings.Index(s, "(line")
		if i < 0 {
			break
		}
		end := strings.IndexByte(s[i:], ')')
		if end < 0 || strings.Trim(s[i+5:i+end], "s 0123456789-–,:~") != "" {
			break
		}
		s = strings.TrimRight(s[:i], " ") + s[i+end+1:]
	}
	for _, x := range [...]string{"Lines ", "Line "} {
		rest, ok := strings.CutPrefix(s, x)
		if !ok {
			continue
		}
		if i := strings.Index(rest, " in `"); i > 0 && strings.Trim(rest[:i], "0123456789-–, ") == "" {
			s = rest[i+4:]
		} else if i := strings.Index(rest, ": "); i > 0 && strings.Trim(rest[:i], "0123456789-–, ") == "" {
			s = rest[i+2:]
		}
	}
	for from := 0; ; {
		i := strings.IndexByte(s[from:], ':')
		if i < 0 {
			return s
		}
		i += from
		end := i + 1
		for end < len(s) && (s[end] >= '0' && s[end] <= '9' || end > i+1 && s[end] == '-') {
			end++
		}
		start := strings.LastIndexAny(s[:i], " `(") + 1
		if end > i+1 && fileName(s[start:i]) && (end == len(s) || strings.IndexByte("` ),.:;", s[end]) >= 0) {
			s = s[:i] + s[end:]
		} else {
			i++
		}
		from = i
	}
}

// ordinal is the length of the "2. ", "2) " or "(2) " that s begins with, or 0.
func ordinal(s string) int {
	i := 0
	if strings.HasPrefix(s, "(") || strings.HasPrefix(s, "#") {
		i++
	}
	n := i
	for n < len(s) && n < i+2 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n == i && n+1 < len(s) && (s[n] >= 'a' && s[n] <= 'h' || s[n] >= 'A' && s[n] <= 'H') && s[n+1] == ')' {
		n++
	}
	if n == i || n+1 >= len(s) || s[n] != '.' && s[n] != ')' && s[n] != ':' || s[n+1] != ' ' {
		return 0
	}
	return n + 2
}

// opening takes off a word with which people begin to speak.
func opening(s string) string {
	w, rest, ok := strings.Cut(s, " ")
	if !ok || len(w) > 16 {
		return s
	}
	word := lower(strings.TrimRight(w, ",.!:-…"))
	comma := len(word) < len(w)
	rest = strings.TrimLeft(rest, " ,-–—")
	switch word {
	case "and", "so", "but", "also", "ok", "okay", "well", "actually", "basically", "honestly", "yes", "yeah", "ah", "oh", "hmm", "right",
		"then", "plus", "anyway", "btw", "however", "additionally", "furthermore", "moreover", "similarly", "finally", "unfortunately", "interestingly",
		"и", "а", "ну", "так", "кстати", "также", "да", "но", "ладно", "хорошо":
		if short := word == "so" || word == "right" || word == "then"; short && !comma && strings.HasPrefix(lower(rest), "that ") {
			return s
		}
		if word == "so" && !comma && strings.HasPrefix(lower(rest), "far") {
			return s
		}
		return rest
	case "because":
		if !strings.Contains(rest, ",") {
			return rest
		}
	case "great", "perfect", "excellent", "good", "nice", "no", "nope", "sure", "thanks", "fine", "now", "wait", "done", "fixed":
		if comma && rest != "" && len(w) > len(word) {
			return rest
		}
	}
	for _, x := range [...]string{"i think that ", "i think ", "i guess ", "note that ", "in fact, ", "in short, ", "as you know, ", "it turns out that ", "it turns out ", "the key insight is that ", "the key insight was that ", "the key insight was understanding that ", "the key point is that ", "the important thing is that ",
		"the main thing is that ", "the interesting part is that ", "this means that ", "i found that ", "i see that ", "i can see that ", "it looks like ",
		"turns out ", "remember that ", "and remember that ", "remember, ", "keep in mind that ", "我觉得", "我认为", "请注意，", "注意：", "кажется, ", "думаю, "} {
		if len(s) > len(x)+20 && strings.EqualFold(s[:len(x)], x) && utf8.RuneStart(s[len(x)]) {
			return s[len(x):]
		}
	}
	return s
}

// unplaced takes "On this branch" off the beginning of a user's statement: a
// memory is one branch's anyway.
func unplaced(s string) string {
	for _, x := range [...]string{"on this branch", "in this branch", "for this branch", "на этой ветке", "в этой ветке", "在这个分支上", "이 브랜치에서는 "} {
		if len(s) > len(x)+10 && strings.EqualFold(s[:len(x)], x) {
			rest := strings.TrimLeft(s[len(x):], " ,:，")
			first, size := utf8.DecodeRuneInString(rest)
			return strings.ToUpper(string(first)) + rest[size:]
		}
	}
	return s
}
