package main

import (
	"strings"
	"unicode/utf8"
)

// Bounds of a sentence that can stand for itself.
const (
	minWords = 4
	minRule  = 3 // of a user's rule
	maxRunes = 300
	maxAsked = 500 // of what a user asks to have remembered
)

// refused says why a sentence is never worth keeping, whatever else it says: no
// sentence at all, a question, an announcement, a task, something for a machine. "": it
// may be.
func refused(s string, f *facts, all set) string {
	if utf8.RuneCountInString(s) > maxRunes {
		return "it is too long for one item"
	}
	w := words(s)
	least := minWords
	if f.has(fRule) {
		least = minRule
	}
	if n := len(w) + countCJK(s)*2/3; n < least {
		return "it is too short to stand for itself"
	}
	if strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") {
		return "it announces what follows"
	}
	user := f.has(fUser)
	switch {
	case asks(s, w) && !(user && opinion(w, all)):
		return "it is a question"
	case user && !f.has(fRule) && begs(w):
		return "it asks for something, or is talk of the moment"
	case user && !f.has(fRule) && !f.has(fPlain) && task(f, all, w):
		return "it is an order for now, not a rule"
	case !user && f.has(fGoing) && all.has(cNow):
		return "it tells what is going on now"
	case !user && announces(w):
		return "it tells what the assistant does next"
	case rude(s, w):
		return "it swears"
	case mechanical(s):
		return "it is code, a command or a line of a log"
	case len(w) > 1 && !f.has(fRule) && passing(s, w, all, user):
		return "it is of the moment: a guess, a plan, a count, or praise"
	}
	return ""
}

// unfit says why what a user asks to have remembered can't be kept; "" if it can.
func unfit(s string) string {
	switch {
	case utf8.RuneCountInString(s) > maxAsked:
		return "it is too long for one item"
	case rude(s, words(s)):
		return "it swears"
	}
	return ""
}

// task says that a user's sentence is an order for now, not a rule.
func task(f *facts, cs set, w []string) bool {
	return f.has(front(cTask)) && !universal(w, cs) && !cs.has(cForbid) && !cs.has(cMust) && !cs.has(cPrefer) && !cs.has(cWe) && (!cs.has(cDecide) || cs.has(cYou))
}

// universal says that a sentence speaks of every case. In English "if" and "all"
// are too common to tell.
func universal(w []string, cs set) bool {
	if !cs.has(cAlways) {
		return false
	}
	for _, x := range w {
		if x[0] >= utf8.RuneSelf {
			return true
		}
		switch x {
		case "always", "never", "every", "each", "only", "everywhere", "whenever", "unless":
			return true
		}
	}
	return len(w) == 0
}

// rude says that a sentence swears: nobody wants it in a file of the project.
func rude(s string, w []string) bool {
	for _, x := range w {
		switch x {
		case "fuck", "fucking", "fucked", "shit", "shitty", "bullshit", "bitch", "asshole", "idiot", "idiotic", "moron",
			"блять", "блядь", "сука", "хуй", "нахуй", "пиздец", "ебать", "заебал", "идиот":
			return true
		}
	}
	for _, x := range [...]string{"시발", "씨발", "병신", "개새끼", "좆", "지랄", "他妈", "傻逼", "妈的", "操你"} {
		if strings.Contains(s, x) {
			return true
		}
	}
	return false
}

// unsafe says that a sentence is an order to the reader that does not come from
// the project, or a place where a secret stood.
func unsafe(s string) bool {
	l := lower(s)
	return hostile(l) || secretive(s, l)
}

// asks says that a sentence is a question, with or without its mark.
func asks(s string, w []string) bool {
	if strings.HasSuffix(strings.TrimRight(s, ` )"'!`), "?") || strings.HasSuffix(s, "？") || strings.Contains(s, "? ") {
		return true
	}
	if len(w) < 2 {
		return false
	}
	switch w[0] {
	case "whether":
		return true
	case "what", "why", "how", "where", "who", "which", "does", "did", "is", "are", "can", "could", "would", "shall", "what's", "where's",
		"почему", "зачем", "как", "где", "кто":
		return w[0] != "which" && w[0] != "how" || w[1] != "means"
	case "should":
		return w[1] == "i" || w[1] == "we"
	case "want":
		return w[1] == "me"
	case "do":
		return w[1] == "you" || w[1] == "we" || w[1] == "i"
	}
	t := strings.TrimRight(s, " .。~ㅋㅎㅠㅜ")
	for _, end := range [...]string{"吗", "呢", "까", "나요", "냐", "냐고", "거야", "는데", "잖아", "인가", "なの", "ですか", "ますか"} {
		if strings.HasSuffix(t, end) {
			return true
		}
	}
	return false
}

// opinion says that a question is a wish with a mark of politeness behind it.
func opinion(w []string, all set) bool {
	if len(w) == 0 {
		return false
	}
	switch w[0] {
	case "what", "why", "how", "where", "who", "which", "when", "does", "did", "do", "is", "are", "can", "could", "would", "will", "any", "what's":
		return false
	}
	return all.has(cHedge) && (all.has(cShould) || all.has(cWe) || all.has(cMust))
}

// announces says that an assistant tells what it does next, or asks what to do.
func announces(w []string) bool {
	for len(w) > 2 && (filler(w[0]) || chat(w[0]) || w[0] == "first" || w[0] == "next" || w[0] == "finally") {
		w = w[1:]
	}
	for _, x := range w {
		switch x {
		case "i'll", "i'm", "i'd", "i've":
			return true
		}
	}
	if len(w) < 3 {
		return false
	}
	switch w[0] {
	case "let", "i'll", "i'm", "i've", "i'd", "let's", "continuing", "checking", "running", "looking", "going", "proceeding", "starting",
		"waiting", "adding", "updating", "fixing", "creating", "removing",
		"installing", "pushing", "committing", "testing", "changing", "reading", "writing", "moving", "implementing", "investigating", "давайте", "давай", "сейчас":
		return true
	case "i":
		switch w[1] {
		case "will", "need", "should", "see", "can", "want", "have", "don't", "think", "could", "was", "am", "notice", "noticed", "understand", "apologize":
			return true
		}
	case "if", "when", "once":
		return w[1] == "you'd" || w[1] == "you" && (w[2] == "want" || w[2] == "like" || w[2] == "need" || w[2] == "prefer" || w[2] == "have" || w[2] == "see")
	case "would", "do", "want", "shall", "should":
		return w[1] == "you" || w[1] == "me" || w[1] == "i"
	case "need", "time":
		return w[1] == "to"
	case "you're":
		return w[1] == "right" || w[1] == "absolutely"
	}
	return false
}

// begs says that a user asks for something or says what they see and don't know:
// talk of the moment.
func begs(w []string) bool {
	for len(w) > 3 && (filler(w[0]) || chat(w[0]) || w[0] == "hey" || w[0] == "hi" || w[0] == "hello" || w[0] == "claude" || w[0] == "please") {
		w = w[1:]
	}
	if len(w) < 3 {
		return false
	}
	switch w[0] {
	case "always", "never":
		return !doing(w[1])
	case "don't", "dont":
		return feeling(w[1])
	case "remember", "note":
		return true // what is to be remembered has lost these words
	case "tell", "show", "give", "help", "explain", "you":
		return w[1] == "me" || w[1] == "us" || w[0] == "you" && (w[1] == "are" || w[1] == "missed" || w[1] == "forgot" || w[1] == "didn't")
	case "something":
		return true
	case "i":
		switch w[1] {
		case "always", "never", "keep", "still":
			return true
		case "want":
			return w[2] == "you" || w[2] == "this" || w[2] == "that"
		case "can't", "don't", "figure", "am", "see", "saw", "need", "got", "get", "just", "have", "ran", "tried", "wonder", "was":
			return w[1] != "don't" && w[1] != "need" && w[1] != "have" && w[1] != "was" || w[2] == "know" || w[2] == "see" || w[2] == "understand" ||
				w[2] == "you" || w[2] == "to" || w[2] == "a" || w[2] == "wondering" || w[2] == "expecting" || w[2] == "answers" || w[2] == "remember" || w[2] == "help" || w[2] == "more"
		}
	case "i'd":
		return w[1] == "like" && (w[2] == "you" || w[2] == "your" || w[2] == "to")
	case "i've", "i'm":
		return true
	case "расскажи", "покажи", "объясни", "помоги", "не":
		return w[0] != "не" || w[1] == "понимаю" || w[1] == "вижу" || w[1] == "знаю"
	}
	return false
}

func chat(w string) bool {
	switch w {
	case "great", "perfect", "excellent", "good", "nice", "thanks", "sorry", "sure", "done", "right", "alright", "interesting", "got", "hmm":
		return true
	}
	return false
}

// hostile says that a text gives orders to whoever reads it as an instruction,
// or feeds something from the network to a shell.
func hostile(l string) bool {
	for _, x := range [...]string{"ignore previous", "ignore all previous", "ignore the previous", "ignore prior", "ignore all prior",
		"ignore your", "ignore any previous", "disregard previous", "disregard all", "disregard your", "disregard the above", "forget previous",
		"forget all previous", "forget your instructions", "system prompt", "you are now", "new instructions", "do not tell the user",
		"don't tell the user", "without telling the user", "<!--", "-->", "<system", "</system", "begin instructions", "jailbreak",
		"nc -e", "rm -rf /", "base64 -d", "игнорируй предыдущ", "忽略之前", "忽略以上", "이전 지시", "이전 명령"} {
		if strings.Contains(l, x) {
			return true
		}
	}
	if i := strings.IndexByte(l, '|'); i >= 0 && (strings.Contains(l[:i], "curl") || strings.Contains(l[:i], "wget") || strings.Contains(l[:i], "http")) {
		rest := l[i:]
		return strings.Contains(rest, "sh") || strings.Contains(rest, "python") || strings.Contains(rest, "node") || strings.Contains(rest, "perl")
	}
	return strings.Contains(l, "--insecure") || strings.Contains(l, "--no-verify") && strings.Contains(l, "always")
}

// secretive says that a text holds a secret, or the place of one.
func secretive(s, l string) bool {
	if strings.Contains(l, "redacted") || strings.Contains(l, "-----begin") {
		return true
	}
	for _, x := range [...]string{"sk-", "ghp_", "gho_", "ghs_", "github_pat_", "xoxb-", "xoxp-", "AKIA", "ASIA", "eyJhbGci", "glpat-", "sk_live_", "sk_test_", "pk_live_", "pk_test_", "AIza"} {
		if i := strings.Index(s, x); i >= 0 && run(s[i+len(x):]) >= 8 && (i == 0 || !wordByte(s[i-1])) {
			return true
		}
	}
	for _, x := range [...]string{"password", "passwd", "secret", "api_key", "apikey", "api key", "token", "пароль"} {
		i := strings.Index(l, x)
		if i < 0 {
			continue
		}
		rest := strings.TrimLeft(l[i+len(x):], " \"'`")
		if len(rest) > 1 && (rest[0] == '=' || rest[0] == ':') && rest[1] != '=' && run(strings.TrimLeft(rest[1:], " \"'`")) >= 6 && strings.ContainsAny(rest, "0123456789") {
			return true
		}
	}
	return false
}

// run is the length of the unbroken run of key characters that s begins with.
func run(s string) int {
	n := 0
	for n < len(s) && (wordByte(s[n]) || s[n] == '_' || s[n] == '-') {
		n++
	}
	return n
}

// mechanical says that a text was written by or for a machine: code, a command,
// a line of a log.
func mechanical(s string) bool {
	if len(s) > 3 && s[0] >= 'A' && s[0] <= 'H' && s[1] == ' ' && s[2] == '(' {
		return true // "B (with a queue)": an option
	}
	if len(s) > 3 && s[1] == ' ' && strings.IndexByte("IWEiwe", s[0]) >= 0 && s[2] >= 'A' && s[2] <= 'Z' {
		return true // "W Something": a line of a log
	}
	if strings.Contains(s, "AssertionError:") || strings.Contains(s, "git:(") || strings.Contains(s, " npm error ") || strings.Contains(s, "npm ERR!") {
		return true
	}
	letters, signs, code := 0, 0, 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '`':
			n := span(s[i:])
			code += n
			i += n - 1
		case wordByte(c) && (c < '0' || c > '9'):
			letters++
		case c != ' ' && c != ',' && c != '.' && c != '\'' && c != '-':
			signs++
		}
	}
	if letters < 8 && code < len(s)*8/10 || code >= len(s)*9/10 || signs*3 > letters+code/2 {
		return true
	}
	switch s[len(s)-1] {
	case '{', '}', ';', '\\', ',', '(', '[', '=', '|', '&':
		return true
	}
	for _, x := range [...]string{`""`, "●", "⎿", "├", "[x]", "[ ]", "'''", "Agent: ", "User: ", "Human: ", "Assistant: ", "$ ", "> ", "% ", "npm ", "at ", "Traceback", "FAILED ", "PASSED ", "# ", "ERROR ", "WARN ", "INFO ", "File \"", "Error: ", "error: ", "warning: ", "npm:", "import ", "const ", "func ",
		"def ", "class ", "return ", "var ", "SELECT ", "@", "http://", "https://", "---", "+++", "/", "└"} {
		if strings.HasPrefix(s, x) {
			return !strings.HasPrefix(x, "npm ") && x != "at " && x != "return " && x != "class " && x != "import " || signs*8 > letters
		}
	}
	return false
}
