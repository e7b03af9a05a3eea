package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"recollect/internal/memory"
)

func openSample(t testing.TB, o Options) *Engine {
	t.Helper()
	e, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// A branch without a memory shows the schema's sections, and gets a memory with
// them by the first edit; taken back, there is none again.
func TestEditOfNoMemory(t *testing.T) {
	t.Parallel()
	e := openSample(t, sample(t))
	v, err := e.Memory(t.Context(), "new")
	if err != nil || v.Exists || len(v.Sections) != 4 || v.Items == nil || v.Sections[0].Guidance == "" {
		t.Fatalf("%+v %v", v, err)
	}
	if isFolder(e.path()) {
		t.Fatal("looking made a folder")
	}
	if _, err := e.Edit(t.Context(), "new", memory.Edit{Do: memory.Remove, ID: "x"}); !errors.Is(err, memory.ErrNoItem) || isFolder(e.path()) {
		t.Fatalf("%v", err)
	}
	done, err := e.Edit(t.Context(), "new", memory.Edit{Do: memory.Add, Section: "conventions", Content: "Tests first"})
	if err != nil || !done.Memory.Exists || done.Undo == "" || len(done.Changes) != 1 || done.Memory.Sections[0].Guidance != v.Sections[0].Guidance {
		t.Fatalf("%+v %v", done, err)
	}
	if _, err := os.Stat(e.path(".gitignore")); err != nil {
		t.Error(err)
	}
	again, err := e.Memory(t.Context(), "new")
	again.Markdown = ""
	a, _ := json.Marshal(done.Memory)
	b, _ := json.Marshal(again)
	if err != nil || string(a) != string(b) {
		t.Errorf("told\n%s\nlooked at\n%s\n%v", a, b, err)
	}
	back, err := e.UndoEdit(t.Context(), "new", done.Undo)
	if err != nil || back.Memory.Exists || len(back.Memory.Sections) != 4 || back.Memory.File != "" {
		t.Errorf("%+v %v", back, err)
	}
	if _, err := e.UndoEdit(t.Context(), "new", done.Undo); Explain(err).Code != "changed" || Explain(err).Hint == "" {
		t.Errorf("%+v", Explain(err))
	}
	if _, err := e.ClearMemory(t.Context(), "new"); !errors.Is(err, errNoMemory) {
		t.Error(err)
	}
}

func TestEditTakesSecretsOut(t *testing.T) {
	t.Parallel()
	e := openSample(t, sample(t))
	add := func(text string) (Edited, error) {
		return e.Edit(t.Context(), "main", memory.Edit{Do: memory.Add, Section: "facts", Content: text})
	}
	done, err := add("The mirror is read with ghp_ZmFrZUZha2VGYWtl\u200bRmFrZUZha2VGYWtl1234 by the deploy job")
	if err != nil || len(done.Warnings) != 1 || !strings.Contains(done.Memory.Items[0].Content, "[redacted] by the deploy job") {
		t.Fatalf("%+v %v", done, err)
	}
	if _, err := add("API_TOKEN=ghp_ZmFrZUZha2VGYWtlRmFrZUZha2VGYWtl1234"); Explain(err).Code != "secret" || Explain(err).Hint == "" {
		t.Errorf("%+v", Explain(err))
	}
	for text, code := range map[string]string{
		"": "empty", strings.Repeat("x", memory.MaxContentRunes+1): "too_long", strings.Repeat("password=hunter2hunter2 ", 200_000): "too_long",
		"The mirror is read with [redacted] by the deploy job": "duplicate",
	} {
		_, err := add(text)
		if p := Explain(err); p.Code != code || strings.Contains(p.Message, "memory of branch") {
			t.Errorf("%.20q: %+v", text, p)
		}
	}
	_, err = e.Edit(t.Context(), "main", memory.Edit{Do: memory.Add, Section: "nowhere", Content: "x"})
	if p := Explain(err); p.Code != "unknown_section" || !strings.Contains(p.Message, "bug-patterns") || p.Exit != ExitUsage {
		t.Errorf("%+v", p)
	}
	all, err := os.ReadFile(e.path("branches", "main.items.jsonl"))
	if err != nil || strings.Contains(string(all), "RmFrZU") {
		t.Error("the secret is in the item lines", err)
	}
}

// A memorize that asks a model holds the project for minutes.
func TestEditWhileProjectIsHeld(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e, other := openSample(t, o), openSample(t, o)
	if _, err := e.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	lock, err := other.lock(t.Context(), "testing")
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if _, err := e.Edit(t.Context(), "main", memory.Edit{Do: memory.Add, Section: "facts", Content: "x"}); err != nil {
		t.Fatal(err)
	}
}

// What a hook hands out is never that of before an edit, an undo, a restore or a
// forget.
func TestBlockFollowsEdits(t *testing.T) {
	t.Parallel()
	e := openSample(t, sample(t))
	main := "main"
	block := func(want string, has bool) string {
		t.Helper()
		text, err := e.Block(t.Context(), &main)
		if err != nil || strings.Contains(text, want) != has {
			t.Fatalf("%v: %q in\n%s", err, want, text)
		}
		return text
	}
	done, err := e.Edit(t.Context(), main, memory.Edit{Do: memory.Add, Section: "conventions", Content: "Heights are metres"})
	if err != nil {
		t.Fatal(err)
	}
	first := block("Heights are metres", true)
	id := done.Changes[0].ID
	reworded, err := e.Edit(t.Context(), main, memory.Edit{Do: memory.Reword, ID: id, Content: "Heights are fathoms"})
	if err != nil {
		t.Fatal(err)
	}
	block("fathoms", true)
	if _, err := e.UndoEdit(t.Context(), main, reworded.Undo); err != nil {
		t.Fatal(err)
	}
	if got := block("fathoms", false); got != first {
		t.Errorf("%q, want %q", got, first)
	}
	versions, err := e.Versions(&main)
	if err != nil || len(versions) != 2 {
		t.Fatalf("%+v %v", versions, err)
	}
	restored, err := e.RestoreVersion(t.Context(), main, versions[0].ID)
	if err != nil || restored.Undo == "" {
		t.Fatal(err)
	}
	block("fathoms", true)
	if _, _, err := e.Forget(t.Context(), &main, []string{id}); err != nil {
		t.Fatal(err)
	}
	block("fathoms", false)
	cleared, err := e.ClearMemory(t.Context(), main)
	if err != nil || cleared.Memory.Exists {
		t.Fatal(err)
	}
	block("Heights", false)
	if token, err := e.LastChange(main); err != nil || token != cleared.Undo {
		t.Errorf("%q %v, want %q", token, err, cleared.Undo)
	}
}

func TestEditsAtOnce(t *testing.T) {
	t.Parallel()
	o := sample(t)
	if _, err := openSample(t, o).Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for n := range 20 {
		wg.Go(func() {
			e, err := Open(o)
			if err != nil {
				t.Error(err)
				return
			}
			defer e.Close()
			for i := range 3 {
				if _, err := e.Edit(t.Context(), "main", memory.Edit{Do: memory.Add, Section: "facts", Content: fmt.Sprintf("Fact %d of writer %d", i, n)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	v, err := openSample(t, o).Memory(t.Context(), "main")
	if err != nil || len(v.Items) != 60 {
		t.Errorf("%d items, %v", len(v.Items), err)
	}
}

// The shapes that cross the bridge: every field that the window reads without
// asking is there.
func TestEditedShape(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal([]any{Edited{Memory: viewOf(memory.Standing{}, known{}, nil)}, SourceOf{Places: []Place{{Cited: []string{}, Turns: []Turn{}}}}, SessionTurns{Turns: []Turn{}}})
	if err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	keys := func(m any) string {
		var out []string
		for k := range m.(map[string]any) {
			out = append(out, k)
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	for _, x := range []struct{ got, want string }{
		{keys(got[0]), "memory undo"},
		{keys(got[0]["memory"]), "branch exists items sections"},
		{keys(got[1]), "item places"},
		{keys(got[1]["places"].([]any)[0]), "cited origin turns"},
		{keys(got[2]), "from session source title total turns"},
	} {
		if x.got != x.want {
			t.Errorf("%s, want %s", x.got, x.want)
		}
	}
}

// BenchmarkEdit is one edit through the engine, and a look at the memory.
func BenchmarkEdit(b *testing.B) {
	e := openSample(b, large{sessions: 1, turns: 1, branches: 1, items: 10_000}.make(b))
	v, err := e.Memory(b.Context(), "branch-0")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("edit", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, err := e.Edit(b.Context(), "branch-0", memory.Edit{Do: memory.Reword, ID: v.Items[i].ID, Content: fmt.Sprint("Other words ", i, b.N)}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("look", func(b *testing.B) {
		for b.Loop() {
			if _, err := e.Memory(b.Context(), "branch-0"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
