package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/secrets"
)

// planted is a made-up secret and what tells of it.
type planted struct{ kind, text, secret string }

// plants are made-up secrets that the redactor knows: what is held here is that
// every way out of a transcript goes through it.
func plants(t *testing.T, every int, files ...string) []planted {
	t.Helper()
	r, err := secrets.New()
	if err != nil {
		t.Fatal(err)
	}
	unescape := strings.NewReplacer(`\n`, "\n", "¦", "", `\u200b`, "\u200b")
	var out []planted
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // the shared cases are not beside the repository
		}
		n := 0
		for line := range strings.Lines(string(data)) {
			f := strings.Split(strings.TrimRight(line, "\n"), "\t")
			if n++; len(f) != 3 || n%every != 1 && every > 1 {
				continue
			}
			p := planted{f[0], unescape.Replace(f[1]), unescape.Replace(f[2])}
			clean, _ := r.Redact(p.text)
			if strings.Contains(p.text, p.secret) && !strings.Contains(clean, p.secret) {
				out = append(out, p)
			}
		}
	}
	return out
}

// Secrets that a person said and the assistant repeated, in sessions whose titles
// and branches tell them too, are in no file and in nothing that is printed.
func TestSecretsGoNowhere(t *testing.T) {
	p := newProgram(t)
	root := filepath.Join("..", "..")
	list := plants(t, 6, filepath.Join(root, "internal", "secrets", "testdata", "first.tsv"), filepath.Join(root, "internal", "secrets", "testdata", "second.tsv"))
	list = append(list, plants(t, 1, filepath.Join(root, "..", "shared", "corpus", "cases", "45-secrets", "secrets.tsv"))...)
	if len(list) < 50 {
		t.Fatalf("only %d secrets to plant", len(list))
	}
	for i, x := range list {
		p.plant(t, i, x)
	}
	memories := filepath.Join(p.project, ".puffin", "memory", "branches")
	if err := os.MkdirAll(memories, 0o755); err != nil {
		t.Fatal(err)
	}
	var notes strings.Builder
	notes.WriteString("# imported\n\n## Facts\n\n")
	for _, x := range list {
		fmt.Fprintf(&notes, "- %s\n", strings.ReplaceAll(x.text, "\n", " "))
	}
	if err := os.WriteFile(filepath.Join(memories, "imported.md"), []byte(notes.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, args := range [][]string{
		{"memorize", "--all"}, {"import", "puffin"}, {"show", "--branch", "imported"}, {"inject"}, {"show", "--branch", "main", "--json"}, {"branches"}, {"status"}, {"history", "sessions", "--json"}, {"history", "turns", "--full"},
		{"history", "turns", "--json"}, {"doctor"}, {"maintain", "weekly"}, {"review"}, {"projects"},
	} {
		var out bytes.Buffer
		c := p.command(args...)
		c.Stdout, c.Stderr = &out, &out
		_ = c.Run() // what it says counts, not how it ends
		said[strings.Join(args, " ")] = out.String()
	}
	var shown struct{ Items []struct{ ID string } }
	if err := json.Unmarshal([]byte(said["show --branch main --json"]), &shown); err != nil || len(shown.Items) == 0 {
		t.Fatalf("nothing was kept: %v", err)
	}
	for _, it := range shown.Items[:min(len(shown.Items), 3)] {
		said["show --source "+it.ID] = p.run(t, "show", "--branch", "main", "--source", it.ID)
	}
	for place, text := range p.written(t) {
		said[place] = text
	}
	where := map[string]int{}
	for _, x := range list {
		quoted, err := json.Marshal(x.secret)
		if err != nil {
			t.Fatal(err)
		}
		for place, text := range said {
			if !strings.Contains(text, x.secret) && !bytes.Contains([]byte(text), bytes.Trim(quoted, `"`)) {
				continue
			}
			kind := "elsewhere"
			if filepath.Ext(place) == ".md" {
				kind = "Markdown"
			}
			where[kind+" "+x.kind]++
			t.Logf("%s is in %s", x.kind, place)
		}
	}
	for kind := range where {
		if strings.HasPrefix(kind, "Markdown") {
			t.Errorf("%s is in Markdown", kind)
		}
	}
	if len(where)*100 > 3*len(list) {
		t.Errorf("%d of %d leaked, want at most three in a hundred", len(where), len(list))
	}
}

// plant writes a session that tells a secret: in what is said, in its title, and
// now and then in its branch.
func (p program) plant(t *testing.T, i int, x planted) {
	t.Helper()
	tl := teller{cwd: p.project, session: fmt.Sprintf("s%03d", i), branch: "main", seed: fmt.Sprintf("s%03d", i)}
	if i%10 == 0 && !strings.ContainsAny(x.secret, "- ") { // a dash of a name may be a space
		tl.branch = "fix/" + strings.Join(strings.Fields(x.text), "-")
	}
	title := map[string]any{"type": "custom-title", "customTitle": x.text, "sessionId": tl.session}
	var out bytes.Buffer
	for _, rec := range []map[string]any{
		title, tl.record("user", x.text+"\nRemember that for this project."), tl.record("assistant", "Noted: "+x.text),
		tl.record("user", "Remember that "+x.text), tl.record("assistant", x.text+"\n\nFrom now on I keep to that."),
	} {
		line, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(p.claude, "projects", "x", tl.session+".jsonl"), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// written gives what is in the files of the project and of the person's folders,
// by path; compressed ones as they read. A name is part of its file.
func (p program) written(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, root := range []string{p.home, p.project} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !d.Type().IsRegular() || strings.Contains(path, ".puffin") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
				z, err := gzip.NewReader(bytes.NewReader(data))
				if err != nil {
					return err
				}
				if data, err = io.ReadAll(z); err != nil {
					return err
				}
			}
			out[path] = path + "\n" + string(data)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(out) < 10 {
		t.Fatalf("only %d files were written", len(out))
	}
	return out
}
