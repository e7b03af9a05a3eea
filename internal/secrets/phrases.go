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
		for end < stop && ('a' <= s.text[end] && s.text[end] <= 'z' || isDigit(s.text[end])) {
			end++
		}
		word := s.text[next:end]
		if len(word) < 3 && (n < 3 || len(word) == 0 || !isDigit(word[0])) || sentenceWords()[word] || word == "because" || secretWord(word) {
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
		if v.text == "" || !v.striking() {
			continue
		}
		v.from = at - len(before) + strings.LastIndex(before, v.text)
		s.takeSaid(v)
		return
	}
}

// striking takes the first word of a sentence about a password that looks like one
// and like nothing else, whatever words stand between.
func (s *scan) striking(from, stop int) {
	for i := from; i < stop; {
		for i < stop && (s.text[i] <= ' ' || s.text[i] >= utf8.RuneSelf || strings.IndexByte("\"'`*,:?(", s.text[i]) >= 0) {
			i++
		}
		word := i
		for i < stop && s.text[i] > ' ' && s.text[i] < utf8.RuneSelf && strings.IndexByte("\"'`*,;)", s.text[i]) < 0 {
			i++
		}
		v := value{text: strings.TrimRight(s.text[word:i], ".?:"), from: word}
		if i > word && s.text[word] == '-' {
			return // a name of words with dashes
		}
		if v.striking() {
			s.takeSaid(v)
			return
		}
		if strings.HasSuffix(s.text[word:i], ".") || i == word {
			return
		}
	}
}

// nextLine reads a value that stands alone on the next line, or in a block there.
func (s *scan) nextLine(to, stop int) value {
	if strings.Trim(s.text[to:stop], " *`\r") != "" || stop >= len(s.text) {
		return value{}
	}
	i := s.skip(stop, "\r\n ")
	if strings.HasPrefix(s.text[i:], "```") {
		n := strings.IndexByte(s.text[i:min(len(s.text), i+20)], '\n')
		if n < 0 {
			return value{}
		}
		i += n + 1
	}
	end := min(len(s.text), i+80)
	if n := strings.IndexByte(s.text[i:end], '\n'); n >= 0 {
		end = i + n
	}
	i = s.skip(i, "`*\"' -")
	text := strings.TrimRight(s.text[min(i, end):end], "`*\"' \r")
	if strings.ContainsAny(text, " \t:=") {
		return value{}
	}
	return value{text: text, from: i}
}

// maxRows is how many rows of a table are looked at.
const maxRows = 40

// column takes what stands below a name that heads a column of a table.
func (s *scan) column(sp *speech, at, end int) {
	line := strings.LastIndexByte(s.text[max(0, at-300):at], '\n') + 1 + max(0, at-300)
	next := strings.IndexByte(s.text[end:min(len(s.text), end+300)], '\n')
	if sp.what == digits || next < 0 || line >= len(s.text) || s.text[line] != '|' || strings.Trim(s.text[strings.LastIndexByte(s.text[:at], '|')+1:at], " *`") != "" {
		return
	}
	if row := s.text[end+next+1 : min(len(s.text), end+next+4)]; !strings.HasPrefix(row, "|-") && !strings.HasPrefix(row, "| -") && !strings.HasPrefix(row, "|:") {
		return
	}
	nth := strings.Count(s.text[line:at], "|")
	from := end + next + 1
	for range maxRows {
		to := min(len(s.text), from+600)
		if n := strings.IndexByte(s.text[from:to], '\n'); n >= 0 {
			to = from + n
		}
		if from >= to || s.text[from] != '|' {
			return
		}
		cell, i := from, 0
		for ; i < nth && cell < to; i++ {
			n := strings.IndexByte(s.text[cell:to], '|')
			if n < 0 {
				break
			}
			cell += n + 1
		}
		if i == nth {
			if v := s.saidValue(s.skip(cell, " `*"), to); v.plainly(sp.what) || sp.what == password && chosen(v.text) {
				s.takeSaid(v)
			}
		}
		from = to + 1
		if from >= len(s.text) {
			return
		}
	}
}

// aside takes a secret behind what is put in: "the token, keep it: …".
func (s *scan) aside(sp *speech, from, stop int) {
	const most = 30
	gap, _, ok := strings.Cut(s.text[from:min(stop, from+most)], ": ")
	if !ok || strings.ContainsAny(gap, ".0123456789") {
		return
	}
	if v := s.saidValue(from+len(gap)+2, stop); sp.what == machine && len(v.text) >= 24 && v.plainly(machine) && !v.uuid() || sp.what == password && v.striking() {
		s.takeSaid(v)
	}
}
