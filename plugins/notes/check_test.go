package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

var sections = []guest.Section{{ID: "facts"}, {ID: "conventions"}}

// checked calls the export as the host would.
func checked(t testing.TB, items ...guest.Item) guest.CheckResult {
	t.Helper()
	data, err := guest.Invoke(rcCheck, guest.CheckRequest{Sections: sections, Items: items})
	if err != nil {
		t.Fatal(err)
	}
	var r guest.CheckResult
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestNormalise(t *testing.T) {
	for _, x := range []struct{ name, in, want string }{
		{"as it is", "Prices are stored in cents", "Prices are stored in cents"},
		{"whitespace", "  Prices\tare \n stored  in cents ", "Prices are stored in cents"},
		{"one sentence has no full stop", "Prices are stored in cents.", "Prices are stored in cents"},
		{"several have one", "Prices are cents. Taxes are basis points", "Prices are cents. Taxes are basis points."},
		{"an abbreviation keeps its stop", "Ports are fixed for staging, QA etc.", "Ports are fixed for staging, QA etc."},
		{"an ellipsis stays", "Each plug-in follows the pattern...", "Each plug-in follows the pattern..."},
		{"other stops stay", "必须使用 pnpm。", "必须使用 pnpm。"},
		{"bullet", "- use tabs", "use tabs"},
		{"bullet in a bullet", "* 2. use tabs", "use tabs"},
		{"heading", "## Use tabs", "Use tabs"},
		{"issue number", "#12 is the tracking issue", "#12 is the tracking issue"},
		{"bold", "**Use tabs.**", "Use tabs"},
		{"bold inside stays", "**Use** tabs, **not** spaces", "**Use** tabs, **not** spaces"},
		{"quoted", `"Use tabs"`, "Use tabs"},
		{"code stays", "Run `make fmt` first", "Run `make fmt` first"},
		{"a secret in a sentence", "Staging needs the token [redacted] in its header", "Staging needs the token [redacted] in its header"},
		{"lines of a list", "- use tabs\n- never spaces", "use tabs never spaces"},
		{"broken UTF-8", "Use \xfftabs", "Use \uFFFDtabs"},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := checked(t, guest.Item{Section: "facts", Content: x.in, Confidence: 0.5})
			if len(r.Items) != 1 || r.Items[0].Content != x.want {
				t.Fatalf("got %+v, want %q", r, x.want)
			}
			again := checked(t, r.Items[0])
			if len(again.Items) != 1 || again.Items[0].Content != x.want {
				t.Errorf("a second check gives %+v", again)
			}
		})
	}
}

func TestReject(t *testing.T) {
	for _, x := range []struct {
		item guest.Item
		want string
	}{
		{guest.Item{Section: "facts", Content: ""}, "empty"},
		{guest.Item{Section: "facts", Content: " - \n * \n"}, "empty"},
		{guest.Item{Section: "facts", Content: "…!"}, "empty"},
		{guest.Item{Section: "facts", Content: strings.Repeat("a", 501)}, "longer than 500"},
		{guest.Item{Section: "poems", Content: "roses are red"}, `no section "poems"`},
		{guest.Item{Section: "facts", Content: "Should prices be cents?"}, "question"},
		{guest.Item{Section: "facts", Content: "价格用分吗？"}, "question"},
		{guest.Item{Section: "facts", Content: "```go\nfunc f() {}\n```"}, "code block"},
		{guest.Item{Section: "facts", Content: "a\nb\nc\nd\ne"}, "more than four lines"},
		{guest.Item{Section: "facts", Content: "[redacted]"}, "only a secret"},
		{guest.Item{Section: "facts", Content: "api token: [REDACTED:github]"}, "only a secret"},
		{guest.Item{Section: "facts", Content: "prices are cents", Confidence: 7}, "confidence"},
		{guest.Item{Section: "facts", Content: "prices are cents", Confidence: -0.1}, "confidence"},
	} {
		r := checked(t, x.item)
		if len(r.Items) != 0 || len(r.Rejects) != 1 || !strings.Contains(r.Rejects[0].Reason, x.want) {
			t.Errorf("%+v gives %+v, want a reject with %q", x.item, r, x.want)
		}
	}
}

func TestRepeatedItem(t *testing.T) {
	r := checked(t,
		guest.Item{Section: "facts", Content: "Prices are cents.", Confidence: 0.5, Evidence: []string{"a"}},
		guest.Item{Section: "conventions", Content: "prices are cents", Confidence: 0.5},
		guest.Item{Section: "facts", Content: "prices are **cents**", Confidence: 0.9, Evidence: []string{"b", "a"}, Rationale: "said twice"},
	)
	if len(r.Items) != 2 || len(r.Rejects) != 1 || r.Rejects[0].Index != 2 {
		t.Fatalf("got %+v", r)
	}
	it := r.Items[0]
	if it.Confidence != 0.9 || !slices.Equal(it.Evidence, []string{"a", "b"}) || it.Rationale != "said twice" {
		t.Errorf("the first does not know what the repetition said: %+v", it)
	}
}

func TestManifest(t *testing.T) {
	data, err := os.ReadFile("plugin.json")
	if err != nil {
		t.Fatal(err)
	}
	var m hostapi.Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if m.Schema == nil || m.Schema.Subject != "branch" || m.Schema.Title != "Branch Memory" {
		t.Fatalf("schema %+v", m.Schema)
	}
	var got []string
	for i, s := range m.Schema.Sections {
		got = append(got, s.ID+"="+s.Heading)
		if s.Order != i+1 || s.Guidance == "" {
			t.Errorf("section %+v at %d", s, i)
		}
	}
	want := []string{"facts=Facts", "architectural-decisions=Architectural Decisions", "conventions=Conventions", "bug-patterns=Bug Patterns"}
	if !slices.Equal(got, want) {
		t.Errorf("sections %v, want %v", got, want)
	}
}

// FuzzNormalise: one valid line within the bound, and the same the second time.
func FuzzNormalise(f *testing.F) {
	for _, s := range []string{"", "- a", "**a**", "1. 2. # a.", "[redacted]", "a. B. c?", "…", "\xff\n> \n-", "\"a\"", "* *a*", "__a__."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once, reason := normalise(s)
		if reason != "" {
			return
		}
		if !utf8.ValidString(once) || strings.ContainsAny(once, "\n\r\x00") || utf8.RuneCountInString(once) > maxRunes {
			t.Fatalf("%q gives %q", s, once)
		}
		if twice, reason := normalise(once); reason != "" || twice != once {
			t.Fatalf("%q gives %q, and that %q (%s)", s, once, twice, reason)
		}
	})
}
