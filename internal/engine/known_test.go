package engine

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/memory"
)

// came is a project of git's with a memory that came with it: one item.
func came(t *testing.T) (e *Engine, git func(...string)) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git = func(args ...string) {
		t.Helper()
		c := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		c.Dir = root
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	e = openEngine(t, Options{Dir: root, Getenv: func(name string) string {
		return map[string]string{"RECOLLECT_HOME": filepath.Join(root, "..", filepath.Base(root)+"-home")}[name]
	}})
	t.Cleanup(func() { os.RemoveAll(e.dirs.Data) })
	lines(t, e, "It came.")
	git("add", "-A", ".recollect/branches")
	git("commit", "-q", "-m", "memory")
	return e, git
}

// lines writes the Markdown of main by hand.
func lines(t *testing.T, e *Engine, items ...string) {
	t.Helper()
	write(t, e.path("branches", "main.md"), []byte("# Branch Memory: main\n\n## Conventions\n\n- "+strings.Join(items, "\n- ")+"\n"))
}

// unseen are the contents of what nobody looked at, as an injection finds them.
func unseen(t *testing.T, e *Engine, keep bool) []string {
	t.Helper()
	m, _, err := e.memories().Load("main")
	if err != nil {
		t.Fatal(err)
	}
	k, _ := e.lookNow().at(m)
	if keep {
		if k, err = e.lookAt(m); err != nil {
			t.Fatal(err)
		}
	}
	out := []string{}
	for _, it := range unseenOf(m, k) {
		out = append(out, it.Content)
	}
	return out
}

func wantUnseen(t *testing.T, e *Engine, what string, want ...string) {
	t.Helper()
	for _, keep := range []bool{false, true} {
		if got := unseen(t, e, keep); !slices.Equal(got, want) {
			t.Errorf("%s, kept %v: unseen are %q, want %q", what, keep, got, want)
		}
	}
}

// aged makes git's last note of the files a minute old.
func aged(t *testing.T, e *Engine) {
	t.Helper()
	past := time.Now().Add(-time.Minute)
	if err := os.Chtimes(filepath.Join(e.Root(), ".git", "index"), past, past); err != nil {
		t.Fatal(err)
	}
}

func TestWhatCameIsToldFromWhatWasMadeHere(t *testing.T) {
	t.Parallel()
	e, git := came(t)
	settle := func() { t.Helper(); aged(t, e) }
	settle()
	wantUnseen(t, e, "a clone", "It came.")
	if e.hasState() {
		t.Error("to look at a clone made a state")
	}
	if err := e.makeState(); err != nil {
		t.Fatal(err)
	}
	wantUnseen(t, e, "a clone in use", "It came.")
	lines(t, e, "It came.", "It is mine.")
	wantUnseen(t, e, "an edit by hand", "It came.")
	git("commit", "-qam", "mine")
	settle()
	wantUnseen(t, e, "committed", "It came.")

	// Another branch of git's brings other items, and this one has its own again.
	git("checkout", "-q", "-b", "other")
	lines(t, e, "It came.", "It is from the other branch.")
	git("commit", "-qam", "other")
	settle()
	wantUnseen(t, e, "a commit that no command of ours saw", "It came.", "It is from the other branch.")
	git("checkout", "-q", "main")
	settle()
	wantUnseen(t, e, "back", "It came.")

	// A merge that is not committed yet.
	git("merge", "-q", "--no-commit", "--no-ff", "-X", "theirs", "other")
	settle()
	wantUnseen(t, e, "a merge under way", "It came.", "It is from the other branch.")
	lines(t, e, "It came.", "It is from the other branch.", "I wrote it meanwhile.")
	wantUnseen(t, e, "an edit in it", "It came.", "It is from the other branch.")
	git("commit", "-qam", "merged")
	settle()
	wantUnseen(t, e, "merged", "It came.", "It is from the other branch.")

	// Git is at work, or was a moment ago: nothing is decided.
	lock := filepath.Join(e.Root(), ".git", "index.lock")
	write(t, lock, nil)
	lines(t, e, "It came.", "Who wrote it?")
	wantUnseen(t, e, "git works", "It came.", "Who wrote it?")
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	if err := os.Chtimes(filepath.Join(e.Root(), ".git", "index"), now, now); err != nil {
		t.Fatal(err)
	}
	wantUnseen(t, e, "git has just worked", "It came.", "Who wrote it?")
	settle()
	wantUnseen(t, e, "git has not worked", "It came.")
}

func TestWhatIsMadeHereIsSeen(t *testing.T) {
	t.Parallel()
	e, _ := came(t)
	wantUnseen(t, e, "a clone", "It came.")
	done, err := e.Edit(t.Context(), "main", memory.Edit{Do: memory.Add, Section: "conventions", Content: "It is mine."})
	if err != nil {
		t.Fatal(err)
	}
	wantUnseen(t, e, "added", "It came.")
	for _, it := range done.Memory.Items {
		if it.Content == "It came." {
			if _, err := e.Edit(t.Context(), "main", memory.Edit{Do: memory.Pin, ID: it.ID}); err != nil {
				t.Fatal(err)
			}
		}
	}
	wantUnseen(t, e, "pinned")
}

// No plug-in gets to see what is held back, so none can show it.
func TestPlugInsAreNotToldWhatIsHeldBack(t *testing.T) {
	t.Parallel()
	e, _ := came(t)
	m, err := e.setting("any", nil).Memory("main")
	if err != nil || len(m.Active()) != 0 {
		t.Errorf("a plug-in is told %+v, %v", m.Items, err)
	}
	parts, err := e.parts(nil, nil, scratch(true))
	if err != nil {
		t.Fatal(err)
	}
	all, _, err := e.memories().Load("main")
	if err != nil || len(all.Active()) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	if got := parts.Shown(all); len(got.Active()) != 0 {
		t.Errorf("an extractor is told %+v", got.Items)
	}
}

// What a version before had in use does not have to be looked at again.
func TestAProjectInUseStaysSeen(t *testing.T) {
	t.Parallel()
	e, git := came(t)
	if err := e.changeRecord(e.Root(), func(r *record) { r.Inject.Done, r.Knows = time.Now(), false }); err != nil {
		t.Fatal(err)
	}
	aged(t, e)
	wantUnseen(t, e, "used before")
	lines(t, e, "It came.", "It comes now.")
	git("commit", "-qam", "as a pull would")
	wantUnseen(t, e, "a pull since", "It comes now.")
	if r := e.record(e.Root()); !r.Knows {
		t.Error("it is not noted that this version knows the project")
	}
	if err := os.RemoveAll(e.state().Path()); err != nil {
		t.Fatal(err)
	}
	wantUnseen(t, e, "what is known is lost", "It came.", "It comes now.")
}

func TestKnownIsBoundedAndSurvivesDamage(t *testing.T) {
	t.Parallel()
	e, _ := came(t)
	if err := e.makeState(); err != nil {
		t.Fatal(err)
	}
	k := known{Version: knownVersion, Branch: "main"}
	for i := range maxSeenItems + 10 {
		k.Seen = append(k.Seen, itemDigest("s", strings.Repeat("x", i%50)+string(rune('a'+i%26))))
	}
	k.see([]string{itemDigest("s", "last")})
	if len(k.Seen) > maxSeenItems || k.Seen[len(k.Seen)-1] != itemDigest("s", "last") {
		t.Errorf("%d are kept", len(k.Seen))
	}
	for _, text := range []string{"", "{", `{"version":2,"branch":"main","seen":["x"]}`, `{"version":1,"branch":"other"}`, "[]"} {
		write(t, e.state().Path(knownFolder, "main.json"), []byte(text))
		wantUnseen(t, e, text, "It came.")
	}
}
