package main

import "strings"

// Wordings with which a user asks to have something remembered. What follows
// them is taken as it stands.
var (
	// toldAnywhere count wherever they stand in a sentence.
	toldAnywhere = [...]string{"remember that ", "remember: ", "remember, ", "please note that ", "keep in mind that ", "keep in mind: ", "bear in mind that ",
		"for future reference, ", "for future reference: ", "from now on, ", "from now on ", "запомни, что ", "запомни: ", "запомните, что ", "запомните: ",
		"имей в виду, что ", "имейте в виду, что ", "на будущее: ", "记住，", "记住：", "请记住", "记住"}

	// toldInFront count only where a sentence begins.
	toldInFront = [...]string{"remember this: ", "remember to ", "remember - ", "remember ", "remember:", "note that ", "note to self: ", "note: ", "note - ", "notes: ", "nb: ", "n.b.: ",
		"rule: ", "rule - ", "new rule: ", "new rule, ", "house rule: ", "project rule: ", "team rule: ", "general rule: ", "rule of thumb: ", "as a rule, ", "as a general rule, ",
		"our rule: ", "convention: ", "keep in mind, ", "don't forget that ", "don't forget: ", "never forget that ", "never forget: ", "going forward, ", "going forward ",
		"henceforth, ", "henceforth ", "in future, ", "for the future: ", "for the record: ", "memorize: ", "memorize that ",
		"запомни, ", "запомни - ", "запомни — ", "запомни ", "запомните, ", "запомните ", "правило: ", "новое правило: ", "отныне ", "отныне, ", "впредь ", "впредь, ", "с этого момента ",
		"с этого момента, ", "учти, что ", "учти: ", "учтите, что ", "учтите: ", "имей в виду: ", "не забудь, что ", "не забывай, что ", "заметка: ", "примечание: ", "на заметку: ",
		"记得，", "记得：", "记得", "请记得", "牢记", "切记", "注意：", "注意:", "规则：", "规则:", "约定：", "备注：", "从现在起，", "从现在起", "从现在开始，", "从现在开始", "今后，", "今后",
		"기억해 주세요: ", "기억해 주세요, ", "기억해주세요: ", "기억해주세요, ", "기억해 줘: ", "기억해 줘, ", "기억해줘: ", "기억해줘, ", "기억해둬: ", "기억해: ", "기억해, ", "기억해 ", "기억하세요: ",
		"기억하세요, ", "규칙: ", "원칙: ", "메모: ", "참고: ", "지금부터 ", "지금부터는 ", "이제부터 ", "이제부터는 ", "앞으로 ", "앞으로는 ", "覚えておいて、", "覚えておいて：", "今後は、", "今後は", "ルール：",
		"merk dir: ", "merke dir: ", "merk dir, dass ", "ab jetzt ", "ab sofort ", "regel: ", "souviens-toi : ", "à partir de maintenant, ", "recuerda: ", "recuerda que ",
		"a partir de ahora, ", "regla: "}

	// toldBehind end a sentence that is to be remembered, where verbs stand last.
	toldBehind = [...]string{"기억해", "기억해줘", "기억해 줘", "기억해주세요", "기억해 주세요", "기억하세요", "기억해둬", "기억해 둬"}

	// toldNot follow "remember" where somebody asks or tells of the past.
	toldNot = [...]string{"when ", "what ", "how ", "why ", "who ", "where ", "which ", "the time", "last ", "me ", "if ", "как ", "когда ", "что мы ", "почему ", "где "}
)

// told gives what a user asks to have remembered: the rest of a sentence behind
// "remember that" and the like.
func told(s string) (string, bool) {
	l := lower(s)
	if len(l) != len(s) || strings.HasSuffix(l, "?") || strings.HasSuffix(l, "？") {
		return "", false // letters of another length in small: the places would not fit
	}
	from := greeted(l)
	longest := 0
	for _, x := range toldInFront {
		if len(x) > longest && strings.HasPrefix(l[from:], x) {
			longest = len(x)
		}
	}
	for _, x := range toldAnywhere {
		if len(x) > longest && strings.HasPrefix(l[from:], x) {
			longest = len(x)
		}
	}
	if longest > 0 {
		if rest, ok := toldRest(s[from+longest:]); ok {
			return rest, true
		}
	}
	for _, x := range toldAnywhere {
		i := strings.Index(l, x)
		if i < 0 || i > 0 && l[i-1] != ' ' && l[i-1] < 0x80 {
			continue
		}
		before := l[:i]
		if strings.HasSuffix(before, "you ") || strings.HasSuffix(before, "i ") || strings.HasSuffix(before, "don't ") || strings.HasSuffix(before, "to ") {
			continue
		}
		if rest, ok := toldRest(s[i+len(x):]); ok {
			return rest, true
		}
	}
	t := strings.TrimRight(l, " .!~")
	for _, x := range toldBehind {
		if rest, ok := strings.CutSuffix(t, x); ok {
			return toldRest(s[:len(rest)])
		}
	}
	return "", false
}

// lasting says that the words before what is to be remembered announce a rule,
// not a fact: "from now on", "rule".
func lasting(before string) bool {
	for _, x := range [...]string{"rule", "from now on", "going forward", "henceforth", "in future", "convention", "правил", "отныне", "впредь", "с этого момента", "规则", "规范", "约定", "从现在", "今后", "규칙", "원칙", "앞으로", "지금부터",
		"이제부터", "今後", "ルール", "ab jetzt", "ab sofort", "regel", "à partir de maintenant", "a partir de ahora", "regla"} {
		if strings.Contains(before, x) {
			return true
		}
	}
	return false
}

// greeted is the length of what people say before they ask.
func greeted(l string) int {
	from := 0
	for range 3 {
		for _, x := range [...]string{"please ", "and ", "also ", "also, ", "ok, ", "ok ", "okay, ", "so ", "but ", "hey ", "hi ", "claude, ", "important: ", "oh, ", "yes, ", "no, ",
			"и ", "а ", "да, ", "нет, ", "пожалуйста, ", "请", "另外，", "그리고 "} {
			if strings.HasPrefix(l[from:], x) {
				from += len(x)
			}
		}
	}
	return from
}

// toldRest trims what is to be remembered; ok is false if nothing is left that
// says anything.
func toldRest(s string) (rest string, ok bool) {
	rest = strings.Trim(s, " ,:;：，、-–—")
	l := lower(rest)
	for _, x := range toldNot {
		if strings.HasPrefix(l, x) {
			return "", false
		}
	}
	n, east := len(words(rest)), countCJK(rest)
	if n+east < 2 || n+east <= 2 && pronounStart(rest) || n <= 3 && east == 0 && pointer(l) {
		return "", false
	}
	return rest, true
}

// pointer says that a few words only point at what was said elsewhere: "my build
// command".
func pointer(l string) bool {
	if strings.ContainsAny(l, "0123456789`") {
		return false
	}
	for _, x := range [...]string{"my ", "our ", "the ", "this ", "that ", "these ", "those "} {
		if strings.HasPrefix(l, x) {
			return true
		}
	}
	return false
}

// toldList says that what stands over a list asks to have its entries
// remembered: "Rules", "from now on".
func toldList(heading, intro string) bool {
	over := intro
	if over == "" {
		over = heading
	}
	over = strings.Trim(over, " :.!*#")
	if n := greeted(over); n < len(over) {
		over = over[n:]
	}
	switch over {
	case "remember", "remember this", "remember these", "note", "notes", "rule", "rules", "rules to follow", "our rules", "some rules", "house rules", "project rules", "coding rules", "team rules",
		"from now on", "going forward", "keep in mind", "conventions", "our conventions", "coding conventions", "запомни", "запомните", "правила", "наши правила", "отныне", "впредь",
		"记住", "请记住", "规则", "规范", "约定", "从现在起", "从现在开始", "기억해", "기억해 줘", "기억해줘", "규칙", "원칙", "앞으로", "지금부터":
		return true
	}
	return false
}
