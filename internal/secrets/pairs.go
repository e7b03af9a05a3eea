package secrets

import (
	"slices"
	"strings"
	"unicode"
)

// pairWords are what the names of secrets hold.
var pairWords = []string{
	"passw", "passphrase", "pwd", "_pass", "secret", "token", "credential",
	"apikey", "api_key", "api-key", "api key", "access_key", "access-key", "accesskey", "access key",
	"private_key", "private-key", "privatekey", "encryption_key", "encryptionkey", "signing_key", "signingkey",
	"account_key", "accountkey", "account-key", "application-key", "application_key", "master_key", "master-key", "masterkey", "subscription-key", "subscription_key", "shared_key", "sharedkey", "shared-key", "session_key", "app_key", "appkey", "secret-key", "secretkey", "secret_key", "role_key", "storage_key", "auth_key", "authkey", "x-amz-signature", "jwt", "deploy_key", "_pw", "-key:", "-key\"", "client-key-data", "server_key", "license_key", "admin_key",
}

// sort of secret that a name promises.
type promise int

const (
	nothing  promise = iota
	password         // anything may be one
	machine          // made by a machine: looks random
	digits           // a number that a person types
)

// How a value is bound to its name.
type bond int

const (
	none  bond = iota
	tight      // NAME=value
	loose      // name: value, name = value
	prose      // the name is value
	near       // name value
)

// pair takes the value that follows a name which promises a secret.
func (s *scan) pair(at, end int) {
	if at < s.named {
		return
	}
	from, to := s.name(at, end)
	s.named = to
	what := promised(s.text[from:to])
	if what == nothing {
		return
	}
	i, how := s.bond(from, to)
	if how == none || how == near && from > 0 && s.text[from-1] == '$' {
		return
	}
	v := s.value(i)
	if how == tight && i < len(s.text) && s.text[i] == '{' { // as connection strings quote
		v = s.braced(i)
	}
	v.loud = s.text[from:to] == strings.ToUpper(s.text[from:to])
	v.alone = (v.next == 0 || v.next == '\n' || v.next == '\r') && s.beginsLine(from)
	v.given = how == tight && s.given(from, to, v)
	beside := how == near && what == password && s.loginBefore(from, v)
	if v.text == "" || !v.secret(what, how) && !beside && !s.settled(what, how, from, v) || hasPrefixFold(v.text, s.text[from:to]) || wordy(v.text) && slices.Contains(splitName(s.text[from:to]), strings.ToLower(v.text)) {
		return
	}
	to = v.from + len(v.text)
	for !v.quoted && len(v.text) > maxValue-8 && to < len(s.text) && isTokenByte(s.text[to]) {
		to++
	}
	s.take(v.from, to)
}

// braced reads a value in braces that looks like a password.
func (s *scan) braced(i int) value {
	rest := s.text[i+1 : min(len(s.text), i+maxValue/4)]
	n := strings.IndexAny(rest, "} \t\n\"'`{")
	if n < 0 || rest[n] != '}' {
		return value{}
	}
	if v := (value{text: rest[:n], from: i + 1, quoted: true}); lowerUpperDigit(v.text) && v.plain() {
		return v
	}
	return value{}
}

// given says that a value is that of an option, of a dotted or joined name as in
// a file of properties, or of an element.
func (s *scan) given(from, to int, v value) bool {
	name, rest := s.text[from:to], s.text[v.from+len(v.text):]
	switch {
	case strings.HasPrefix(name, "--"):
		return true
	case strings.HasPrefix(rest, "</"):
		return true
	case v.next != 0 && strings.IndexByte("\n\r\"' \\&;", v.next) < 0:
		return false
	}
	line := s.text[max(0, from-200):from]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return v.alone || !strings.ContainsAny(line, "({[,") && !strings.ContainsAny(v.text, "_.") || strings.ContainsAny(name, "._-") && !strings.Contains(v.text, "_")
}

// settled says that a word is a password because a user or a host stands beside
// it in the same settings.
func (s *scan) settled(what promise, how bond, from int, v value) bool {
	l := strings.ToLower(v.text)
	if what != password || how == near || how == prose || len(l) < 4 || placeholder(l) || reference(v.text) || pathLike(l) || version(l) || sentenceWords()[l] || strings.Contains(l, "pass") || strings.ContainsAny(l, " \t") {
		return false
	}
	if strings.HasPrefix(s.text[v.from+len(v.text):], "</") {
		return !strings.ContainsAny(l, "_.")
	}
	return (v.quoted && l == v.text || v.alone || v.loud && (v.next == 0 || v.next <= ' ') || v.next != 0 && strings.IndexByte(";,}", v.next) >= 0) && !strings.ContainsAny(v.text, "_.:()") && s.userBeside(from, v.from+len(v.text))
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// name extends a word to the name that holds it.
func (s *scan) name(from, to int) (int, int) {
	for least := max(0, from-64); from > least && (isTokenByte(s.text[from-1]) || s.text[from-1] == '.'); {
		from--
	}
	for most := min(len(s.text), to+64); to < most && isTokenByte(s.text[to]); {
		to++
	}
	return from, to
}

// bond reads what stands between a name and its value, and gives where the
// value begins.
func (s *scan) bond(from, to int) (int, bond) {
	i := s.skip(to, "\\\"'`*]")
	spaced := i
	i = s.skip(i, " \t")
	spaces := i > spaced
	rest := s.text[i:min(len(s.text), i+16)]
	if n := s.attribute(from, to, i); n > 0 {
		return n, loose
	}
	if n := s.sibling(to); n > 0 {
		return n, loose
	}
	for _, sign := range []string{":=", "=>", "===", "==", "=", ":", "|", ">", "("} {
		after, ok := strings.CutPrefix(rest, sign)
		if !ok {
			continue
		}
		i += len(rest) - len(after)
		value := s.skip(i, " \t*")
		switch {
		case sign == "=" && !spaces && value == i:
			return value, tight
		case sign == "|":
			return value, prose
		case sign == ":":
			return s.block(value), loose
		case sign == "(":
			return value, near
		case sign == ">" && (spaces || value != i):
			return 0, none // a quotation, a comparison or an arrow
		}
		return value, loose
	}
	if !spaces {
		return 0, none
	}
	if strings.HasPrefix(s.text[from:to], "--") {
		if spaced > to {
			return 0, none // it is told of
		}
		return i, tight // an option and its value
	}
	for _, word := range []string{"is now ", "is ", "was ", "ist "} {
		if len(rest) >= len(word) && strings.EqualFold(rest[:len(word)], word) {
			return s.skip(i+len(word), " \t*:"), prose
		}
	}
	for _, word := range []string{"to ", "as "} {
		if len(rest) >= len(word) && strings.EqualFold(rest[:len(word)], word) {
			return s.skip(i+len(word), " \t*:"), near
		}
	}
	return i, near
}

// attribute gives where the value begins of a name that is a value itself: of
// key="password" value="…", variable "password" { default = …, define('PASSWORD', …).
func (s *scan) attribute(from, to, i int) int {
	if to >= len(s.text) || strings.IndexByte("\"'", s.text[to]) < 0 {
		return 0
	}
	rest := s.text[i:min(len(s.text), i+60)]
	for _, first := range []string{"value=", "default=", "Value=", ",", "{"} {
		if !strings.HasPrefix(rest, first) {
			continue
		}
		at := i + len(first)
		switch first {
		case ",":
			before := strings.ToLower(strings.TrimRight(s.text[max(0, from-24):max(0, from-1)], " "))
			if !slices.ContainsFunc(setters, func(w string) bool { return strings.HasSuffix(before, w+"(") }) {
				return 0
			}
			at = s.skip(at, " ")
		case "{":
			n := strings.Index(rest, "default")
			if n < 0 {
				return 0
			}
			at = s.skip(i+n+len("default"), " =")
		}
		if at < len(s.text) && strings.IndexByte("\"'", s.text[at]) >= 0 {
			return at
		}
	}
	return 0
}

// setters are ends of the names of functions that take a name and its value.
var setters = []string{"define", "env", "property", "set", "put", "setitem", "header", "append", "add", "config"}

// sibling gives where the value begins of a name that is a value itself, in the
// next field: name: PASSWORD, value: …; "name": "PASSWORD", "value": "…";
// name="password"><value>…. 0 if there is none.
func (s *scan) sibling(to int) int {
	i := s.skip(to, "\\\"'")
	from, most := i, min(len(s.text), i+48)
	for i < most && strings.IndexByte(", \t\r\n>", s.text[i]) >= 0 {
		i++
	}
	if strings.HasPrefix(s.text[to:], "</key>") {
		i = s.skip(to+len("</key>"), " \t\r\n")
		if strings.HasPrefix(s.text[i:], "<string>") {
			return i + len("<string>")
		}
	}
	if i == from || !strings.ContainsAny(s.text[from:i], ",\n>") {
		return 0
	}
	i = s.skip(i, "<\\\"'")
	for _, word := range []string{"value", "parametervalue"} {
		if end := i + len(word); end < len(s.text) && strings.EqualFold(s.text[i:end], word) {
			end = s.skip(end, "\\\"' ")
			if end < len(s.text) && strings.IndexByte(":=>", s.text[end]) >= 0 {
				return s.skip(end+1, " ")
			}
		}
	}
	return 0
}

// block gives where a block of YAML begins that is announced at i, or i.
func (s *scan) block(i int) int {
	if i >= len(s.text) || strings.IndexByte("|>", s.text[i]) < 0 {
		return i
	}
	end := s.skip(i+1, "-+")
	if end >= len(s.text) || s.text[end] != '\n' {
		return i
	}
	return s.skip(end+1, " ")
}

// beginsLine says that only an indent or a bullet stands before a place.
func (s *scan) beginsLine(at int) bool {
	for at > 0 && strings.IndexByte(" \t-", s.text[at-1]) >= 0 {
		at--
	}
	return at == 0 || s.text[at-1] == '\n'
}

// value is what stands where a secret may.
type value struct {
	text   string
	from   int
	quoted bool
	given  bool // it is given to an option or a dotted name: no code reads like that
	loud   bool // its name is in capitals, as those of the environment are
	alone  bool // there is nothing else on the line, as in a file of settings
	next   byte // after it, 0 at the end
}

const maxValue = 512

// value reads what stands at i: to the closing quote, or to the next space or
// bracket.
func (s *scan) value(i int) value {
	escaped := i < len(s.text) && s.text[i] == '\\'
	if escaped {
		i++
	}
	if i+1 < len(s.text) && s.text[i] == '(' && strings.IndexByte("\"'", s.text[i+1]) >= 0 {
		i++ // as a string is written that goes over lines
	}
	if i >= len(s.text) {
		return value{}
	}
	rest := s.text[i:min(len(s.text), i+maxValue)]
	if q := rest[0]; q == '"' || q == '\'' || q == '`' {
		n := strings.IndexAny(rest[1:], string(q)+"\n")
		if n < 0 || rest[1+n] == '\n' {
			return value{}
		}
		text := rest[1 : 1+n]
		if escaped {
			text = strings.TrimSuffix(text, `\`)
		}
		return value{text: text, from: i + 1, quoted: true}
	}
	n := strings.IndexFunc(rest, func(c rune) bool {
		return c <= ' ' || strings.ContainsRune(",;\"'`<>()[]{}|&\\", c) || unicode.IsSpace(c)
	})
	v := value{from: i}
	if n < 0 {
		n = len(rest)
	} else {
		v.next = rest[n]
	}
	v.text = strings.TrimRight(rest[:n], ".,:!?*")
	return v
}

// secret says whether a value is what the name promised.
func (v value) secret(what promise, how bond) bool {
	t := v.text
	switch {
	case len(t) < 5, placeholder(t), reference(t), pathLike(t), version(t):
		return false
	case strings.ContainsAny(t, " \t"):
		return v.quoted && (v.given || v.loud) && what == password && spaced(t)
	case !v.quoted && v.next != 0 && strings.IndexByte("([{", v.next) >= 0: // a call, an index, a block
		return false
	}
	if what == machine {
		return v.machineMade(how)
	}
	return v.password(how)
}

// machineMade says whether a value looks like a key or token.
func (v value) machineMade(how bond) bool {
	if how == tight && v.loud { // a line of an .env file: a person may have chosen it
		return len(v.text) >= 8 && strings.Trim(v.text, "0123456789.,") != "" && !strings.ContainsAny(v.text[1:], "/.:") || random(v.text)
	}
	if len(v.text) < 10 || !random(v.text) || techWords()[strings.ToLower(v.text)] {
		return false
	}
	if v.quoted || how == tight {
		return true
	}
	// In code a name or a number follows: test1024Key, 0x53c2_37af.
	_, _, _, others := counts(strings.ReplaceAll(v.text, "_", ""))
	name := others == 0 && isLetter(v.text[0]) && len(v.text) < 20 &&
		len(strings.FieldsFunc(v.text, func(c rune) bool { return !unicode.IsDigit(c) })) == 1
	return !name && !strings.HasPrefix(v.text, "0x")
}

// password says whether a value may be one. The less a place says that a value
// stands there, the less it may look like a word.
func (v value) password(how bond) bool {
	lower, upper, digits, others := counts(v.text)
	letters := lower + upper
	l := strings.ToLower(v.text)
	word := digits == 0 && strings.Trim(l, "abcdefghijklmnopqrstuvwxyz-_.:") == ""
	switch {
	case letters == 0 && others == 0: // a number
		return (how == tight || how == loose && v.quoted) && len(v.text) >= 6
	case letters == 0 && digits == 0, techWords()[l], how != tight && hostPort(v.text):
		return false
	case how == tight && word:
		return (v.loud || v.quoted || v.given && len(l) >= 5) && !strings.Contains(l, "pass") && !sentenceWords()[l]
	case how == tight:
		return true
	case how == near && v.quoted && v.loud && word: // as in SQL
		return len(l) >= 5 && !sentenceWords()[l] && !strings.Contains(l, "pass")
	case how == near && !v.quoted:
		return letters > 0 && len(v.text) >= 8 && (mixed(v.text) || v.loud && others > 0 && lowerUpperDigit(v.text) && !strings.Contains(v.text, "."))
	case how == prose && !v.quoted:
		return digits > 0 && letters > 0 && len(v.text) >= 8 && (others > 0 || mixed(v.text) || len(v.text) >= 10) && !wordNumber(v.text)
	case word: // "correcthorse", but not an identifier
		return v.quoted && how == loose && upper == 0 && others == 0 && len(v.text) >= 8 && !strings.Contains(l, "pass")
	case !v.quoted && others == 0:
		return digits > 0 && !strings.Contains(l, "pass") && (v.loud || v.alone || !wordNumber(v.text))
	}
	return digits > 0 || others > 0 && upper > 0 && lower > 0
}

// hostPort says that a value is a host and a port.
func hostPort(v string) bool {
	host, port, ok := strings.Cut(v, ":")
	return ok && host != "" && isLetter(host[0]) && len(port) >= 2 && len(port) <= 5 && strings.Trim(port, "0123456789") == ""
}

// wordNumber says that a value is a word and a small number: password2, item12.
func wordNumber(v string) bool {
	rest := strings.TrimRight(v, "0123456789")
	return len(v)-len(rest) <= 2 && !mixed(v) && strings.IndexFunc(rest, func(c rune) bool { return !unicode.IsLetter(c) && c != '_' && c != '-' }) < 0
}
