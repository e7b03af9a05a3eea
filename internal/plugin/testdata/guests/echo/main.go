// Command echo is a well-behaved guest for the tests: it plays every role and
// tries every host method.
package main

import (
	"fmt"
	"strings"

	"recollect/hostapi/guest"
)

//go:wasmexport rc_extract
func extract(n int32) int64 { return guest.Extract(n, find) }

//go:wasmexport rc_sections
func sections(n int32) int64 { return guest.Sections(n, list) }

//go:wasmexport rc_check
func check(n int32) int64 { return guest.Check(n, normalise) }

//go:wasmexport rc_select
func choose(n int32) int64 { return guest.Select(n, pick) }

func main() {}

// calls counts the calls that this instance has seen: one.
var calls int

// find makes an item of every user message; the branch says what else to do.
func find(r guest.ExtractRequest) (guest.ExtractResult, error) {
	var got guest.ExtractResult
	calls++
	item := func(section, format string, args ...any) {
		got.Items = append(got.Items, guest.Item{Section: section, Content: fmt.Sprintf(format, args...), Confidence: 0.5})
	}
	switch do, arg, _ := strings.Cut(r.Branch, ":"); do {
	case "nothing":
		return got, nil
	case "fail":
		return got, fmt.Errorf("no luck with %s", arg)
	case "calls":
		item("calls", "%d", calls)
		return got, nil
	case "store":
		if err := guest.Store("k", arg); err != nil {
			return got, err
		}
	case "load":
		v, ok, err := guest.Load("k")
		item("value", "%s %t", v, ok)
		return got, err
	case "methods":
		try(item)
		return got, nil
	}
	for t, err := range guest.Turns(guest.TurnsParams{}) {
		if err != nil {
			return got, err
		}
		if t.Cut {
			whole, err := guest.WholeTurn(t.ID)
			if err != nil {
				return got, err
			}
			t = whole
		}
		for _, m := range t.Messages {
			if m.Role == guest.RoleUser {
				got.Items = append(got.Items, guest.Item{
					Section: "facts", Content: fmt.Sprintf("%t %d %.20s", t.New, len(m.Text), m.Text),
					Confidence: 0.5, Evidence: []string{m.ID},
				})
			}
		}
	}
	return got, nil
}

// try asks every method and notes what came of it.
func try(item func(section, format string, args ...any)) {
	branches, err := guest.Branches()
	item("history.branches", "%d %v", len(branches), err)
	sessions, err := guest.Sessions("")
	item("history.sessions", "%d %v", len(sessions), err)
	for _, s := range sessions {
		one, ok, err := guest.OneSession(s.Source, s.ID)
		item("one session", "%t %v %q %v; of all %d", ok, one.Files, one.Commit, err, len(s.Files))
	}
	_, ok, err := guest.OneSession("claude-code", "no such session")
	item("no session", "%t %v", ok, err)
	_, err = guest.Sessions("other")
	item("other branch", "%v", err)
	_, err = guest.WholeTurn("no such turn")
	item("history.turn", "%v", err)
	mem, err := guest.Memory(guest.MemoryGetParams{})
	item("memory.get", "%d %v", len(mem), err)
	_, err = guest.Complete(guest.CompleteParams{Purpose: "test", Prompt: "hello"})
	item("llm.complete", "%v", err)
	_, err = guest.Budget()
	item("llm.budget", "%v", err)
	item("storage.put", "%v", guest.Store("key", "value"))
	v, ok, err := guest.Load("key")
	item("storage.get", "%q %t %v", v, ok, err)
	keys, err := guest.Keys("k")
	item("storage.list", "%v %v", keys, err)
	item("storage.delete", "%v", guest.Delete("key"))
	item("long key", "%v", guest.Store(strings.Repeat("k", 257), ""))
	var config struct {
		Depth int `json:"depth"`
	}
	item("config.get", "%v %d", guest.Config(&config), config.Depth)
	f, err := guest.Features()
	item("host.features", "%s %s %d %v", f.ABI, f.Version, len(f.Methods), err)
	_, err = guest.Call[struct{}]("no.such", map[string]int{"grease": 1})
	item("no.such", "%v", err)
	guest.Info("tried")
}

func list(guest.SectionsRequest) (guest.SectionsResult, error) {
	return guest.SectionsResult{Subject: "branch", Title: "Echo", Sections: []guest.Section{
		{ID: "b", Heading: "B", Order: 2}, {ID: "a", Heading: "A", Order: 1},
	}}, nil
}

func normalise(r guest.CheckRequest) (guest.CheckResult, error) {
	var got guest.CheckResult
	for i, it := range r.Items {
		if strings.Contains(it.Content, "bad") {
			got.Rejects = append(got.Rejects, guest.Reject{Index: i, Reason: "it is bad"})
			continue
		}
		it.Content = strings.ToUpper(it.Content)
		got.Items = append(got.Items, it)
	}
	return got, nil
}

func pick(r guest.SelectRequest) (guest.SelectResult, error) {
	got := guest.SelectResult{
		Shares: map[string]float64{"facts": 0.25}, Left: []guest.Selected{{ID: "4", Why: "it is a\nline of its own"}},
	}
	for _, it := range r.Items {
		got.Selected = append(got.Selected, guest.Selected{ID: it.ID, Why: r.Target})
	}
	return got, nil
}
