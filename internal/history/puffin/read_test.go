package puffin

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/history"
)

func sample() docT {
	return docT{UpdatedAt: "2026-01-02T00:00:00Z", Branches: map[string]*branchT{
		"a": {ID: "a", Prompts: []promptT{
			{ID: "1", Content: "One", Timestamp: 10, Response: answer("s", "First", 11)},
			{ID: "2", Content: "Two", Timestamp: 20, Response: answer("s", "Second", 21)},
		}},
		"b": {ID: "b", Prompts: []promptT{{ID: "3", Content: "Three", Timestamp: 30, Response: answer("s", "Third", 31)}}},
	}}
}

// Cut at any byte, the file gives the prompts that are complete, and no error.
func TestTruncatedAnywhere(t *testing.T) {
	t.Parallel()
	path, scope := inProject(t.TempDir())
	data := mustJSON(sample())
	all := []string{"1", "2", "3"}
	for n := range data {
		write(t, path, data[:n])
		h := view1(t, New(Options{}), scope)
		got := ids(h)
		if len(got) > len(all) || !slices.Equal(got, all[:len(got)]) {
			t.Fatalf("cut at %d: turns %q", n, got)
		}
		if !slices.Equal(kinds(h), []string{history.DamageTail}) {
			t.Fatalf("cut at %d: damage %+v", n, h.Report().Damage)
		}
		end := bytes.LastIndex(data[:n], []byte(`"children":null}`))
		if want := bytes.Count(data[:max(end, 0)], []byte(`"children":null}`)); end >= 0 && len(got) < want {
			t.Fatalf("cut at %d: %d turns, %d are complete", n, len(got), want)
		}
	}
}

func TestDamage(t *testing.T) {
	t.Parallel()
	whole := string(mustJSON(sample()))
	tests := []struct {
		name, data string
		want       []string
		kinds      []string
	}{
		{"whole", whole, []string{"1", "2", "3"}, nil},
		{"BOM", "\xef\xbb\xbf" + whole, []string{"1", "2", "3"}, nil},
		{"empty", "", nil, []string{history.DamageTail}},
		{"NULs", strings.Repeat("\x00", 4096), nil, []string{history.DamageRecord}},
		{"another value", "[1,2]", nil, []string{history.DamageRecord}},
		{"no branches", `{"branches":null,"x":{"y":[{}]}}`, nil, nil},
		{"odd branches", `{"branches":[{"prompts":[{"id":"x","content":"x"}]}]}`, nil, nil},
		{"odd branch", `{"branches":{"a":3,"b":[[]],"c":{"prompts":{"x":{}}},"d":{"prompts":null},"e":{"prompts":[{"id":"1","content":"x"}]}}}`,
			[]string{"1"}, []string{history.DamageNonRecord, history.DamageNonRecord, history.DamageNonRecord, history.DamageNonRecord}},
		{"odd prompts", `{"branches":{"a":{"prompts":[null,1,"x",[],{"id":"1","content":"x"}]}}}`,
			[]string{"1"}, []string{history.DamageNonRecord, history.DamageNonRecord, history.DamageNonRecord, history.DamageNonRecord}},
		{"two objects", whole + whole, []string{"1", "2", "3"}, []string{history.DamageRecord}},
		{"broken in the middle", strings.Replace(whole, `"id":"2"`, `"id":"2`+"\n", 1), []string{"1"}, []string{history.DamageRecord}},
		{"deep", `{"branches":` + strings.Repeat(`{"a":`, 20000), nil, []string{history.DamageRecord}},
		{"deep in a prompt", `{"branches":{"a":{"prompts":[{"id":"1","content":"x"},` + strings.Repeat("[", 20000), []string{"1"}, []string{history.DamageRecord}},
	}
	for _, tt := range tests {
		path, scope := inProject(t.TempDir())
		write(t, path, []byte(tt.data))
		h := view1(t, New(Options{}), scope)
		if got := ids(h); !slices.Equal(got, tt.want) {
			t.Errorf("%s: turns %q, want %q", tt.name, got, tt.want)
		}
		if got := kinds(h); !slices.Equal(got, tt.kinds) {
			t.Errorf("%s: damage %+v, want %q", tt.name, h.Report().Damage, tt.kinds)
		}
		for turn, err := range h.Turns(t.Context(), h.Refs("*")) {
			if err != nil {
				t.Errorf("%s: turn %s: %v", tt.name, turn.ID, err)
			}
		}
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	path, scope := inProject(t.TempDir())
	save(t, path, sample())
	h := view1(t, New(Options{MaxSize: 50}), scope)
	if d := h.Report().Damage; len(d) != 1 || d[0].Kind != history.DamageFile || !strings.Contains(d[0].Note, "limit of 50") || len(ids(h)) != 0 {
		t.Errorf("turns %q, damage %+v", ids(h), d)
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("modes do not keep us out here")
	}
	path, scope := inProject(t.TempDir())
	save(t, path, sample())
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if got := kinds(view1(t, New(Options{}), scope)); !slices.Equal(got, []string{history.DamageFile}) {
		t.Errorf("damage %q", got)
	}
}

func TestUnchangedIsNotReadAnew(t *testing.T) {
	t.Parallel()
	path, scope := inProject(t.TempDir())
	save(t, path, sample())
	s := New(Options{})
	first := view1(t, s, scope)
	if r := first.Report(); r.BytesRead != r.Bytes || r.Bytes == 0 || r.Files != 1 || r.Records != 6 {
		t.Errorf("first: %+v", r)
	}
	if r := view1(t, s, scope).Report(); r.BytesRead != 0 {
		t.Errorf("unchanged: %+v", r)
	}
	now := time.Now().Add(-time.Minute)
	if err := os.Chtimes(path, now, now); err != nil {
		t.Fatal(err)
	}
	if h := view1(t, s, scope); h.Revision() != first.Revision() {
		t.Error("another modification time changes the revision")
	}
	// Changed with the same size and modification time.
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, bytes.Replace(data, []byte("Third"), []byte("Dritt"), 1))
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	h := view1(t, s, scope)
	before, after := first.Refs("*"), h.Refs("*")
	if h.Revision() == first.Revision() || h.Report().BytesRead == 0 || before[2].Digest == after[2].Digest || before[1].Digest != after[1].Digest {
		t.Error("a change that keeps size and time is not seen")
	}
	for _, err := range first.Turns(t.Context(), before[2:]) {
		if !errors.Is(err, history.ErrGone) {
			t.Errorf("a rewritten answer gives %v, want ErrGone", err)
		}
	}
}

// A file that is unfinished when it is first looked at, because its owner is
// writing it, is read when it is finished.
func TestBeingWritten(t *testing.T) {
	t.Parallel()
	path, scope := inProject(t.TempDir())
	data := mustJSON(sample())
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data[:100], 0o644); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		time.Sleep(pause)
		done <- os.WriteFile(path, data, 0o644)
	}()
	h := view1(t, New(Options{}), scope)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := ids(h); len(got) != 3 || len(h.Report().Damage) != 0 {
		t.Errorf("turns %q, damage %+v", got, h.Report().Damage)
	}
}

// While the file is rewritten again and again, in place and by renaming, a
// reader sees no error and only turns that some version had.
func TestRewrittenWhileRead(t *testing.T) {
	t.Parallel()
	path, scope := inProject(t.TempDir())
	save(t, path, sample())
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			d := sample()
			d.Branches["a"].Prompts[0].Content += strings.Repeat("x", i%7*1000)
			var err error
			if i%2 == 0 {
				err = os.WriteFile(path, mustJSON(d), 0o644)
			} else if err = os.WriteFile(path+".tmp", mustJSON(d), 0o644); err == nil {
				err = os.Rename(path+".tmp", path)
			}
			if err != nil && runtime.GOOS != "windows" { // which lets nobody replace what is open
				t.Error(err)
			}
			time.Sleep(time.Millisecond)
		}
	}()
	s := New(Options{})
	for range 50 {
		h := view1(t, s, scope)
		for turn, err := range h.Turns(t.Context(), h.Refs("*")) {
			if err != nil && !errors.Is(err, history.ErrGone) {
				t.Error(err)
			}
			if err == nil && !slices.Contains([]string{"1", "2", "3"}, turn.ID) {
				t.Errorf("turn %q", turn.ID)
			}
		}
	}
	close(stop)
	<-done
}

func TestGivenTranscripts(t *testing.T) {
	t.Parallel()
	w := t.TempDir()
	deep := filepath.Join(w, "x", "y", fileName) // any folder, any depth
	save(t, deep, sample())
	for name, data := range map[string]string{
		"history.json":         `[{"display":"another tool's"}]`,
		"z/history.json":       `{"branches":["main"]}`,
		"x/other.json":         string(mustJSON(sample())),
		".git/x/history.json":  string(mustJSON(sample())),
		"w/.puffin/other.json": "{",
	} {
		write(t, filepath.Join(w, filepath.FromSlash(name)), []byte(data))
	}
	for _, given := range [][]string{{w}, {deep}, {w, deep, filepath.Dir(deep)}} {
		h := view1(t, New(Options{}), history.Scope{Transcripts: given})
		if r := h.Report(); r.Files != 1 || len(r.Damage) != 0 || len(ids(h)) != 3 {
			t.Errorf("%v: %+v, turns %q", given, r, ids(h))
		}
	}
	for _, given := range []string{filepath.Join(w, "missing"), filepath.Join(w, "x", "other.json"), filepath.Join(w, "z")} {
		h := view1(t, New(Options{}), history.Scope{Transcripts: []string{given}})
		if r := h.Report(); r.Files != 0 || len(r.Damage) != 0 || len(ids(h)) != 0 {
			t.Errorf("%s: %+v", given, r)
		}
	}
	// Puffin's own place needs no recognisable beginning.
	own := filepath.Join(w, "own", folderName, fileName)
	write(t, own, []byte(`{"bra`))
	if got := kinds(view1(t, New(Options{}), history.Scope{Transcripts: []string{own}})); !slices.Equal(got, []string{history.DamageTail}) {
		t.Errorf("damage %q", got)
	}
}

func TestSeveralFiles(t *testing.T) {
	t.Parallel()
	w := t.TempDir()
	root, tree := filepath.Join(w, "repo"), filepath.Join(w, "tree")
	old, now := sample(), sample()
	old.UpdatedAt = "2026-01-01T00:00:00Z"
	old.Branches["b"].Prompts[0].Content = "older words"
	old.Branches["b"].Prompts = append(old.Branches["b"].Prompts, promptT{ID: "4", Content: "only there", Timestamp: 40})
	now.Branches["a"].Prompts[0].Response = nil
	save(t, filepath.Join(root, folderName, fileName), old)
	save(t, filepath.Join(tree, folderName, fileName), now)
	h := view1(t, New(Options{}), history.Scope{Project: history.Project{Root: root, Worktrees: []string{tree}}})
	if got := ids(h); !slices.Equal(got, []string{"1", "2", "3", "4"}) {
		t.Fatalf("turns %q", got)
	}
	var said []string
	for turn, err := range h.Turns(t.Context(), h.Refs("*")) {
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range turn.Messages {
			said = append(said, m.Text)
		}
	}
	if want := []string{"One", "First", "Two", "Second", "Three", "Third", "only there"}; !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
}

// The index does not hold on to the texts it was made from.
func TestIndexIsSmall(t *testing.T) {
	path, scope := inProject(t.TempDir())
	d := docT{Branches: map[string]*branchT{"a": {}}}
	for i := range 200 {
		text := strings.Repeat("All prices are cents. ", 5000)
		d.Branches["a"].Prompts = append(d.Branches["a"].Prompts, promptT{
			ID: fmt.Sprint("p", i), Content: text, Timestamp: int64(i + 1), Response: answer("s", "Done.", int64(i+1)),
		})
	}
	save(t, path, d)
	d = docT{}
	held := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := held()
	s := New(Options{})
	h := view1(t, s, scope)
	grown := held() - before
	if size := h.Report().Bytes; size < 20<<20 || grown > size/10 {
		t.Errorf("the index of %d bytes holds %d", size, grown)
	}
	runtime.KeepAlive(s)
}
