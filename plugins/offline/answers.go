package main

import (
	"strings"

	"recollect/hostapi/guest"
)

// memo gives a message's text as it is to be read. A user's single line behind
// "#" is, in several assistants, what they are asked to remember, not a heading;
// what they typed behind a command is theirs without it; and a short answer that
// settles a question is to be remembered with the question that it settles.
func memo(role, text string) string {
	if role != guest.RoleUser {
		return text
	}
	text = behindCommand(text)
	switch {
	case len(text) <= maxAsked && strings.HasPrefix(text, "# ") && !strings.Contains(strings.TrimSpace(text), "\n"):
		return "Remember: " + text[2:]
	case len(text) <= maxAnswers && strings.HasPrefix(text, "> "):
		return settled(text)
	}
	return text
}

// maxAnswers bounds a message that is read as answers, in bytes.
const maxAnswers = 8 << 10

// behindCommand takes the name of a command off what a user typed behind it:
// "/review-pr We always …".
func behindCommand(text string) string {
	if !strings.HasPrefix(text, "/") {
		return text
	}
	n := 1
	for n < len(text) && (text[n] >= 'a' && text[n] <= 'z' || text[n] >= '0' && text[n] <= '9' || n > 1 && strings.IndexByte("-_:", text[n]) >= 0) {
		n++
	}
	if n < 2 || n >= len(text) || text[n] != ' ' && text[n] != '\n' {
		return text
	}
	return strings.TrimLeft(text[n:], " \n")
}

// settled marks the answers of a message that settle the question above them, as
// what is to be remembered. Others stay as they are.
func settled(text string) string {
	parts := strings.Split(text, "\n\n")
	for i, part := range parts {
		line, rest, ok := strings.Cut(part, "\n")
		question, quoted := strings.CutPrefix(line, "> ")
		if rest = strings.TrimSpace(rest); !ok || !quoted {
			continue
		}
		switch {
		case decides(question, rest):
			// Without its mark: an item that asks is none.
			parts[i] = "Remember: " + strings.TrimRight(rest, ".!") + " (" + strings.TrimRight(question, "?？ ") + ")"
		case len(words(rest)) < 5 && countCJK(rest) < 16 && !strings.Contains(rest, "\n"):
			parts[i] = "" // an option that was chosen says nothing without its question
		}
	}
	return strings.Join(parts, "\n\n")
}

// decides says that a short answer settles how things are done from then on: the
// question is which, where or how "we" should, and not a choice of two that it
// names, of which the one not chosen would be remembered with it.
func decides(question, answer string) bool {
	q, a := lower(strings.TrimSpace(question)), lower(answer)
	if len(q) > 160 || len(a) > 200 || strings.Contains(a, "\n") || strings.ContainsAny(q, "()") || !asksHow(q) {
		return false
	}
	for _, x := range [...]string{" or ", " vs ", "/", " или ", "还是", "아니면", " this ", " it?", " these ", " today", " next", " now"} {
		if strings.Contains(q, x) {
			return false
		}
	}
	if strings.HasSuffix(a, "?") || strings.HasSuffix(a, "？") {
		return false
	}
	for _, x := range [...]string{"yes", "no", "nope", "ok", "you", "skip", "none", "both", "either", "all ", "any", "not sure", "unsure", "maybe", "hmm", "what", "why", "how", "wait", "next", "done", "let ", "let's", "i don't",
		"whatever", "later", "option", "other", "[", "да", "нет", "не знаю", "любо", "потом", "решай", "不知道", "都可以", "你决定", "随便", "아니", "모르", "알아서"} {
		if strings.HasPrefix(a, x) {
			return false
		}
	}
	return true
}

// asksHow says that a question asks which way "we" should go.
func asksHow(q string) bool {
	if !strings.HasSuffix(q, "?") && !strings.HasSuffix(q, "？") {
		return false
	}
	for _, x := range [...]struct{ asks, we []string }{
		{[]string{"which ", "what ", "where ", "how ", "who ", "when ", "in which ", "with which ", "on which "},
			[]string{" should we ", " shall we ", " do we ", " will we ", " must we ", " we should ", " we use", " should the ", " should our "}},
		{[]string{"какой ", "какую ", "какие ", "какое ", "где ", "как ", "что ", "чем ", "в какой ", "в каком ", "на каком "},
			[]string{" мы ", " нам ", "будем ", "следует ", "использу"}},
		{[]string{"我们", "应该", "用哪", "使用哪", "哪"}, []string{"用哪", "使用哪", "应该"}},
		{[]string{"어떤 ", "어디", "어떻게 ", "무엇"}, []string{"할까요", "사용할", "써야", "해야"}},
	} {
		if startsWith(q, x.asks) && containsAny(q, x.we) {
			return true
		}
	}
	return false
}

func startsWith(s string, all []string) bool {
	for _, x := range all {
		if strings.HasPrefix(s, x) {
			return true
		}
	}
	return false
}

func containsAny(s string, all []string) bool {
	for _, x := range all {
		if strings.Contains(s, x) {
			return true
		}
	}
	return false
}
