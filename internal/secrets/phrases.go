package secrets

import (
	"strings"
	"unicode/utf8"
)

// groups gives the length of a secret that is written in groups of as many signs
// each, four at least, none of them a word; 0 if there is none.
func groups(rest string) int {
	first := strings.IndexAny(rest, " \n")
	if first < 3 || first > 8 {
		return 0
	}
	end, n, odd := 0, 0, 0
	for word := range strings.FieldsFuncSeq(rest, func(c rune) bool { return c == ' ' }) {
		part := strings.TrimRight(word, ".,;:!?)")
		if len(part) > first || strings.IndexFunc(part, func(c rune) bool { return c > 127 || !isLetter(byte(c)) && !isDigit(byte(c)) }) >= 0 || part == "" {
			break
		}
		if len(part) < first && strings.Trim(part, "abcdefghijklmnopqrstuvwxyz") == "" && part != word {
			break
		}
		at := strings.Index(rest[end:], part)
		lower, upper, digits, _ := counts(part)
		if digits > 0 && lower+upper > 0 || upper > 0 && lower > 0 && part[1:] != strings.ToLower(part[1:]) || digits > 0 && digits == len(part) || len(part) >= 4 && upper == len(part) {
			odd++
		} else if lower == len(part) && sentenceWords()[part] || len(part) < first && digits == 0 {
			break
		}
		end, n = end+at+len(part), n+1
		if part != word || len(part) < first {
			break
		}
	}
	if n < 4 || odd*2 < n {
		return 0
	}
	return end
}

// fours says that a text is four times four small letters that are no words, as
// mail services give out.
func fours(t string) bool {
	if len(t) != 19 || strings.Trim(t, "abcdefghijklmnopqrstuvwxyz ") != "" {
		return false
	}
	odd := 0
	for part := range strings.SplitSeq(t, " ") {
		if len(part) != 4 {
			return false
		}
		if vowels := strings.Count(part, "a") + strings.Count(part, "e") + strings.Count(part, "i") + strings.Count(part, "o") + strings.Count(part, "u"); vowels == 0 || vowels > 2 {
			odd++
		}
	}
	return odd >= 2
}

// wordList says that a text is at least so many words, none of which goes on with
// a sentence.
func wordList(t string, least int) bool {
	words := strings.Fields(t)
	for _, w := range words {
		if len(w) < 3 || sentenceWords()[w] || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") != "" || secretWord(w) {
			return false
		}
	}
	return len(words) >= least && len(words) <= 24
}

// row takes a passphrase of words that ends a sentence, or that the sentence goes
// on behind with a word that no passphrase has.
func (s *scan) row(from, stop int) {
	to, n := from, 0
	for to < stop && n < 12 {
		next := s.skip(to, " ")
		end := next
		for end < stop && 'a' <= s.text[end] && s.text[end] <= 'z' {
			end++
		}
		word := s.text[next:end]
		if len(word) < 3 || sentenceWords()[word] || word == "because" || secretWord(word) {
			break
		}
		to, n = end, n+1
	}
	if n >= 4 && (to == stop || !isTokenByte(s.text[to])) {
		s.take(from, to)
	}
}

// saidBefore takes the secret of "use … as the password".
func (s *scan) saidBefore(at int) {
	words := strings.Fields(s.text[max(0, at-80):at])
	for i := len(words) - 1; i > 0 && i >= len(words)-4; i-- {
		switch words[i] {
		case "as", "als", "como", "comme", "come", "как":
		case "for", "für", "pour", "para", "per", "для":
			if i < 2 || !listed("use using Use try Try enter Enter type set nimm Nimm utilise Utilise usa Usa", words[i-2]) {
				continue
			}
		default:
			continue
		}
		v := value{text: strings.Trim(words[i-1], "\"'`*,")}
		near := max(0, at-80)
		if n := near + strings.LastIndex(s.text[near:at], v.text); v.text != "" && n >= near && len(v.text) >= 6 && (v.plainly(password) || lowerUpperDigit(v.text) && len(v.text) >= 9) {
			v.from = n
			s.takeSaid(v)
		}
		return
	}
}

// date says that a value begins with a date.
func date(t string) bool {
	return len(t) >= 10 && t[4] == '-' && t[7] == '-' && version(t[:10])
}

// coupled says that a code is two groups of as many letters and digits, as
// services give out to log in once.
func coupled(t string) bool {
	a, b, ok := strings.Cut(t, "-")
	return ok && len(a) == len(b) && len(a) >= 4 && len(a) <= 8 && strings.ContainsAny(t, "0123456789") && strings.Trim(strings.ToLower(t), "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// dialled reads on behind a number: its further groups, a letter between them.
func (s *scan) dialled(v value, from, stop int) value {
	if v.quoted || v.text == "" || !isDigit(v.text[0]) || len(v.text) > 5 {
		return v
	}
	to := from
	for to < stop {
		next := s.skip(to, " ")
		if to > from && next != to+1 {
			break
		}
		end := next
		for end < stop && isDigit(s.text[end]) {
			end++
		}
		if end == next && to > from && 'A' <= s.text[end] && s.text[end] <= 'Z' {
			end++
		}
		if end == next || end-next > 5 || end < len(s.text) && isTokenByte(s.text[end]) {
			break
		}
		to = end
	}
	if to-from > len(v.text) {
		return value{text: s.text[from:to], from: from}
	}
	return v
}

// isFirst are words between a secret and its name behind it.
var isFirst = words(`is ist est es é è это je jest to`)

// saidFirst takes the secret of "… is the password of the box" and, in languages
// where the name follows, of "… parolası".
func (s *scan) saidFirst(sp *speech, at int) {
	from := max(0, at-70)
	for from < at && !utf8.RuneStart(s.text[from]) {
		from++
	}
	before := s.text[from:at]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	words := strings.Fields(before)
	for i := len(words) - 1; i >= 0 && i >= len(words)-5; i-- {
		if last := i == len(words)-1; !(sp.after && last) && (i+1 >= len(words) || !isFirst()[words[i+1]]) {
			continue
		}
		v := value{text: strings.Trim(words[i], "\"'`*,:")}
		if v.text == "" || !lowerUpperDigit(v.text) || !chosen(v.text) {
			continue
		}
		v.from = at - len(before) + strings.LastIndex(before, v.text)
		s.takeSaid(v)
		return
	}
}
