package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/internal/engine"
	"recollect/internal/memory"
	"recollect/internal/safefile"
)

// envSoak is how many cycles of the soak there are; without it as many as a test
// may take.
const envSoak = "RECOLLECT_SOAK"

const usualSoak = 20

// soak is a project that is maintained again and again, what must be in its
// memory whatever happens, and what it is fed.
type soak struct {
	program
	store *memory.Store
	said  map[string]bool // ids of items
	n     int
}

func newSoak(t *testing.T) *soak {
	t.Helper()
	p := newProgram(t)
	s := &soak{program: p, said: map[string]bool{}}
	p.say(t, "s0", "We always store prices as integer cents, never as floats, in every service of this project.")
	p.run(t, "maintain", "startup")
	dir := filepath.Join(p.project, ".recollect")
	s.store = memory.NewStore(safefile.Beneath(dir).Sub("branches"), memory.At(safefile.Beneath(p.state(t))), memory.StoreOptions{})
	return s
}

// feed adds a session, an item that is there twice and one that was superseded
// years ago, so that every part has something to do.
func (s *soak) feed(t *testing.T) {
	t.Helper()
	s.n++
	if s.n%5 == 0 {
		s.say(t, fmt.Sprintf("s%d", s.n), fmt.Sprintf("We always name the files of module %s after their subject, in every package.", letters(s.n)))
	}
	m, rev, err := s.store.Load("main")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC()
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(s.n) * time.Minute)
	origins := func(session string) []memory.Origin {
		return []memory.Origin{{Extractor: "x", Session: session, Time: old}, {Extractor: "x", Session: session + "b", Time: old.Add(time.Second)}}
	}
	word := letters(s.n)
	m.Items = append(m.Items,
		memory.Item{Section: "facts", Content: "The " + word + " queue is drained before a release", Confidence: 0.5, Created: now, Updated: now, Origins: origins("a" + word)},
		memory.Item{Section: "facts", Content: "the " + word + " queue is drained before a release.", Confidence: 0.6, Created: now, Updated: now, Origins: origins("b" + word)},
		memory.Item{Section: "facts", Content: "The " + word + " cache lives in memory", Confidence: 0.5, State: memory.Superseded, SupersededBy: m.Items[0].ID,
			Rationale: "long gone", Created: old, Updated: old, Origins: origins("c" + word)})
	if _, err := s.store.Save(t.Context(), m, rev); err != nil {
		t.Fatal(err)
	}
	if m, _, err = s.store.Load("main"); err != nil {
		t.Fatal(err)
	}
	for _, it := range m.Items {
		s.said[it.ID] = true
	}
}

// letters is a number as a word that is no form of another number's.
func letters(n int) string {
	var b []byte
	for x := n; len(b) < 4; x /= 26 {
		b = append(b, byte('a'+x%26))
	}
	return string(b) + strings.Repeat(string(b[:1]), 4)
}

// kill maintains the project and kills that after a while, -9.
func (s *soak) kill(t *testing.T, after time.Duration) {
	t.Helper()
	c := s.command("maintain", "full")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(after):
		_ = c.Process.Kill()
		<-done
	}
}

// whole checks that nothing is lost, with a run that nobody kills before it.
func (s *soak) whole(t *testing.T) {
	t.Helper()
	out := s.run(t, "maintain", "full", "--json")
	for _, bad := range []string{`"outcome": "put_off"`, `"outcome": "failed"`, `"outcome": "partly"`} {
		if strings.Contains(out, bad) {
			t.Fatalf("a lock is still held, or something is broken:\n%s", out)
		}
	}
	m, _, err := s.store.Load("main")
	if err != nil || len(m.Damage) > 0 {
		t.Fatal(err, m.Damage)
	}
	has := map[string]memory.Item{}
	active := map[string]int{}
	for _, it := range m.Items {
		has[it.ID] = it
		if it.State == memory.Active {
			active[strings.ToLower(strings.TrimSuffix(it.Content, "."))]++
		}
	}
	for id := range s.said {
		it, ok := has[id]
		if !ok {
			t.Fatalf("item %s is lost", id)
		}
		if _, ok := has[it.SupersededBy]; it.State == memory.Superseded && !ok {
			t.Fatalf("item %s was replaced by one that is not there", id)
		}
	}
	for i := 1; i <= s.n; i++ {
		if n := active["the "+letters(i)+" queue is drained before a release"]; n != 1 {
			t.Fatalf("the queue %s is remembered %d times", letters(i), n)
		}
	}
	archived, err := s.store.Archived("main")
	if err != nil || len(archived) < s.n {
		t.Fatalf("%d items in the archive, want %d or more, %v", len(archived), s.n, err)
	}
	if shown := s.run(t, "show", "--archived", "--branch", "main"); strings.Count(shown, "cache lives in memory") != s.n {
		t.Fatalf("shown of %d archived items: %s", s.n, shown)
	}
	if r, err := s.store.CheckArchive(); err != nil || len(r.Damage) > 0 {
		t.Fatal(err, r.Damage)
	}
}

// leaked lists what a crash left in the memory folder and in the state.
func (s *soak) leaked(t *testing.T) []string {
	t.Helper()
	var out []string
	look := func(path string, d fs.DirEntry, err error) error {
		if err == nil && (strings.HasSuffix(path, ".tmp") || filepath.Base(path) == "saving") {
			out = append(out, path)
		}
		return err
	}
	for _, dir := range []string{filepath.Join(s.project, ".recollect"), s.state(t)} {
		if err := filepath.WalkDir(dir, look); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestMaintainSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long")
	}
	cycles := usualSoak
	if n, err := strconv.Atoi(os.Getenv(envSoak)); err == nil {
		cycles = n
	}
	s := newSoak(t)
	s.feed(t)
	begin := time.Now()
	s.run(t, "maintain", "full")
	usual := time.Since(begin)
	random := rand.New(rand.NewPCG(6, uint64(cycles)))
	for cycle := range cycles {
		s.feed(t)
		s.kill(t, time.Duration(random.Int64N(int64(usual))))
		if cycle%10 == 9 || cycle+1 == cycles {
			s.whole(t)
		}
	}
	s.feed(t) // writes every file once more, which takes away what was left
	s.whole(t)
	if left := s.leaked(t); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	t.Logf("%d cycles in %v, %d items", cycles, time.Since(begin).Round(time.Second), len(s.said))
}

// Several at once: one of them works, the others say that they put it off.
func TestMaintainAtOnce(t *testing.T) {
	t.Parallel()
	s := newSoak(t)
	s.feed(t)
	var all sync.WaitGroup
	codes := make([]int, 4)
	outs := make([]bytes.Buffer, len(codes))
	for i := range codes {
		all.Go(func() {
			c := s.command("maintain", "full")
			c.Stdout = &outs[i]
			var ended *exec.ExitError
			if err := c.Run(); errors.As(err, &ended) {
				codes[i] = ended.ExitCode()
			} else if err != nil {
				codes[i] = -1
			}
		})
	}
	all.Wait()
	done := 0
	for i, code := range codes {
		switch {
		case code == engine.ExitDone:
			done++
		case code == engine.ExitBusy && strings.Contains(outs[i].String(), "put off"):
		default:
			t.Errorf("exit code %d: %s", code, outs[i].String())
		}
	}
	if done == 0 {
		t.Error("nobody did it")
	}
	s.whole(t)
}
