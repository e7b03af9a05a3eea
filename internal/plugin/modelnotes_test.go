package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"recollect/hostapi"
	"recollect/internal/memorize"
	"recollect/internal/memory"
)

// modelNotes builds the built-in extractor that asks a model.
func modelNotes(t testing.TB) *Plugin {
	t.Helper()
	src := filepath.Join("..", "..", "plugins", "model-notes")
	out := filepath.Join(shared, "model-notes.wasm")
	if _, err := os.Stat(out); err != nil {
		cmd := exec.Command("go", "build", "-buildmode=c-shared", "-ldflags=-s -w", "-o", out, "./"+filepath.ToSlash(src))
		cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
		if msg, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, msg)
		}
	}
	wasm, err := os.ReadFile(out)
	must(t, err)
	data, err := os.ReadFile(filepath.Join(src, "plugin.json"))
	must(t, err)
	m, err := ParseManifest(data)
	must(t, err)
	m.ID = "org.example.model-notes" // its own is for what is built in
	return newBench(t, Limits{}).add(t, m, wasm)
}

func plenty(context.Context) (hostapi.BudgetResult, error) {
	return hostapi.BudgetResult{Calls: 50, Tokens: 1e6}, nil
}

// TestModelNotes extracts and evolves through the host with a scripted model.
func TestModelNotes(t *testing.T) {
	e := Extractor{Plugin: modelNotes(t), Setting: Setting{Budget: plenty}}
	var asked []hostapi.CompleteParams
	answer := func(text string, err error) {
		e.Setting.Complete = func(_ context.Context, p hostapi.CompleteParams) (hostapi.CompleteResult, error) {
			asked = append(asked, p)
			return hostapi.CompleteResult{Text: text}, err
		}
	}
	x := extraction("main", past{turn("0", "main", "old"), turn("1", "main", "The API listens on port 9090 now, not 8080.")})
	x.Sections = []memory.Section{{ID: "facts"}, {ID: "conventions"}}

	answer(`{"items":[{"evidence":["m1"],"section":"facts","content":"The API listens on port 9090","importance":3,"confidence":0.9}]}`, nil)
	items, err := founds(e.Extract(t.Context(), x))
	if err != nil || len(items) != 1 || items[0].Content != "The API listens on port 9090" || items[0].Origin.Records[0] != "m1" || items[0].Importance != 3 {
		t.Fatalf("%+v, %v", items, err)
	}
	if len(asked) != 1 || !strings.Contains(asked[0].Prompt, "not 8080") || strings.Contains(asked[0].Prompt, "old\n") || len(asked[0].Schema) == 0 {
		t.Errorf("asked %+v", asked)
	}

	answer(`{"changes":[{"action":"superseded","id":"a1","by":"n1","why":"the port changed"}]}`, nil)
	m := memory.Memory{Items: []memory.Item{{ID: "aaaaaaaaaaaa", Section: "facts", Content: "The API listens on port 8080", Confidence: 0.9, State: memory.Active}}}
	p, err := e.Evolve(t.Context(), memorize.Evolution{Branch: "main", Sections: x.Sections, Now: x.Now, Memory: m, Found: items})
	must(t, err)
	next, done, err := memory.Evolve(m, items, p, x.Now)
	if err != nil || len(done.Refused) != 0 || len(done.Changes) != 2 || len(next.Active()) != 1 || next.Active()[0].Content != items[0].Content {
		t.Errorf("%+v, %+v, %v", next.Items, done, err)
	}

	// What has no word in common is not replaced: a person decides.
	m.Items = append(m.Items, memory.Item{ID: "bbbbbbbbbbbb", Section: "facts", Content: "Requests come in by the proxy", Confidence: 0.9, State: memory.Active})
	answer(`{"changes":[{"action":"superseded","id":"a2","by":"n1","why":"there is no proxy"}]}`, nil)
	p, err = e.Evolve(t.Context(), memorize.Evolution{Branch: "main", Sections: x.Sections, Now: x.Now, Memory: m, Found: items})
	must(t, err)
	if next, done, err = memory.Evolve(m, items, p, x.Now); err != nil || len(next.Active()) != 2 || len(done.Conflicts) != 1 ||
		done.Conflicts[0].ID != "bbbbbbbbbbbb" || done.Conflicts[0].Found.Content != items[0].Content || done.Conflicts[0].Why != "there is no proxy" {
		t.Errorf("%+v, %+v, %v", next.Items, done, err)
	}

	answer("", &hostapi.Error{Code: hostapi.CodeBudget, Message: "the day's budget is used up"})
	_, err = e.Extract(t.Context(), x)
	var code *hostapi.Error
	if !errors.As(err, &code) || code.Code != hostapi.CodeBudget || !strings.Contains(err.Error(), "the day's budget is used up") {
		t.Errorf("%v", err)
	}
}

// BenchmarkModelNotes is what one request costs on our side: reading 20,000
// characters of turns, the prompt, and a reply with 20 items, from a model that
// takes no time; and what a call costs that ends because there is no model.
func BenchmarkModelNotes(b *testing.B) {
	p := modelNotes(b)
	must(b, p.Prepare(b.Context()))
	var reply strings.Builder
	for i := range 20 {
		fmt.Fprintf(&reply, `{"evidence":["m1","mb"],"section":"facts","content":"The API listens on port 90%d","importance":2,"confidence":0.9},`, 10+i)
	}
	text := `{"items":[` + strings.TrimSuffix(reply.String(), ",") + `]}`
	var h past
	for i := range 11 {
		h = append(h, turn(string(rune('a'+i)), "main", strings.Repeat("The API listens. ", 115)))
	}
	x := extraction("main", h)
	x.Sections, x.MaxItems = []memory.Section{{ID: "facts"}}, 200
	for _, run := range []struct {
		name    string
		setting Setting
		items   int
	}{
		{"no model", Setting{}, 0},
		{"request", Setting{Budget: plenty, Complete: func(context.Context, hostapi.CompleteParams) (hostapi.CompleteResult, error) {
			return hostapi.CompleteResult{Text: text}, nil
		}}, 20},
	} {
		b.Run(run.name, func(b *testing.B) {
			before := p.Metrics()
			for b.Loop() {
				items, err := founds(Extractor{Plugin: p, Setting: run.setting}.Extract(b.Context(), x))
				if len(items) != run.items || (err == nil) != (run.items > 0) {
					b.Fatal(len(items), err)
				}
			}
			after := p.Metrics()
			calls := float64(after.Calls - before.Calls)
			b.ReportMetric((after.Guest-before.Guest).Seconds()*1000/calls, "guest-ms/op")
			b.ReportMetric(float64(after.Fuel-before.Fuel)/1e6/calls, "Mfuel/op")
		})
	}
}
