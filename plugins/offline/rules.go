package main

import "strings"

// ruling says that a user's sentence, however short, tells how things are always
// to be done: "Use tabs in Makefiles only", "Always quote shell variables".
func ruling(s string, w []string, all set) bool {
	if countCJK(s) > 3 {
		return !all.has(cNow) && !all.has(cHedge) && rulingEast(s)
	}
	if all.has(cNow) || all.has(cHedge) && !(len(w) > 3 && w[0] == "only") || all.has(cMoment) || all.has(cAsk) && !strings.HasPrefix(lower(s), "please") {
		return false
	}
	for len(w) > 2 && (filler(w[0]) && w[0] != "no" || w[0] == "please") {
		w = w[1:]
	}
	if len(w) > 2 && (w[0] == "i" || w[0] == "we") && w[1] == "prefer" {
		return !deictic(w[2:])
	}
	if len(w) < 3 || deictic(w) {
		return false
	}
	if last := w[len(w)-1]; (last == "always" || last == "never") && len(w) > 3 && len(w) < 15 && w[len(w)-2] != "as" && !all.has(cBug) {
		return true
	}
	if n := len(w); w[n-1] == "only" && n > 3 && n < 15 && about(w[n-4:n-1], "in", "on", "for", "with", "from", "by") {
		return true
	}
	switch w[0] {
	case "always", "never":
		return doing(w[1])
	case "every", "each", "all":
		return len(w) > 3 && (all.has(cBehave) || all.has(cMust)) && !all.has(cBug) && !all.has(cStatus) && !all.has(cDone)
	case "only":
		for _, x := range w[2:] {
			if x == "may" || x == "can" || x == "should" || x == "must" {
				return true
			}
		}
		return rulingVerb(w[1])
	case "avoid", "prefer":
		return true
	case "don't", "dont":
		return doing(w[1]) && !feeling(w[1])
	case "do":
		return w[1] == "not" && doing(w[2]) && !feeling(w[2])
	case "no":
		return len(w) <= 9 && forbidden(w[1:])
	case "всегда", "никогда":
		return true
	}
	switch w[0] {
	case "run", "test", "commit", "push", "merge", "deploy", "release":
		return all.has(cShould) // "before every commit"
	}
	if rulingVerb(w[0]) {
		return general(w) || plainPlural(w[1:])
	}
	return must(w) || rulingRussian(w)
}

// imperative says that what a user asks to have remembered is a thing to do.
func imperative(s string, w []string) bool {
	for _, x := range [...]string{"用", "使用", "不要", "别", "只"} {
		if strings.HasPrefix(s, x) {
			return true
		}
	}
	if len(w) < 2 {
		return false
	}
	switch w[0] {
	case "always", "never", "only", "no", "avoid", "don't", "do", "run", "ask", "check", "commit", "push", "deploy", "test", "update", "add", "call", "всегда", "никогда", "не", "используй", "пиши":
		return true
	}
	return rulingVerb(w[0])
}

// must says that a sentence with a subject lays something down: "Errors must be
// wrapped", "Handlers never touch the database".
func must(w []string) bool {
	for i, x := range w {
		if i == 0 || i > 5 || i+1 >= len(w) {
			continue
		}
		switch x {
		case "must":
			return obliges(w[i+1:]) && w[i-1] != "there" && w[i-1] != "you"
		case "never", "always":
			if w[i-1] == "are" || w[i-1] == "is" || w[i-1] == "be" {
				return past(w[i+1]) && w[i+1] != "broken" && w[i+1] != "lost"
			}
			return doing(w[i+1]) && w[i-1] != "i" && w[i-1] != "was" && w[i-1] != "has" && w[i-1] != "have" && w[i-1] != "you"
		}
	}
	return false
}

// obliges says that what follows "must" is a duty, not a guess: "must have a
// test", not "must have failed".
func obliges(w []string) bool {
	if w[0] != "have" {
		return true
	}
	if len(w) > 1 {
		switch w[1] {
		case "a", "an", "the", "no", "at", "its", "one", "exactly", "unique":
			return true
		}
	}
	return false
}

// doing says that a word behind "always" or "never" can be a thing to do.
func doing(w string) bool {
	switch w {
	case "mind", "the", "a", "an", "my", "this", "that", "it", "been", "seen", "had", "heard", "again", "got", "did", "does", "do", "was", "is", "has", "good", "nice", "once",
		"returns", "fails", "happens", "goes", "gets", "works", "shows", "gives", "says":
		return false
	}
	return !past(w)
}

func past(w string) bool {
	switch w {
	case "ran", "went", "saw", "been", "seen", "written", "done", "kept", "sent", "made", "built", "given", "taken", "shown", "held", "thrown", "lost", "broken", "found", "forgotten", "happens", "fails", "worked", "had", "got", "returns", "shows":
		return true
	case "embed", "seed", "need", "feed", "speed", "exceed", "proceed":
		return false
	}
	return len(w) > 4 && strings.HasSuffix(w, "ed")
}

// feeling says that a verb behind "don't" tells of the speaker, not of a rule.
func feeling(w string) bool {
	switch w {
	case "worry", "know", "think", "see", "understand", "get", "like", "want", "need", "have", "bother", "stop", "forget", "care", "believe", "feel", "quite", "really", "you", "we", "i", "panic", "give", "start", "continue", "remember":
		return true
	}
	return false
}

// forbidden says that what follows "no" is a thing that must not be.
func forbidden(w []string) bool {
	switch w[0] {
	case "need", "problem", "problems", "idea", "worries", "one", "way", "thanks", "thank", "i", "it", "that", "this", "we", "you", "they", "he", "the", "don't", "just", "not", "longer", "error", "errors", "change",
		"changes", "luck", "wait", "rush", "matter", "please", "let's", "there", "do", "a", "is", "but", "clue", "use", "go", "keep", "stop", "make", "it's", "that's", "i'm", "such", "output", "result", "results", "difference", "doubt":
		return false
	}
	for _, x := range w {
		if verbal(x) || past(x) || x == "found" {
			return false
		}
	}
	return true
}

// rulingVerb says that an imperative can lay down how things are done; "fix",
// "run" or "add" are said of the task at hand.
func rulingVerb(w string) bool {
	switch w {
	case "use", "keep", "write", "name", "wrap", "store", "quote", "return", "prefer", "format", "document", "validate", "import", "throw", "raise", "handle", "treat", "express", "spell", "indent", "prefix",
		"suffix", "log", "declare", "export", "define", "put", "pass", "limit", "sort", "allow", "follow", "stick", "escape", "pin", "inject", "type", "annotate", "squash", "sign", "tag", "group", "separate", "order":
		return true
	}
	return false
}

// general says that an imperative is meant for every case.
func general(w []string) bool {
	for i := 1; i < len(w); i++ {
		next := ""
		if i+1 < len(w) {
			next = w[i+1]
		}
		switch w[i] {
		case "every", "each", "always", "never", "everywhere", "whenever", "unless", "throughout", "exclusively", "mood":
			return true
		case "only":
			return next != "the" && next != "one"
		case "all", "any":
			return i > 1
		case "under", "below", "within":
			return next != "" && next[0] >= '0' && next[0] <= '9'
		case "before", "after":
			return strings.HasSuffix(next, "ing") || next == "any"
		case "instead":
			return w[0] == "use" && next == "of"
		case "up":
			return w[0] == "keep" && next == "to"
		}
	}
	return false
}

// plainPlural says that the object of an imperative is a kind of thing, not a
// thing: "quote shell variables".
func plainPlural(w []string) bool {
	for i, x := range w[:min(len(w), 3)] {
		switch x {
		case "the", "a", "an", "some", "all", "both", "its", "their", "our", "your", "these", "more", "tests", "docs", "agents", "subagents", "tools", "it", codeWord, "to", "two", "three", "steps", "as", "changes", "results":
			return false
		}
		if len(x) > 3 && x[len(x)-1] == 's' && x[len(x)-2] != 's' && (i+1 < len(w) || i == 1) {
			return true
		}
	}
	return false
}

// deictic says that a sentence points at something at hand.
func deictic(w []string) bool {
	for i, x := range w {
		switch x {
		case "that":
			if i < 2 || i+1 == len(w) || nearer(w[i-1]) {
				return true
			}
		case "this", "these", "those", "it", "here", "i", "i'm", "i've", "my", "me", "them", "he", "she", "yet", "there", "above", "following", "option", "again":
			return true
		}
	}
	return false
}

// nearer says that a "that" behind w points at something; behind a noun it only
// goes on: "comments that restate the code".
func nearer(w string) bool {
	switch w {
	case "of", "on", "in", "to", "with", "for", "do", "like", "use", "fix", "about", "from", "at", "into", "after", "before", "and", "is", "was", "by":
		return true
	}
	return false
}

// rulingRussian knows the imperatives of habit, which Russian tells from those
// for once: "пиши" is a rule, "напиши" a task.
func rulingRussian(w []string) bool {
	if w[0] == "не" {
		switch w[1] {
		case "переживай", "волнуйся", "думай", "торопись", "знаю", "могу", "работай":
			return false
		}
		return strings.HasSuffix(w[1], "й") || strings.HasSuffix(w[1], "йте") || strings.HasSuffix(w[1], "ть")
	}
	for _, x := range w {
		switch strings.TrimSuffix(x, "те") {
		case "пиши", "используй", "называй", "храни", "запускай", "ставь", "оборачивай", "логируй", "форматируй", "предпочитай", "избегай", "придерживайся", "указывай", "пишем", "используем", "называем", "храним":
			return true
		}
	}
	return false
}

// rulingEast knows the rules of Chinese and Korean, which are written in fewer
// signs than words.
func rulingEast(s string) bool {
	if strings.ContainsAny(s, "?？") || strings.Contains(s, "吗") || strings.Contains(s, "这个") || strings.Contains(s, "이 ") && strings.HasPrefix(s, "이 ") {
		return false
	}
	for _, x := range [...]string{"必须", "永远", "一律", "禁止", "不得", "只用", "只能用", "总是", "始终", "不要用", "不要使用", "不允许", "统一用", "统一使用", "每次", "所有", "以后", "提交前", "用英文", "用中文", "영어로 작성", "한국어로 작성", "영어로 써", "한국어로 써", "커밋 전에", "배포 전에", "할 때마다", "앞으로", "항상", "절대", "반드시", "무조건", "금지", "모든", "언제나"} {
		if !strings.Contains(s, x) {
			continue
		}
		if x == "所有" || x == "모든" || x == "每次" {
			return strings.ContainsAny(s, "用须都") && !strings.Contains(s, "了") || strings.Contains(s, "해야") || strings.Contains(s, "사용")
		}
		return true
	}
	return false
}

// plainly says that a short sentence states what is, for good: "Jobs run in
// UTC", "The depot service owns pallet ids".
func plainly(s string, w []string, all set, user bool) bool {
	const vague = set(1<<cNow | 1<<cHedge | 1<<cMe | 1<<cYou | 1<<cPlan | 1<<cDone | 1<<cStatus | 1<<cAsk | 1<<cOffer | 1<<cChat | 1<<cExample | 1<<cMoment)
	if len(w) < 4 || len(w) > 10 || all&vague != 0 || !user && !strings.HasSuffix(s, ".") || deictic(w) || subjectless(w[0]) {
		return false
	}
	for i := 1; i < min(len(w)-1, 5); i++ {
		switch w[i] {
		case "owns", "own", "run", "runs", "listens", "listen", "requires", "require", "expires", "expire", "belongs", "belong", "depends", "depend", "defaults", "lives", "live",
			"exposes", "speaks", "accepts", "accept", "targets", "supports", "support", "uses", "serves", "resets", "rotates", "stores", "store", "reads", "writes", "returns", "talks", "talk", "consumes", "publishes", "follow", "follows",
			"хранится", "хранятся", "выполняется", "выполняются", "работает", "работают", "запускается", "запускаются", "принадлежит", "принадлежат", "слушает", "требует", "поддерживает", "отвечает":
			return !all.has(cBug)
		case "go", "goes":
			return w[i+1] == "in" || w[i+1] == "into" || w[i+1] == "under" || w[i+1] == "next" || w[i+1] == "through"
		case "must":
			return obliges(w[i+1:])
		case "is", "are":
			return !all.has(cBug) && !strings.HasSuffix(w[i+1], "ing") && measured(s, w[i+1:])
		}
	}
	return false
}

// measured says that the end of a sentence has a figure, a name or a unit.
func measured(s string, w []string) bool {
	for _, x := range w {
		switch x {
		case codeWord, "utc", "integers", "cents", "seconds", "milliseconds", "minutes", "bytes", "strings", "immutable", "optional", "mandatory", "required", "unique", "nullable", "sorted", "read", "append", "stateless":
			return true
		}
		if x[0] >= '0' && x[0] <= '9' {
			return true
		}
	}
	return identifiers(s) > 0
}
