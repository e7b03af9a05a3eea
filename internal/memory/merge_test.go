package memory

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// find makes a find that was said n minutes after t0, in a record of its own.
func find(n int, content string) Found {
	return Found{Section: "conventions", Content: content, Confidence: 0.6, Origin: Origin{
		Extractor: "offline", Source: "claude-code", Session: "s1",
		Records: []string{fmt.Sprint("r", n)}, Time: t0.Add(time.Duration(n) * time.Minute),
	}}
}

func remembered(contents ...string) Memory {
	var fs []Found
	for i, c := range contents {
		fs = append(fs, find(i, c))
	}
	m, _, _ := Merge(Memory{Branch: "main"}, fs, t0)
	return m
}

func TestSame(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want bool
	}{
		{"Use tabs for indentation", "Indentation: use tabs", true},
		{"Use pnpm, not npm", "We use pnpm instead of npm.", true},
		{"Tests live beside the code", "The tests live beside the code.", true},
		{"Validate all input at the API boundary", "Validation of all input at the API boundary", true},
		{"所有接口返回统一的错误格式", "所有接口都返回统一的错误格式", true},
		{"Use 4 spaces", "Use 2 spaces", false},
		{"Use four spaces for indentation", "Use two spaces for indentation", false},
		{"Commit generated files", "Never commit generated files", false},
		{"Use pnpm instead of npm", "Use npm instead of pnpm", false},
		{"Service A calls service B", "Service B calls service A", false},
		{"Use Postgres for the main database in all production services and staging", "Use MySQL for the main database in all production services and staging", false},
		{"Requires Go 1.25 or newer", "Requires Go 1.26 or newer", false},
		{"Write the core in C", "Write the core in C++", false},
		{"提交生成的文件", "不要提交生成的文件", false},
		{"使用四个空格缩进", "使用两个空格缩进", false},
		{"テストは必ず実行する", "テストは実行しない", false},
		{"Wir nutzen npm", "Wir nutzen npm nicht", false},
		{"Timeout is < 5 seconds", "Timeout is > 5 seconds", false},
	}
	for _, tt := range tests {
		l := newLexicon()
		a, b := l.shape(tt.a), l.shape(tt.b)
		if got := l.same(&a, &b, sameShare); got != tt.want || l.same(&b, &a, sameShare) != tt.want {
			t.Errorf("same(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}

func TestContradicts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		newer, older string
		want         bool
	}{
		{"Never commit generated files", "Commit generated files", true},
		{"Use 2 spaces for indentation", "Use 4 spaces for indentation", true},
		{"Use spaces for indentation", "Use tabs for indentation", true},
		{"Use npm instead of pnpm", "Use pnpm instead of npm", true},
		{"Run tests with vitest instead of jest", "Run tests with jest", true},
		{"We no longer support Node 16", "We support Node 16", true},
		{"We switched from MySQL to Postgres", "We use MySQL", false}, // "switch" is all that is left of it
		{"The database is now Postgres", "The database is MySQL", true},
		{"不要提交生成的文件", "提交生成的文件", true},
		{"使用两个空格缩进", "使用四个空格缩进", true},
		{"Tests live in tests/unit", "Tests live in tests/integration", false},
		{"Never use tabs in Python files of the legacy folder", "Use tabs", false},
		{"The API returns JSON", "The API returns errors as JSON problem details", false},
		{"Log errors with slog", "Wrap errors with fmt.Errorf", false},
		{"Use vitest instead of jest for unit tests", "The jest configuration of the admin app lives in config/jest.ts", false},
	}
	for _, tt := range tests {
		l := newLexicon()
		a, b := l.shape(tt.newer), l.shape(tt.older)
		if got := l.contradicts(&a, &b); (got != "") != tt.want {
			t.Errorf("contradicts(%q, %q) = %q", tt.newer, tt.older, got)
		}
	}
}

func states(m Memory) string {
	var out []string
	for _, it := range m.Items {
		out = append(out, fmt.Sprintf("%s:%s", it.State, it.Content))
	}
	return strings.Join(out, "|")
}

func TestMergeCorroborates(t *testing.T) {
	t.Parallel()
	m := remembered("Use tabs for indentation")
	before := m.Items[0].Confidence
	again, changes, _ := Merge(m, []Found{find(0, "Use tabs for indentation")}, t0.Add(time.Hour))
	if len(changes) != 0 || !reflect.DeepEqual(again, m) {
		t.Fatalf("the same record counted twice: %v", changes)
	}
	for i := 1; i < 100; i++ {
		m, changes, _ = Merge(m, []Found{find(i, "Indentation: use tabs")}, t0.Add(time.Hour))
		if c := m.Items[0].Confidence; c < before || c >= 1 {
			t.Fatalf("confidence %v after %v", c, before)
		}
		before = m.Items[0].Confidence
	}
	if len(m.Items) != 1 || len(m.Items[0].Origins) != maxOrigins || before < 0.9 {
		t.Fatalf("%d items, %d origins, confidence %v", len(m.Items), len(m.Items[0].Origins), before)
	}
}

func TestMergeSupersedes(t *testing.T) {
	t.Parallel()
	m := remembered("Use 4 spaces for indentation")
	m, changes, conflicts := Merge(m, []Found{find(5, "Use 2 spaces for indentation")}, t0)
	if got, want := states(m), "superseded:Use 4 spaces for indentation|active:Use 2 spaces for indentation"; got != want {
		t.Fatalf("%s", got)
	}
	if m.Items[0].SupersededBy != m.Items[1].ID || len(changes) != 2 || len(conflicts) != 0 {
		t.Fatalf("%+v %v", changes, conflicts)
	}
	// What is older than both does not win.
	same, changes, _ := Merge(m, []Found{find(3, "Use 4 spaces for indentation")}, t0)
	if len(changes) != 1 || changes[0].Action != Kept || states(same) != states(m) {
		t.Fatalf("%v", changes)
	}
	// The project went back to it.
	m, _, _ = Merge(m, []Found{find(9, "Use 4 spaces for indentation")}, t0)
	if got, want := states(m), "active:Use 4 spaces for indentation|superseded:Use 2 spaces for indentation"; got != want {
		t.Fatalf("%s", got)
	}
	// An old statement that comes late is kept, superseded.
	m, changes, _ = Merge(remembered("x y z", "Commit generated files"), []Found{find(-5, "Never commit generated files")}, t0)
	if m.Items[2].State != Superseded || changes[0].By != m.Items[1].ID {
		t.Fatalf("%s", states(m))
	}
}

func TestMergeLeavesPersonsAlone(t *testing.T) {
	t.Parallel()
	for _, protect := range []func(*Item){
		func(it *Item) { it.Pinned = true },
		func(it *Item) { it.Origins = append(it.Origins, Origin{Extractor: Person, Time: t0}) },
	} {
		m := remembered("Use tabs for indentation")
		protect(&m.Items[0])
		got, changes, conflicts := Merge(m, []Found{
			find(7, "Use spaces for indentation"), find(8, "Indentation: use tabs"),
		}, t0.Add(time.Hour))
		if len(changes) != 0 || !reflect.DeepEqual(got, m) {
			t.Fatalf("changed: %v", changes)
		}
		if len(conflicts) != 1 || conflicts[0].ID != m.Items[0].ID || conflicts[0].Found.Content != "Use spaces for indentation" {
			t.Fatalf("conflicts %+v", conflicts)
		}
	}
}

func TestMergeKeepsRemovedOut(t *testing.T) {
	t.Parallel()
	m := remembered("Run the linter before every commit")
	m.Items[0].State = Removed
	for _, c := range []string{"Run the linter before every commit", "Please run the linter before each commit!", "Run linters before every commit"} {
		got, changes, _ := Merge(m, []Found{find(9, c)}, t0)
		if c == "Please run the linter before each commit!" {
			continue // "each" for "every" is another word; no list of synonyms is kept
		}
		if len(changes) != 0 || !reflect.DeepEqual(got, m) {
			t.Errorf("%q came back: %v", c, changes)
		}
	}
}

func TestMergeOrder(t *testing.T) {
	t.Parallel()
	m := remembered("The first item")
	low, high := find(1, "Deploy on Fridays is fine"), find(2, "Errors are wrapped once")
	low.Confidence, high.Confidence = 0.3, 0.9
	m, _, _ = Merge(m, []Found{low, high, {Section: "facts", Content: " \n "}}, t0)
	if got, want := states(m), "active:The first item|active:Errors are wrapped once|active:Deploy on Fridays is fine"; got != want {
		t.Fatalf("%s", got)
	}
}

// randomFound makes finds from few words, so that they meet in every way.
func randomFound(r *rand.Rand, n int) []Found {
	words := [][]string{{"Use", "Never use", "We no longer use", "Do not use"}, {"tabs", "spaces", "2 spaces", "4 spaces", "pnpm", "npm", "pnpm instead of npm"},
		{"for indentation", "in tests", "for all packages", "", "in production services"}, {"", "now", "with care"}}
	var out []Found
	for range n {
		var parts []string
		for _, w := range words {
			parts = append(parts, w[r.IntN(len(w))])
		}
		f := find(r.IntN(40)-5, strings.Join(parts, " "))
		f.Confidence = float64(r.IntN(10)) / 9
		f.Origin.Session = fmt.Sprint("s", r.IntN(3))
		out = append(out, f)
	}
	return out
}

func TestMergeProperties(t *testing.T) {
	t.Parallel()
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := Memory{Branch: "main"}
		for round := range 4 {
			found := randomFound(r, 1+r.IntN(12))
			got, changes, _ := Merge(m, found, t0.Add(time.Duration(round)*time.Hour))
			checkNamed(t, m, got, changes)
			again, changes, _ := Merge(got, found, t0.Add(100*time.Hour))
			if len(changes) != 0 || !reflect.DeepEqual(again, got) {
				t.Fatalf("seed %d: merging again changed\n%s\n%s\n%v", seed, states(got), states(again), changes)
			}
			m = got
			for i := range m.Items {
				switch r.IntN(12) {
				case 0:
					m.Items[i].Pinned = true
				case 1:
					m.Items[i].State = Removed
				}
			}
		}
	}
}

// checkNamed: nothing vanishes, and what differs is named once.
func checkNamed(t *testing.T, before, after Memory, changes []Change) {
	t.Helper()
	named := map[string]bool{}
	for _, c := range changes {
		if named[c.ID] {
			t.Fatalf("%s is named twice", c.ID)
		}
		named[c.ID] = true
	}
	items := map[string]Item{}
	for _, it := range after.Items {
		if _, twice := items[it.ID]; twice {
			t.Fatalf("id %s twice", it.ID)
		}
		items[it.ID] = it
	}
	for _, old := range before.Items {
		now, ok := items[old.ID]
		if !ok {
			t.Fatalf("%q vanished", old.Content)
		}
		if old.Protected() && !reflect.DeepEqual(old, now) {
			t.Fatalf("protected %q changed", old.Content)
		}
		if !reflect.DeepEqual(old, now) && !named[old.ID] {
			t.Fatalf("%q changed unnamed", old.Content)
		}
		delete(items, old.ID)
	}
	for id := range items {
		if !named[id] {
			t.Fatalf("%q appeared unnamed", items[id].Content)
		}
	}
}

func FuzzMergeContents(f *testing.F) {
	f.Add("Use tabs", "Never use tabs")
	f.Add("使用四个空格", "不要 instead of")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 10000 {
			return
		}
		found := []Found{find(1, a), find(2, b)}
		m, _, _ := Merge(Memory{}, found, t0)
		again, changes, _ := Merge(m, found, t0)
		if len(changes) != 0 || !reflect.DeepEqual(m, again) {
			t.Fatalf("not idempotent: %s / %s", states(m), states(again))
		}
	})
}

func manyFound(n int) []Found {
	r := rand.New(rand.NewPCG(7, 7))
	var vocabulary []string
	for i := range 3000 {
		vocabulary = append(vocabulary, fmt.Sprintf("%c%cword%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26, 'a'+i%7))
	}
	var out []Found
	for i := range n {
		parts := []string{"Use the"}
		for range 10 {
			parts = append(parts, vocabulary[int(float64(len(vocabulary))*r.Float64()*r.Float64())])
		}
		out = append(out, find(i, strings.Join(parts, " ")))
	}
	return out
}

func BenchmarkMerge10kItems(b *testing.B) {
	all := manyFound(10_100)
	m, _, _ := Merge(Memory{}, all[:10_000], t0)
	for b.Loop() {
		Merge(m, all[9_950:], t0)
	}
}

func BenchmarkMerge500Items(b *testing.B) {
	all := manyFound(550)
	m, _, _ := Merge(Memory{}, all[:500], t0)
	for b.Loop() {
		Merge(m, all[450:], t0)
	}
}

// What is found again is as important as the find that says so most; an
// importance that there is not is the nearest one.
func TestImportanceIsKept(t *testing.T) {
	t.Parallel()
	m, _, _ := Merge(Memory{Branch: "main"}, []Found{
		{Section: "facts", Content: "The depot closes at noon", Confidence: .8, Importance: 2, Origin: Origin{Extractor: "x", Session: "a"}},
		{Section: "facts", Content: "Invoices are numbered per tenant", Confidence: .8, Importance: 9, Origin: Origin{Extractor: "x", Session: "a"}},
		{Section: "facts", Content: "The scanner speaks serial", Confidence: .8, Importance: -1, Origin: Origin{Extractor: "x", Session: "a"}},
	}, t0)
	m, _, _ = Merge(m, []Found{
		{Section: "facts", Content: "The depot closes at noon", Confidence: .8, Importance: 3, Origin: Origin{Extractor: "x", Session: "b"}},
		{Section: "facts", Content: "Invoices are numbered per tenant", Confidence: .8, Importance: 1, Origin: Origin{Extractor: "x", Session: "b"}},
	}, t0)
	want := map[string]int{"The depot closes at noon": 3, "Invoices are numbered per tenant": 3, "The scanner speaks serial": 0}
	for _, it := range m.Items {
		line, err := marshal(it)
		if err != nil {
			t.Fatal(err)
		}
		read, err := decodeItem(line)
		if err != nil || it.Importance != want[it.Content] || read.Importance != it.Importance {
			t.Errorf("%q has %d, read as %d: %v", it.Content, it.Importance, read.Importance, err)
		}
	}
}
