package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Of code and logs this many lines stay: what they begin with says what they
// are, and an error stands at the end.
const (
	bulkLines = 8 // up to which all stay
	bulkHead  = 4
	bulkTail  = 2
	longLine  = 500 // runes of a line without sentences
)

var (
	bold = regexp.MustCompile("\\*\\*((?:[^*`]|`[^`]*`)+)\\*\\*")
	// pad is what aligns the columns of a table.
	pad = regexp.MustCompile(`(\S) {2,}`)
)

// bare takes away of a line what only looks good: emphasis, and room between
// columns. Stars that stand in a path are no emphasis.
func bare(line string) string {
	if strings.Contains(line, "**") {
		line = bold.ReplaceAllStringFunc(line, func(s string) string {
			inner := s[2 : len(s)-2]
			if strings.Trim(inner, " /") != inner {
				return s
			}
			return inner
		})
	}
	if strings.Contains(line, "  ") {
		line = pad.ReplaceAllString(line, "$1 ")
	}
	return line
}

// withoutBulk shortens what is long and no prose: fenced code, and runs of lines
// that look like a log, a stack, a diff or code.
func withoutBulk(text string) string {
	var out, run []string
	fence := ""
	flush := func() {
		out = append(out, fewer(run)...)
		run = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "" && strings.HasPrefix(trimmed, fence):
			flush()
			out, fence = append(out, line), ""
		case fence != "":
			run = append(run, shortLine(line))
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			flush()
			out, fence = append(out, line), trimmed[:3]
		case bulky(line) || len(run) > 0 && trimmed == "":
			run = append(run, shortLine(line))
		default:
			flush()
			out = append(out, bare(line))
		}
	}
	flush()
	return strings.TrimSpace(strings.Join(out, "\n"))
}

func fewer(lines []string) []string {
	n := len(lines) - bulkHead - bulkTail
	if len(lines) <= bulkLines {
		return lines
	}
	out := append([]string{}, lines[:bulkHead]...)
	out = append(out, "[..."+strconv.Itoa(n)+" lines left out]")
	return append(out, lines[len(lines)-bulkTail:]...)
}

func shortLine(line string) string {
	if utf8.RuneCountInString(line) <= longLine {
		return line
	}
	return cut(line, longLine/2)
}

// bulky says that a line is a program's more likely than a person's.
func bulky(line string) bool {
	t := strings.TrimSpace(line)
	switch {
	case t == "":
		return false
	case utf8.RuneCountInString(t) > longLine && strings.Count(t, " ")*12 < len(t):
		return true
	case strings.HasPrefix(t, "at ") && strings.ContainsAny(t, "(:"), strings.HasPrefix(t, "@@ "), strings.HasPrefix(t, "diff --"), strings.HasPrefix(t, "$ "):
		return true
	case stamped(t), hashed(t):
		return true
	case strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"):
		return !listed(t)
	}
	return strings.ContainsRune("{};", rune(t[len(t)-1]))
}

// stamped says that a line begins like one of a log: with a time, a level, or
// either in brackets.
func stamped(t string) bool {
	t = strings.TrimLeft(t, "[(")
	digits := len(t) - len(strings.TrimLeft(t, "0123456789"))
	if (digits == 2 || digits == 4) && len(t) > digits+2 && strings.ContainsRune("-:/", rune(t[digits])) && unicode.IsDigit(rune(t[digits+1])) {
		return true
	}
	for _, level := range []string{"ERROR", "WARN", "INFO", "DEBUG", "TRACE", "FATAL"} {
		if strings.HasPrefix(t, level) {
			return true
		}
	}
	return false
}

// hashed says that a line begins with the short hash of a commit.
func hashed(t string) bool {
	word, _, more := strings.Cut(t, " ")
	return more && len(word) >= 7 && len(word) <= 12 && strings.Trim(word, "0123456789abcdef") == "" && strings.ContainsAny(word, "0123456789")
}

// listed says that a line is an entry of a list, or a quote.
func listed(t string) bool {
	rest := strings.TrimLeft(t, "0123456789")
	return strings.HasPrefix(t, "- ") || strings.HasPrefix(t, "* ") || strings.HasPrefix(t, ">") || strings.HasPrefix(t, "|") ||
		rest != t && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") "))
}

// Bounds of what can be narration, in runes.
const (
	announced    = 140 // of a sentence that leads to what comes after it
	toldNext     = 240 // of one that begins or ends like narration
	shortWord    = 45  // bytes of one that may be a mere word of progress
	idleSentence = 80  // bytes of one that says nothing unless something in it does
)

// unnarrated takes out of a message headings, and the sentences that only say what
// the assistant is about to do or how a step went; "" if nothing else is in it.
// What stands in fences stays.
func unnarrated(text string) string {
	var out []string
	text = strings.TrimSpace(text)
	lines := strings.Split(text, "\n")
	fenced := false
	for i, line := range lines {
		t := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(t, "```"):
			fenced = !fenced
			out = append(out, line)
		case fenced || bulky(line):
			out = append(out, line)
		case titled(t):
		case listed(t):
			if !idle(strings.TrimLeft(t, "-*>| ")) {
				out = append(out, line)
			}
		default:
			var keep []string
			for _, s := range sentences(line) {
				if !narrates(s) && !idle(s) && !(i == len(lines)-1 && announces(s)) {
					keep = append(keep, s)
				}
			}
			if len(keep) > 0 {
				out = append(out, strings.Join(keep, " "))
			}
		}
	}
	return strings.Join(out, "\n")
}

// titled says that a line is a heading, or in bold from end to end.
func titled(t string) bool {
	bold := strings.TrimSuffix(t, ":")
	return strings.HasPrefix(t, "#") || len(bold) > 4 && strings.HasPrefix(bold, "**") && strings.HasSuffix(bold, "**") && strings.Count(bold, "**") == 2
}

// idle says that a short sentence names nothing and gives no reason, limit or
// choice: a word of progress. Of scripts that put more into a letter none is.
func idle(s string) bool {
	if len(s) >= idleSentence || strings.Contains(s, "`") || utf8.RuneCountInString(s)*10 < len(s)*9 {
		return false
	}
	low := " " + strings.ToLower(strings.ReplaceAll(s, "’", "'")) + " "
	holds := func(w string) bool { return strings.Contains(low, w) }
	if slices.ContainsFunc(substance, holds) {
		return false
	}
	states := strings.HasSuffix(s, ":") || strings.ContainsAny(s, "0123456789") || slices.ContainsFunc(subjects, func(w string) bool { return strings.HasPrefix(low, w) })
	return !states || slices.ContainsFunc(progress, holds)
}

var (
	// openers begin sentences in which an assistant says what it does next.
	openers = []string{
		"let me", "let's", "now let", "now i", "now, ", "i'll", "i will", "i'm going to", "i am going to", "i'm now", "next, i", "next i",
		"first, let", "first let", "first, i'll", "next, let", "then i'll", "time to", "i need to ", "i should ", "i have to ", "i want to ", "now to ", "now the ",
		"now add", "now update", "now run", "now create", "now check", "now fix", "now verify", "now read", "now look", "checking", "running the", "looking at", "reading",
		"let us", "allow me", "i can see the file", "good, now", "great, now", "ok, now", "okay, now", "all right, ", "alright, ",
		"давай", "теперь ", "сейчас ", "让我", "现在", "我来", "接下来", "次に", "それでは", "이제",
	}
	// closers end such sentences in languages that put the verb last.
	closers = []string{"します", "ましょう", "いきます", "겠습니다", "할게요"}
	// progress are parts of short sentences that say how a step went.
	progress = []string{"pass", "done", "work", "clean", "success", "complete", "correct", "fixed", "good", "ready", "looks", "updated", "merged", "running", "i see", "i have", "green", "resolved", "modified"}
	// substance are parts of short sentences that say something of the project.
	substance = []string{
		"must", "never", "always", "should ", "don't", "do not", "does not", "allowed", "requir", "only", "rule", ", so ", "instead", "rather", "prefer", "decid", "chose", "agreed",
		"convention", "policy", "from now on", "default", "because", "since ", "so that", "otherwise", "due to", "reason", "cause", "turns out", "issue", "problem",
		" race", "workaround", "limit", "cannot", "can't", "doesn't", "won't", "isn't", "aren't", "wasn't", "didn't", " not ", " no ", "avoid", "need", "depend", "expect",
		"intend", " use ", " uses", " means", "without", "unless", "though", "but ", "actually", "whether", "both ", " via ", "fail", " through ", "→", "match", "overrid", "broke",
		" per ", "the fix", "the key", "found that", "root", " has to ", " have to ",
	}
	// subjects begin sentences that are about a thing, and not about the work.
	subjects = []string{" the ", " a ", " an ", " each ", " every ", " all ", " any ", " there "}
	// reasons are words of sentences that say more than that.
	reasons = []string{
		"because", "since ", "so that", "otherwise", " must ", "never", "always", "instead of", "rather than", "turns out", "root cause", "the issue is", "the problem is",
		"due to", "doesn't", "does not", "can't", "cannot", "won't", "requires", "needs to be", "потому", "因为", "ので", "때문",
	}
)

// narrates says that a sentence tells only what comes next, how a step went, or
// how glad its speaker is.
func narrates(s string) bool {
	low := strings.ToLower(strings.ReplaceAll(strings.TrimLeft(s, "*_ "), "’", "'"))
	n := utf8.RuneCountInString(s)
	if reasoned(low) {
		return false
	}
	if len(s) <= shortWord && !strings.Contains(s, "`") {
		if strings.HasSuffix(s, "!") || len(strings.Fields(s)) < 4 {
			return true
		}
		for _, p := range progress {
			if strings.Contains(low, p) {
				return true
			}
		}
	}
	if n <= toldNext {
		for _, o := range openers {
			if strings.HasPrefix(low, o) {
				return true
			}
		}
		for _, c := range closers {
			if strings.HasSuffix(strings.TrimRight(s, "。.!！"), c) {
				return true
			}
		}
	}
	return false
}

// reasoned says that one of the reasons stands in a text of small letters.
func reasoned(low string) bool {
	return slices.ContainsFunc(reasons, func(r string) bool { return strings.Contains(low, r) })
}

// announces says that a sentence only leads to what comes after it.
func announces(s string) bool {
	return utf8.RuneCountInString(s) <= announced && !reasoned(strings.ToLower(s)) && (strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") || strings.HasSuffix(s, "...") || strings.HasSuffix(s, "…"))
}

// sentences cuts a line after what ends a sentence: a mark with a space and what
// is no lower-case letter and no number behind it, or a mark of scripts without
// spaces. The number of a list entry ends none.
func sentences(line string) []string {
	var out []string
	r := []rune(strings.TrimSpace(line))
	from := 0
	for i := range r {
		ends := strings.ContainsRune("。！？", r[i]) ||
			strings.ContainsRune(".!?", r[i]) && i+2 < len(r) && r[i+1] == ' ' && !unicode.IsLower(r[i+2]) && !unicode.IsDigit(r[i+2]) &&
				strings.Trim(string(r[from:i]), "0123456789 *") != ""
		if ends || i == len(r)-1 {
			if s := strings.TrimSpace(string(r[from : i+1])); s != "" {
				out = append(out, s)
			}
			from = i + 1
		}
	}
	return out
}
