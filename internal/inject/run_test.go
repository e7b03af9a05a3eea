package inject

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/memory"
	"recollect/internal/safefile"
)

// inOrder selects every item, in the order of the memory.
type inOrder struct{ err error }

func (inOrder) ID() string { return "test.in-order" }

func (p inOrder) Select(_ context.Context, s Selection) (Ranking, error) {
	var out Ranking
	for _, it := range s.Items {
		out.Choices = append(out.Choices, Choice{ID: it.ID})
	}
	return out, p.err
}

// input injects one convention into the files of dir.
func input(dir string, names ...string) Input {
	in := Input{
		Memory: memory.Memory{Branch: "main", Items: []memory.Item{item("1", "conventions", "Use tabs.")}},
		Layout: notes, Policy: inOrder{}, Top: dir,
	}
	for _, n := range names {
		in.Targets = append(in.Targets, Target{Path: filepath.Join(dir, n)})
	}
	return in
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func contents(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return "(none)"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func runAll(t *testing.T, in Input) []Result {
	t.Helper()
	r, err := Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Targets) != len(in.Targets) {
		t.Fatalf("%d results for %d targets", len(r.Targets), len(in.Targets))
	}
	return r.Targets
}

func want(t *testing.T, r Result, o Outcome, reason string) {
	t.Helper()
	if r.Outcome != o || !strings.Contains(r.Reason, reason) {
		t.Errorf("%s: %s %q (%v), want %s %q", filepath.Base(r.Path), r.Outcome, r.Reason, r.Err, o, reason)
	}
}

// onlyFiles fails if dir holds anything but names: no temporary file stays.
func onlyFiles(t *testing.T, dir string, names ...string) {
	t.Helper()
	got, err := entries(safefile.Beneath(dir))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(names) {
		t.Errorf("folder holds %v, want %v", got, names)
	}
}

func TestRunLifeOfABlock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "CLAUDE.md", "# Rules\r\nlast")
	in := input(dir, "CLAUDE.md")

	dry := in
	dry.DryRun = true
	r := runAll(t, dry)[0]
	want(t, r, Written, "")
	for _, line := range []string{"+### Conventions\r\n", "+- Use tabs.\r\n", " # Rules\r\n"} {
		if !strings.Contains(r.Diff, line) {
			t.Errorf("diff has no %q:\n%s", line, r.Diff)
		}
	}
	if got := contents(t, dir, "CLAUDE.md"); got != "# Rules\r\nlast" {
		t.Fatalf("a dry run wrote %q", got)
	}

	want(t, runAll(t, in)[0], Written, "")
	first := contents(t, dir, "CLAUDE.md")
	if first != "# Rules\r\nlast\r\n\r\n"+framed(2, "", testBlock, "\r\n") {
		t.Errorf("got %q", first)
	}
	want(t, runAll(t, in)[0], Unchanged, "")
	if contents(t, dir, "CLAUDE.md") != first {
		t.Error("the second run changed something")
	}

	in.Memory.Items[0].Content = "Use spaces."
	want(t, runAll(t, in)[0], Written, "")
	in.Memory.Items = nil
	want(t, runAll(t, in)[0], TakenOut, "")
	want(t, runAll(t, in)[0], Nothing, "")
	if got := contents(t, dir, "CLAUDE.md"); got != "# Rules\r\nlast" {
		t.Errorf("after all that: %q", got)
	}
	onlyFiles(t, dir, "CLAUDE.md")
}

func TestRunCreatesAndDeletes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := input(dir, "CLAUDE.md")
	remove := in
	remove.Remove = true

	want(t, runAll(t, remove)[0], Nothing, "")
	empty := in
	empty.Memory.Items = nil
	want(t, runAll(t, empty)[0], Nothing, "")
	onlyFiles(t, dir)

	r := runAll(t, in)[0]
	want(t, r, Written, "")
	if !r.Created || contents(t, dir, "CLAUDE.md") != framed(0, " new", testBlock, "\n") {
		t.Errorf("%+v, %q", r, contents(t, dir, "CLAUDE.md"))
	}
	dry := remove
	dry.DryRun = true
	if r := runAll(t, dry)[0]; !r.Deleted || !strings.Contains(r.Diff, "-- Use tabs.") {
		t.Errorf("%+v", r)
	}
	if r := runAll(t, remove)[0]; r.Outcome != TakenOut || !r.Deleted {
		t.Errorf("%+v", r)
	}
	onlyFiles(t, dir)

	runAll(t, in)
	write(t, dir, "CLAUDE.md", contents(t, dir, "CLAUDE.md")+"mine\n")
	if r := runAll(t, remove)[0]; r.Outcome != TakenOut || r.Deleted || contents(t, dir, "CLAUDE.md") != "mine\n" {
		t.Errorf("%+v, %q", r, contents(t, dir, "CLAUDE.md"))
	}

	write(t, dir, "CLAUDE.md", "")
	runAll(t, in)
	if r := runAll(t, remove)[0]; r.Deleted || contents(t, dir, "CLAUDE.md") != "" {
		t.Errorf("a file that was empty before: %+v", r)
	}
}

func TestRunRefusesBrokenFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const broken = "a\n<!-- recollect:begin -->\nmine\n"
	write(t, dir, "CLAUDE.md", broken)
	write(t, dir, "AGENTS.md", "fine\n")
	in := input(dir, "CLAUDE.md", "AGENTS.md")
	for range 2 {
		r := runAll(t, in)
		want(t, r[0], Refused, "without an end marker")
		var refusal *Refusal
		if !errors.As(r[0].Err, &refusal) || refusal.Problem != BrokenMarkers || len(r[0].Lines) != 1 || r[0].Lines[0] != 2 {
			t.Errorf("%#v", r[0].Err)
		}
		if msg := r[0].Err.Error(); !strings.Contains(msg, "CLAUDE.md:2: ") {
			t.Errorf("message %q", msg)
		}
		if contents(t, dir, "CLAUDE.md") != broken {
			t.Error("a refused file was changed")
		}
	}
	if !strings.Contains(contents(t, dir, "AGENTS.md"), "Use tabs.") {
		t.Error("the other target was not written")
	}
	in.Remove = true
	want(t, runAll(t, in)[0], Refused, "")
	onlyFiles(t, dir, "CLAUDE.md", "AGENTS.md")
}

// Where no block can be, there is nothing to take out and nothing to complain
// of; where one may be, there is.
func TestRunRemoveFromOthersFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "folder.md/x", "")
	write(t, dir, "latin.md", "\xe9t\xe9")
	write(t, dir, "latin-with-block.md", "\xe9\n"+framed(1, "", testBlock, "\n"))
	write(t, dir, "wide.md", "\xff\xfe"+strings.ReplaceAll(framed(1, "", testBlock, "\n"), "", "\x00"))
	write(t, dir, "main.go", "package main\n")
	in := input(dir, "folder.md", "latin.md", "main.go", "no/CLAUDE.md", "latin-with-block.md", "wide.md")
	in.Remove = true
	for i, r := range runAll(t, in) {
		if i < 4 {
			want(t, r, Nothing, "")
		} else {
			want(t, r, Refused, "UTF-8")
		}
	}
	in.Remove, in.Memory.Items = false, nil
	want(t, runAll(t, in)[1], Nothing, "")
}

func TestRunNames(t *testing.T) {
	t.Parallel()
	t.Run("case variant", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write(t, dir, "claude.md", "a\n")
		want(t, runAll(t, input(dir, "CLAUDE.md"))[0], Written, "")
		onlyFiles(t, dir, "claude.md")
	})
	t.Run("two variants", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write(t, dir, "Claude.md", "a\n")
		write(t, dir, "CLAUDE.MD", "a\n")
		if got, err := entries(safefile.Beneath(dir)); err != nil || len(got) < 2 {
			t.Skip("this file system takes them for one")
		}
		want(t, runAll(t, input(dir, "CLAUDE.md"))[0], Refused, "CLAUDE.MD and Claude.md")
	})
	t.Run("no folder", func(t *testing.T) {
		t.Parallel()
		want(t, runAll(t, input(t.TempDir(), "x/CLAUDE.md"))[0], Refused, "folder does not exist")
	})
	t.Run("a folder", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write(t, dir, "CLAUDE.md/x", "")
		want(t, runAll(t, input(dir, "CLAUDE.md"))[0], Refused, "a folder")
	})
	for name, ok := range map[string]bool{
		"AGENTS.md": true, "a.mdc": true, ".cursorrules": true, "notes.txt": true,
		"main.go": false, "package.json": false, "Makefile": false, ".bashrc": false, ".md": false,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := Written
			if !ok {
				o = Refused
			}
			want(t, runAll(t, input(t.TempDir(), name))[0], o, "")
		})
	}
}

func TestRunErrors(t *testing.T) {
	t.Parallel()
	in := input(t.TempDir(), "CLAUDE.md")
	broken := errors.New("broken")
	in.Policy = inOrder{broken}
	if _, err := Run(t.Context(), in); !errors.Is(err, broken) || !strings.Contains(err.Error(), "test.in-order") {
		t.Errorf("got %v", err)
	}
	in.Policy = nil
	if _, err := Run(t.Context(), in); err == nil {
		t.Error("no error without a policy")
	}
	in.Policy, in.Budget = inOrder{}, -1
	if _, err := Run(t.Context(), in); err == nil {
		t.Error("no error for a negative budget")
	}
	in.Budget = 0
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	onlyFiles(t, filepath.Dir(in.Targets[0].Path))
}

func TestRunSmallBudget(t *testing.T) {
	t.Parallel()
	in := input(t.TempDir(), "CLAUDE.md")
	in.Budget = 10
	r, err := Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	want(t, r.Targets[0], Nothing, "")
	if len(r.Block.Left) != 1 || r.Block.Left[0].Reason != OverBudget {
		t.Errorf("%+v", r.Block)
	}
}

func TestPrepare(t *testing.T) {
	t.Parallel()
	b, err := Prepare(t.Context(), input(""), Hook)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Wrap(Hook, b.Text), "<!-- recollect:begin -->\n"+testBlock+"<!-- recollect:end -->\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
