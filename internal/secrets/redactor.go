// Package secrets takes secrets out of texts and names before they are stored,
// shown or sent. docs/secrets.md lists what it finds and what it does not.
//
// It errs on the side of the text: what is only perhaps a secret, such as a hash
// or an id under a plain name, stays.
package secrets

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"recollect/internal/secrets/library"
)

// Mark stands where a secret stood.
const Mark = "[redacted]"

// Redactor takes secrets out. It may be used from several goroutines.
type Redactor struct {
	known func() *rules
	ctx   context.Context // of RedactWithin, whose copy this is; else nil
}

// rules are what is looked for, by the words that give it away.
type rules struct {
	words   keywords
	library []rule
}

// rule is a rule of the library, compiled when its keyword is first seen.
type rule struct {
	library.Rule
	compile func() (*regexp.Regexp, error)
}

// New makes a redactor. It costs nothing: what it looks for is made ready with the
// first text, in a millisecond or two, and each rule is compiled when it is needed.
// The error is for rules that are wrong, of which there are none in a build whose
// tests pass.
func New() (*Redactor, error) { return &Redactor{known: sync.OnceValue(newRules)}, nil }

func newRules() *rules {
	r := &rules{library: make([]rule, len(library.Rules))}
	for i, from := range library.Rules {
		rule := &r.library[i]
		rule.Rule = from
		rule.compile = sync.OnceValues(func() (*regexp.Regexp, error) { return regexp.Compile(from.Pattern) })
		for _, word := range from.Keywords {
			r.words.add(word, func(s *scan, at, _ int) { s.library(rule, i, at) })
		}
	}
	r.words.add("-----begin", (*scan).privateKey)
	r.words.add("private-lines:", (*scan).puttyKey)
	r.words.add("://", (*scan).address)
	r.words.add("oracle:thin:", (*scan).oracle)
	r.words.add("sqlplus ", (*scan).oracle)
	r.words.add("connect ", (*scan).oracle)
	for _, call := range []string{"mysqli(", "mysqli_connect(", "mysql_connect(", "new pdo(", "dbi->connect(", "plainauth("} {
		r.words.add(call, (*scan).connectCall)
	}
	for _, call := range wordCalls {
		r.words.add(call, (*scan).wordCall)
	}
	for _, word := range unlockWords {
		r.words.add(word, (*scan).unlock)
	}
	for _, port := range []string{"]:25 ", "]:465 ", "]:587 "} {
		r.words.add(port, (*scan).relay)
	}
	for _, call := range loginCalls {
		r.words.add(call, (*scan).loginCall)
	}
	for option := range strings.FieldsSeq(userOptions) {
		r.words.add(" "+option+" ", (*scan).optionPair)
	}
	for option := range strings.FieldsSeq(passOptions) {
		r.words.add(" "+option+" ", (*scan).passFirst)
	}
	for _, place := range []string{"@tcp(", "@unix("} {
		r.words.add(place, (*scan).dataSource)
	}
	for _, name := range []string{"session=", "sessid=", "sessionid="} {
		r.words.add(name, (*scan).sessionPair)
	}
	r.words.add("eyj", (*scan).webToken)
	r.words.add("bearer", (*scan).bearer)
	r.words.add("authorization", (*scan).authorization)
	r.words.add("cookie:", (*scan).cookie)
	r.words.add("\"auth\"", (*scan).basicPair)
	r.words.add("echo ", (*scan).piped)
	r.words.add("printf ", (*scan).piped)
	r.words.add("pass:", (*scan).passArgument)
	r.words.add(":aa", (*scan).telegram)
	r.words.add(":5432:", (*scan).pgpass)
	for _, digit := range "0123456789" {
		r.words.add("-us"+string(digit), (*scan).mailchimp)
		r.words.add(string(digit)+"q~", (*scan).azure)
	}
	for _, k := range kinds {
		r.words.add(strings.ToLower(k.prefix), func(s *scan, at, _ int) { s.token(k, at) })
	}
	r.groups()
	r.codes()
	r.speeches()
	for _, word := range pairWords {
		r.words.add(word, (*scan).pair)
	}
	r.words.index()
	return r
}

// groups adds the words of which many are looked at in one way.
func (r *rules) groups() {
	for i := range tools {
		for name := range strings.FieldsSeq(tools[i].names) {
			// With the space behind it, a name of two letters is long enough.
			r.words.add(name+" ", func(s *scan, at, end int) { s.command(&tools[i], at, end-1) })
		}
	}
	for i, body := range keyBodies {
		r.words.add(strings.ToLower(body.begin), func(s *scan, at, _ int) { s.keyBody(i, at) })
	}
	for _, head := range heads {
		for _, part := range encodedHeads(head) {
			r.words.add(strings.ToLower(part), func(s *scan, at, _ int) { s.encoded(part, at) })
		}
	}
	for _, list := range []struct {
		words []string
		after string
		check check
	}{
		{queryNames, "=", (*scan).query}, {hooks, "", (*scan).hook}, {seedNames, "", (*scan).seed},
		{userWords, " /", func(s *scan, at, end int) { s.slashed(at, end-2) }}, {userWords, "/", func(s *scan, at, end int) { s.slashed(at, end-1) }}, {credentialWords, "", (*scan).loginPair}, {passKeys, "", (*scan).passKey},
	} {
		for _, word := range list.words {
			if len(word+list.after) < 3 {
				for _, after := range []string{":", "=", " ", "\""} {
					r.words.add(word+after, func(s *scan, at, end int) { list.check(s, at, end-1) })
				}
				continue
			}
			r.words.add(word+list.after, list.check)
		}
	}
}

// maxRounds bounds how often a text is gone through. What one round takes out
// can bring another secret to light, but not again and again in a text that
// anybody wrote.
const maxRounds = 16

// Redact returns the text with each secret replaced by Mark, and how many there
// were. The result is valid UTF-8, and redacting it again changes nothing. The
// time is linear in the length of the text.
func (r *Redactor) Redact(text string) (clean string, n int) {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	for range maxRounds {
		spans := r.find(text)
		if len(spans) == 0 || r.over() {
			break
		}
		n += len(spans)
		text, _ = cut(text, spans)
	}
	return text, n
}

// RedactWithin is Redact for a text of any length from a stranger, who may have
// made it so that it takes long: some 1 µs a byte. It ends soon after ctx does,
// with its cause and without a text.
func (r *Redactor) RedactWithin(ctx context.Context, text string) (clean string, err error) {
	own := *r
	own.ctx = ctx
	clean, _ = own.Redact(text)
	if own.over() {
		return "", context.Cause(ctx)
	}
	return clean, nil
}

// over says that nobody waits for the result.
func (r *Redactor) over() bool { return r.ctx != nil && r.ctx.Err() != nil }

// RedactName is Redact for the name of a branch, session or file, where a dash,
// an underline or a slash may stand for a space. Names that differ only in their
// secrets become one.
func (r *Redactor) RedactName(name string) string {
	if oneWord(name) {
		return name
	}
	name, _ = r.Redact(name)
	for _, signs := range []string{"-", "-_", "-_/"} {
		spaced := []byte(strings.ReplaceAll(name, Mark, strings.Repeat(" ", len(Mark))))
		for i, c := range spaced {
			if strings.IndexByte(signs, c) >= 0 && (i == 0 || name[i-1] != '-') { // the second dash begins an option
				spaced[i] = ' '
			}
		}
		name, _ = cut(name, r.find(string(spaced)))
	}
	return name
}

// cut replaces spans by Mark.
func cut(text string, spans []span) (string, int) {
	if len(spans) == 0 {
		return text, 0
	}
	var out strings.Builder
	out.Grow(len(text))
	at := 0
	for _, s := range spans {
		out.WriteString(text[at:s.from])
		out.WriteString(Mark)
		at = s.to
	}
	out.WriteString(text[at:])
	return out.String(), len(spans)
}

// oneWord says that a name is one word of small letters, which no rule knows for a
// secret: most branches are called so, and nothing has to be made ready for them.
func oneWord(name string) bool {
	for i := range len(name) {
		if name[i] < 'a' || name[i] > 'z' {
			return false
		}
	}
	return len(name) <= 16
}

// OnlySecret says that a text, redacted, is nothing without its secret: beside
// marks it holds at most a few words that name it, as in "API_KEY=[redacted]" or
// "the database password is [redacted]". A text without a mark is never that.
func (r *Redactor) OnlySecret(_, after string) bool {
	rest := strings.ReplaceAll(after, Mark, " ")
	if rest == after {
		return false
	}
	said := 0
	for word := range strings.FieldsFuncSeq(rest, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' && c != '-' }) {
		said += weight(word)
	}
	return said < enough
}

const enough = 6 // what two plain words weigh

// weight says how much a word tells beside a secret.
func weight(word string) int {
	if slices.ContainsFunc(splitName(word), secretWord) || emptyWords()[strings.ToLower(word)] {
		return 0
	}
	n := 0
	for _, c := range word {
		switch {
		case unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			n += 2 // a sign is about half a word
		case n < 3:
			n++
		}
	}
	if strings.ContainsRune(word, '_') {
		return min(n, 1) // the name of a variable
	}
	return n
}

var emptyWords = words(`a an the is are was be my our your its their this that it in on of to for with and or as at by
use uses using used set sets value values env var new old user username login export const let here line file`)

// words makes a set when it is first asked for: a program that redacts nothing
// starts without it.
func words(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for _, w := range strings.Fields(list) {
			set[w] = true
		}
		return set
	})
}
