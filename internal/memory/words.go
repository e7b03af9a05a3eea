package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is an interned word. The lowest bit says that the word stands under a
// negation: "never use tabs" and "use tabs" have different tokens for "use" and
// "tabs", and "pnpm, not npm" has the same tokens as "pnpm instead of npm".
type token uint32

const negated token = 1

func (t token) base() token { return t &^ negated }

// shape is what two contents are compared by.
type shape struct {
	seq     []token // words in order; single characters in scripts without spaces
	words   []token // the same, sorted, once each
	bases   []token // the words without their negation, sorted, once each
	pairs   []token // neighbouring characters in scripts without spaces, sorted
	numbers []token // words that hold a digit, sorted
	denials int     // negations of no particular word
	denies  bool    // there is a negation
	shift   bool    // says that something changed: "now", "no longer"
	strong  bool    // names what it replaces: "instead of", "switched from"
}

// lexicon interns words. It serves one merge.
type lexicon struct {
	ids   map[string]token
	names []string
}

func newLexicon() *lexicon { return &lexicon{ids: map[string]token{}} }

func (l *lexicon) id(word string) token {
	if t, ok := l.ids[word]; ok {
		return t
	}
	t := token(len(l.names)) << 1
	word = strings.Clone(word)
	l.ids[word] = t
	l.names = append(l.names, word)
	return t
}

func (l *lexicon) name(t token) string { return l.names[t>>1] }

// shape reads a content. It is language-neutral but for the small word lists
// below: what they do not know is compared as it stands.
func (l *lexicon) shape(content string) shape {
	r := reader{lex: l}
	for _, w := range split(content) {
		r.word(w)
	}
	r.endClause()
	s := r.shape
	s.words = sorted(s.seq)
	s.bases = bases(s.words)
	s.pairs = sorted(s.pairs)
	s.denies = s.denials > 0
	for _, t := range s.seq {
		s.denies = s.denies || t&negated != 0
		if isNumber(l.name(t)) {
			s.numbers = append(s.numbers, t)
		}
	}
	slices.Sort(s.numbers)
	return s
}

func sorted(ts []token) []token {
	out := slices.Clone(ts)
	slices.Sort(out)
	return slices.Compact(out)
}

// reader follows negations through a content.
type reader struct {
	lex     *lexicon
	shape   shape
	deny    bool
	until   []string // words that end the negation
	pending bool     // a negation that has not met a word yet
	before  string   // the word before
	verb    string   // "prefer", "switch": what gives "over" and "from" their sense
	char    rune     // the last character, if its script has no spaces
}

func (r *reader) word(w string) {
	if w == clauseEnd {
		r.endClause()
		return
	}
	if c, n := utf8.DecodeRuneInString(w); n == len(w) && isUnspaced(c) {
		r.character(c)
		return
	}
	r.char = 0
	before := r.before
	r.before = w
	switch {
	case slices.Contains(r.until, w):
		r.deny, r.until = false, nil
	case w == "of" && before == "instead", w == "than" && before == "rather":
		r.shape.strong = true
		r.startDenial()
	case w == "instead", w == "rather", w == "anymore", w == "longer" && denials[before]:
		r.shape.shift = r.shape.shift || w == "anymore" || w == "longer"
	case w == "over" && r.verb == "prefer":
		r.startDenial()
	case w == "from" && r.verb == "switch":
		r.shape.shift, r.shape.strong = true, true
		r.startDenial("to")
	case denials[w]:
		r.startDenial()
	case w == "now" || w == "currently":
		r.shape.shift = true
	case r.isVerb(w):
	case fillers[w]:
	default:
		r.add(r.lex.id(stem(w)))
	}
}

// isVerb notes verbs that give a later word its sense.
func (r *reader) isVerb(w string) bool {
	switch stem(w) {
	case "prefer", "preferred":
		r.verb = "prefer"
	case "switch", "switched", "switche", "migrate", "migrated", "move", "moved", "change", "changed":
		r.verb = "switch"
		r.add(r.lex.id(stem(w)))
		return true
	case "replace", "replaced":
		r.add(r.lex.id("replace"))
		r.shape.shift, r.shape.strong = true, true
		r.startDenial("with", "by")
		return true
	}
	return false
}

func (r *reader) startDenial(until ...string) {
	r.deny, r.pending, r.until = true, true, until
}

func (r *reader) endClause() {
	if r.pending {
		// "Wir nutzen npm nicht": it denies what came before.
		r.shape.denials++
	}
	r.deny, r.pending, r.until, r.verb, r.before, r.char = false, false, nil, "", "", 0
}

func (r *reader) add(t token) {
	if r.deny {
		t |= negated
		r.pending = false
	}
	r.shape.seq = append(r.shape.seq, t)
}

func (r *reader) character(c rune) {
	if strings.ContainsRune("不没沒勿非无無别別禁못안않", c) {
		r.shape.denials++
	}
	r.add(r.lex.id(string(c)))
	if r.char != 0 {
		r.shape.pairs = append(r.shape.pairs, r.lex.id(string([]rune{r.char, c})))
		switch string([]rune{r.char, c}) {
		case "ない", "ません", "ませ", "ぬ":
			r.shape.denials++
		}
	}
	r.char = c
}

const clauseEnd = "\x00"

// split returns the words of a content in lower case and clauseEnd where a
// clause ends.
func split(content string) []string {
	s := norm.NFKC.String(content)
	out := make([]string, 0, len(s)/5+1)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == ' ':
		case isUnspaced(r):
			out = append(out, s[i:i+n])
		case isWordRune(r) || r == '-' && startsNumber(s, i):
			n = wordEnd(s, i) - i
			out = append(out, spelled(s[i:i+n], i == 0))
		case strings.ContainsRune(comparisons, r):
			n = len(s[i:]) - len(strings.TrimLeft(s[i:], comparisons))
			out = append(out, s[i:i+n])
		case strings.ContainsRune(",.;:!?()—–。，、；：！？（）", r):
			out = append(out, clauseEnd)
		}
		i += n
	}
	return out
}

const comparisons = "<>=≤≥≠"

// spelled is a word as it is compared.
func spelled(w string, first bool) string {
	if w == "A" && !first {
		return "a_" // "service A" is a name, not an article
	}
	if strings.IndexByte(w, '\'') >= 0 || strings.Contains(w, "’") {
		w = strings.ReplaceAll(strings.ReplaceAll(w, "'", ""), "’", "")
		if w == "A" && !first {
			return "a_"
		}
	}
	return strings.ToLower(w)
}

func startsNumber(s string, i int) bool {
	next, _ := utf8.DecodeRuneInString(s[i+1:])
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	return unicode.IsDigit(next) && (i == 0 || unicode.IsSpace(before))
}

// wordEnd finds the end of the word at i. Dots and apostrophes inside a word
// belong to it ("next.js", "1.2", "don't"), as do the signs of "c++" and "c#".
func wordEnd(s string, i int) int {
	before, n := utf8.DecodeRuneInString(s[i:])
	for i += n; i < len(s); i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(s[i:])
		inner := false
		if r == '.' || r == '\'' || r == '’' {
			next, size := utf8.DecodeRuneInString(s[i+n:])
			inner = size > 0 && isWordRune(next) && !isUnspaced(next)
		}
		sign := r == '+' && (before == '+' || before == 'c' || before == 'C') || r == '#' || r == '%'
		if !inner && !sign && (!isWordRune(r) || isUnspaced(r)) {
			break
		}
		before = r
	}
	return i
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// isUnspaced reports letters of scripts that put no spaces between words.
// Hangul has spaces, but its endings vary, so pairs serve it better.
func isUnspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func isNumber(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool {
		return unicode.IsDigit(r) || r >= '一' && strings.ContainsRune("一二两兩三四五六七八九十百千", r)
	})
}

// stem takes the plural off; only for plain ASCII words, where it is harmless.
func stem(w string) string {
	n := len(w)
	switch {
	case n <= 3 || w[n-1] != 's' || w[n-2] == 's' || w[n-2] == 'u' || w[n-2] == 'i':
		return w
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	}
	return w[:n-1]
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// denials start a negation that reaches to the end of the clause.
var denials = wordSet(`
	not no never without avoid avoids avoiding dont doesnt didnt cannot cant wont shouldnt mustnt isnt arent wasnt neither nor none
	nicht kein keine keinen keinem keiner nie niemals ohne statt anstatt vermeide
	ne pas jamais sans nunca sin não sem non mai senza niet geen nooit zonder
	не нет без никогда вместо لا لم ليس بدون לא ללא नहीं मत değil không tidak jangan`)

// fillers carry no meaning that tells two items apart.
var fillers = wordSet(`
	a an the we our ours i us you your it its is are was were be been being to of in on at by for with as that this these those
	there here will would should must shall can could may have has had do does did please always`)
