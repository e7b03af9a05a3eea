package main

import (
	"encoding/json"
	"os"
	"slices"
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
	for _, x := range []struct {
		name   string
		config any
		items  []guest.MemoryItem
		want   string
	}{
		{"nothing", nil, nil, ""},
		{"sections in order, no facts", nil, []guest.MemoryItem{
			item("f", "facts", 1, 1, 1), item("b", "bug-patterns", 1, 1, 1), item("a", "architectural-decisions", 1, 1, 1), item("c", "conventions", 0.1, 1, 1),
		}, "c a b"},
		{"surest first", nil, []guest.MemoryItem{item("x", "conventions", 0.5, 9, 9), item("y", "conventions", 0.9, 1, 1)}, "y x"},
		{"then most often found", nil, []guest.MemoryItem{item("x", "conventions", 0.5, 1, 9), item("y", "conventions", 0.5, 2, 1)}, "y x"},
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
