package secrets

import (
	"slices"
	"strings"
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
	{prefix: "npm_", least: 30}, {prefix: "pypi-AgE", least: 20}, {prefix: "hf_", least: 34, whole: 34}, {prefix: "hf_", least: 24, plain: true}, {prefix: "gsk_", least: 24, plain: true},
	{prefix: "dop_v1_", least: 20}, {prefix: "glsa_", least: 20}, {prefix: "lin_api_", least: 20}, {prefix: "tskey-", least: 12},
	{prefix: "SG.", least: 30, more: ".", plain: true}, {prefix: "dckr_pat_", least: 16}, {prefix: "sbp_", least: 30}, {prefix: "vercel_blob_rw_", least: 16},
	{prefix: "sgp_", least: 30}, {prefix: "api_org_", least: 30, plain: true}, {prefix: "ATATT3", least: 60, more: "="},
	{prefix: "NRAK-", least: 20}, {prefix: "NRJS-", least: 16}, {prefix: "NRII-", least: 20}, {prefix: "tfp_", least: 30, more: "."},
	{prefix: "hvs.", least: 20}, {prefix: "hvb.", least: 20}, {prefix: "PMAK-", least: 24}, {prefix: "sq0atp-", least: 16}, {prefix: "sq0csp-", least: 16},
	{prefix: "EAAC", least: 50, plain: true}, {prefix: "EAAG", least: 50, plain: true}, {prefix: "EAAA", least: 50, plain: true, more: "-_"}, {prefix: "rubygems_", least: 30}, {prefix: "figd_", least: 24}, {prefix: "nfp_", least: 24},
	{prefix: "ntn_", least: 30}, {prefix: "secret_", least: 32, plain: true}, {prefix: "pplx-", least: 30}, {prefix: "xai-", least: 40}, {prefix: "r8_", least: 30, plain: true}, {prefix: "rpa_", least: 30, plain: true},
	{prefix: "CFPAT-", least: 30}, {prefix: "dor_v1_", least: 20}, {prefix: "doo_v1_", least: 20}, {prefix: "pul-", least: 36, plain: true}, {prefix: "shpca_", least: 16}, {prefix: "shppa_", least: 16},
	{prefix: "dp.pt.", least: 30}, {prefix: "dp.st.", least: 30, more: "."}, {prefix: "phx_", least: 30, plain: true}, {prefix: "sntrys_", least: 30, more: "+/="}, {prefix: "sntryu_", least: 30}, {prefix: "glcbt-", least: 16}, {prefix: "gloas-", least: 16},
	{prefix: "glft-", least: 16}, {prefix: "glsoat-", least: 16}, {prefix: "glptt-", least: 16}, {prefix: "GR1348941", least: 16}, {prefix: "LTAI", least: 16, plain: true}, {prefix: "AKID", least: 28, plain: true},
	{prefix: "rzp_live_", least: 12}, {prefix: "rzp_test_", least: 12}, {prefix: "FlyV1 ", least: 30, more: "+/=,"}, {prefix: "fm2_", least: 30, plain: true, more: "+/="}, {prefix: "fo1_", least: 30, plain: true}, {prefix: "amzn.mws.", least: 30},
	{prefix: "access_token$production$", least: 30, more: "$"}, {prefix: "key-", least: 32, plain: true}, {prefix: "sk-svcacct-", least: 10}, {prefix: "sk-admin-", least: 10}, {prefix: "pat-na1-", least: 30}, {prefix: "pat-eu1-", least: 30},
	{prefix: "CLOJARS_", least: 40}, {prefix: "oy2", least: 43, plain: true, whole: 43}, {prefix: "dapi", least: 32, plain: true}, {prefix: "EZAK", least: 50, plain: true}, {prefix: "EZTK", least: 50, plain: true}, {prefix: "p8e-", least: 24, plain: true},
	{prefix: "pat", least: 75, plain: true, more: "."}, {prefix: "AGE-SECRET-KEY-1", least: 40}, {prefix: "wfp_", least: 24, plain: true}, {prefix: "tvly-", least: 20}, {prefix: "fc-", least: 32, plain: true}, {prefix: "lsv2_pt_", least: 24}, {prefix: "lsv2_sk_", least: 24}, {prefix: "nvapi-", least: 30}, {prefix: "AQVN", least: 34, plain: true},
	{prefix: "t1.9eu", least: 60, more: ".=", plain: true}, {prefix: "y0_", least: 50, plain: true}, {prefix: "bkua_", least: 30}, {prefix: "CCIPAT_", least: 30}, {prefix: "ccipat_", least: 30}, {prefix: "atlasv1.", least: 40}, {prefix: "re_", least: 24, plain: true},
	{prefix: "whop_", least: 30, plain: true}, {prefix: "ctx7sk-", least: 20}, {prefix: "cpl_", least: 40, plain: true}, {prefix: "AGPA", least: 16, whole: -16}, {prefix: "django-insecure-", least: 30, more: "!@#$%^&*()+="}, {prefix: "base64:", least: 30, plain: true, more: "+/="},
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
	if len(rest) < k.least {
		if n := s.apart(from, k); n > 0 {
			s.take(at, n)
			return
		}
	}
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

// apart gives the end of a token that is written in groups with spaces between
// them, 0 if it is none.
func (s *scan) apart(from int, k kind) int {
	if k.plain {
		return 0
	}
	i := s.skip(from, " ")
	n := groups(s.text[i:min(len(s.text), i+maxValue/4)])
	if bare := strings.ReplaceAll(s.text[i:i+n], " ", ""); n == 0 || len(bare) < min(k.least, 12) {
		return 0
	}
	return i + n
}

// continued gives the end of a token that lacks n bytes at i: they may stand on
// the next lines, or in groups behind spaces.
func (s *scan) continued(i, n int) int {
	for to := i; n >= 4; {
		from := s.skip(to, " \t\r\n\\")
		if from == to {
			return i
		}
		to = from
		for to < len(s.text) && isWordByte(s.text[to]) {
			to++
		}
		if n -= to - from; n == 0 {
			return to
		}
		if to-from < 3 {
			return i
		}
	}
	return i
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
	if close < 0 || !strings.Contains(strings.ToUpper(head[:close]), "PRIVATE KEY") && !strings.Contains(strings.ToUpper(head[:close]), "STATIC KEY") {
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

// puttyKey takes the private lines of PuTTY's form of a key.
func (s *scan) puttyKey(_, end int) {
	n := strings.IndexByte(s.text[end:min(len(s.text), end+20)], '\n')
	if n < 0 {
		return
	}
	from := end + n + 1
	to := from
	for line := range strings.Lines(s.text[from:min(len(s.text), from+maxKey)]) {
		if rest := strings.TrimSpace(line); len(rest) < 16 || base64Run(rest) != len(rest) {
			break
		}
		to += len(line)
	}
	s.take(from, from+len(strings.TrimRight(s.text[from:to], "\r\n")))
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
	if i >= len(s.text) || s.text[i] != ':' && s.text[i] != '=' && !strings.ContainsAny(s.text[end:i], "\"'") {
		return
	}
	i = s.skip(i, ":=\"'`* \t\\")
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
