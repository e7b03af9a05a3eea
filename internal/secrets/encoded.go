package secrets

import (
	"encoding/base64"
	"slices"
	"strings"
)

// keyBodies are what a private key begins with in base64, or nearly so: a PEM
// block whose head is missing.
var keyBodies = []struct {
	begin string
	back  int // how many bytes before it the body begins, at most
	der   bool
}{
	{"b3BlbnNzaC1rZXktdjE", 0, false}, // OpenSSH
	{"LS0tLS1CRUdJTi", 0, false},      // "-----BEGIN ", encoded again
	{"IBAAKCA", 8, true},              // RSA, PKCS #1
	{"IBAAKBg", 8, true},
	{"IBAAJB", 8, true},
	{"IBADANBgkqhkiG9w0BAQEFAAS", 8, true}, // RSA, PKCS #8
	{"MHcCAQEEI", 0, false},                // elliptic curves
	{"MIGkAgEBBD", 0, false},
	{"MIHcAgEBBEI", 0, false},
	{"MIGHAgEAMBMGByqGSM49", 0, false},
	{"MIG2AgEAMBAGByqGSM49", 0, false},
	{"MIHuAgEAMBAGByqGSM49", 0, false},
	{"MC4CAQAwBQYDK2Vw", 0, false}, // Ed25519, X25519
	{"MC4CAQAwBQYDK2Vu", 0, false},
	{"BgkqhkiG9w0BBQ0", 16, true}, // encrypted
}

// keyBody takes the body of a private key whose head is missing.
func (s *scan) keyBody(n, at int) {
	body := keyBodies[n]
	if !strings.HasPrefix(s.text[at:], body.begin) {
		return
	}
	from := at
	for from > 0 && at-from < body.back && isBase64(s.text[from-1]) {
		from--
	}
	if body.der {
		n := strings.Index(s.text[from:at+1], "MI")
		if n < 0 {
			return
		}
		from += n
	}
	if from > 0 && isBase64(s.text[from-1]) && s.text[from-1] != '/' && s.text[from-1] != '=' {
		return
	}
	to := from + base64Run(s.text[from:])
	for to < len(s.text) && to-from < maxKey { // its further lines
		next := to
		for next < len(s.text) && next-to < 10 && strings.IndexByte("\r\n \t\"", s.text[next]) >= 0 {
			next++
		}
		run := base64Run(s.text[next:])
		if next == to || !strings.Contains(s.text[to:next], "\n") || run < 16 || !mixed(s.text[next:next+run]) && !mixedCase(s.text[next:next+run]) {
			break
		}
		to = next + run
	}
	if decoded := s.text[from:to]; body.begin == "LS0tLS1CRUdJTi" && !strings.Contains(plain(decoded[:min(len(decoded), 80)/4*4]), "PRIVATE") {
		return
	}
	if to-from >= 24 {
		s.take(from, to)
	}
}

func isBase64(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '+' || c == '/' || c == '='
}

// plain decodes base64; what it can't decode is "".
func plain(v string) string {
	v = strings.TrimRight(v, "=")
	enc := base64.RawStdEncoding
	if strings.ContainsAny(v, "-_") {
		enc = base64.RawURLEncoding
	}
	out, err := enc.DecodeString(v)
	if err != nil {
		return ""
	}
	return string(out)
}

// printable says that a text is one that people could have typed.
func printable(v string) bool {
	return len(v) > 0 && strings.IndexFunc(v, func(c rune) bool { return c < ' ' && c != '\n' || c > '~' }) < 0
}

// heads are beginnings of secrets that are looked for in base64.
var heads = []string{"AKIA", "ASIA", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "sk_live_", "sk-ant-", "sk-proj-", "xoxb-", "xoxp-", "npm_", "dop_v1_", "hf_", "AIza", "SG.", "shpat_", "password=", "password:", "\"password\"", "_KEY=", "_TOKEN=", "PASSWORD"}

// encodedHeads gives how a text looks within base64, by where it begins: what of
// it does not depend on its neighbours.
func encodedHeads(head string) []string {
	var out []string
	for skip := range 3 {
		code := base64.RawStdEncoding.EncodeToString([]byte("\x00\x00\x00"[:skip] + head))
		first := []int{0, 2, 3}[skip]
		last := (skip + len(head)) * 8 / 6
		if part := code[first:last]; len(part) >= 4 && !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out
}

// encoded takes a run of base64 that holds a secret.
func (s *scan) encoded(part string, at int) {
	if !strings.HasPrefix(s.text[at:], part) {
		return
	}
	from, to := at, at
	for least := max(0, at-runReach); from > least && isBase64(s.text[from-1]) && s.text[from-1] != '='; {
		from--
	}
	for most := min(len(s.text), at+runReach); to < most && isBase64(s.text[to]); {
		to++
	}
	if to-from < 20 || at < s.decoded {
		return
	}
	s.decoded = to
	for skip := range 4 { // what stands before it may be no part of it
		if from+skip > at {
			return
		}
		v := s.text[from+skip : to]
		if out := plain(v); printable(out) {
			if len(s.Redactor.scan(out)) > 0 {
				s.take(from, to)
			}
			return
		}
	}
}

// basicPair takes base64 of user:password as configurations of container
// registries have it.
func (s *scan) basicPair(_, end int) {
	i := s.skip(end, "\"'`\\ \t")
	if i >= len(s.text) || s.text[i] != ':' && s.text[i] != '=' {
		return
	}
	i = s.skip(i+1, "\"'`\\ \t")
	to := i + base64Run(s.text[i:min(len(s.text), i+maxValue)])
	said := plain(strings.TrimRight(s.text[i:to], "\\"))
	_, word, ok := strings.Cut(said, ":")
	if printable(said) && (ok && len(word) >= 3 && !placeholder(word) || len(said) >= 8 && random(s.text[i:to])) {
		s.take(i, to)
	}
}
