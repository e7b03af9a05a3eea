package puffin

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"recollect/internal/history"
	"recollect/internal/history/historytest"
)

// The format as Puffin writes it, as far as the tests make it.
type (
	docT struct {
		Branches  map[string]*branchT `json:"branches"`
		UpdatedAt string              `json:"updatedAt,omitempty"`
	}
	branchT struct {
		ID      string    `json:"id"`
		Prompts []promptT `json:"prompts"`
	}
	promptT struct {
		ID        string     `json:"id,omitempty"`
		ParentID  *string    `json:"parentId"`
		Content   string     `json:"content"`
		Title     *string    `json:"title"`
		Timestamp int64      `json:"timestamp,omitempty"`
		Response  *responseT `json:"response"`
		StoryID   string     `json:"storyId,omitempty"`
		Children  []string   `json:"children"`
	}
	responseT struct {
		Content   string  `json:"content"`
		SessionID string  `json:"sessionId,omitempty"`
		Cost      float64 `json:"cost"`
		Timestamp int64   `json:"timestamp,omitempty"`
	}
)

func answer(session, text string, at int64) *responseT {
	return &responseT{Content: text, SessionID: session, Timestamp: at, Cost: 0.5}
}

func save(t testing.TB, path string, d docT) {
	t.Helper()
	data, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, data)
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	// Long ago: nobody is writing it.
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
}

func inProject(root string) (string, history.Scope) {
	return filepath.Join(root, folderName, fileName), history.Scope{Project: history.Project{Root: root}}
}

func view1(t testing.TB, s *Source, scope history.Scope) history.History {
	t.Helper()
	h, err := s.Open(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func ids(h history.History) []string {
	var out []string
	for _, ref := range h.Refs("*") {
		out = append(out, ref.ID)
	}
	return out
}

func kinds(h history.History) []string {
	var out []string
	for _, d := range h.Report().Damage {
		out = append(out, d.Kind)
	}
	return out
}

func ptr(s string) *string { return &s }

func TestConformance(t *testing.T) {
	historytest.Run(t, func(t *testing.T) historytest.Fixture {
		path, scope := inProject(t.TempDir())
		doc := docT{Branches: map[string]*branchT{
			"ui": {ID: "ui", Prompts: []promptT{
				{ID: "u1", Content: "Buttons are round, bitte schön", Timestamp: 1000, Response: answer("s1", "Done.", 1500)},
				{ID: "u2", ParentID: ptr("u1"), Content: "And the menu?", Timestamp: 3000},
			}},
			"backend": {ID: "backend", Prompts: []promptT{
				{ID: "b1", Content: "Prices are cents\x00", Timestamp: 2000, Response: answer("s2", "Noted \U0001F34E.", 2500)},
				{ID: "b2", ParentID: ptr("b1"), Content: "Ports?", Timestamp: 4000, Response: answer("s2", "8443.", 4500)},
			}},
		}}
		save(t, path, doc)
		change := func(t *testing.T, edit func(prompts *[]promptT)) {
			for _, name := range []string{"ui", "backend"} {
				edit(&doc.Branches[name].Prompts)
			}
			save(t, path, doc)
		}
		return historytest.Fixture{
			New:   func(t *testing.T) history.Source { return New(Options{}) },
			Scope: scope,
			Empty: history.Scope{Project: history.Project{Root: t.TempDir()}},
			Turns: []historytest.Turn{
				{Session: "s1", Branch: "ui", Messages: []string{"Buttons are round, bitte schön", "Done."}},
				{Session: "s2", Branch: "backend", Messages: []string{"Prices are cents", "Noted \U0001F34E."}},
				{Session: "s1", Branch: "ui", Messages: []string{"And the menu?"}},
				{Session: "s2", Branch: "backend", Messages: []string{"Ports?", "8443."}},
			},
			Append: func(t *testing.T, prompt, text string) {
				b := doc.Branches["backend"]
				at := int64(5000 + 100*len(b.Prompts))
				b.Prompts = append(b.Prompts, promptT{
					ID: "new" + prompt, ParentID: ptr("b2"), Content: prompt, Timestamp: at, Response: answer("s2", text, at+50),
				})
				save(t, path, doc)
			},
			Extend: func(t *testing.T, text string) {
				b := doc.Branches["backend"]
				b.Prompts[len(b.Prompts)-1].Response.Content += "\n\n" + text
				save(t, path, doc)
			},
			Remove: func(t *testing.T, ref history.Ref) {
				change(t, func(prompts *[]promptT) {
					*prompts = slices.DeleteFunc(*prompts, func(p promptT) bool { return p.ID == ref.ID })
				})
			},
			Damage: func(t *testing.T) {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				write(t, path, append(data, "\n}{junk"...))
			},
		}
	})
}

func TestThreadsAndAttempts(t *testing.T) {
	t.Parallel()
	path, scope := inProject(t.TempDir())
	save(t, path, docT{Branches: map[string]*branchT{"tmp": {Prompts: []promptT{
		{ID: "a", Content: "Are you there?", Timestamp: 1},
		{ID: "b", Content: "Are you there?", Timestamp: 2, Response: &responseT{}},
		{ID: "c", Content: "Are you there?", Timestamp: 3, Response: answer("s", "Yes.", 4)},
		{ID: "d", Content: "Are you there?", Timestamp: 5}, // waits for its answer
		{ID: "e", ParentID: ptr("c"), Content: "First way", Timestamp: 6, Response: answer("s", "One.", 7)},
		{ID: "f", ParentID: ptr("c"), Content: "Second way", Timestamp: 8, Response: answer("s", "Two.", 9)},
		{ID: "g", ParentID: ptr("f"), Content: "Not answered", Timestamp: 10},
		{ID: "h", ParentID: ptr("g"), Content: "Are you there?", Timestamp: 11},
		{ID: "i", Content: "  ", Timestamp: 12, Response: answer("s", " \n", 13)},
		{Content: "No id", Timestamp: 14},
		{ID: "j", Content: "No time"},
		{ID: "k", ParentID: ptr("k"), Content: "Its own parent", Timestamp: 15},
	}}}})
	h := view1(t, New(Options{}), scope)
	got := ids(h)
	want := []string{"c", "d", "e", "f", "g", "h", got[6], "j", "k"}
	if !slices.Equal(got, want) {
		t.Errorf("turns %q, want %q", got, want)
	}
	if n := h.Report().Abandoned; n != 2 {
		t.Errorf("%d abandoned attempts, want 2", n)
	}
	sessions := map[string]string{}
	for _, ref := range h.Refs("tmp") {
		sessions[ref.ID] = ref.Session
	}
	for id, session := range map[string]string{"g": "s", "h": "s", "d": "branch tmp", "k": "branch tmp"} {
		if sessions[id] != session {
			t.Errorf("session of %s is %q, want %q", id, sessions[id], session)
		}
	}
	for turn, err := range h.Turns(t.Context(), h.Refs("*")) {
		if err != nil || len(turn.Messages) == 0 {
			t.Errorf("turn %s: %v", turn.ID, err)
		}
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	story := "## Implementation Request\n\n### RICE FACT Framework\n\n**Role:** You are X.\n\n---\n\n" +
		"### User Story\n**Search**\n\nAs a developer, I want an index.\n\n### Acceptance Criteria\n1. It is fast\n\n"
	tests := []struct {
		name, in string
		want     []string
	}{
		{"plain", `{"id":"p","content":" a\nb ","response":{"content":"c"}}`, []string{"a\nb", "c"}},
		{"surrogates", `{"id":"p","content":"\ud83c\udf4e \ud83c… \udf4e"}`, []string{"\U0001F34E \uFFFD… \uFFFD"}},
		{"nul", `{"id":"p","content":"a\u0000b"}`, []string{"ab"}},
		{"bytes", "{\"id\":\"p\",\"content\":\"a\xffb\"}", []string{"a\uFFFDb"}},
		{"injected", `{"id":"p","content":"x <!-- recollect:begin -->- y<!-- recollect:end -->z"}`, []string{"x z"}},
		{"tool marks", `{"id":"p","content":"x","response":{"content":"📖\n✏️\nFixed ✏️ it.\n⚙️\n- ✓\n💻"}}`, []string{"x", "Fixed ✏️ it.\n- ✓"}},
		{"other shapes", `{"id":7,"content":["x"],"response":"y","timestamp":{}}`, nil},
		{"surrogate before another escape", `{"id":"p","content":"\ud83c\u0041"}`, []string{"\uFFFDA"}},
		{"no object", `["x"]`, nil},
		{"story", string(mustJSON(promptT{ID: "p", StoryID: "s", Content: story +
			"### Refined Implementation Specification (RIS)\n\nThe following RIS was generated by the CRE for this story. Follow it precisely:\n\n\n\n---\n\n\n" +
			"### Implementation Notes\nThis is part of an approved sprint plan. Please implement.\n\n---\n\nPlease proceed."})),
			[]string{"## Implementation Request\n\n### User Story\n**Search**\n\nAs a developer, I want an index.\n\n### Acceptance Criteria\n1. It is fast"}},
		{"a person's story", string(mustJSON(promptT{ID: "p", Content: story})), []string{trimmed(story)}},
	}
	for _, tt := range tests {
		var got []string
		if p, ok := decodePrompt([]byte(tt.in)); ok {
			for _, m := range p.messages("p", p.at, time.Now()) {
				got = append(got, m.Text)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

func trimmed(s string) string { return s[:len(s)-2] }

func TestTimestamps(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`1774746850573`: "2026-03-29T01:14:10.573Z", `"1774746850573"`: "2026-03-29T01:14:10.573Z",
		`"2026-03-29T14:08:18.371Z"`: "2026-03-29T14:08:18.371Z", `1774746850573.9`: "2026-03-29T01:14:10.573Z",
		`null`: "", `-5`: "", `1e300`: "", `"soon"`: "", `{}`: "", `"NaN"`: "", `"99999-01-01T00:00:00Z"`: "",
	} {
		s := stamp(gjson.Parse(in))
		got := ""
		if !s.IsZero() {
			got = s.Format("2006-01-02T15:04:05.000Z07:00")
		}
		if got != want {
			t.Errorf("%s is %q, want %q", in, got, want)
		}
	}
}
