package secrets

import (
	"strings"
	"unicode"
)

// Words that make a name that holds a secret's word the name of something else,
// before and behind it.
var (
	otherBefore = words(`max min num total input output prompt completion cached cache used next page continuation public idempotency routing partition sort primary foreign request correlation dedup
		design csrf count per eos bos pad stop special unk sep no without invalid missing hashed has is use show hide forgot reset`)
	otherBehind = words(`id ids name names length len count counts limit limits type types size field fields file files path paths
		url uri endpoint expiry expires expired expiration ttl policy rules format version regex pattern prefix usage
		budget store manager service provider validator generator label hint error errors message messages ring symbol
		index bucket status state class hash hashes hashing salt algorithm method strategy rotation reset strength input
		count per price cost audience issuer scope header suffix`)
	keyOwners = words(`application subscription shared preshared session app api access private secret encryption signing account master role storage auth service deploy license shared webhook client admin session functions function bot push sending server project license send vapid hmac jwt cron`)
)

// secretWord says that a word in lower case names a secret.
func secretWord(w string) bool {
	switch w {
	case "secret", "token", "apikey", "credential", "credentials", "passphrase", "pwd", "pass", "key", "accesskey", "signature":
		return true
	}
	return strings.Contains(w, "passw")
}

// promised says what a name promises.
func promised(name string) promise {
	words := splitName(name)
	at, what := -1, nothing
	for i, w := range words {
		switch {
		case strings.HasPrefix(w, "password") && w != "passwords" && w != "passwordless", strings.HasSuffix(w, "password"), w == "passwd", w == "passwort", w == "pwd", w == "passphrase",
			w == "pass" && i > 0 && i == len(words)-1:
			at, what = i, password
		case w == "secret", w == "token", w == "apikey", w == "accesskey", w == "credential", w == "authkey", w == "privatekey", w == "jwt" && i > 0, w == "signature" && i > 0:
			at, what = i, machine
		case w == "pw" && i > 0 && i == len(words)-1:
			at, what = i, password
		case w == "key" && i > 0 && (keyOwners()[words[i-1]] || i == len(words)-1 && strings.HasPrefix(strings.ToLower(name), "x-")), w == "data" && i > 1 && words[i-1] == "key" && words[i-2] == "client":
			at, what = i, machine
		}
	}
	if at < 0 {
		return nothing
	}
	for i, w := range words {
		if i < at && otherBefore()[w] || i > at && otherBehind()[w] {
			return nothing
		}
	}
	return what
}

// splitName gives the words of a name in lower case: snake_case, kebab-case,
// camelCase, and words with spaces.
func splitName(name string) []string {
	var words []string
	for _, part := range strings.FieldsFunc(name, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		from := 0
		for i := 1; i < len(part); i++ {
			small := 'a' <= part[i-1] && part[i-1] <= 'z' || isDigit(part[i-1])
			big := 'A' <= part[i] && part[i] <= 'Z'
			last := i+1 < len(part) && big && 'A' <= part[i-1] && part[i-1] <= 'Z' && 'a' <= part[i+1] && part[i+1] <= 'z'
			if small && big || last {
				words = append(words, strings.ToLower(part[from:i]))
				from = i
			}
		}
		words = append(words, strings.ToLower(part[from:]))
	}
	return words
}
