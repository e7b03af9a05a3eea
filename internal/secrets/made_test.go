package secrets

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// made is an example of a secret that was made up.
type made struct {
	kind, text, secret string
}

// examples reads a list of made-up secrets: kind, text, the part that must go. A
// bar in it is left out: it keeps scanners of repositories from taking the file
// for a leak.
func examples(tb testing.TB, path string) []made {
	tb.Helper()
	var out []made
	for _, line := range linesOf(tb, path) {
		f := strings.Split(line, "\t")
		if len(f) != 3 || f[0] == "kind" {
			continue
		}
		out = append(out, made{f[0], unescaped.Replace(f[1]), unescaped.Replace(f[2])})
	}
	if len(out) == 0 {
		tb.Fatalf("%s holds no example", path)
	}
	return out
}

var unescaped = strings.NewReplacer(`\n`, "\n", "¦", "", `\u200b`, "\u200b")

func linesOf(tb testing.TB, path string) []string {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var out []string
	for line := range bytes.Lines(data) {
		if s := strings.TrimRight(string(line), "\r\n"); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// left says whether enough of a secret is in a text to be of use: the whole of a
// short one, eight signs of a piece of a longer one.
func (m made) left(text string) bool {
	for _, piece := range strings.FieldsFunc(m.secret, func(c rune) bool {
		return unicode.IsSpace(c) || unicode.Is(unicode.Cf, c) || strings.ContainsRune(`"'`, c)
	}) {
		signs := []rune(piece)
		if len(signs) < 8 {
			continue
		}
		for i := 0; i+8 <= len(signs); i++ {
			if strings.Contains(text, string(signs[i:i+8])) && !strings.Contains(Mark, string(signs[i:i+8])) {
				return true
			}
		}
	}
	return strings.Contains(text, m.secret)
}

// tried redacts the examples, and tells which ones are left.
func tried(tb testing.TB, r *Redactor, list []made) (leaked int) {
	for _, m := range list {
		if got, _ := r.Redact(m.text); m.left(got) {
			leaked++
			tb.Logf("%s is left: %s", m.kind, got)
		}
	}
	return leaked
}

func TestMadeUp(t *testing.T) {
	t.Parallel()
	r := redactor(t)
	files, err := filepath.Glob("testdata/*.tsv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, path := range files {
		list := examples(t, path)
		if leaked := tried(t, r, list); leaked*100 > 3*len(list) {
			t.Errorf("%s: %d of %d are left, want at most three in a hundred", path, leaked, len(list))
		}
	}
}

func changed(tb testing.TB, r *Redactor, lines []string) (n int) {
	for _, line := range lines {
		line = unescaped.Replace(line)
		if got, _ := r.Redact(line); got != line {
			n++
			tb.Logf("%q became %q", line, got)
		}
	}
	return n
}

func TestHarmless(t *testing.T) {
	t.Parallel()
	lines := linesOf(t, "testdata/harmless.txt")
	if n := changed(t, redactor(t), lines); n*100 > len(lines) {
		t.Errorf("%d of %d are changed, want at most one in a hundred", n, len(lines))
	}
}

// What corpus/cases/45-secrets says must go and must stay.
func TestOddCase(t *testing.T) {
	r := redactor(t)
	dir := shared(t, "corpus", "cases", "45-secrets")
	list := examples(t, filepath.Join(dir, "secrets.tsv"))
	if leaked := tried(t, r, list); leaked > 0 {
		t.Errorf("%d of %d are left", leaked, len(list))
	}
	// AWS's documented example key may go.
	lines := slices.DeleteFunc(linesOf(t, filepath.Join(dir, "harmless.txt")), func(line string) bool { return strings.Contains(line, "EXAMPLE") })
	if n := changed(t, r, lines); n > 0 {
		t.Errorf("%d of %d are changed", n, len(lines))
	}
}

// The languages that the offline extractor reads are among those that are read
// here: each sentence of its list is followed by one that tells a password.
func TestReadsTheExtractorsLanguages(t *testing.T) {
	t.Parallel()
	known := map[string]language{}
	for _, l := range languages {
		known[l.code] = l
	}
	r := redactor(t)
	for _, line := range linesOf(t, "../../plugins/offline/testdata/languages.tsv") {
		code, _, _ := strings.Cut(line, "\t")
		l, ok := known[code]
		if !ok {
			t.Errorf("the extractor reads %q, and no secret is found in it", code)
			continue
		}
		is := strings.Split(l.is, ";")
		for _, list := range []struct{ names, secret string }{{l.passwords, "Zk7Rt5yX9w"}, {l.keys, "Zk7Rt5yX9wLmT4bRc8sHy3Nd"}, {l.pins, "481516"}} {
			for name := range strings.SplitSeq(list.names, ";") {
				for _, word := range []string{" " + is[0] + " ", ": "} {
					text := name + word + list.secret
					if got, _ := r.Redact(text); strings.Contains(got, list.secret) {
						t.Errorf("%s: %q became %q", code, text, got)
					}
				}
			}
		}
	}
}
