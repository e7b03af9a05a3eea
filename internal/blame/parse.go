package blame

import (
	"bytes"
	"strings"
)

// parse reads what git blame --porcelain writes: for each line a header that begins
// with the commit's id, what is known of a commit where it comes first, and the
// line itself behind a tab.
func parse(out []byte) []Line {
	var lines []Line
	authors := map[string]string{} // by commit
	commit := ""
	for raw := range bytes.Lines(out) {
		s := strings.TrimSuffix(string(raw), "\n")
		if text, ok := strings.CutPrefix(s, "\t"); ok {
			lines = append(lines, Line{authors[commit], strings.TrimSuffix(text, "\r")})
			commit = ""
			continue
		}
		if commit == "" {
			commit, _, _ = strings.Cut(s, " ")
			continue
		}
		if name, ok := strings.CutPrefix(s, "author "); ok {
			authors[commit] = name
		}
	}
	return lines
}
