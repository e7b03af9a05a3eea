package secrets

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// entropy is Shannon's, of the bytes, in bits a byte.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// fillers are values that stand where a secret would.
var fillers = words(`true false null nil none undefined changeit string number boolean bool str int integer bytes byte any object
text char varchar required optional empty unset unknown redacted hidden masked omitted secret secrets password passwd pass pw
pwd passphrase token tokens apikey api_key api-key key changeme change_me change-me example todo tbd placeholder default
credential credentials user username env environment value values variable header headers cookie cookies basic bearer
hashed encrypted plaintext plain-text missing invalid expired valid enabled disabled yes no on off`)

// placeholder says that a value only stands for a secret.
func placeholder(v string) bool {
	l := strings.ToLower(v)
	switch {
	case fillers()[l], oneSign(l), strings.Contains(v, Mark), strings.Contains(l, "[redacted"):
		return true
	case strings.Contains(l, "***"), strings.Contains(l, "xxxx"), strings.Contains(l, "..."), strings.Contains(l, "…"), strings.Contains(l, "•••"):
		return true
	}
	for _, word := range []string{"placeholder", "changeme", "change-me", "not-a-", "not_a_", "-here", "_here", "goes-here"} {
		if strings.Contains(l, word) {
			return true
		}
	}
	for _, first := range []string{"your", "my", "the", "some", "insert", "replace", "enter", "put", "dummy", "example", "sample"} {
		if rest, ok := strings.CutPrefix(l, first); ok && rest != "" && strings.ContainsAny(rest[:1], "-_ .") && !mixed(rest) {
			return true
		}
	}
	return false
}

// reference says that a value is code or a template that leads to a secret.
func reference(v string) bool {
	if v == "" || strings.ContainsAny(v[:1], "$%<{@&#*") || strings.Contains(v, "${") || strings.Contains(v, "{{") || strings.Contains(v, "$(") {
		return true
	}
	if strings.Contains(v, "::") || strings.Contains(v, "->") {
		return true
	}
	if !strings.Contains(v, ".") {
		return false
	}
	for part := range strings.SplitSeq(v, ".") {
		part = strings.TrimRight(part, "!?")
		if part == "" || !isLetter(part[0]) && part[0] != '_' || mixed(part) {
			return false
		}
		for i := range len(part) {
			if !isWordByte(part[i]) {
				return false
			}
		}
	}
	return true
}

// spaced says that a text in quotes is a passphrase with spaces: at most six words,
// of which one holds letters and digits and none goes on with a sentence.
func spaced(t string) bool {
	words := strings.Fields(t)
	odd := false
	for _, w := range words {
		lower, upper, digits, _ := counts(w)
		odd = odd || digits > 0 && (lower+upper > 0 || len(words) > 3)
		if sentenceWords()[strings.ToLower(w)] || strings.ContainsAny(w, "()[]{}<>=$") {
			return false
		}
	}
	return odd && len(words) >= 2 && len(words) <= 6
}

// plain says that a value is no part of code, no path and no known word of the
// trade.
func (v value) plain() bool {
	t := v.text
	return !placeholder(t) && !reference(t) && !pathLike(t) && !version(t) && !hostPort(t) && !strings.ContainsAny(t, "_.()[]{}<>=/") && !techWords()[strings.ToLower(t)]
}

// trade are pieces of technical names that hold digits.
var trade = []string{"sha1", "sha2", "sha3", "sha5", "md5", "base64", "base32", "base58", "utf8", "utf1", "oauth", "argon2", "aes1", "aes2", "http", "node", "python", "ipv4", "ipv6", "x509", "p256", "p384", "k8s", "i18n", "l10n", "a11y", "e2e", "ec2", "int8", "int1", "int3", "int6", "float", "win32", "win64", "x86", "x64", "arm64", "amd64", "h264", "mp3", "mp4", "pkcs", "ed25519", "secp", "pbkdf2", "hs256", "rs256", "es256", "form", "field", "test", "pass"}

// striking says that a value stands out of any sentence as a password: letters of
// both cases around digits, or signs that words don't have, and no technical name.
func (v value) striking() bool {
	l := strings.ToLower(v.text)
	lower, upper, digits, _ := counts(v.text)
	signs := lower+upper > 0 && digits > 0 && strings.ContainsAny(v.text[:max(0, len(v.text)-1)], "!@#$%^&*?")
	return len(v.text) >= 8 && len(v.text) <= 40 && (signs || lowerUpperDigit(v.text)) && mixed(v.text) && v.plain() && v.plainly(password) &&
		!slices.ContainsFunc(trade, func(w string) bool { return strings.Contains(l, w) })
}

// oneSign says that a value is one byte again and again.
func oneSign(v string) bool { return v != "" && strings.Count(v, v[:1]) == len(v) }

// pathLike says that a value names a file or a place.
func pathLike(v string) bool {
	for _, first := range []string{"/", "./", "../", "~", "\\\\", "file:", "arn:"} {
		if strings.HasPrefix(v, first) && (first != "/" || wordy(v)) {
			return true
		}
	}
	return strings.Contains(v, "://") || len(v) > 2 && v[1] == ':' && (v[2] == '\\' || v[2] == '/')
}

// techWords look like a password in a sentence about one.
var techWords = words(`sha1 sha256 sha384 sha512 sha-256 sha-512 md5 base64 base64url base32 utf8 utf-8 oauth2 argon2 argon2id
argon2i bcrypt pbkdf2 es256 rs256 hs256 hs512 ed25519 x509 aes128 aes256 aes-256 aes-256-gcm chacha20 hmac-sha256 http2
1password openid2 http401 http403 tls1 pkcs1 pkcs8 pkcs12 p256 secp256k1 windows10 windows11 node18 node20 node22 python3`)

// counts tells what a value is made of.
func counts(v string) (lower, upper, digits, others int) {
	for _, c := range v {
		switch {
		case unicode.IsDigit(c):
			digits++
		case unicode.IsUpper(c):
			upper++
		case unicode.IsLetter(c):
			lower++
		default:
			others++
		}
	}
	return lower, upper, digits, others
}

// parts splits a value at the signs that join words.
func parts(v string) []string {
	return strings.FieldsFunc(v, func(c rune) bool { return strings.ContainsRune("-_./+:=~ ", c) })
}

// mixed says that letters and digits stand in one part of a value otherwise than
// in words with a number behind them, such as utf8 or v2.
func mixed(v string) bool {
	for _, p := range parts(v) {
		turns := 0
		for i := 1; i < len(p); i++ {
			if isDigit(p[i]) != isDigit(p[i-1]) {
				turns++
			}
		}
		if turns > 1 || turns == 1 && isDigit(p[0]) && len(p) > 4 || turns == 1 && len(p)-len(strings.TrimRight(p, "0123456789")) > 3 {
			return true
		}
	}
	return false
}

// mixedCase says that capitals stand elsewhere than words have them.
func mixedCase(v string) bool {
	for _, p := range parts(v) {
		turns := 0
		for i := 1; i < len(p); i++ {
			if isLetter(p[i]) && isLetter(p[i-1]) && (p[i]^p[i-1])&0x20 != 0 {
				turns++
			}
		}
		if len(p) >= 12 && turns*3 > len(p) {
			return true
		}
	}
	return false
}

// wordy says that a value is made of words.
func wordy(v string) bool { return !mixed(v) && !mixedCase(v) }

// random says that a value looks made by a machine: long enough, of many signs,
// and no words.
func random(v string) bool {
	if len(v) < 10 || !mixed(v) && !mixedCase(v) {
		return false
	}
	lower, upper, digits, _ := counts(v)
	return digits > 0 && lower+upper > 0 && entropy(v) >= 2.7 || len(v) >= 20 && entropy(v) >= 3.8
}

// version says that a value is a version's or a date's number.
func version(v string) bool {
	v = strings.TrimLeft(v, "v^~>=< ")
	if v == "" || !isDigit(v[0]) || strings.Count(v, ".")+strings.Count(v, "-") == 0 {
		return false
	}
	return strings.Trim(v, "0123456789.-:+TZ") == ""
}
