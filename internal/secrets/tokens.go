package secrets

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// kind is a token that its prefix gives away.
type kind struct {
	prefix string
	least  int    // bytes after the prefix
	more   string // bytes beside letters, digits, - and _ that it may hold
	whole  int    // its length after the prefix, if it has one: for a token that a line break splits
	plain  bool   // the prefix is so short that the rest must look random
}

// kinds are tokens whose form we know better than a rule that wants its exact
// length and randomness: what a person cut short, or changed to show, is better
// taken out too.
var kinds = []kind{
	{prefix: "ghp_", least: 10, whole: 36}, {prefix: "gho_", least: 10, whole: 36}, {prefix: "ghu_", least: 10, whole: 36},
	{prefix: "ghs_", least: 10, whole: 36}, {prefix: "ghr_", least: 10, whole: 36}, {prefix: "github_pat_", least: 10},
	{prefix: "glpat-", least: 10}, {prefix: "gldt-", least: 10}, {prefix: "glrt-", least: 10},
	{prefix: "xoxa-", least: 8}, {prefix: "xoxb-", least: 8}, {prefix: "xoxe-", least: 8}, {prefix: "xoxe.", least: 8, more: "."},
	{prefix: "xoxp-", least: 8}, {prefix: "xoxr-", least: 8}, {prefix: "xoxs-", least: 8}, {prefix: "xapp-", least: 8},
	{prefix: "sk-ant-", least: 10}, {prefix: "sk-proj-", least: 10}, {prefix: "sk-or-v1-", least: 10}, {prefix: "sk-", least: 20, plain: true},
	{prefix: "sk_live_", least: 10}, {prefix: "sk_test_", least: 10}, {prefix: "rk_live_", least: 10}, {prefix: "rk_test_", least: 10},
	{prefix: "whsec_", least: 16, more: "+/="}, {prefix: "shpat_", least: 16}, {prefix: "shpss_", least: 16},
	{prefix: "AIza", least: 30}, {prefix: "ya29.", least: 20, more: "."}, {prefix: "GOCSPX-", least: 16},
	{prefix: "npm_", least: 30}, {prefix: "pypi-AgE", least: 20}, {prefix: "hf_", least: 24, plain: true}, {prefix: "gsk_", least: 24, plain: true},
	{prefix: "dop_v1_", least: 20}, {prefix: "glsa_", least: 20}, {prefix: "lin_api_", least: 20}, {prefix: "tskey-", least: 12},
	{prefix: "SG.", least: 30, more: ".", plain: true}, {prefix: "dckr_pat_", least: 16}, {prefix: "sbp_", least: 30}, {prefix: "vercel_blob_rw_", least: 16},
	{prefix: "sgp_", least: 30}, {prefix: "api_org_", least: 30, plain: true}, {prefix: "ATATT3", least: 60, more: "="},
	{prefix: "NRAK-", least: 20}, {prefix: "NRJS-", least: 16}, {prefix: "NRII-", least: 20}, {prefix: "tfp_", least: 30, more: "."},
	{prefix: "AKIA", least: 16, whole: -16}, {prefix: "ASIA", least: 16, whole: -16}, {prefix: "ABIA", least: 16, whole: -16}, {prefix: "ACCA", least: 16, whole: -16},
}

func isTokenByte(c byte) bool {
	return isWordByte(c) || c == '-'
}

func isWordByte(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '_'
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// token takes a token of a kind that begins at text[at:].
func (s *scan) token(k kind, at int) {
	if !strings.HasPrefix(s.text[at:], k.prefix) || at > 0 && (isLetter(s.text[at-1]) || isDigit(s.text[at-1])) {
		return
	}
	from := at + len(k.prefix)
	to := from
	for to < len(s.text) && (isTokenByte(s.text[to]) || strings.IndexByte(k.more, s.text[to]) >= 0) {
		if k.whole > 0 && !isLetter(s.text[to]) && !isDigit(s.text[to]) {
			break
		}
		to++
	}
	for to > from && (s.text[to-1] == '-' || s.text[to-1] == '.') {
		to--
	}
	rest := s.text[from:to]
	switch {
	case len(rest) < k.least, oneSign(rest), placeholder(rest):
		return
	case k.whole < 0 && (len(rest) != -k.whole || rest != strings.ToUpper(rest)):
		return
	case k.plain && (!random(rest) || strings.HasPrefix(rest, "ssh-")), k.prefix[0] == 'x' && !strings.ContainsAny(rest, "0123456789"):
		return
	}
	s.take(at, s.continued(to, k.whole-len(rest)))
}

// continued gives the end of a token that lacks n bytes at i: they may stand on
// the next line.
func (s *scan) continued(i, n int) int {
	if n < 4 || i >= len(s.text) || s.text[i] != '\n' {
		return i
	}
	to := i + 1
	for to < len(s.text) && isTokenByte(s.text[to]) {
		to++
	}
	if to-i-1 != n {
		return i
	}
	return to
}

// webToken takes a JWT: two or three parts of base64, the first a JSON object.
func (s *scan) webToken(at, _ int) {
	if !strings.HasPrefix(s.text[at:], "eyJ") || at > 0 && isWordByte(s.text[at-1]) {
		return
	}
	to, parts := at, 0
	for parts < 5 {
		from := to
		for to < len(s.text) && (isTokenByte(s.text[to]) || s.text[to] == '=') {
			to++
		}
		if to-from < 6 && parts < 2 {
			break
		}
		parts++
		if to >= len(s.text) || s.text[to] != '.' {
			break
		}
		to++
	}
	for to > at && s.text[to-1] == '.' {
		to--
	}
	if parts >= 2 && to-at >= 30 {
		s.take(at, to)
	}
}

const maxKey = 64 << 10 // of a private key, in bytes

// privateKey takes a PEM block that holds a private key, its lines around it
// included; of one that is not finished, what looks like its body.
func (s *scan) privateKey(at, end int) {
	head := s.text[end:min(len(s.text), end+100)]
	close := strings.Index(head, "-----")
	if close < 0 || !strings.Contains(strings.ToUpper(head[:close]), "PRIVATE KEY") {
		return
	}
	from := end + close + len("-----")
	body := s.text[from:min(len(s.text), from+maxKey)]
	if i := strings.Index(body, "-----END"); i >= 0 && !strings.Contains(body[:i], "-----BEGIN") {
		to := from + i + len("-----END")
		if j := strings.Index(s.text[to:min(len(s.text), to+100)], "-----"); j >= 0 {
			to += j + len("-----")
		}
		s.take(at, to)
		return
	}
	to := from
	blank := true // a blank line may stand here: after the header and its fields
	for line := range strings.Lines(body) {
		rest := strings.TrimSpace(line)
		run := base64Run(rest)
		field := keyField(rest)
		whole := run == len(rest) && (run >= 16 || strings.HasSuffix(rest, "="))
		if !whole && !field && (rest != "" || !blank) {
			if to == from { // the rest of the header's own line
				to += base64Run(line)
			}
			break
		}
		blank = field || rest == "" && to == from
		to += len(line)
	}
	s.take(at, at+len(strings.TrimRight(s.text[at:to], " \t\r\n")))
}

// keyField says whether a line is a field of a key's header.
func keyField(line string) bool {
	name, _, ok := strings.Cut(line, ": ")
	return ok && slices.Contains([]string{"Proc-Type", "DEK-Info", "Version", "Comment", "Hash"}, name)
}

// base64Run gives how many bytes at the beginning are base64, or line breaks
// that are escaped.
func base64Run(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789+/=\\ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))
}

// address takes the password of a URL, or the token that stands there instead.
func (s *scan) address(at, end int) {
	if at == 0 || !isLetter(s.text[at-1]) && !isDigit(s.text[at-1]) {
		return
	}
	stop := end
	for stop < len(s.text) && stop-end < 512 && !strings.ContainsRune("/?#\\\"'`<>()[]{}|,;", rune(s.text[stop])) && s.text[stop] > ' ' {
		stop++
	}
	sign := strings.LastIndexByte(s.text[end:stop], '@')
	if sign < 0 {
		return
	}
	user, word, has := strings.Cut(s.text[end:end+sign], ":")
	switch {
	case has && word != "" && !placeholder(word) && !reference(word):
		s.take(end+len(user)+1, end+sign)
	case !has && len(user) >= 16 && random(user):
		s.take(end, end+sign)
	}
}

// bearer takes the token after the word.
func (s *scan) bearer(_, end int) {
	from := end
	for from < len(s.text) && from-end < 4 && strings.IndexByte(" :\t", s.text[from]) >= 0 {
		from++
	}
	if from > end {
		s.credentials(from, 16)
	}
}

var schemes = words("bearer basic token digest apikey api-key bot negotiate")

// authorization takes what follows the header's name and the scheme.
func (s *scan) authorization(_, end int) {
	i := s.skip(end, "\"'`* \t\\")
	if i >= len(s.text) || s.text[i] != ':' && s.text[i] != '=' {
		return
	}
	i = s.skip(i+1, "\"'`* \t\\")
	word := i
	for word < len(s.text) && isTokenByte(s.text[word]) {
		word++
	}
	if schemes()[strings.ToLower(s.text[i:word])] {
		i = s.skip(word, " \t")
		s.credentials(i, 8)
		return
	}
	s.credentials(i, 16)
}

// skip gives the first place from i on, but not far, that holds none of signs.
func (s *scan) skip(i int, signs string) int {
	for end := i + 16; i < len(s.text) && i < end && strings.IndexByte(signs, s.text[i]) >= 0; {
		i++
	}
	return i
}

// credentials takes the run of base64 or of a token's bytes at from.
func (s *scan) credentials(from, least int) {
	to := from
	for to < len(s.text) && (isTokenByte(s.text[to]) || strings.IndexByte("._~+/=", s.text[to]) >= 0) {
		to++
	}
	for to > from && s.text[to-1] == '.' {
		to--
	}
	word := s.text[from:to]
	called := to < len(s.text) && strings.IndexByte("([{", s.text[to]) >= 0
	if len(word) >= least && !called && !placeholder(word) && !reference(word) && (random(word) || mixedCase(word) && strings.HasSuffix(word, "=")) {
		s.take(from, to)
	}
}

var curlUser = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\s(?:-u|--user)(?:=|\s{0,4})["']?[^\s:"']{0,64}:["']?([^\s"']{3,200})`)
})

// curl takes the password of its option -u, on its line and those that a
// backslash joins to it.
func (s *scan) curl(at, _ int) {
	window := s.text[at:min(len(s.text), at+700)]
	end := 0
	for {
		n := strings.IndexByte(window[end:], '\n')
		if n < 0 {
			end = len(window)
			break
		}
		if end += n; end == 0 || window[end-1] != '\\' {
			break
		}
		end++
	}
	window = window[:end]
	if !strings.Contains(window, "-u") {
		return
	}
	m := curlUser().FindStringSubmatchIndex(window)
	if m == nil {
		return
	}
	if word := window[m[2]:m[3]]; !placeholder(strings.Trim(word, "<>[](){}\\`,;")) && !reference(word) {
		s.take(at+m[2], at+m[3])
	}
}

// azure takes the client secrets of Azure, which hold a digit and "Q~" after
// three bytes.
func (s *scan) azure(at, end int) {
	const most = 64
	isPart := func(c byte) bool { return isTokenByte(c) || c == '.' || c == '~' }
	from, to := at, end
	for from > max(0, at-3) && isPart(s.text[from-1]) {
		from--
	}
	for to < min(len(s.text), end+most) && isPart(s.text[to]) {
		to++
	}
	if at-from == 3 && s.text[at+1] == 'Q' && to-end >= 31 {
		s.take(from, to)
	}
}
