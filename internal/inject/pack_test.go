package inject

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
	"recollect/internal/tokens"
)

var notes = memory.Layout{Title: "Branch Memory", Sections: []memory.Section{
	{ID: "facts", Heading: "Facts"},
	{ID: "architectural-decisions", Heading: "Architectural Decisions"},
	{ID: "conventions", Heading: "Conventions"},
	{ID: "bug-patterns", Heading: "Bug Patterns"},
}}

func item(id, section, content string) memory.Item {
	return memory.Item{ID: id, Section: section, Content: content, State: memory.Active}
}

func choices(ids ...string) []Choice {
	var out []Choice
	for _, id := range ids {
		out = append(out, Choice{ID: id, Why: "why " + id})
	}
	return out
}

// pack packs what is chosen, without shares.
func pack(m memory.Memory, ids []string, kind Kind, budget int) Block {
	return Pack(m, notes, Ranking{Choices: choices(ids...)}, memory.NewRivals(m, nil), kind, budget)
}

func TestRender(t *testing.T) {
	t.Parallel()
	got := Render(notes, []memory.Item{
		item("1", "conventions", "Database operations use\natomic transactions."),
		item("2", "bug-patterns", "On Windows, `process.kill('SIGTERM')` only kills the shell."),
		item("3", "conventions", "# Prefix events with @app/"),
		item("4", "facts", " \x00 "),
		item("5", "glossary", "A sprint is two weeks."),
	})
	want := `## Branch Memory (auto-extracted)

### Conventions

- Database operations use atomic transactions.
- \# Prefix events with ` + "`@app/`" + `

### Bug Patterns

- On Windows, ` + "`process.kill('SIGTERM')`" + ` only kills the shell.

### glossary

- A sprint is two weeks.
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got := Render(notes, nil); got != "" {
		t.Errorf("nothing to say, but %q", got)
	}
}

func TestPackReports(t *testing.T) {
	t.Parallel()
	old, gone := item("old", "facts", "x"), item("gone", "facts", "x")
	old.State, gone.State = memory.Superseded, memory.Removed
	old.SupersededBy = "b"
	m := memory.Memory{Items: []memory.Item{
		item("a", "conventions", "Use tabs."), item("b", "facts", "Go 1.26."), item("c", "conventions", "No globals."),
		item("big", "facts", strings.Repeat("word ", 2000)), item("blank", "facts", "\u200b"), old, gone,
	}}
	b := pack(m, []string{"a", "big", "nope", "b", "a", "old", "gone", "blank"}, File, 200)
	want := Block{
		Kind: File,
		Text: "## Branch Memory (auto-extracted)\n\n### Conventions\n\n- Use tabs.\n\n### Facts\n\n- Go 1.26.\n",
		Shown: []Shown{
			{"a", "conventions", "why a"}, {"b", "facts", "why b"},
		},
		Left: []Left{
			{ID: "big", Reason: OverBudget, Needs: 3003}, {ID: "nope", Reason: UnknownID}, {ID: "a", Reason: Repeated},
			{ID: "old", Reason: Superseded, By: "b"}, {ID: "gone", Reason: Removed}, {ID: "blank", Reason: Blank},
			{ID: "c", Reason: NotSelected},
		},
		Order: []string{"conventions", "facts"}, Full: 3083,
	}
	want.Tokens = tokens.Count(Wrap(File, want.Text))
	if d := cmp.Diff(want, b); d != "" {
		t.Error(d)
	}
}

// Whatever is packed, the block as it stands in the file keeps to the budget,
// each item is shown or left, and an item that was left for the budget would
// have broken it.
func TestPackKeepsBudget(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields("use the cache of branch `go test` naïve 数据库 transactions() — /path/to/file.go v1.2.3 error: it's <T> @x")
	for round := range 60 {
		var m memory.Memory
		var ids []string
		for i := range r.IntN(40) {
			var text []string
			for range 1 + r.IntN(40) {
				text = append(text, words[r.IntN(len(words))])
			}
			id := fmt.Sprint(i)
			ids = append(ids, id)
			m.Items = append(m.Items, item(id, notes.Sections[r.IntN(4)].ID, strings.Join(text, " ")))
		}
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		budget := r.IntN(1500)
		b := pack(m, ids, File, budget)
		if len(b.Shown)+len(b.Left) != len(ids) {
			t.Fatalf("round %d: %d shown, %d left of %d", round, len(b.Shown), len(b.Left), len(ids))
		}
		if (b.Text == "") != (len(b.Shown) == 0) || b.Tokens > budget {
			t.Fatalf("round %d: %d tokens, budget %d: %q", round, b.Tokens, budget, b.Text)
		}
		if b.Text == "" {
			continue
		}
		for _, src := range []string{"", "a", "a\r\nb\r\n"} {
			out, err := Splice([]byte(src), b.Text)
			if err != nil {
				t.Fatal(err)
			}
			// The blank line before the block may cost a token or two.
			if n := tokens.Count(strings.TrimPrefix(string(out), src)); n > budget+3 {
				t.Fatalf("round %d: %d tokens in the file, budget %d", round, n, budget)
			}
		}
		if slices.ContainsFunc(b.Left, func(l Left) bool { return l.Reason != OverBudget }) {
			t.Fatalf("round %d: left %v", round, b.Left)
		}
		checkPlain(t, b.Text, len(b.Shown))
	}
}

func TestPackUsesBudget(t *testing.T) {
	t.Parallel()
	var m memory.Memory
	var ids []string
	for i := range 200 {
		id := fmt.Sprint(i)
		ids = append(ids, id)
		m.Items = append(m.Items, item(id, "conventions", "A handler validates its input before it opens a transaction."))
	}
	b := pack(m, ids, File, DefaultBudget)
	if b.Tokens < DefaultBudget*95/100 || b.Tokens > DefaultBudget {
		t.Errorf("%d of %d tokens used", b.Tokens, DefaultBudget)
	}
	if b.Shown[0].ID != "0" || b.Shown[len(b.Shown)-1].ID != fmt.Sprint(len(b.Shown)-1) {
		t.Error("the policy's order is not kept")
	}
}

func TestPackForHook(t *testing.T) {
	t.Parallel()
	var m memory.Memory
	var ids []string
	for i := range 500 {
		id := fmt.Sprint(i)
		ids = append(ids, id)
		m.Items = append(m.Items, item(id, "facts", "Emoji count twice: 😀😀😀 in a list"))
	}
	b := pack(m, ids, Hook, 100_000)
	text := Wrap(Hook, b.Text)
	if n := chars(text); n > MaxHookChars || n < MaxHookChars*95/100 {
		t.Errorf("%d characters", n)
	}
	if !strings.HasPrefix(text, BeginMarker+" -->\n") || !strings.HasSuffix(text, EndMarker+" -->\n") {
		t.Errorf("markers: %.60q", text)
	}
	if Wrap(Hook, "") != "" {
		t.Error("a wrapped nothing is something")
	}
}

func TestLeastCostIsNoMoreThanTheCost(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	words := []string{
		"the", "a", "/", "//", "-", "--", "...", "é", "日本語", "x1", "12345", "a/b", "'s", "I'll", "\u00a0", "\u2028", "\u3000", "`", "*", "_", "😀",
		"internationalization", "0x7f", "http://a.b/c", "\u0301", "\u0085", strings.Repeat("ab", 200), ":", "\t", "A", "don't",
	}
	for range 20_000 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(words[r.IntN(len(words))])
			if r.IntN(4) > 0 {
				b.WriteByte(' ')
			}
		}
		added := bullet(b.String())
		if r.IntN(2) == 0 {
			added = heading(notes, "facts") + added
		}
		if least, cost := leastCost(added), tokens.Count(added); least > cost && cost >= minLine {
			t.Fatalf("%q: %d, at least %d", added, cost, least)
		}
	}
}
