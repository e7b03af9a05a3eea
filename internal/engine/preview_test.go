package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recollect/internal/config"
	"recollect/internal/inject"
	"recollect/internal/memory"
)

// memorized opens the sample project after a memorize of its branch main.
func memorized(t testing.TB) *Engine {
	t.Helper()
	e := openEngine(t, sample(t))
	main := "main"
	reports, err := e.Memorize(t.Context(), MemorizeOptions{Branch: &main})
	if err != nil || reports[0].Items == 0 {
		t.Fatalf("%+v, %v", reports, err)
	}
	return e
}

func openEngine(t testing.TB, o Options) *Engine {
	t.Helper()
	e, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func configure(t testing.TB, e *Engine, key, value string) {
	t.Helper()
	if _, err := e.SetSetting(t.Context(), key, json.RawMessage(value), config.Project); err != nil {
		t.Fatal(err)
	}
}

func held(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}

func TestPreviewIsWhatInjectWrites(t *testing.T) {
	e := memorized(t)
	configure(t, e, "inject.targets", `["A.md","B.md","docs/C.md"]`)
	pieces := []string{
		"\ufeff", "# Rules\n", "a\r\n", "@B.md\n", "<!-- recollect:begin -->\n", "<!-- recollect:end -->\n",
		"<!-- recollect:begin gap=1 -->\r\nold\r\n<!-- recollect:end -->\r\n", "```\n", "\x00", "\xff", "é", "\n\n",
	}
	r := rand.New(rand.NewPCG(7, 7))
	outcomes := map[inject.Outcome]int{}
	for n := range 60 {
		if err := os.MkdirAll(filepath.Join(e.Root(), "docs"), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"A.md", "B.md", "docs/C.md"} {
			path := filepath.Join(e.Root(), filepath.FromSlash(name))
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			var b strings.Builder
			for range r.IntN(4) {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
			if r.IntN(4) > 0 {
				write(t, path, []byte(b.String()))
			}
		}
		configure(t, e, "inject.budget", fmt.Sprint(50+r.IntN(900)))
		view, err := e.Preview(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		done, err := e.Inject(t.Context(), InjectOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if view.Block.Text != done.Block.Text || view.Block.Tokens > view.Budget || view.Branch != "main" || view.Budget != done.Budget {
			t.Errorf("%d: preview of %q, injected %q", n, view.Block.Text, done.Block.Text)
		}
		for i, target := range view.Targets {
			outcomes[target.Outcome]++
			if target.Outcome != done.Targets[i].Outcome || target.Reason != done.Targets[i].Reason {
				t.Errorf("%d: %s is %s (%s), previewed as %s (%s)", n, target.Name, done.Targets[i].Outcome, done.Targets[i].Reason, target.Outcome, target.Reason)
			}
			if text := held(t, target.Path); target.After != text && target.Outcome == inject.Written {
				t.Errorf("%d: %s holds\n%q\nbut the preview said\n%q", n, target.Name, text, target.After)
			}
		}
	}
	if outcomes[inject.Written] == 0 || outcomes[inject.Refused] == 0 {
		t.Errorf("outcomes %v", outcomes)
	}
}

func TestPreviewShowsWhatIsLeftOut(t *testing.T) {
	e := memorized(t)
	configure(t, e, "inject.budget", "80")
	configure(t, e, "inject.enabled", "false")
	view, err := e.Preview(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !view.Disabled || view.Block.Text == "" || len(view.Targets) != 1 || view.Targets[0].After == "" || view.Targets[0].Name != "CLAUDE.md" {
		t.Errorf("turned off: %+v", view)
	}
	if len(view.Block.Left) == 0 {
		t.Error("nothing left out with a budget of 80 tokens")
	}
	ids := func(id string) bool {
		return slices.ContainsFunc(view.Items, func(it memory.Item) bool { return it.ID == id })
	}
	for _, s := range view.Block.Shown {
		if !ids(s.ID) {
			t.Errorf("item %s is shown and not among the items", s.ID)
		}
	}
	for _, l := range view.Block.Left {
		if !ids(l.ID) || l.Reason == "" {
			t.Errorf("item %s, left out (%s), is not among the items", l.ID, l.Reason)
		}
	}
	if held(t, filepath.Join(e.Root(), "CLAUDE.md")) != view.Targets[0].Before {
		t.Error("the preview wrote")
	}
	done, err := e.InjectView(t.Context(), InjectOptions{})
	if err != nil || !done.Disabled || len(done.Targets) != 0 {
		t.Errorf("turned off: %+v, %v", done, err)
	}
	nothing := "no-such-branch"
	view, err = e.Preview(t.Context(), &nothing)
	if err != nil || view.Block.Text != "" || view.Items == nil || view.Targets[0].Outcome != inject.Nothing {
		t.Errorf("no memory: %+v, %v", view, err)
	}
}

// A preview of a project that was never opened with Recollect leaves nothing
// there.
func TestPreviewLeavesNoTrace(t *testing.T) {
	o := sample(t)
	e := openEngine(t, o)
	if _, err := e.Preview(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if isFolder(e.path()) {
		t.Error("a preview made the memory folder")
	}
}

// letters gives a number as a word: items that differ in numbers only contradict
// each other.
func letters(n int) string {
	return strings.Map(func(r rune) rune { return r - '0' + 'p' }, fmt.Sprint(n))
}

// BenchmarkPreview is what a person waits for on the screen of the injection,
// with a warm policy and a memory of 1,000 items.
func BenchmarkPreview(b *testing.B) {
	e := openEngine(b, sample(b))
	if _, err := e.Init(b.Context()); err != nil {
		b.Fatal(err)
	}
	m := memory.Memory{Branch: "main", Layout: memory.DefaultLayout()}
	sections := m.Layout.Sections
	for i := range 1000 {
		m.Items = append(m.Items, memory.Item{
			ID: fmt.Sprintf("%012x", i+1), Section: sections[i%len(sections)].ID, State: memory.Active, Confidence: 0.5 + float64(i%50)/100,
			Content: fmt.Sprintf("The %s service keeps the tides of the %s station for %d days and drops what is older.", letters(i), letters(i*7), i%90),
			Created: e.options.Now(), Updated: e.options.Now(),
		})
	}
	if _, err := e.memories().Save(b.Context(), m, ""); err != nil {
		b.Fatal(err)
	}
	write(b, filepath.Join(e.Root(), "CLAUDE.md"), []byte(strings.Repeat("A rule of the project.\n", 200)))
	if _, err := e.Preview(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		view, err := e.Preview(b.Context(), nil)
		if err != nil || len(view.Items) != 1000 {
			b.Fatal(len(view.Items), err)
		}
	}
}

// What a file says now is told apart from what it would say.
func TestPreviewTellsWhatStandsThere(t *testing.T) {
	e := memorized(t)
	preview := func() InjectionView {
		t.Helper()
		v, err := e.Preview(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if v := preview(); len(v.Standing) != 0 || len(v.Block.Shown) == 0 {
		t.Fatalf("before it is written: %d stand, %d would", len(v.Standing), len(v.Block.Shown))
	}
	if _, err := e.Inject(t.Context(), InjectOptions{}); err != nil {
		t.Fatal(err)
	}
	v := preview()
	for _, s := range v.Block.Shown {
		if !slices.Contains(v.Standing, s.ID) {
			t.Errorf("%s was written and does not stand there", s.ID)
		}
	}
	configure(t, e, "inject.budget", "60")
	if after := preview(); len(after.Standing) != len(v.Standing) || len(after.Block.Shown) >= len(v.Block.Shown) {
		t.Errorf("with less room: %d stand of %d, %d would", len(after.Standing), len(v.Standing), len(after.Block.Shown))
	}
}
