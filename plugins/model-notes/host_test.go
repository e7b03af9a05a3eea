package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

var update = flag.Bool("update", false, "write what is found into the golden files")

// scripted is a host whose model answers from a script: a reply, or a refusal.
type scripted struct {
	guest.Fake
	script func(n int, p guest.CompleteParams) (string, *guest.Error) // n counts from 0
	budget *guest.Error                                               // what llm.budget answers
	local  bool                                                       // the model is on this machine
	asked  []guest.CompleteParams
}

func (s *scripted) Answer(r hostapi.Request) hostapi.Answer {
	switch r.Method {
	case hostapi.MethodLLMBudget:
		if s.budget != nil {
			return hostapi.Answer{Error: s.budget}
		}
		if s.local {
			return hostapi.Answer{Result: json.RawMessage(`{"calls":100,"tokens":1000000,"local":true}`)}
		}
	case hostapi.MethodLLMComplete:
		var p guest.CompleteParams
		if err := json.Unmarshal(r.Params, &p); err != nil {
			return hostapi.Answer{Error: &guest.Error{Code: hostapi.CodeInvalid, Message: err.Error()}}
		}
		s.asked = append(s.asked, p)
		text, refused := s.script(len(s.asked)-1, p)
		if refused != nil {
			return hostapi.Answer{Error: refused}
		}
		data, err := json.Marshal(hostapi.CompleteResult{Text: text})
		if err != nil {
			panic(err)
		}
		return hostapi.Answer{Result: data}
	}
	return s.Fake.Answer(r)
}

// always answers the same, whatever is asked.
func always(reply string) func(int, guest.CompleteParams) (string, *guest.Error) {
	return func(int, guest.CompleteParams) (string, *guest.Error) { return reply, nil }
}

// replies answers one after the other, the last one for ever.
func replies(texts ...string) func(int, guest.CompleteParams) (string, *guest.Error) {
	return func(n int, _ guest.CompleteParams) (string, *guest.Error) { return texts[min(n, len(texts)-1)], nil }
}

func notes() []guest.Section {
	return []guest.Section{
		{ID: "facts", Heading: "Facts", Guidance: "Technical facts and constraints", Order: 1},
		{ID: "architectural-decisions", Heading: "Architectural Decisions", Guidance: "Design choices", Order: 2},
		{ID: "conventions", Heading: "Conventions", Guidance: "Coding standards", Order: 3},
		{ID: "bug-patterns", Heading: "Bug Patterns", Guidance: "Recurring issues", Order: 4},
	}
}

// turns makes turns of texts: user, assistant, user, assistant.
func turns(texts ...string) []guest.Turn {
	var out []guest.Turn
	for i, text := range texts {
		role := guest.RoleAssistant
		if i%2 == 0 {
			role = guest.RoleUser
			out = append(out, guest.Turn{ID: fmt.Sprintf("t-%d", i/2+1), Session: "s", New: true})
		}
		last := &out[len(out)-1]
		last.Messages = append(last.Messages, guest.Message{ID: fmt.Sprintf("r-%d", i+1), Role: role, Text: text})
	}
	return out
}

// extracted calls the export as the host would.
func extracted(t testing.TB, s *scripted) ([]guest.Item, error) {
	t.Helper()
	defer guest.SetHost(s)()
	data, err := guest.Invoke(rcExtract, guest.ExtractRequest{
		Project: hostapi.Project{Name: "parcels"}, Branch: "main", Sections: notes(),
		Limits: hostapi.Limits{MaxItems: 200, MaxItemRunes: 600}, NewTurns: len(s.Turns), AllTurns: len(s.Turns),
	})
	if err != nil {
		return nil, err
	}
	var r guest.ExtractResult
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	checkItems(t, s.Turns, r.Items)
	return r.Items, nil
}

// checkItems says what every result must keep to, whatever the model said.
func checkItems(t testing.TB, turns []guest.Turn, items []guest.Item) {
	t.Helper()
	shown := map[string]bool{}
	for _, turn := range turns {
		for _, m := range turn.Messages {
			shown[m.ID] = true
		}
	}
	sections := map[string]bool{}
	for _, s := range notes() {
		sections[s.ID] = true
	}
	seen := map[string]bool{}
	if len(items) > 200 {
		t.Fatalf("%d items", len(items))
	}
	for _, i := range items {
		k := i.Section + i.Content
		switch {
		case !utf8.ValidString(i.Content), strings.ContainsAny(i.Content, "\n\r\x00\x1b"), strings.Contains(i.Content, "<!--"), strings.TrimSpace(i.Content) == "":
			t.Fatalf("not one line of text: %q", i.Content)
		case utf8.RuneCountInString(i.Content) > maxRunes:
			t.Fatalf("too long: %q", i.Content)
		case !(i.Confidence >= 0 && i.Confidence <= 1):
			t.Fatalf("confidence %v", i.Confidence)
		case !sections[i.Section]:
			t.Fatalf("section %q", i.Section)
		case len(i.Evidence) == 0:
			t.Fatalf("no evidence for %q", i.Content)
		case seen[k]:
			t.Fatalf("twice: %q", i.Content)
		}
		seen[k] = true
		for _, e := range i.Evidence {
			if !shown[e] {
				t.Fatalf("evidence %q was not shown", e)
			}
		}
	}
}

func contents(items []guest.Item) string {
	var b strings.Builder
	for _, i := range items {
		fmt.Fprintf(&b, "%s: %s %v %v\n", i.Section, i.Content, i.Confidence, i.Evidence)
	}
	return b.String()
}

// golden compares with a file of testdata/golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s differs; with -update it is written anew. Got:\n%s", path, got)
	}
}
