package puffin

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"recollect/internal/history"
)

// corpus is the folder of Puffin's real files beside the repository.
func corpus(tb testing.TB) string {
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
	found := filepath.Join(filepath.Dir(dir), "shared", "corpus", "puffin")
	if _, err := os.Stat(found); err != nil {
		tb.Skip("the corpus of real files is not beside the repository")
	}
	return found
}

func TestCorpus(t *testing.T) {
	from := corpus(t)
	old, now := filepath.Join(from, "cosa-history-first"), filepath.Join(from, "cosa")

	h := view1(t, New(Options{}), history.Scope{Transcripts: []string{now}})
	counts := map[string]int{}
	for turn, err := range h.Turns(t.Context(), h.Refs("*")) {
		if err != nil {
			t.Fatal(err)
		}
		counts[turn.Branch]++
		for _, m := range turn.Messages {
			if strings.Contains(m.Text, storyRice) || strings.Contains(m.Text, "established patterns in the codebase and the guidance") {
				t.Errorf("turn %s holds Puffin's template", turn.ID)
			}
		}
	}
	// 238 prompts; the others of tmp are one question asked again and again.
	for branch, want := range map[string]int{"architecture": 5, "backend": 3, "fullstack": 149, "code-reviews": 17, "baanbaan": 8, "debugging": 19} {
		if counts[branch] != want {
			t.Errorf("branch %s has %d turns, want %d", branch, counts[branch], want)
		}
	}
	r := h.Report()
	if total := len(h.Refs("*")) + r.Abandoned; total != 238 || r.Records != 238+207 || len(r.Damage) != 0 {
		t.Errorf("%d turns and attempts, report %+v", total, r)
	}
	if h := view1(t, New(Options{}), history.Scope{Project: history.Project{Root: now}}); len(h.Refs("*")) != len(ids(h)) || len(ids(h)) < 200 {
		t.Errorf("as a project: %d turns", len(ids(h)))
	}

	// The file as it was first committed, then as it became.
	path, scope := inProject(t.TempDir())
	s := New(Options{})
	copyFile(t, filepath.Join(old, folderName, fileName), path)
	seen := map[string]string{}
	for _, ref := range view1(t, s, scope).Refs("*") {
		seen[ref.ID] = ref.Digest
	}
	if len(seen) != 24 {
		t.Errorf("%d turns at first, want 24", len(seen))
	}
	copyFile(t, filepath.Join(now, folderName, fileName), path)
	same := 0
	for _, ref := range view1(t, s, scope).Refs("*") {
		if digest, ok := seen[ref.ID]; ok {
			same++
			if digest != ref.Digest {
				t.Errorf("turn %s looks new", ref.ID)
			}
		}
	}
	if same != len(seen) {
		t.Errorf("%d of %d turns are still there", same, len(seen))
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	write(t, to, data)
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		string(mustJSON(sample())), `{"branches":{"a":{"prompts":[{"id":"1","parentId":"1","content":"\ud800","response":{"content":"\u0000"}}]}}}`,
		`{"branches":{"a":{"prompts":[null,{}]},"a":[]},"updatedAt":3}`, `[[[`, "\xef\xbb\xbf{", `{"branches":{"":{"prompts":[{"timestamp":1e999}]}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read := &file{path: "history.json"}
		read.parse(bufio.NewReader(bytes.NewReader(data)))
		if read.open && len(read.damage) == 0 {
			t.Fatal("an unfinished file is not reported")
		}
		v := newView(New(Options{}), []*file{read}, history.Report{})
		for _, got := range v.turns {
			p, ok := decodePrompt(data[got.off:][:got.size])
			if !ok {
				t.Fatalf("turn %q is not where it was", got.id)
			}
			messages := p.messages(p.name(got.branch), got.at, got.latest)
			if digestOf(messages) != got.digest || len(messages) == 0 || got.id == "" {
				t.Fatalf("turn %q reads differently", got.id)
			}
			for _, m := range messages {
				if m.ID == "" || strings.TrimSpace(m.Text) == "" || !utf8.ValidString(m.Text) || strings.Contains(m.Text, "\x00") {
					t.Fatalf("message %+v", m)
				}
			}
		}
		for _, s := range v.Sessions() {
			if s.Title == "" || strings.ContainsAny(s.Title, "\n\r\x00") || s.LastActive.Before(s.Started) {
				t.Fatalf("session %+v", s)
			}
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	from := corpus(b)
	scope := history.Scope{Transcripts: []string{filepath.Join(from, "cosa", folderName)}}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			b.SetBytes(view1(b, New(Options{}), scope).Report().Bytes)
		}
	})
	b.Run("again", func(b *testing.B) {
		s := New(Options{})
		for b.Loop() {
			b.SetBytes(view1(b, s, scope).Report().Bytes)
		}
	})
	b.Run("turns", func(b *testing.B) {
		h := view1(b, New(Options{}), scope)
		for b.Loop() {
			b.SetBytes(h.Report().Bytes)
			for _, err := range h.Turns(b.Context(), h.Refs("*")) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
