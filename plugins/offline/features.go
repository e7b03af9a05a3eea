package main

import (
	"strings"
	"unicode/utf8"
)

// feature is one thing that is true or not of a sentence and speaks for or
// against keeping it. The cues come first, then the cues of a user's sentence,
// then the cues in front, then these.
type feature int

const (
	fUser feature = 3*feature(cues) + iota
	fNumbered
	fStrong
	fTick
	fCross
	fLabel
	fLabelCause
	fLabelRule
	fLabelPlan
	fHeadCause
	fHeadSummary
	fHeadPlan
	fHeadReview
	fHeading
	fOneMessage
	fLongMessage
	fPaste
	fFirst
	fLast
	fShort
	fMedium
	fLong
	fVeryLong
	fCode1
	fCode2
	fName
	fPath
	fParen
	fArrow
	fExclaim
	fPronoun
	fSmall
	fFragment
	fFinal
	fThe
	fNoVerb
	fRefuted
	fRetired
	fIssue
	fLine
	fAddress
	fDeclares
	fManual
	fAsked    // a user asks to remember it
	fRule     // a user lays down how things are done
	fPlain    // a short statement of what is
	fGoing    // something is going on
	fHeadless // a verb without its subject
	features
)

// user is the feature that a user's sentence has a cue, front that a sentence
// begins with it.
func user(c cue) feature  { return feature(cues + c) }
func front(c cue) feature { return feature(2*cues + c) }

// facts is the set of features of one sentence.
type facts [(int(features) + 63) / 64]uint64

func (f *facts) set(x feature, on bool) {
	if on {
		f[x/64] |= 1 << (x % 64)
	}
}

func (f *facts) has(x feature) bool { return f[x/64]>>(x%64)&1 == 1 }

// place says where a sentence stands.
type place struct {
	unit     unit
	user     bool
	size     int  // bytes of the message
	units    int  // of the message
	index    int  // of the unit
	sentence int  // of the unit
	of       int  // sentences of the unit
	found    bool // the sentence before announces a finding
	final    bool // the answer's last message
	manual   bool // a pasted text that speaks to whoever reads it
}

// read gives the features of a sentence, its label taken off if it says only
// what kind of sentence follows.
func (l *lexicon) read(s string, p *place) (string, facts, set) {
	var f facts
	label, rest := label(s)
	kind := labelKind(label)
	if kind != noLabel {
		s = rest
	}
	now := strings.Contains(s, " now ")
	if !p.user {
		s = settle(s)
	}
	w := words(s)
	east := countCJK(s)
	all, first := l.find(s, w, east > 0)
	if strings.Contains(s, ", so ") && (all.has(cBug) || all.has(cLimit) || denies(s)) {
		all |= 1 << cCause
	}
	if now && going(w) {
		all |= 1 << cNow
	}
	for c := range cue(cues) {
		f.set(feature(c), all.has(c))
		f.set(user(c), p.user && all.has(c))
		f.set(front(c), first.has(c))
	}
	f.set(fLabel, label != "" && kind == noLabel)
	f.set(fLabelCause, kind == causeLabel || strings.HasPrefix(label, "fixed "))
	f.set(fLabelRule, kind == ruleLabel)
	f.set(fLabelPlan, kind == planLabel)
	p.read(&f)
	shape(&f, s, w, len(w)+east*2/3)
	paste := p.user && p.size > longMessage
	vague := all.has(cTask) || all.has(cAsk) || all.has(cMe) || all.has(cYou) || all.has(cHedge) || all.has(cNow) || all.has(cMoment)
	f.set(fDeclares, p.user && !paste && all.has(cBehave) && !vague && len(w) > 0 && !pronoun(w[0]))
	f.set(fFragment, p.unit.kind != paragraph && !strings.ContainsAny(s, ".!?。"))
	f.set(fManual, p.manual || paste && (all.has(cYou) || all.has(cExample) || all.has(cOffer)))
	f.set(fPlain, p.unit.kind == paragraph && p.size <= longMessage && p.unit.heading == "" && plainly(s, w, all, p.user))
	f.set(fGoing, going(w))
	f.set(fHeadless, label == "" && len(w) > 0 && headless(w[0]))
	f.set(fRule, p.user && !paste && ruling(s, w, all))
	f.set(fNoVerb, !f.has(fPlain) && !all.has(cBehave) && !all.has(cMust) && !all.has(cShould) && !all.has(cBug) && !all.has(cDecide))
	return s, f, all
}

// longMessage is the size in bytes from which a user has pasted something.
const longMessage = 1500

// read sets what the place of a sentence says.
func (p *place) read(f *facts) {
	f.set(fUser, p.user)
	f.set(fNumbered, p.unit.kind == numbered)
	f.set(fStrong, p.unit.strong)
	f.set(fTick, p.unit.mark == tick)
	f.set(fCross, p.unit.mark == cross)
	f.set(fHeadCause, p.unit.under == causeLabel || p.found)
	f.set(fHeadSummary, p.unit.under == ruleLabel)
	f.set(fHeadPlan, p.unit.under == planLabel)
	f.set(fHeadReview, p.unit.under == reviewLabel)
	f.set(fHeading, p.unit.heading != "")
	f.set(fOneMessage, p.units <= 2)
	f.set(fLongMessage, p.size > longMessage)
	f.set(fPaste, p.user && p.size > longMessage)
	f.set(fFirst, p.index == 0 && p.sentence == 0)
	f.set(fLast, p.index == p.units-1 && p.sentence == p.of-1)
	f.set(fFinal, p.final && !p.user)
}

// headless says that a sentence begins with a verb whose subject stands
// somewhere else.
func headless(w string) bool {
	switch w {
	case "uses", "fetches", "returns", "handles", "provides", "supports", "tests", "enables", "removes", "adds", "checks", "keeps", "allows", "makes", "creates", "shows", "prevents", "reads", "writes", "stores", "contains",
		"ensures", "maintains", "scales", "converts", "includes", "defines", "tracks", "calls", "sets", "gets", "used", "using", "works", "runs":
		return true
	}
	return false
}

// going says that a sentence tells what is going on: "CI is checking out …".
func going(w []string) bool {
	for i := 1; i < len(w); i++ {
		if x := w[i]; len(x) > 5 && strings.HasSuffix(x, "ing") {
			switch w[i-1] {
			case "is", "are", "was", "were", "it's", "we're", "they're":
				return true
			}
		}
	}
	return false
}

// told gives what a user asks to have remembered. Within a pasted document only
// its first and last paragraph are the user's own words.
func (p *place) told(s string) (string, bool) {
	if p.size > longMessage && p.index > 0 && p.index < p.units-1 {
		return "", false
	}
	if rest, ok := told(s); ok {
		return rest, true
	}
	if p.unit.kind != paragraph && p.size <= longMessage && toldList(p.unit.heading, p.unit.intro) {
		return toldRest(s)
	}
	return "", false
}

// shape sets what the form of a sentence of n words says.
func shape(f *facts, s string, w []string, n int) {
	code := 0
	for _, x := range w {
		if x == codeWord {
			code++
		}
	}
	r, _ := utf8.DecodeRuneInString(s)
	f.set(fShort, n < 6)
	f.set(fMedium, n >= 9 && n < 26)
	f.set(fLong, n >= 16 && n < 40)
	f.set(fVeryLong, n >= 40)
	f.set(fCode1, code == 1)
	f.set(fCode2, code >= 2)
	f.set(fName, identifiers(s) > 0)
	f.set(fPath, strings.Contains(s, "/") || fileName(s))
	f.set(fParen, strings.Contains(s, "("))
	f.set(fArrow, strings.Contains(s, "→") || strings.Contains(s, "->") || strings.Contains(s, "=>"))
	f.set(fExclaim, strings.HasSuffix(s, "!"))
	f.set(fSmall, r >= 'a' && r <= 'z')
	f.set(fThe, len(w) > 0 && (w[0] == "the" || w[0] == "this" || w[0] == "all"))
	f.set(fIssue, countedBy(s, "#"))
	f.set(fLine, countedBy(s, "ine ") || countedBy(s, "ines "))
	f.set(fAddress, strings.Contains(s, "://"))
}

// pronoun says that a sentence which begins with w speaks of something that was
// named before it.
func pronoun(w string) bool {
	switch w {
	case "it", "it's", "its", "this", "that", "that's", "these", "those", "they", "they're", "he", "she", "here", "there",
		"это", "он", "она", "они", "этот", "эта", "эти", "такой":
		return true
	}
	return false
}

// countedBy says that a digit follows a mark somewhere, as in "#12".
func countedBy(s, mark string) bool {
	for {
		i := strings.Index(s, mark)
		if i < 0 || i+len(mark) >= len(s) {
			return false
		}
		s = s[i+len(mark):]
		if s[0] >= '0' && s[0] <= '9' {
			return true
		}
	}
}

// identifiers counts the words outside code spans that are written as names in
// code are: inner capitals, underscores, brackets, dotted names.
func identifiers(s string) int {
	n := 0
	for w := range strings.FieldsSeq(s) {
		if strings.ContainsAny(w, "`") {
			continue
		}
		w = strings.Trim(w, ".,:;!?\"'")
		inner := false
		for i := 1; i < len(w); i++ {
			c := w[i]
			if c >= 'A' && c <= 'Z' && w[i-1] >= 'a' && w[i-1] <= 'z' || c == '_' || c == '(' && i+1 < len(w) && w[i+1] == ')' ||
				c == '.' && i+1 < len(w) && wordByte(w[i+1]) && wordByte(w[i-1]) {
				inner = true
				break
			}
		}
		if inner {
			n++
		}
	}
	return n
}

// fileName says that the text holds a name with a source file's ending.
func fileName(s string) bool {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '.')
		if i < 0 {
			return false
		}
		i += from
		from = i + 1
		if i == 0 || !wordByte(s[i-1]) {
			continue
		}
		end := from
		for end < len(s) && wordByte(s[end]) {
			end++
		}
		switch s[from:end] {
		case "go", "py", "ts", "tsx", "js", "jsx", "md", "json", "yml", "yaml", "toml", "rs", "css", "html", "sh", "sql", "java", "rb", "kt", "cs", "php", "c", "h", "cpp":
			return true
		}
	}
}

func pronounStart(s string) bool {
	w, _, _ := strings.Cut(s, " ")
	return pronoun(lower(strings.Trim(w, ",.")))
}
