package plugin

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/hostapi"
	"recollect/internal/inject"
	"recollect/internal/memory"
)

func TestSchema(t *testing.T) {
	m := manifest("org.example.schema")
	m.Roles = []hostapi.Role{hostapi.RoleSchema, hostapi.RoleExtractor}
	s := Schema{Plugin: echo(t, m)}
	l, err := s.Layout(t.Context())
	if err != nil || l.Title != "Echo" || len(l.Sections) != 2 || l.Sections[0].ID != "a" {
		t.Fatalf("layout = %+v, %v", l, err)
	}
	items := []memory.Found{
		{Section: "a", Content: "good", Origin: memory.Origin{Session: "kept"}}, {Section: "b", Content: "bad"},
		{Section: "c", Content: "lost"}, {Section: "b", Content: "fine"},
	}
	good, bad, err := s.Check(t.Context(), l.Sections, items)
	if err != nil {
		t.Fatal(err)
	}
	if len(good) != 2 || good[0].Content != "GOOD" || good[0].Origin.Session != "kept" || good[1].Content != "FINE" {
		t.Errorf("good = %+v", good)
	}
	if len(bad) != 2 || bad[0].Item.Content != "lost" || bad[1].Reason != "it is bad" {
		t.Errorf("bad = %+v", bad)
	}
}

func TestStaticSchemaNeedsNoCode(t *testing.T) {
	m := manifest("org.example.static")
	m.Roles, m.Capabilities = []hostapi.Role{hostapi.RoleSchema}, nil
	m.Schema = &hostapi.SectionsResult{Subject: "branch", Title: "T", Sections: []hostapi.Section{{ID: "a", Heading: "A"}}}
	p := newBench(t, Limits{}).add(t, m, nil)
	if err := p.Prepare(t.Context()); err != nil {
		t.Error(err)
	}
	s := Schema{Plugin: p}
	l, err := s.Layout(t.Context())
	if err != nil || l.Title != "T" || len(l.Sections) != 1 {
		t.Errorf("layout = %+v, %v", l, err)
	}
	good, bad, err := s.Check(t.Context(), l.Sections, []memory.Found{{Section: "a"}, {Section: "b"}})
	if err != nil || len(good) != 1 || len(bad) != 1 {
		t.Errorf("check = %v, %v, %v", good, bad, err)
	}
	if _, err := p.Run(t.Context(), "render", []byte("{}"), Setting{}); !IsKind(err, KindUnsupported) {
		t.Errorf("render: %v", err)
	}
}

func TestListedSchemaChecksWithItsModule(t *testing.T) {
	m := manifest("org.example.listed")
	m.Roles, m.Capabilities = []hostapi.Role{hostapi.RoleSchema}, nil
	m.Schema = &hostapi.SectionsResult{Subject: "branch", Title: "T", Sections: []hostapi.Section{{ID: "a", Heading: "A"}}}
	s := Schema{Plugin: echo(t, m)}
	good, _, err := s.Check(t.Context(), []memory.Section{{ID: "a"}}, []memory.Found{{Section: "a", Content: "good"}})
	if err != nil || len(good) != 1 || good[0].Content != "GOOD" {
		t.Errorf("check = %+v, %v", good, err)
	}
}

func TestCheckMustAccountForEveryItem(t *testing.T) {
	items := []memory.Found{{Content: "a"}, {Content: "b"}}
	for _, r := range []hostapi.CheckResult{
		{}, {Items: make([]hostapi.Item, 1)}, {Items: make([]hostapi.Item, 3)},
		{Items: make([]hostapi.Item, 1), Rejects: []hostapi.Reject{{Index: 2}}},
		{Rejects: []hostapi.Reject{{Index: 0}, {Index: 0}}}, {Items: make([]hostapi.Item, 1), Rejects: []hostapi.Reject{{Index: -1}}},
	} {
		if _, _, err := checked(items, r); err == nil {
			t.Errorf("%+v was accepted", r)
		}
	}
}

func TestPolicy(t *testing.T) {
	m := manifest("org.example.policy")
	m.Roles = []hostapi.Role{hostapi.RolePolicy, hostapi.RoleExtractor}
	got, err := Policy{Plugin: echo(t, m)}.Select(t.Context(), inject.Selection{Target: "file", Items: []memory.Item{
		{ID: "1", State: memory.Active}, {ID: "2", State: memory.Superseded}, {ID: "3", State: memory.Active},
	}})
	want := inject.Ranking{
		Choices: []inject.Choice{{ID: "1", Why: "file"}, {ID: "3", Why: "file"}},
		Shares:  map[string]float64{"facts": 0.25}, Left: map[string]string{"4": "it is a line of its own"},
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
}

func TestPrepareChecksRoles(t *testing.T) {
	m := manifest("org.example.roles")
	m.Roles = []hostapi.Role{hostapi.RolePolicy}
	p := newBench(t, Limits{}).add(t, m, tiny{}.build())
	if err := p.Prepare(t.Context()); !IsKind(err, KindInvalid) || !strings.Contains(err.Error(), "rc_select") {
		t.Errorf("error = %v", err)
	}
}

// Whether an item is only suggested is the extractor's word: it reaches the host
// and the schema, and no schema changes it.
func TestSuggestionsCross(t *testing.T) {
	t.Parallel()
	got := found("org.example.x", []hostapi.Item{{Section: "facts", Content: "a"}, {Section: "facts", Content: "b", Suggestion: true}})
	if got[0].Suggestion || !got[1].Suggestion {
		t.Fatalf("%+v", got)
	}
	asked := checkRequest(nil, got).Items
	if asked[0].Suggestion || !asked[1].Suggestion {
		t.Fatalf("%+v", asked)
	}
	asked[0].Suggestion, asked[1].Suggestion = true, false
	good, _, err := checked(got, hostapi.CheckResult{Items: asked})
	if err != nil || good[0].Suggestion || !good[1].Suggestion {
		t.Fatalf("%+v, %v", good, err)
	}
}
