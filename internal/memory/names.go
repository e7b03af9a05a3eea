package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	markdownExt = ".md"
	itemsExt    = ".items.jsonl"
	damagedExt  = ".damaged"

	// maxPlain and maxStem keep every name under 120 bytes, the longest extension
	// included.
	maxPlain = 80
	maxStem  = 60
)

// FileStem returns the name of a branch's files without extension. It is lossless in
// that no two branches share a stem, not even on a file system that ignores
// case or normalises Unicode; the exact name stands inside the files.
//
//   - A name of lower-case ASCII letters, digits, ".", "_" and "-" that every
//     file system takes as it is, is its own stem: "main", "feature_auth".
//   - Any other gets a readable stem, "~" and ten digits of the SHA-256 of its
//     exact bytes: "feature/auth" is "feature-auth~" and so on. "~" stands in
//     no plain stem.
//
// A stem never starts with "." or "-", never ends with ".", and is no device
// name of Windows.
func FileStem(branch string) string {
	if isPlain(branch) {
		return branch
	}
	sum := sha256.Sum256([]byte(branch))
	return readable(branch) + "~" + hex.EncodeToString(sum[:5])
}

func isPlain(s string) bool {
	if s == "" || len(s) > maxPlain || s[0] == '.' || s[0] == '-' || s[len(s)-1] == '.' || isDevice(s) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

var device = regexp.MustCompile(`^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$`)

// isDevice reports names that Windows keeps for devices, whatever their
// extension.
func isDevice(s string) bool {
	base, _, _ := strings.Cut(s, ".")
	return device.MatchString(base)
}

// readable keeps letters, digits and marks of any script in lower case and
// puts one "-" in place of everything else.
func readable(branch string) string {
	if branch == "" {
		return "project"
	}
	var b strings.Builder
	dash := false
	for _, r := range norm.NFC.String(strings.ToLower(strings.ToValidUTF8(branch, " "))) {
		keep := r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) && b.Len() > 0
		if !keep {
			dash = b.Len() > 0
			continue
		}
		if b.Len()+utf8.RuneLen(r)+1 > maxStem {
			break
		}
		if dash {
			b.WriteByte('-')
			dash = false
		}
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return "branch"
	}
	return b.String()
}

// seedStem is how seed memories named the file of a branch. It is not lossless.
func seedStem(branch string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, branch)
}

// writeName returns a branch name as it stands in the title and in the item
// lines: as it is if one can see all of it, else quoted as in Go.
func writeName(branch string) string {
	plain := branch != "" && branch[0] != '"' && strings.TrimSpace(branch) == branch && utf8.ValidString(branch)
	for _, r := range branch {
		plain = plain && unicode.IsPrint(r)
	}
	// A closing sequence would be taken off the heading.
	if plain && !strings.HasSuffix(branch, "#") {
		return branch
	}
	return strconv.Quote(branch)
}

// readName is the inverse of writeName.
func readName(s string) string {
	if strings.HasPrefix(s, `"`) {
		if name, err := strconv.Unquote(s); err == nil {
			return name
		}
	}
	return s
}
