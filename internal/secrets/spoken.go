package secrets

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// speech is how the secrets of one language are told of.
type speech struct {
	what  promise
	is    []string
	east  bool // no spaces, no words that can be told apart
	joins bool // the name may end a longer word, as in German
	words bool // it promises a row of words
	code  bool // it is of several words, so that a number may follow at once
	radio bool // it is of a wireless network: people choose words for these
	both  bool // a password or digits
	short bool // of a card: three digits
	file  bool // it is a file of its own
	after bool // it stands behind the secret, as in Turkish
}

// speeches adds the names that the languages have for secrets.
func (r *rules) speeches() {
	for _, l := range languages {
		is := strings.Split(l.is, ";")
		east := l.code == "zh" || l.code == "ja" || l.code == "ko"
		for _, list := range []struct {
			names string
			what  promise
		}{{l.passwords, password}, {l.keys, machine}, {l.pins, digits}} {
			for name := range strings.SplitSeq(list.names, ";") {
				sp := &speech{what: list.what, is: is, east: east, joins: (l.code == "de" || l.code == "nl") && len(name) >= 6}
				sp.words = strings.Contains(name, "phras") || strings.Contains(name, "frase") || strings.Contains(name, "фраза")
				sp.code = list.what == digits && strings.ContainsAny(name, " -") && !strings.HasPrefix(name, "security") && !strings.HasPrefix(name, "access")
				sp.radio = strings.Contains(name, "wi") || strings.Contains(name, "wlan")
				sp.both = list.what == password && (strings.Contains(name, "code") || strings.Contains(name, "combination"))
				sp.short = name == "cvv" || name == "cvc"
				sp.file = strings.Contains(name, ".")
				sp.after = l.code == "tr"
				if len(name) < 3 { // with what may stand behind it
					r.words.add(name+" ", func(s *scan, at, end int) { s.said(sp, at, end-1) })
					r.words.add(name+":", func(s *scan, at, end int) { s.said(sp, at, end-1) })
					r.words.add(name+"?", func(s *scan, at, end int) { s.said(sp, at, end-1) })
					continue
				}
				r.words.add(name, func(s *scan, at, end int) { s.said(sp, at, end) })
			}
		}
	}
}

// How far from its name a secret is looked for.
const (
	saidReach = 110 // bytes
	saidWords = 6   // between the name and the word that binds
)

// said takes the secret that a sentence tells behind its name: "the password for
// the box is …", "Passwort: …".
func (s *scan) said(sp *speech, at, end int) {
	if !s.standsAlone(sp, at, end) {
		return
	}
	s.column(sp, at, end)
	if sp.what == password {
		s.saidBefore(at)
		s.saidFirst(sp, at)
	} else if strings.IndexAny(s.text[end:min(len(s.text), end+saidReach)], "0123456789") < 0 {
		return
	}
	stop := min(len(s.text), end+saidReach)
	if n := strings.IndexByte(s.text[end:stop], '\n'); n >= 0 {
		stop = end + n
	}
	for stop > end && stop < len(s.text) && !utf8.RuneStart(s.text[stop]) {
		stop--
	}
	i := s.skip(end, "\"'`*_]")
	if strings.HasPrefix(s.text[end:stop], "'s ") || strings.HasPrefix(s.text[end:stop], "’s ") {
		if v := s.saidValue(end+strings.IndexByte(s.text[end:stop], ' ')+1, stop); v.told(sp.what, false, false) {
			s.takeSaid(v)
		}
		return
	}
	if sp.east && i < stop && i == end && isTokenByte(s.text[i]) {
		if v := s.saidValue(i, stop); v.plainly(sp.what) && mixed(v.text) {
			s.takeSaid(v)
		}
		return
	}
	if i < stop && i == end && s.text[i] < utf8.RuneSelf && strings.IndexByte(" \t:=-(|?,", s.text[i]) < 0 {
		return
	}
	had := len(s.spans)
	s.saidBehind(sp, at, end, i, stop)
	if sp.what == password && len(s.spans) == had {
		s.striking(end, stop)
	}
}

// standsAlone says that a name is a word, or the end of one where the language
// joins them.
func (s *scan) standsAlone(sp *speech, at, end int) bool {
	if sp.east {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(s.text[:at])
	after, _ := utf8.DecodeRuneInString(s.text[end:])
	if unicode.IsLetter(after) || unicode.IsDigit(after) || after == '_' {
		return false
	}
	return at == 0 || !(unicode.IsLetter(before) && !(sp.joins && sp.what != digits) || unicode.IsDigit(before) || before == '/' && !sp.file || sp.what == digits && (before == '_' || before == '.'))
}

// saidBehind goes from i on word by word to what binds a secret to a name.
func (s *scan) saidBehind(sp *speech, at, end, i, stop int) {
	for n := 0; n <= saidWords; n++ {
		i = s.overBrackets(sp, s.skip(i, " \t"), stop)
		if i >= stop {
			return
		}
		if s.text[i] == ',' || s.text[i] == '?' { // "the password? It's …"
			next := s.skip(i+1, " ")
			if to, _ := s.binds(sp, next); to == 0 || next >= stop {
				s.aside(sp, next, stop)
				return
			}
			i = next
		}
		if to, sign := s.binds(sp, i); to > 0 {
			if s.text[i] == '|' && n > 0 || s.bound(sp, at, to, stop, sign) {
				return // found, or another column
			}
		}
		word := i
		for i < stop && s.text[i] > ' ' && strings.IndexByte(".,;:=?!()", s.text[i]) < 0 {
			i++
		}
		if n == 0 && i > word && word > end { // "pwd X", "пароль X"
			if v := s.saidValue(word, stop); v.beside(sp) {
				s.takeSaid(v)
				return
			}
		}
		if n > 0 && n < 3 && i-word >= 20 && sp.what == machine {
			if v := s.saidValue(word, stop); v.plainly(machine) && !v.uuid() {
				s.takeSaid(v)
			}
		}
		if i == word || strings.ContainsAny(s.text[word:i], "0123456789") && i-word > 2 {
			return
		}
	}
}

// overBrackets gives where a sentence goes on behind what stands in brackets, as
// in "the key (hex) is …", if that is no secret itself.
func (s *scan) overBrackets(sp *speech, i, stop int) int {
	if i >= stop || s.text[i] != '(' {
		return i
	}
	close := strings.IndexByte(s.text[i:stop], ')')
	if close < 0 {
		return stop
	}
	if v := s.saidValue(s.skip(i+1, " \"'`"), i+close); v.told(sp.what, false, false) {
		return i
	}
	return s.skip(i+close+1, " ")
}

// bound takes the secret at to, behind what binds it; done is true if there is no
// use in looking on.
func (s *scan) bound(sp *speech, at, to, stop int, sign bool) (done bool) {
	v := s.saidValue(to, stop)
	if sign && v.text == "" {
		if v = s.nextLine(to, stop); v.text != "" && v.plainly(sp.what) {
			s.takeSaid(v)
		}
		return true
	}
	if sp.what == digits || sp.both {
		v = s.dialled(v, to, stop)
	}
	radio := sp.radio || strings.Contains(strings.ToLower(s.text[max(0, at-9):at]), "wi") && sp.what == password
	switch {
	case v.text == "":
	case v.told(sp.what, sign, s.wholeLine(v, stop) && s.nameBegins(at)), sp.both && v.told(digits, sign, false), sp.short && len(v.text) == 3 && strings.Trim(v.text, "0123456789") == "":
		s.takeSaid(v)
		return true
	case sp.words && !v.quoted:
		s.row(to, stop)
	case radio && len(v.text) >= 8 && wordList(v.text, 1) && !strings.HasSuffix(v.text, "ed") && !strings.HasSuffix(v.text, "able"):
		s.takeSaid(v)
	}
	return sign
}

// beside says that a value right behind its name is a secret though nothing binds
// the two.
func (v value) beside(sp *speech) bool {
	switch {
	case len(v.text) >= 8 && sp.what != digits && v.plainly(sp.what) && mixed(v.text):
		return true
	case sp.what == password && strings.Count(v.text, "-") == 3 && fours(strings.ReplaceAll(v.text, "-", " ")):
		return true
	}
	return sp.code && v.told(digits, false, false) || sp.short && len(v.text) == 3 && strings.Trim(v.text, "0123456789") == ""
}

// binds says whether a word or sign that binds a secret to its name stands at i,
// and where it ends.
func (s *scan) binds(sp *speech, i int) (end int, sign bool) {
	for _, sign := range []string{":=", "=>", "->", ":", "=", "—", "–", "→", "- ", "| "} {
		if strings.HasPrefix(s.text[i:], sign) {
			return s.skip(i+len(sign), " \t*"), true
		}
	}
	for _, is := range sp.is {
		if to := i + len(is); to <= len(s.text) && strings.EqualFold(s.text[i:to], is) {
			after, _ := utf8.DecodeRuneInString(s.text[to:])
			if !sp.east && (unicode.IsLetter(after) || unicode.IsDigit(after)) {
				continue
			}
			return s.skip(to, " \t*:"), false
		}
	}
	return 0, false
}

// saidValue reads what may be a secret in a sentence: in quotes, or up to a
// space or a sign that is no part of one.
func (s *scan) saidValue(i, stop int) value {
	if i >= stop {
		return value{}
	}
	rest := s.text[i:stop]
	if first, n := utf8.DecodeRuneInString(rest); strings.ContainsRune("\"'`“‘«„「『", first) {
		to := strings.IndexFunc(rest[n:], func(c rune) bool {
			return strings.ContainsRune("\"'`”’»“」』", c) && (c == first || first > 127)
		})
		if to <= 0 {
			return value{}
		}
		inner := strings.TrimLeft(rest[n:n+to], " \u00a0\u202f")
		return value{text: strings.TrimRight(inner, " \u00a0\u202f"), from: i + n + to - len(inner), quoted: true}
	}
	to := strings.IndexFunc(rest, func(c rune) bool {
		return unicode.IsSpace(c) || strings.ContainsRune("\"'`<>|&、。，；“”「」", c) || unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	})
	if to < 0 {
		to = len(rest)
	}
	if joined := groups(rest); joined > to {
		to = joined
	} else if len(rest) >= 19 && fours(rest[:19]) && (len(rest) == 19 || !isTokenByte(rest[19])) {
		to = 19
	}
	text := strings.TrimRight(rest[:to], ".,;:)?*")
	return value{text: text, from: i}
}

// nameBegins says that only an indent or a bullet stands before a name that ends
// in what stands at a place.
func (s *scan) nameBegins(at int) bool {
	from, _ := s.name(at, at)
	return s.beginsLine(from) || from > 1 && s.text[from-2:from] == ": "
}

// wholeLine says that nothing but a name and a value stands on a line.
func (s *scan) wholeLine(v value, stop int) bool {
	end := v.from + len(v.text)
	return strings.Trim(s.text[end:stop], " .\"'`*)") == "" && (stop == len(s.text) || s.text[stop] == '\n')
}

func (s *scan) takeSaid(v value) { s.take(v.from, v.from+len(v.text)) }

// told says whether a value that is bound to a name is what the name promised.
// sign is for one that a colon or the like binds, whole for a line of only these
// two.
func (v value) told(what promise, sign, whole bool) bool {
	t := v.text
	if len(t) < 3 || placeholder(t) || reference(t) {
		return false
	}
	if what == digits {
		if date(t) || strings.ContainsAny(t, "=/:_") || len(t) > 24 {
			return false
		}
		bare := strings.Map(func(c rune) rune {
			if c == '-' || c == ' ' {
				return -1
			}
			return c
		}, strings.Trim(t, "#!*"))
		return len(bare) >= 4 && len(bare) <= 10 && strings.Trim(bare, "0123456789") == "" || len(bare) >= 8 && strings.Contains(t, "-") && (v.plainly(password) || coupled(t))
	}
	l := strings.ToLower(t)
	switch {
	case v.plainly(what):
		return true
	case what == machine:
		return false
	case strings.ContainsAny(t, " \t"):
		return v.quoted && (wordList(l, 3) || spaced(t)) || groups(t) == len(t) || fours(t)
	case strings.Trim(t, "0123456789") == "":
		return len(t) >= 6
	case strings.Count(t, "-") == 3 && fours(strings.ReplaceAll(t, "-", " ")):
		return true
	case strings.Count(t, "-") >= 3 && strings.Trim(l, "abcdefghijklmnopqrstuvwxyz-") == "" && !slices.ContainsFunc(strings.Split(l, "-"), func(w string) bool { return len(w) < 3 || secretWord(w) }):
		return true
	case !strings.ContainsAny(t, "_./:") && lowerUpperDigit(t) && len(t) >= 9 && !sign:
		return !slices.ContainsFunc(parts(l), func(p string) bool { return techWords()[p] })
	case strings.Trim(l, "abcdefghijklmnopqrstuvwxyz") == "": // a word
		return !sentenceWords()[l] && !fillers()[l] && !strings.Contains(l, "pass") && l == t && (v.quoted && len(t) >= 5 || sign && whole && len(t) >= 8)
	}
	return false
}

// plainly says that a value looks like a secret wherever it stands.
func (v value) plainly(what promise) bool {
	t := v.text
	lower, upper, digits, others := counts(t)
	if placeholder(t) || reference(t) || pathLike(t) || version(t) || hostPort(t) || strings.ContainsAny(t, " \t()[]{}") && groups(t) != len(t) || digits == 0 && others == 0 {
		return digits == 0 && others == 0 && what == machine && len(t) >= 20 && random(t)
	}
	for _, p := range parts(strings.ToLower(t)) {
		if techWords()[p] {
			return false
		}
	}
	if what == machine {
		return len(t) >= 16 && random(t) || len(t) >= 12 && lower > 0 && upper > 0 && digits > 1 && mixed(t) || groups(t) == len(t)
	}
	switch {
	case digits > 0 && lower+upper > 0 && len(t) >= 6 && mixed(t):
		return true
	case digits > 1 && lower > 0 && upper > 0 && len(t) >= 8:
		return true
	case digits > 0 && lower+upper > 0 && strings.ContainsAny(t, "!@#$%^&*?") && len(t) >= 6:
		return true
	case digits >= 4 && others > 0 && lower+upper > 4 && strings.Trim(t, "0123456789-") != "" && !date(t):
		return true
	case others == 0 && digits > 0 && len(t) >= 11 && strings.Trim(t[:1], "0123456789") != "":
		return true
	}
	return digits == 0 && others > 0 && upper > 0 && lower > 0 && len(t) >= 8 && strings.ContainsAny(t[:len(t)-1], "!@#$%^&*?") && !strings.ContainsAny(t, "/.(")
}

func lowerUpperDigit(t string) bool {
	lower, upper, digits, _ := counts(t)
	return lower > 0 && upper > 0 && digits > 0
}

// uuid says that a value has the form of an id.
func (v value) uuid() bool {
	return len(v.text) == 36 && v.text[8] == '-' && v.text[13] == '-' && v.text[18] == '-' && v.text[23] == '-'
}
