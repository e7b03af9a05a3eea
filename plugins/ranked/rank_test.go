package main

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

// selected calls the export as the host would.
func selected(t *testing.T, config any, items ...guest.MemoryItem) []guest.Selected {
	t.Helper()
	defer guest.SetHost(&guest.Fake{Config: config})()
	data, err := guest.Invoke(rcSelect, guest.SelectRequest{Items: items, Budget: 1000, Target: "file"})
	if err != nil {
		t.Fatal(err)
	}
	var r guest.SelectResult
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r.Selected
}

func ids(list []guest.Selected) string {
	var out []string
	for _, s := range list {
		out = append(out, s.ID)
	}
	return strings.Join(out, " ")
}

func TestSelect(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 5, n, 0, 0, 0, 0, time.UTC) }
	item := func(id, section string, confidence float64, seen int, updated int) guest.MemoryItem {
		return guest.MemoryItem{ID: id, Section: section, Confidence: confidence, Seen: seen, Updated: day(updated)}
	}
	pinned := func(it guest.MemoryItem) guest.MemoryItem { it.Pinned = true; return it }
	person := func(it guest.MemoryItem) guest.MemoryItem { it.ByPerson = true; return it }
	important := func(it guest.MemoryItem, n int) guest.MemoryItem { it.Importance = n; return it }
	said := func(it guest.MemoryItem, n int) guest.MemoryItem { it.Said = day(n); return it }
	for _, x := range []struct {
		name   string
		config any
		items  []guest.MemoryItem
		want   string
	}{
		{"nothing", nil, nil, ""},
		{"sections in order", nil, []guest.MemoryItem{
			item("f", "facts", 1, 1, 1), item("b", "bug-patterns", 1, 1, 1), item("a", "architectural-decisions", 1, 1, 1), item("c", "conventions", 0.1, 1, 1),
		}, "c a b f"},
		{"most important first", nil, []guest.MemoryItem{important(item("x", "conventions", 0.9, 9, 9), 1), item("y", "conventions", 0.6, 1, 1), important(item("z", "conventions", 0.5, 1, 1), 3)}, "z y x"},
		{"a person's own before what is important", nil, []guest.MemoryItem{important(item("x", "conventions", 0.9, 1, 1), 3), person(item("y", "conventions", 0.3, 1, 1))}, "y x"},
		{"surest first", nil, []guest.MemoryItem{item("x", "conventions", 0.5, 9, 9), item("y", "conventions", 0.9, 1, 1)}, "y x"},
		{"then most often found", nil, []guest.MemoryItem{item("x", "conventions", 0.5, 1, 9), item("y", "conventions", 0.5, 2, 1)}, "y x"},
		{"then last said, whenever it was read", nil, []guest.MemoryItem{said(item("x", "conventions", 0.5, 1, 9), 1), item("y", "conventions", 0.5, 1, 9), said(item("z", "conventions", 0.5, 1, 8), 2)}, "z x y"},
		{"then latest", nil, []guest.MemoryItem{item("x", "conventions", 0.5, 1, 1), item("y", "conventions", 0.5, 1, 2)}, "y x"},
		{"then as they stand", nil, []guest.MemoryItem{item("x", "conventions", 0.5, 1, 1), item("y", "conventions", 0.5, 1, 1)}, "x y"},
		{"a person's word is sure", nil, []guest.MemoryItem{item("x", "conventions", 0.9, 1, 1), person(item("y", "conventions", 0.2, 1, 1))}, "y x"},
		{"pinned before all, of any section", nil, []guest.MemoryItem{
			item("c", "conventions", 1, 1, 1), pinned(item("f", "facts", 0.1, 1, 1)), pinned(item("b", "bug-patterns", 0.1, 1, 1)),
		}, "b f c"},
		{"configured sections", map[string]any{"sections": []string{"facts", "conventions"}}, []guest.MemoryItem{
			item("c", "conventions", 1, 1, 1), item("b", "bug-patterns", 1, 1, 1), item("f", "facts", 0.1, 1, 1),
		}, "f c"},
		{"no sections", map[string]any{"sections": []string{}}, []guest.MemoryItem{item("c", "conventions", 1, 1, 1)}, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := ids(selected(t, x.config, x.items...)); got != x.want {
				t.Errorf("got %q, want %q", got, x.want)
			}
		})
	}
}

// Whatever the order of the items, the same are selected in the same order, if no two
// are as good.
func TestOrderOfItemsDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sections := []string{"conventions", "architectural-decisions", "bug-patterns", "facts", "glossary"}
	for range 50 {
		var items []guest.MemoryItem
		for i := range 30 {
			items = append(items, guest.MemoryItem{
				ID: strconv.Itoa(i), Section: sections[r.IntN(len(sections))], Confidence: float64(r.IntN(4)) / 4, Pinned: r.IntN(9) == 0,
				ByPerson: r.IntN(9) == 0, Seen: 1 + r.IntN(2), Updated: time.Date(2026, 5, 1, i, 0, 0, 0, time.UTC),
			})
		}
		c := config{Sections: sections[:4], LeastConfidence: 0.5}
		want := rank(items, c)
		if len(want.Selected)+len(want.Left) != len(items) {
			t.Fatalf("%d selected and %d left of %d", len(want.Selected), len(want.Left), len(items))
		}
		r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		if got := rank(items, c); ids(got.Selected) != ids(want.Selected) {
			t.Fatalf("got %s, want %s", ids(got.Selected), ids(want.Selected))
		}
	}
}

func TestLeft(t *testing.T) {
	got := rank([]guest.MemoryItem{
		{ID: "weak", Section: "facts", Confidence: 0.4}, {ID: "just", Section: "facts", Confidence: 0.5}, {ID: "mine", Section: "facts", ByPerson: true},
		{ID: "pinned", Section: "other", Pinned: true}, {ID: "other", Section: "other", Confidence: 1},
	}, config{Sections: []string{"facts"}, LeastConfidence: 0.5})
	want := []guest.Selected{{ID: "weak", Why: "its confidence is below 0.5"}, {ID: "other", Why: "its section is not asked for"}}
	if !slices.Equal(got.Left, want) || ids(got.Selected) != "pinned mine just" {
		t.Errorf("selected %s, left %v", ids(got.Selected), got.Left)
	}
}

func TestShares(t *testing.T) {
	want := map[string]float64{"a": 0.4, "b": 0.3, "c": 0.2, "d": 0.1}
	if got := shares([]string{"a", "b", "c", "d"}); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := shares([]string{"a"}); got["a"] != 1 {
		t.Errorf("one section: %v", got)
	}
	if got := shares(nil); len(got) != 0 {
		t.Errorf("no section: %v", got)
	}
}

func TestWhy(t *testing.T) {
	got := selected(t, nil,
		guest.MemoryItem{ID: "a", Section: "conventions", Confidence: 0.875, Seen: 3},
		guest.MemoryItem{ID: "b", Section: "facts", Pinned: true, ByPerson: true, Seen: 1})
	want := []string{"pinned, facts, written by a person", "conventions, confidence 0.88, found 3 times"}
	for i, w := range want {
		if got[i].Why != w {
			t.Errorf("why %q, want %q", got[i].Why, w)
		}
	}
}

func TestManifestDefaultIsTheCodes(t *testing.T) {
	data, err := os.ReadFile("plugin.json")
	if err != nil {
		t.Fatal(err)
	}
	var m hostapi.Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties struct {
			Sections struct {
				Default []string `json:"default"`
			} `json:"sections"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(m.Config, &schema); err != nil {
		t.Fatal(err)
	}
	var items []guest.MemoryItem
	for _, s := range slices.Backward(schema.Properties.Sections.Default) {
		items = append(items, guest.MemoryItem{ID: s, Section: s})
	}
	if got := ids(selected(t, nil, items...)); got != strings.Join(schema.Properties.Sections.Default, " ") {
		t.Errorf("without a configuration: %q; the manifest's default is %v", got, schema.Properties.Sections.Default)
	}
}
