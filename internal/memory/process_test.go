package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"recollect/internal/atomicfile"
)

// unique is a content that is like no other: letters only, so that no number
// makes it another value of the same thing.
func unique(who, n int) string {
	var parts []string
	for _, salt := range []int{7, 31, 101} {
		x := (who*1000+n)*salt + salt
		var w []byte
		for range 7 {
			w = append(w, byte('a'+x%26))
			x = x/26 + x%26*salt
		}
		parts = append(parts, string(w))
	}
	return fmt.Sprintf("%s %s", strings.Join(parts, " "), strings.Repeat(string(rune('a'+who%26)), 3+n))
}

const (
	envRole  = "MEMORY_TEST_ROLE"
	envPlace = "MEMORY_TEST_PLACE"
	envWho   = "MEMORY_TEST_WHO"
	envCount = "MEMORY_TEST_COUNT"
)

// TestMain lets the test binary be one of several processes.
func TestMain(m *testing.M) {
	role := os.Getenv(envRole)
	if role == "" {
		os.Exit(m.Run())
	}
	root := os.Getenv(envPlace)
	p := place{root, filepath.Join(root, "branches"), filepath.Join(root, "local")}
	who, _ := strconv.Atoi(os.Getenv(envWho))
	count, _ := strconv.Atoi(os.Getenv(envCount))
	s := p.store(StoreOptions{LockWait: time.Minute})
	for n := range count {
		var err error
		switch role {
		case "merge":
			err = mergeOne(s, unique(who, n))
		case "apply":
			err = applyOne(s, unique(who, n), n)
		default:
			err = editOne(p, unique(who, n))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(unique(who, n))
	}
	os.Exit(0)
}

func mergeOne(s *Store, content string) error {
	for {
		m, rev, err := s.Load("main")
		if err != nil {
			return err
		}
		m, _, _ = Merge(m, []Found{find(1, content)}, time.Now())
		if _, err = s.Save(context.Background(), m, rev); !errors.Is(err, ErrChanged) {
			return err
		}
	}
}

// applyOne adds an item before the others, every second time to take it back and
// add it again.
func applyOne(s *Store, content string, n int) error {
	e, err := s.Edit(context.Background(), "main", Edit{Do: Add, Section: "facts", Content: content})
	if err != nil || n%2 == 0 {
		return err
	}
	_, err = s.Undo(context.Background(), "main", e.Undo)
	if errors.Is(err, ErrStale) {
		return nil // another one came first
	}
	if err == nil {
		_, err = s.Edit(context.Background(), "main", Edit{Do: Add, Section: "facts", Content: content})
	}
	return err
}

// editOne is a person with an editor that notices when the file changed.
func editOne(p place, content string) error {
	for {
		text, sum, err := atomicfile.Read(p.markdown("main"), maxFile)
		if err != nil {
			return err
		}
		changed := strings.Replace(string(text), "## Facts\n\n", "## Facts\n\n- "+content+"\n", 1)
		err = atomicfile.Replace(p.markdown("main"), []byte(changed), atomicfile.Content(sum), atomicfile.Options{})
		if !errors.Is(err, atomicfile.ErrChanged) {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

func start(t *testing.T, root, role string, who, count int) (*exec.Cmd, *strings.Builder) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envRole+"="+role, envPlace+"="+root, fmt.Sprintf("%s=%d", envWho, who), fmt.Sprintf("%s=%d", envCount, count))
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, &out
}

func processPlace(t *testing.T) (place, *Store) {
	root := t.TempDir()
	p := place{root, filepath.Join(root, "branches"), filepath.Join(root, "local")}
	s := p.store(StoreOptions{LockWait: time.Minute})
	mustMerge(t, s, "main", Found{Section: "facts", Content: "The very first", Confidence: 0.5})
	return p, s
}

// TestProcesses lets 20 processes merge into and edit one branch at once.
func TestProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	p, s := processPlace(t)
	const each = 5
	var cmds []*exec.Cmd
	var outs []*strings.Builder
	for who := range 20 {
		role := "merge"
		if who%4 == 3 {
			role = "edit"
		}
		cmd, out := start(t, p.root, role, who, each)
		cmds, outs = append(cmds, cmd), append(outs, out)
	}
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("process %d: %v\n%s", i, err, outs[i])
		}
	}
	m, _ := mustLoad(t, s, "main")
	has := map[string]Item{}
	for _, it := range m.Active() {
		has[it.Content] = it
	}
	for who := range 20 {
		for n := range each {
			it, ok := has[unique(who, n)]
			if !ok {
				t.Errorf("process %d lost item %d", who, n)
			} else if edited := who%4 == 3; it.Protected() != edited {
				t.Errorf("process %d: item %d protected: %v", who, n, !edited)
			}
		}
	}
	if len(m.Items) != 20*each+1 {
		t.Errorf("%d items", len(m.Items))
	}
}

// TestProcessesApply lets 20 processes and a person with an editor edit one
// branch at once.
func TestProcessesApply(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	p, s := processPlace(t)
	const each = 4
	var cmds []*exec.Cmd
	var outs []*strings.Builder
	for who := range 20 {
		role := "apply"
		if who == 7 {
			role = "edit"
		}
		cmd, out := start(t, p.root, role, who, each)
		cmds, outs = append(cmds, cmd), append(outs, out)
	}
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("process %d: %v\n%s", i, err, outs[i])
		}
	}
	m, _ := mustLoad(t, s, "main")
	has := map[string]int{}
	for _, it := range m.Active() {
		has[it.Content]++
	}
	for who := range 20 {
		for n := range each {
			if has[unique(who, n)] != 1 {
				t.Errorf("process %d: item %d is there %d times", who, n, has[unique(who, n)])
			}
		}
	}
	if len(m.Active()) != 20*each+1 {
		t.Errorf("%d items", len(m.Active()))
	}
}

// TestKilledSaves kills writers at random moments. What they reported is there,
// what is there is whole, and the next one goes on.
func TestKilledSaves(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	p, s := processPlace(t)
	var reported []string
	for round := range 25 {
		a, aOut := start(t, p.root, "merge", 2*round, 1000)
		b, bOut := start(t, p.root, "merge", 2*round+1, 1000)
		time.Sleep(time.Duration(60+round*9) * time.Millisecond)
		for _, c := range []*exec.Cmd{a, b} {
			c.Process.Kill()
			c.Wait()
		}
		for _, out := range []*strings.Builder{aOut, bOut} {
			for line := range strings.Lines(out.String()) {
				if content, whole := strings.CutSuffix(line, "\n"); whole {
					reported = append(reported, content)
				}
			}
		}
		m, _ := mustLoad(t, s, "main")
		if len(m.Damage) > 0 {
			t.Fatalf("round %d: %+v", round, m.Damage)
		}
		has := map[string]bool{}
		for _, it := range m.Items {
			if it.State != Active || it.Protected() {
				t.Fatalf("round %d: %q is %s, protected %v", round, it.Content, it.State, it.Protected())
			}
			has[it.Content] = true
		}
		for _, content := range reported {
			if !has[content] {
				t.Fatalf("round %d: %q was reported and is lost", round, content)
			}
		}
	}
	if len(reported) < 25 {
		t.Errorf("only %d saves were reported", len(reported))
	}
	mustMerge(t, s, "main", find(1, "The very last"))
	if runtime.GOOS == "windows" {
		return
	}
	for _, dir := range []string{p.dir, filepath.Join(p.local, "history", "main")} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".main") || e.Name() == announcedName {
				t.Errorf("left: %s", e.Name())
			}
		}
	}
}
