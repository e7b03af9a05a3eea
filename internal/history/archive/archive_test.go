package archive

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/history"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// root is absolute on every system.
func rootOf(t testing.TB) string {
	root, err := filepath.Abs(filepath.FromSlash("/project"))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// said makes a session of turns with ids and texts: "t1=hello".
func said(id string, turns ...string) Session {
	x := Session{Session: history.Session{ID: id, Source: "test", Title: "about " + id, Started: noon, LastActive: noon.Add(time.Hour)}}
	text := map[string]string{}
	for i, turn := range turns {
		id, words, _ := strings.Cut(turn, "=")
		text[id] = words
		x.Refs = append(x.Refs, history.Ref{ID: id, Session: x.ID, Source: "test", Branch: "main", Time: noon.Add(time.Duration(i) * time.Minute), Digest: words})
	}
	x.Turns = func(_ context.Context, refs []history.Ref) iter.Seq2[history.Turn, error] {
		return func(yield func(history.Turn, error) bool) {
			for _, r := range refs {
				if text[r.ID] == "GONE" {
					if !yield(history.Turn{Ref: r}, history.ErrGone) {
						return
					}
					continue
				}
				m := []history.Message{
					{ID: r.ID, Role: history.User, Time: r.Time, Text: text[r.ID]},
					{ID: r.ID + "a", Role: history.Assistant, Time: r.Time, Text: "yes: " + text[r.ID]},
				}
				if !yield(history.Turn{Ref: r, Messages: m}, nil) {
					return
				}
			}
		}
	}
	return x
}

func put(t *testing.T, s *Store, redact func(string) string, x Session) bool {
	t.Helper()
	wrote, err := s.Writer(redact, noon).Put(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	return wrote
}

// texts gives what users said in an archived session.
func texts(t *testing.T, s *Store, session string) []string {
	t.Helper()
	h, err := s.Find("test", session)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for turn, err := range s.Turns(t.Context(), h) {
		if err != nil {
			t.Fatal(err)
		}
		if turn.Session != session || turn.Source != "test" || turn.Branch != "main" || len(turn.Messages) != 2 {
			t.Errorf("turn %+v", turn)
		}
		out = append(out, turn.Messages[0].Text)
	}
	return out
}

func TestWhatWasSaidComesBack(t *testing.T) {
	t.Parallel()
	s := New(filepath.Join(t.TempDir(), "archive"), rootOf(t), Options{})
	if _, err := s.Find("test", "s1"); !errors.Is(err, ErrNone) {
		t.Fatal(err)
	}
	if !put(t, s, nil, said("s1", "t1=hello", "t2=world <&>\n\u2028", "t3=GONE")) {
		t.Fatal("nothing was written")
	}
	if got := texts(t, s, "s1"); !slices.Equal(got, []string{"hello", "world <&>\n\u2028"}) {
		t.Errorf("%q", got)
	}
	info, err := os.Stat(s.File("test", "s1"))
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v %v: others may read it", info.Mode(), err)
	}
	if put(t, s, nil, said("s1", "t1=hello", "t2=world <&>\n\u2028", "t3=GONE")) {
		t.Error("what is as it was is written again")
	}
	list, damaged, err := s.Sessions()
	if err != nil || len(damaged) > 0 || len(list) != 1 || list[0].Title != "about s1" {
		t.Errorf("%+v %v %v", list, damaged, err)
	}
}

// What a transcript has lost, the archive still has, in its place.
func TestTurnsThatWentAreKept(t *testing.T) {
	t.Parallel()
	s := New(filepath.Join(t.TempDir(), "archive"), rootOf(t), Options{})
	put(t, s, nil, said("s1", "t1=one", "t2=two", "t3=three"))
	x := said("s1", "t1=gone", "t2=two", "t3=three!", "t4=four")
	x.Refs = x.Refs[1:]
	put(t, s, nil, x)
	if got := texts(t, s, "s1"); !slices.Equal(got, []string{"one", "two", "three!", "four"}) {
		t.Errorf("%q", got)
	}
}

func TestSharedTurnsAreKeptOnce(t *testing.T) {
	t.Parallel()
	s := New(filepath.Join(t.TempDir(), "archive"), rootOf(t), Options{})
	long := strings.Repeat("a sentence that is not said twice ", 10)
	put(t, s, nil, said("s1", "t1="+long+"1", "t2="+long+"2"))
	put(t, s, nil, said("s2", "t1="+long+"1", "t2="+long+"changed", "t3=more"))
	h, err := s.Find("test", "s2")
	if err != nil || h.Turns[0].In != "s1" || h.Turns[1].In != "" {
		t.Errorf("%+v %v", h.Turns, err)
	}
	if got := texts(t, s, "s2"); !slices.Equal(got, []string{long + "1", long + "changed", "more"}) {
		t.Errorf("%q", got)
	}
	// A session that an item came from needs the one that it was resumed from.
	cited := func(string) map[Cited]bool { return map[Cited]bool{{"test", "s2"}: true} }
	put(t, s, nil, said("s3", "t9=nobody needs it"))
	total, _ := s.Total()
	gone, err := s.Keep(total.Bytes-1, cited)
	if _, ferr := s.Find("test", "s3"); err != nil || gone.Sessions == 0 || !errors.Is(ferr, ErrNone) {
		t.Errorf("%+v %v %v", gone, err, ferr)
	}
	// Without it, the turn is written where it is missing.
	if err := os.Remove(s.File("test", "s1")); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, s, "s2"); len(got) != 2 {
		t.Errorf("%q", got)
	}
	if !put(t, s, nil, said("s2", "t1="+long+"1", "t2="+long+"changed", "t3=more")) || len(texts(t, s, "s2")) != 3 {
		t.Error("the missing turn was not written")
	}
}

func TestSecretsAreTakenOut(t *testing.T) {
	t.Parallel()
	s := New(filepath.Join(t.TempDir(), "archive"), rootOf(t), Options{})
	hide := func(text string) string { return strings.ReplaceAll(text, "hunter2", "[secret]") }
	put(t, s, nil, said("s1", "t1=it is hunter2", "t2=b"))
	x := said("s1", "t1=it is hunter2", "t2=b")
	x.Refs = x.Refs[1:]
	if !put(t, s, hide, x) {
		t.Error("a session with secrets is left as it is")
	}
	if got := texts(t, s, "s1"); got[0] != "it is [secret]" {
		t.Errorf("%q", got)
	}
	if put(t, s, nil, x) {
		t.Error("what is without secrets is written again")
	}
}

func TestKeepTakesTheOldestThatNothingCameFrom(t *testing.T) {
	t.Parallel()
	top := filepath.Join(t.TempDir(), "archive")
	s, other := New(top, rootOf(t), Options{}), New(top, rootOf(t)+"2", Options{})
	for i := range 6 {
		x := said(fmt.Sprint("s", i), fmt.Sprintf("t%d=%d", i, i))
		x.LastActive = noon.Add(time.Duration(i) * time.Hour)
		if i%2 == 0 {
			put(t, s, nil, x)
		} else {
			put(t, other, nil, x)
		}
	}
	total, err := s.Total()
	if err != nil || total.Sessions != 6 {
		t.Fatal(total, err)
	}
	asked := 0
	cited := func(root string) map[Cited]bool {
		asked++
		return map[Cited]bool{{"test", "s0"}: true}
	}
	if gone, err := s.Keep(total.Bytes, cited); err != nil || gone != (Removed{}) || asked > 0 {
		t.Errorf("%+v %v, asked %d times", gone, err, asked)
	}
	gone, err := s.Keep(total.Bytes*2/3, cited)
	if err != nil || gone.Cited > 0 || gone.Sessions < 2 || gone.Sessions > 4 {
		t.Errorf("%+v %v", gone, err)
	}
	if _, err := s.Find("test", "s0"); err != nil {
		t.Error("an item came from the oldest:", err)
	}
	if _, err := other.Find("test", "s5"); err != nil {
		t.Error("the youngest went:", err)
	}
	if gone, err = s.Keep(0, cited); err != nil || gone.Cited != 1 {
		t.Errorf("%+v %v", gone, err)
	}
}

func TestDamagedFilesAreSetAside(t *testing.T) {
	t.Parallel()
	s := New(filepath.Join(t.TempDir(), "archive"), rootOf(t), Options{})
	put(t, s, nil, said("s1", "t1=one"))
	path := s.File("test", "s1")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		broken := bytes.Clone(whole)
		broken[i] ^= 0x55
		if err := os.WriteFile(path, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		h, err := s.Find("test", "s1")
		for _, terr := range s.Turns(t.Context(), h) {
			err = errors.Join(err, terr)
		}
		if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNewer) && !errors.Is(err, ErrNone) && !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	if err := os.WriteFile(path, whole[:len(whole)/3], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, damaged, _ := s.Sessions(); !slices.Equal(damaged, []string{path}) {
		t.Errorf("%q", damaged)
	}
	w := s.Writer(nil, noon)
	if wrote, err := w.Put(t.Context(), said("s1", "t1=one")); !wrote || err != nil || len(w.Damage) != 1 {
		t.Fatal(wrote, err, w.Damage)
	}
	if aside, err := os.ReadFile(path + ".damaged"); err != nil || len(aside) != len(whole)/3 {
		t.Error("the damaged file was not kept", err)
	}
	if u, _ := s.Size(); u.Damaged != 1 || u.Sessions != 1 {
		t.Errorf("%+v", u)
	}
}

func TestANewerVersionIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := New(filepath.Join(t.TempDir(), "archive"), rootOf(t), Options{})
	put(t, s, nil, said("s1", "t1=one"))
	path := s.File("test", "s1")
	var newer bytes.Buffer
	z := gzip.NewWriter(&newer)
	_, _ = z.Write([]byte(`{"format":"recollect/archive/2","turns":"otherwise"}`))
	_ = z.Close()
	if err := os.WriteFile(path, newer.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	w := s.Writer(nil, noon)
	if _, err := w.Put(t.Context(), said("s1", "t1=one")); !errors.Is(err, ErrNewer) || len(w.Damage) > 0 {
		t.Error(err, w.Damage)
	}
	if _, err := s.Keep(0, func(string) map[Cited]bool { return nil }); err != nil {
		t.Error(err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, newer.Bytes()) {
		t.Error("it was changed", err)
	}
}

// A write that fails anywhere leaves the session as it was.
func TestFailedWritesLoseNothing(t *testing.T) {
	t.Parallel()
	for _, step := range atomicfile.Steps() {
		for _, how := range []error{errors.New("no space left"), atomicfile.Crash()} {
			top := filepath.Join(t.TempDir(), "archive")
			put(t, New(top, rootOf(t), Options{}), nil, said("s1", "t1=one"))
			reached := false
			s := New(top, rootOf(t), Options{Before: func(_ string, at atomicfile.Step) error {
				if at != step {
					return nil
				}
				reached = true
				return how
			}})
			w := s.Writer(nil, noon)
			if _, err := w.Put(t.Context(), said("s1", "t1=one", "t2=two")); err == nil && reached {
				t.Errorf("%s: the error is not told", step)
			}
			got := texts(t, s, "s1")
			if !slices.Equal(got, []string{"one"}) && !slices.Equal(got, []string{"one", "two"}) {
				t.Errorf("%s: %q", step, got)
			}
			put(t, New(top, rootOf(t), Options{}), nil, said("s1", "t1=one", "t2=two", "t3=three"))
			if got := texts(t, s, "s1"); len(got) != 3 {
				t.Errorf("%s: %q afterwards", step, got)
			}
			left, err := os.ReadDir(s.dir)
			if err != nil || len(left) != 1 {
				t.Errorf("%s: %v is left behind, %v", step, left, err)
			}
		}
	}
}

func TestTwoWritersOfOneSession(t *testing.T) {
	t.Parallel()
	s := New(filepath.Join(t.TempDir(), "archive"), rootOf(t), Options{})
	a, b := s.Writer(nil, noon), s.Writer(nil, noon)
	if _, err := b.Put(t.Context(), said("s0", "t0=zero")); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Put(t.Context(), said("s1", "t1=one", "t2=two")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Put(t.Context(), said("s1", "t1=one")); err == nil {
		t.Error("the second one wrote over the first")
	}
	if got := texts(t, s, "s1"); len(got) != 2 {
		t.Errorf("%q", got)
	}
}
