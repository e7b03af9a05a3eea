package secrets

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// shared is a folder of real files beside the repository.
func shared(tb testing.TB, elems ...string) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			tb.Fatal("no go.mod above")
		}
		dir = filepath.Dir(dir)
	}
	found := filepath.Join(append([]string{filepath.Dir(dir), "shared"}, elems...)...)
	if _, err := os.Stat(found); err != nil {
		tb.Skip("the real files are not beside the repository")
	}
	return found
}

// texts gives each string of the JSON files and lines below a folder that has
// at least a few bytes.
func texts(tb testing.TB, root string, each func(file, text string)) {
	tb.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		switch filepath.Ext(path) {
		case ".jsonl":
			for line := range bytes.Lines(data) {
				eachString(line, func(s string) { each(path, s) })
			}
		case ".json":
			eachString(data, func(s string) { each(path, s) })
		case ".md", ".txt":
			each(path, string(data))
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
}

func eachString(data []byte, each func(string)) {
	var v any
	if json.Unmarshal(data, &v) != nil {
		return
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			each(v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(v)
}

// What corpus/cases/11-secrets says must go and must stay.
func TestCase(t *testing.T) {
	r := redactor(t)
	var all strings.Builder
	texts(t, filepath.Join(shared(t, "corpus", "cases", "11-secrets"), "projects"), func(_, text string) {
		got, _ := r.Redact(text)
		all.WriteString(got + "\n")
	})
	for _, gone := range []string{"ghp_", "AKIA", "xoxb-", "sk-ant", "hunter2", "BEGIN OPENSSH", "eyJhbGci", "wJalr", "RkFLRU", "example00000000"} {
		if strings.Contains(all.String(), gone) {
			t.Errorf("%s is still there", gone)
		}
	}
	for _, kept := range []string{"deploys go through the depot runner", "taging listens on port 8443", "PLAIN=not-a-secret", "fix/token-[redacted]", "@db.internal:5432/orchard"} {
		if !strings.Contains(all.String(), kept) {
			t.Errorf("%q is gone", kept)
		}
	}
}

// TestShowRedactions prints what is taken out of the real files, for a person
// to judge: RECOLLECT_SHOW=1 go test -run ShowRedactions -v
func TestShowRedactions(t *testing.T) {
	if os.Getenv("RECOLLECT_SHOW") == "" {
		t.Skip("prints for a person; set RECOLLECT_SHOW")
	}
	r := redactor(t)
	seen := map[string]bool{}
	total := 0
	texts(t, shared(t, "corpus"), func(file, text string) {
		total += len(text)
		for _, s := range r.find(text) {
			from, to := max(0, s.from-50), min(len(text), s.to+20)
			what := text[s.from:s.to]
			if seen[what] {
				continue
			}
			seen[what] = true
			t.Logf("%s: …%q >>>%q<<< %q", filepath.Base(file)[:min(20, len(filepath.Base(file)))], text[from:s.from], what, text[s.to:to])
		}
	})
	t.Logf("%d bytes", total)
}

// What is redacted stays as it is when it is redacted again.
func TestIdempotentOnCorpus(t *testing.T) {
	r := redactor(t)
	texts(t, shared(t, "corpus", "cases"), func(file, text string) {
		once, _ := r.Redact(text)
		if twice, n := r.Redact(once); twice != once || n != 0 {
			t.Errorf("%s: %q became %q", file, once, twice)
		}
	})
}

func FuzzRedact(f *testing.F) {
	for _, seed := range []string{
		gh, akia, ant, jwt, pem, "AWS_SECRET_ACCESS_KEY=" + aws, "password: \"" + rnd + "\"", "Authorization: Bearer " + rnd + rnd,
		"postgres://a:" + rnd + "@b/c", "curl -u a:b12345 x", "password='[redacted]" + rnd + "'", "token=[redacted]" + gh[:20], "-----BEGIN PRIVATE" + " KEY-----\\nQUJD",
		"discord secret = " + strings.Repeat("ab12", 8), "\xff\xfepassword=\x00\u00e9abc12345", "eyJa.eyJb.eyJc", "token token token=token:token is token",
	} {
		f.Add(seed)
	}
	r := redactor(f)
	f.Fuzz(func(t *testing.T, text string) {
		once, n := r.Redact(text)
		if !utf8.ValidString(once) {
			t.Fatalf("not UTF-8: %q", once)
		}
		if n == 0 && utf8.ValidString(text) && once != text {
			t.Fatalf("%q became %q without a secret", text, once)
		}
		if twice, m := r.Redact(once); twice != once || m != 0 {
			t.Fatalf("%q became %q became %q", text, once, twice)
		}
		r.OnlySecret(text, once)
	})
}

// New with what the first text makes ready.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		redactor(b).known()
	}
}

// Texts as transcripts have them, and the same with a secret in every few lines.
func BenchmarkRedact(b *testing.B) {
	var all strings.Builder
	texts(b, shared(b, "corpus", "claude-code"), func(_, text string) {
		if all.Len() < 8<<20 {
			all.WriteString(text + "\n")
		}
	})
	plain := all.String()
	secret := strings.ReplaceAll(plain, "\n\n", "\nAPI_KEY="+rnd+"\n")
	for _, bb := range []struct{ name, text string }{{"plain", plain}, {"secrets", secret}, {"keywords", strings.Repeat("token key secret okta discord=", 30000)}} {
		b.Run(bb.name, func(b *testing.B) {
			r := redactor(b)
			b.SetBytes(int64(len(bb.text)))
			for b.Loop() {
				r.Redact(bb.text)
			}
		})
	}
}
