package archive

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/history"
	"recollect/internal/history/claudecode"
)

// Real sessions come back from the archive as their transcripts had them, word for
// word and in order, whatever was resumed or forked.
func TestRealSessionsComeBack(t *testing.T) {
	t.Parallel()
	corpus := filepath.Join("..", "..", "..", "..", "shared", "corpus", "claude-code")
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("there is no corpus beside the repository")
	}
	h, err := claudecode.New(claudecode.Options{}).Open(t.Context(), history.Scope{Transcripts: []string{corpus}})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	refs := map[string][]history.Ref{}
	for _, r := range h.Refs("*") {
		refs[r.Session] = append(refs[r.Session], r)
	}
	s := New(filepath.Join(t.TempDir(), "archive"), rootOf(t), Options{})
	w := s.Writer(nil, noon)
	turns := 0
	for _, x := range h.Sessions() {
		if wrote, err := w.Put(t.Context(), Session{Session: x, Refs: refs[x.ID], Turns: h.Turns}); err != nil || !wrote {
			t.Fatal(x.ID, wrote, err)
		}
	}
	for _, x := range h.Sessions() {
		var want, got []history.Turn
		for turn, err := range h.Turns(t.Context(), refs[x.ID]) {
			if errors.Is(err, history.ErrGone) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, turn)
		}
		head, err := s.Find(x.Source, x.ID)
		if err != nil {
			t.Fatal(err)
		}
		for turn, err := range s.Turns(t.Context(), head) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, turn)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("session %s: %.2000s", x.ID, diff)
		}
		turns += len(got)
	}
	if turns < 100 {
		t.Errorf("%d turns", turns)
	}
	for _, x := range h.Sessions() {
		if wrote, err := s.Writer(nil, noon).Put(t.Context(), Session{Session: x, Refs: refs[x.ID], Turns: h.Turns}); err != nil || wrote {
			t.Errorf("%s is written again, %v", x.ID, err)
		}
	}
}
