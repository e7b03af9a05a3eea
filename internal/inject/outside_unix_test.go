//go:build unix

package inject

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"recollect/internal/safefile/treetest"
)

// problem gives why a target was refused, or "".
func problem(t *testing.T, r Result) Problem {
	t.Helper()
	if r.Outcome != Refused {
		return ""
	}
	return r.Err.(*Refusal).Problem
}

func TestLinksOutOfTheWorkTree(t *testing.T) {
	t.Parallel()
	away, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, away, "rules.md", "theirs\n")
	write(t, away, "sub/CLAUDE.md", "theirs\n")
	write(t, away, ".claude/commands/go.md", "theirs\n")
	write(t, away, ".git/hooks/x.md", "theirs\n")
	write(t, away, "plain.sh", "theirs\n")
	dir := t.TempDir()
	for name, to := range map[string]string{
		"CLAUDE.md": "rules.md", "COMMAND.md": ".claude/commands/go.md", "GIT.md": ".git/hooks/x.md", "SH.md": "plain.sh", "sub": "sub",
	} {
		link(t, filepath.Join(away, to), dir, name)
	}
	link(t, "CLAUDE.md", dir, "AGENTS.md")
	for name, p := range map[string]Problem{
		"CLAUDE.md": Unconfirmed, "AGENTS.md": Unconfirmed, "sub/CLAUDE.md": Unconfirmed, "sub/new.md": Unconfirmed,
		"COMMAND.md": Never, "GIT.md": Never, "SH.md": NotMarkdown,
		"../x.md": Outside, filepath.Join(away, "rules.md"): Outside, ".": Outside,
	} {
		in := input(dir, name)
		in.Targets[0].Path = name
		for _, in.Remove = range []bool{false, true} {
			for _, in.DryRun = range []bool{false, true} {
				r := runAll(t, in)[0]
				if got := problem(t, r); got != p && !(in.Remove && p.holdsNoBlock() && r.Outcome == Nothing) {
					t.Errorf("%s, remove %v, dry run %v: %s %q (%s), want %q", name, in.Remove, in.DryRun, r.Outcome, got, r.Reason, p)
				}
			}
		}
	}
	if got := contents(t, away, "rules.md") + contents(t, away, "sub/CLAUDE.md") + contents(t, away, "plain.sh"); got != "theirs\ntheirs\ntheirs\n" {
		t.Errorf("out of the work tree: %q", got)
	}

	in := input(dir, "CLAUDE.md", "sub/CLAUDE.md")
	ways, err := WaysOut(in)
	if err != nil || len(ways) != 2 || ways[0] != (Link{"CLAUDE.md", filepath.Join(away, "rules.md")}) {
		t.Fatalf("%v, %v", ways, err)
	}
	in.Links = ways[:1]
	r := runAll(t, in)
	want(t, r[0], Written, "")
	want(t, r[1], Refused, "a link out of the project, to "+filepath.Join(away, "sub/CLAUDE.md"))
	if !strings.Contains(contents(t, away, "rules.md"), "Use tabs.") {
		t.Error("the confirmed link was not written through")
	}
	in.Remove = true
	want(t, runAll(t, in)[0], TakenOut, "")
	if got := contents(t, away, "rules.md"); got != "theirs\n" {
		t.Errorf("%q", got)
	}

	// The yes was to that place, not to another one and not for another target.
	if err := os.Remove(filepath.Join(dir, "CLAUDE.md")); err != nil {
		t.Fatal(err)
	}
	write(t, away, "other.md", "theirs\n")
	link(t, filepath.Join(away, "other.md"), dir, "CLAUDE.md")
	want(t, runAll(t, in)[0], Refused, "other.md")
	if got := problem(t, runAll(t, Input{Top: dir, Remove: true, Links: in.Links, Targets: []Target{{Path: "AGENTS.md"}}})[0]); got != Unconfirmed {
		t.Errorf("another target: %q", got)
	}
}

func TestWhatIsNeverATarget(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"HEAD", "objects/x", "hooks/x"} {
		write(t, dir, "bare/"+name, "")
	}
	write(t, dir, ".claude-plugin/plugin.json", "{}")
	write(t, dir, "commands/go.md", "mine\n")
	write(t, dir, ".claude/commands/go.md", "mine\n")
	write(t, dir, ".claude/rules/go.md", "mine\n")
	write(t, dir, ".git/hooks/x", "")
	link(t, ".claude/commands/go.md", dir, "LINK.md")
	link(t, ".claude/commands", dir, "docs")
	link(t, ".git/hooks", dir, "notes")
	link(t, ".claude/rules/go.md", dir, "RULES.md")
	for _, name := range []string{
		"bare/hooks/x.md", "bare/x.md", "commands/go.md", "commands/new.md", ".claude/commands/go.md", ".CLAUDE/COMMANDS/x.md", "LINK.md",
		"docs/go.md", "docs/new.md", "notes/x.md", ".git/x.md", ".GIT/x.md", "GIT~1/x.md", ".git /x.md",
	} {
		in := input(dir, name)
		if r := runAll(t, in)[0]; problem(t, r) != Never {
			t.Errorf("%s: %s (%s), want it refused", name, r.Outcome, r.Reason)
		}
	}
	want(t, runAll(t, input(dir, "RULES.md"))[0], Written, "")
	if got := contents(t, dir, "commands/go.md") + contents(t, dir, ".claude/commands/go.md"); got != "mine\nmine\n" {
		t.Errorf("%q", got)
	}
}

func TestImportsOutOfTheWorkTreeAreNotRead(t *testing.T) {
	t.Parallel()
	away, dir := t.TempDir(), t.TempDir()
	block := Create(testBlock)
	path := write(t, away, "has.md", string(block))
	link(t, path, dir, "link.md")
	write(t, dir, "CLAUDE.md", "@"+path+" @link.md @../"+filepath.Base(away)+"/has.md\n")
	want(t, runAll(t, input(dir, "CLAUDE.md"))[0], Written, "")
}

// tree makes a folder with files, folders and links that lead to and fro.
func tree(t *testing.T, rng *rand.Rand, dir, away string) (names []string) {
	t.Helper()
	folders := []string{"."}
	for _, f := range []string{"sub", "docs", ".claude", ".claude/commands", ".claude/rules", ".git", ".git/hooks", ".cursor/rules"} {
		if rng.IntN(2) == 0 {
			if err := os.MkdirAll(filepath.Join(dir, f), 0o755); err != nil {
				t.Fatal(err)
			}
			folders = append(folders, f)
		}
	}
	leaves := []string{"CLAUDE.md", "AGENTS.md", "x.md", "claude.md", "in", "out.mdc"}
	ends := []string{
		away, filepath.Join(away, "a.md"), filepath.Join(away, "new.md"), filepath.Join(away, "sub"), "..", "../a.md", "../../x.md", ".", "sub",
		"CLAUDE.md", "AGENTS.md", "sub/CLAUDE.md", "/dev/null", ".git/hooks/x.md", "in/a.md", "in/../../a.md",
	}
	for _, f := range folders {
		for _, l := range leaves {
			path := filepath.Join(dir, f, l)
			switch rng.IntN(4) {
			case 0:
				_ = os.Symlink(ends[rng.IntN(len(ends))], path)
			case 1:
				_ = os.WriteFile(path, []byte("@"+ends[rng.IntN(len(ends))]+"\n"), 0o644)
			case 2:
				if rng.IntN(3) == 0 {
					_ = os.Link(filepath.Join(away, "a.md"), path)
				}
			}
			names = append(names, filepath.Join(f, l), filepath.Join(f, l, "a.md"), filepath.Join(f, l, "CLAUDE.md"))
		}
	}
	return append(names, "../a.md", filepath.Join(away, "a.md"), filepath.Join(dir, "CLAUDE.md"))
}

// Whatever links lie in a work tree, nothing out of it changes, nor what is git's
// or what an assistant runs.
func TestNothingElseIsWrittenWhateverLinksThereAre(t *testing.T) {
	t.Parallel()
	written := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 44))
		world := t.TempDir()
		dir, away := filepath.Join(world, "tree"), filepath.Join(world, "away")
		write(t, away, "a.md", "theirs\n")
		write(t, away, "CLAUDE.md", string(Create(testBlock)))
		write(t, away, "sub/CLAUDE.md", "theirs\n")
		write(t, world, "a.md", "theirs\n")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		names := tree(t, rng, dir, away)
		// All but what is neither out of the tree nor forbidden in it.
		forbidden := func() treetest.Tree {
			all, err := treetest.Of(world)
			if err != nil {
				t.Fatal(err)
			}
			maps.DeleteFunc(all, func(name, _ string) bool {
				in, ok := strings.CutPrefix(filepath.ToSlash(name), "tree")
				return ok && !strings.HasPrefix(in, "/.git/") && !strings.HasPrefix(in, "/.claude/commands/")
			})
			return all
		}
		before := forbidden()
		in := input(dir)
		for range 8 {
			in.Targets = append(in.Targets, Target{Path: names[rng.IntN(len(names))]})
		}
		for _, in.DryRun = range []bool{true, false} {
			for _, in.Remove = range []bool{false, true} {
				for _, r := range runAll(t, in) {
					if r.Outcome == Written && !in.DryRun {
						written++
					}
				}
			}
		}
		if changes := before.Changes(forbidden()); changes != nil {
			t.Fatalf("seed %d: targets %v: %q", seed, in.Targets, changes)
		}
	}
	if written == 0 {
		t.Error("nothing was ever written: nothing was tried")
	}
}

// A link out of the work tree that comes while a target is looked at leads
// nowhere.
func TestALinkThatComesWhileLooking(t *testing.T) {
	t.Parallel()
	world := t.TempDir()
	dir, away := filepath.Join(world, "tree"), filepath.Join(world, "away")
	write(t, away, "CLAUDE.md", "theirs\n")
	write(t, dir, "sub/CLAUDE.md", "mine\n")
	link(t, away, dir, "link")
	link(t, filepath.Join(away, "CLAUDE.md"), dir, "file")
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		sub, aside, l := filepath.Join(dir, "sub"), filepath.Join(dir, "aside"), filepath.Join(dir, "link")
		for !stop.Load() {
			_ = os.Rename(sub, aside)
			_ = os.Rename(l, sub)
			_ = os.Rename(sub, l)
			_ = os.Rename(aside, sub)
		}
	}()
	written := 0
	for range 400 {
		for _, remove := range []bool{false, true} {
			in := input(dir, "sub/CLAUDE.md")
			in.Remove = remove
			if runAll(t, in)[0].Outcome == Written {
				written++
			}
		}
	}
	stop.Store(true)
	<-done
	if got := contents(t, away, "CLAUDE.md"); got != "theirs\n" {
		t.Errorf("out of the work tree: %q", got)
	}
	if entries, err := os.ReadDir(away); err != nil || len(entries) != 1 {
		t.Errorf("out of the work tree there is %v, %v", entries, err)
	}
	if written == 0 {
		t.Error("nothing was ever written: nothing was tried")
	}
}
