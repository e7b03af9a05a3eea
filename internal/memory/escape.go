package memory

import (
	"regexp"
	"strings"
)

// This file is the one place that says how a content stands in the Markdown.
// Written as it is, a content could open a heading, a fence, a comment or an
// import, or be read back as something else than it was. Where it could, one
// backslash goes in front; reading takes it off again. A backslash that stands
// at such a place already gets one more, so that every content comes back as it
// was.

// dangerAtStart is what may not stand at the start of a bullet's text.
var dangerAtStart = regexp.MustCompile("^(?:" + strings.Join([]string{
	"#",          // heading
	"```", "~~~", // fence
	">",                               // quote
	`[-+*](?: |$)`,                    // nested bullet
	`\[[ xX]\](?: |$)`, `\[[^\]]+\]:`, // checkbox, link definition
	`<[A-Za-z/!?]`,                                         // HTML
	`(?:- *){2,}$`, `(?:\* *){2,}$`, `(?:_ *){3,}$`, `=+$`, // rule, underline of a heading
	`\|`, // table
}, "|") + ")")

// escape returns content as it may stand behind a bullet.
func escape(content string) string {
	return rewrite(content, func(slashes int) int { return slashes + 1 })
}

// unescape is the inverse of escape; of a text that a person wrote it takes off
// the same backslashes.
func unescape(text string) string {
	return rewrite(text, func(slashes int) int { return max(slashes-1, 0) })
}

// rewrite changes the number of backslashes in front of each danger.
func rewrite(s string, change func(slashes int) int) string {
	if !strings.ContainsAny(s, "@<>") && !dangerAtStart.MatchString(strings.TrimLeft(s, `\`)) {
		return s
	}
	var b strings.Builder
	code := false
	for i := 0; i < len(s); {
		n := i
		for n < len(s) && s[n] == '\\' {
			n++
		}
		slashes := n - i
		if isDanger(s, i, n, code) {
			slashes = change(slashes)
		}
		for range slashes {
			b.WriteByte('\\')
		}
		if n < len(s) {
			if s[n] == '`' && (code || strings.IndexByte(s[n+1:], '`') >= 0) && !strings.Contains(s, "``") {
				code = !code
			}
			b.WriteByte(s[n])
			n++
		}
		i = n
	}
	return b.String()
}

// isDanger reports whether what stands at n, behind the backslashes that start
// at i, must not be read as Markdown. In a code span an "@" imports nothing.
func isDanger(s string, i, n int, code bool) bool {
	rest := s[n:]
	switch {
	case i == 0 && dangerAtStart.MatchString(rest):
		return true
	case strings.HasPrefix(rest, "<!--"):
		return true
	case strings.HasPrefix(rest, ">") && i >= 2 && s[i-2:i] == "--":
		return true // it would close a comment that a person left open above
	case strings.HasPrefix(rest, "@") && !code:
		return i == 0 || strings.IndexByte(" \t([{<\"'*_,;:|>=", s[i-1]) >= 0
	}
	return false
}
