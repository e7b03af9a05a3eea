// Package library holds the rules of a well-kept library of secrets, gitleaks
// (MIT, see LICENSE), as data. The library itself is not imported: see README.md.
package library

//go:generate go run generate.go

// Rule finds one kind of secret.
type Rule struct {
	ID      string
	Pattern string // regular expression
	// Named rules find a value behind a name: they match where the keyword
	// begins. The others find a run of the bytes that tokens have.
	Named    bool
	Entropy  float64  // a secret has more bits a byte than this
	Group    int      // that holds the secret; 0 is the first one that matched, or all
	Keywords []string // in lower case, of at least three bytes; a match holds one
}
