package memory

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/unmerged"
)

// conflicted writes what git leaves where it can't merge two versions of a file: a
// mark around what differs, as "git merge-file" does.
func conflicted(t *testing.T, base, ours, theirs string, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	names := []string{"ours", "base", "theirs"}
	for i, text := range []string{ours, base, theirs} {
		names[i] = filepath.Join(dir, names[i])
		if err := os.WriteFile(names[i], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", append(append([]string{"merge-file", "-p", "-L", "HEAD", "-L", "base", "-L", "other"}, args...), names...)...)
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	return string(out)
}

// side is a memory that two branches begin with and go on with by themselves.
type side struct {
	store *Store
	dir   string
}

func newSide(t *testing.T, files map[string]string, now *time.Time) side {
	t.Helper()
	p := newPlace(t)
	s := p.store(StoreOptions{Now: func() time.Time { *now = now.Add(time.Minute); return *now }})
	dir := p.dir
	for name, text := range files {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return side{s, dir}
}

func (s side) files(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range []string{"main.md", "main.items.jsonl"} {
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(data)
	}
	return out
}

func (s side) edit(t *testing.T, edits ...Edit) {
	t.Helper()
	if _, err := s.store.Edit(t.Context(), "main", edits...); err != nil {
		t.Fatal(err)
	}
}

// says gives the active contents of a memory by section, sorted.
func says(m Memory) []string {
	var out []string
	for _, it := range m.Active() {
		out = append(out, it.Section+": "+it.Content)
	}
	slices.Sort(out)
	return out
}

// changed makes some edits by chance.
func (s side) changed(t *testing.T, r *rand.Rand, who string) {
	t.Helper()
	for n := range 1 + r.IntN(5) {
		m, _, err := s.store.Load("main")
		if err != nil {
			t.Fatal(err)
		}
		active := m.Active()
		section := []string{"facts", "conventions", "bug-patterns"}[r.IntN(3)]
		text := fmt.Sprintf("%s says number %d of %d", who, n, r.IntN(1000))
		if len(active) == 0 {
			s.edit(t, Edit{Do: Add, Section: section, Content: text})
			continue
		}
		it := active[r.IntN(len(active))]
		switch r.IntN(6) {
		case 0, 1:
			s.edit(t, Edit{Do: Add, Section: section, Content: text})
		case 2:
			s.edit(t, Edit{Do: Remove, ID: it.ID})
		case 3:
			s.edit(t, Edit{Do: Reword, ID: it.ID, Content: text})
		case 4:
			s.edit(t, Edit{Do: Move, ID: it.ID, Section: section})
		case 5:
			s.edit(t, Edit{Do: Pin, ID: it.ID})
		}
	}
}

// bothSay is what two memories come to, by the plainest rule: of two versions of an
// item the one that a person touched, and then the later one. Where that one was not
// reworded itself the words of the other may hold: same gives what they stand for.
func bothSay(a, b Memory) (want []string, same map[string]string) {
	of := map[string]Item{}
	same = map[string]string{}
	for _, it := range slices.Concat(a.Items, b.Items) {
		old, ok := of[it.ID]
		personal := func(it Item) bool { return it.Protected() || it.State == Removed }
		if !ok || personal(it) && !personal(old) || personal(it) == personal(old) && it.Updated.After(old.Updated) {
			of[it.ID] = it
		} else {
			it, old = old, it
		}
		if ok && it.Content != old.Content && it.Why != "edited by a person" {
			same[it.Section+": "+old.Content] = it.Section + ": " + it.Content
		}
	}
	var out Memory
	for _, it := range of {
		out.Items = append(out.Items, it)
	}
	return slices.Compact(says(out)), same
}

func TestBothSidesOfAMergeAreOneMemory(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 7))
		now := t0
		first := newSide(t, nil, &now)
		m := Memory{Branch: "main", Items: []Item{item("a1", "facts", "The first of the facts"), item("b2", "facts", "Another of the facts"), item("c3", "conventions", "Something about style")}}
		if _, err := first.store.Save(t.Context(), m, ""); err != nil {
			t.Fatal(err)
		}
		first.changed(t, r, "the beginning")
		base := first.files(t)
		ours, theirs := newSide(t, base, &now), newSide(t, base, &now)
		ours.changed(t, r, "one person")
		theirs.changed(t, r, "another person")
		o, _, _ := ours.store.Load("main")
		th, _, _ := theirs.store.Load("main")
		want, same := bothSay(o, th)
		of, tf := ours.files(t), theirs.files(t)
		for style, args := range map[string][]string{"marks": nil, "base": {"--diff3"}, "union": {"--union"}, "windows": nil, "swapped": nil} {
			files := map[string]string{}
			for name := range base {
				a, b, x := of[name], tf[name], base[name]
				if style == "swapped" {
					a, b = b, a
				}
				if style == "windows" {
					crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
					a, b, x = crlf(a), crlf(b), crlf(x)
				}
				files[name] = conflicted(t, x, a, b, args...)
			}
			mergedWell(t, fmt.Sprintf("%d %s", seed, style), newSide(t, files, &now), files, want, same)
		}
	}
}

// mergedWell looks at a memory as git left it, which comes to want.
func mergedWell(t *testing.T, name string, s side, files map[string]string, want []string, same map[string]string) {
	t.Helper()
	fail := func(what string, got any) {
		t.Fatalf("%s: %s\n got %q\nwant %q\n%s\n%s", name, what, got, want, files["main.md"], files["main.items.jsonl"])
	}
	said := func(m Memory) []string {
		out := says(m)
		for i, text := range out {
			if is, ok := same[text]; ok {
				out[i] = is
			}
		}
		slices.Sort(out)
		return out
	}
	m, _, err := s.store.Load("main")
	if err != nil {
		t.Fatal(name, err)
	}
	if got := said(m); !slices.Equal(got, want) {
		fail("read", got)
	}
	for _, d := range m.Damage {
		if !d.Marks {
			fail("damaged", d)
		}
	}
	if now := s.files(t); now["main.md"] != files["main.md"] || now["main.items.jsonl"] != files["main.items.jsonl"] {
		fail("reading wrote", now)
	}
	if names, err := s.store.Branches(); err != nil || !slices.Equal(names, []string{"main"}) {
		fail("branches", names)
	}
	s.edit(t, Edit{Do: Add, Section: "facts", Content: "Said after the merge"})
	after := append(slices.Clone(want), "facts: Said after the merge")
	slices.Sort(after)
	m, _, err = s.store.Load("main")
	if got := said(m); err != nil || !slices.Equal(got, after) || len(m.Damage) > 0 {
		fail("added to", got)
	}
	for file, text := range s.files(t) {
		if strings.Contains(text, "<<<<<<<") || strings.Contains(text, ">>>>>>>") || strings.Count(text, `{"format"`) > 1 {
			fail("written with marks", file+text)
		}
	}
	undo, err := s.store.LastChange("main")
	if err != nil {
		t.Fatal(name, err)
	}
	back, err := s.store.Undo(t.Context(), "main", undo)
	if got := said(back.Memory); err != nil || !slices.Equal(got, want) {
		fail("undone", got)
	}
}

func TestTextOfBothSidesIsKept(t *testing.T) {
	t.Parallel()
	head := "# Branch Memory: main\n\n<<<<<<< HEAD\n> Auto-generated by Memory Plugin | Last updated: 2026-01-01T00:00:00.000Z\n=======\n" +
		"> Auto-generated by Memory Plugin | Last updated: 2026-01-02T00:00:00.000Z\n>>>>>>> other\n\n"
	const made = "# Branch Memory: main\n\n> Auto-generated by Memory Plugin | Last updated: 2026-01-01T00:00:00.000Z\n\n"
	for name, c := range map[string]struct{ text, want string }{
		"two times":     {head + "## Facts\n\n- a\n", made + "## Facts\n\n- a\n"},
		"bullets":       {"## Facts\n\n- a\n<<<<<<< x\n- b\n=======\n- c\n>>>>>>> y\n", "## Facts\n\n- a\n- b\n- c\n"},
		"with notes":    {"## Facts\n\n<<<<<<< x\n- b\n\n  note\n=======\n- c\n  more\n>>>>>>> y\n", "## Facts\n\n- b\n\n  note\n- c\n  more\n"},
		"the same":      {"## Facts\n\n<<<<<<< x\n- b\n- c\n=======\n- c\n>>>>>>> y\n", "## Facts\n\n- b\n- c\n"},
		"goes on":       {"## Facts\n\n<<<<<<< x\n- b\n=======\n- c\n>>>>>>> y\n  as they say\n- d\n", "## Facts\n\n- b\n  as they say\n- c\n  as they say\n- d\n"},
		"none and some": {"## Facts\n\n<<<<<<< x\n_No entries yet._\n=======\n- c\n>>>>>>> y\n", "## Facts\n\n- c\n"},
		"sections": {
			"## Facts\n\n<<<<<<< x\n- a\n\n## Conventions\n\n- b\n=======\n- c\n\n## Conventions\n\n- d\n>>>>>>> y\n\n## Bug Patterns\n",
			"## Facts\n\n- a\n- c\n\n## Conventions\n\n- b\n- d\n\n## Bug Patterns\n",
		},
		"prose":         {"## Mine\n\n<<<<<<< x\nOne way.\n=======\nThe other way.\n>>>>>>> y\n", "## Mine\n\nOne way.\n\nThe other way.\n"},
		"fences":        {"## Mine\n\n<<<<<<< x\n```\n- b\n```\n=======\n```\n- c\n```\n>>>>>>> y\n", "## Mine\n\n```\n- b\n```\n\n```\n- c\n```\n"},
		"windows":       {"## Facts\r\n\r\n<<<<<<< x\r\n- b\r\n=======\r\n- c\r\n>>>>>>> y\r\n", "## Facts\r\n\r\n- b\r\n- c\r\n"},
		"a setext line": {"Title\n=======\n\n## Facts\n\n- b\n", "Title\n=======\n\n## Facts\n\n- b\n"},
		"told of":       {"## Facts\n\n- b\n\n```\n<<<<<<< x\n1\n=======\n2\n>>>>>>> y\n```\n", "## Facts\n\n- b\n\n```\n<<<<<<< x\n1\n=======\n2\n>>>>>>> y\n```\n"},
		"half":          {"## Facts\n\n- b\n<<<<<<< x\n- c\n", "## Facts\n\n- b\n<<<<<<< x\n- c\n"},
	} {
		d := parseDocument([]byte(c.text), DefaultLayout())
		if got := string(joinText(d)); got != c.want {
			t.Errorf("%s: %q\nwant %q", name, got, c.want)
		}
	}
}

// FuzzJoined brings any two files together: no line of either side is lost, and the
// result is joined as it is.
func FuzzJoined(f *testing.F) {
	f.Add("## Facts\n\n- a\n<<<<<<< x\n- b\n=======\n- c\n>>>>>>> y\n", `{"id":"1","section":"facts","content":"a","state":"active"}`)
	f.Add("<<<<<<< x\n## Facts\n- a\n||||||| z\n=======\n## Facts\n- a\n  b\n>>>>>>> y\nmore\n", "<<<<<<< x\n{\"format\":\"recollect/memory/1\"}\n=======\n{}\n>>>>>>> y\n")
	s := newPlace(f).store(StoreOptions{})
	f.Fuzz(func(t *testing.T, markdown, items string) {
		d := onDisk{pair: pair{markdown: []byte(markdown), items: []byte(items)}, edited: t0}
		st := s.state("main", d)
		if !st.merged() || len(st.memory.Items) > 500 {
			return
		}
		joined := string(joinText(st.doc))
		marks := hunksIn(st.doc)
		for i, l := range st.doc.lines {
			hidden := false
			for _, h := range marks {
				hidden = hidden || i >= h.Base && i <= h.Middle
			}
			text := strings.TrimSpace(l.text)
			if text != "" && text != noEntries && !hidden && kindless(l.text) && !stampLine.MatchString(l.text) && !generated.MatchString(l.text) && !strings.Contains(joined, text) {
				t.Fatalf("%q is gone from %q", text, joined)
			}
		}
		next, now, err := s.asOne("main", d, st)
		if err != nil {
			return
		}
		ids := map[string]bool{}
		for _, it := range next.memory.Items {
			if ids[it.ID] {
				t.Fatalf("%s is there twice", it.ID)
			}
			ids[it.ID] = true
		}
		for _, it := range st.lines.items {
			if !ids[it.ID] {
				t.Fatalf("item %s is gone", it.ID)
			}
		}
		if again := s.state("main", now); !again.merged() && again.lines.header.Markdown != digest(now.markdown) {
			t.Fatal("what is written is not what its lines say")
		}
	})
}

func kindless(line string) bool { return !unmerged.Mark([]byte(line)) }

func TestConflictsOfBothSides(t *testing.T) {
	t.Parallel()
	at := func(h int) *time.Time { u := t0.Add(time.Duration(h) * time.Hour); return &u }
	open := func(id string) ConflictRecord { return ConflictRecord{ID: id, CreatedAt: t0, Status: Unresolved} }
	closed := func(id string, h int, d Decision) ConflictRecord {
		return ConflictRecord{ID: id, CreatedAt: t0, Status: AcceptedNewer, Resolution: Resolution{Decision: d, ResolvedAt: at(h)}}
	}
	ours := []ConflictRecord{open("a"), closed("b", 1, KeepOlder), closed("c", 5, KeepBoth)}
	theirs := []ConflictRecord{closed("a", 1, KeepNewer), closed("b", 2, KeepNewer), closed("c", 2, KeepNewer), open("d")}
	for range 2 {
		var got []string
		for _, r := range bothRecords(ours, theirs) {
			got = append(got, r.ID+" "+string(r.Resolution.Decision))
		}
		if want := []string{"a newer", "b newer", "c both", "d "}; !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
		ours, theirs = theirs, ours
	}
}

func TestInboxOfBothSides(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := Inboxes{Dir: At(in(dir, dir))}
	side := func(ids ...string) string {
		b := Inbox{Branch: "main"}
		for _, id := range ids {
			b.Waiting = append(b.Waiting, Waiting{Item: item(id, "facts", "It says "+id), Since: t0})
		}
		data, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	f := x.file("main")
	put(t, f.path(), "<<<<<<< HEAD\n"+side("a", "b")+"=======\n"+side("b", "c")+">>>>>>> other\n")
	b, rev, err := x.Load("main")
	if err != nil || len(b.Waiting) != 3 {
		t.Fatalf("%+v %v", b.Waiting, err)
	}
	if err := x.Save(b, rev); err != nil {
		t.Fatal(err)
	}
	if text := read(t, f.path()); strings.Contains(text, "<<<<<<<") {
		t.Error(text)
	}
}
