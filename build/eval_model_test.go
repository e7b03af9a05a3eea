package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPickTakesOneOfEachProjectInTurn(t *testing.T) {
	t.Parallel()
	all := []goldSession{{"dev", "a", "a1", "", ""}, {"dev", "a", "a2", "", ""}, {"dev", "a", "a3", "", ""}, {"more", "b", "b1", "", ""}, {"more", "c", "c1", "", ""}, {"more", "c", "c2", "", ""}}
	names := func(o evalOptions) string {
		var out []string
		for _, s := range pick(slices.Clone(all), o) {
			out = append(out, s.name)
		}
		return strings.Join(out, " ")
	}
	for want, o := range map[string]evalOptions{
		"a1 b1 c1 a2 c2 a3": {}, "a1 b1 c1 a2": {sessions: 4}, "c1 c2": {project: "c"}, "": {project: "d"},
	} {
		if got := names(o); got != want {
			t.Errorf("%+v: %q, want %q", o, got, want)
		}
	}
}

// TestEvalModelAsksAndScores has the real program ask a model that the test plays,
// over a session and a gold of its own, and the scorer count.
func TestEvalModelAsksAndScores(t *testing.T) {
	if !installed("python3") {
		t.Skip("no python3 to run the scorer with")
	}
	tool, out := testTool(t, filepath.Dir(mustGetwd(t)))
	scorer := tool.shared("bench", "extraction", "eval_extraction.py")
	if !exists(scorer) || !exists(tool.path("plugins", "dist", "model-notes")) {
		t.Skip("the scorer is not at hand, or the plug-ins are not compiled")
	}
	dir := t.TempDir()
	e := &evaluation{tool: tool, program: filepath.Join(dir, programName("recollect")), project: filepath.Join(dir, "scratch"),
		golds: filepath.Join(dir, "gold"), found: filepath.Join(dir, "found"), left: 1_000_000}
	if err := tool.goRun(tool.root, nil, "build", "-o", e.program, "./cmd/recollect"); err != nil {
		t.Fatal(err)
	}
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost { // for its list of models
			http.NotFound(w, r)
			return
		}
		asked++
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Error(err)
		}
		reply(w, `{"items":[{"evidence":["m1"],"section":"conventions","content":"Amounts are integer cents in every table","importance":3,"confidence":0.95},`+
			`{"evidence":["m2"],"section":"facts","content":"The invoice is total and the tests are green","importance":1,"confidence":0.9}]}`)
	}))
	defer server.Close()
	settings := func(address string) string {
		return `{"version":1,"model":{"provider":"openai","name":"some-model","base_url":"` + address + `"}}`
	}
	put(t, dir, map[string]string{
		"home/config/config.json": settings(server.URL + "/v1"), "scratch/x": "", "found/x": "",
		"s1.jsonl": record("a", "user", "Amounts are integer cents in every table, never floats.") + record("b", "assistant", "The invoice total is fixed and the tests are green."),
		"gold/s1.gold.json": `{"items":[{"id":"s1-1","section":"conventions","statement":"Amounts are integer cents in every table","evidence":["a"],"importance":3},` +
			`{"id":"s1-2","section":"facts","statement":"Queues drain at night by a job of the depot","evidence":["a"],"importance":2}],"junk":[]}`,
	})
	t.Setenv("RECOLLECT_HOME", filepath.Join(dir, "home"))
	session := goldSession{"dev", "ours", "s1", filepath.Join(dir, "gold", "s1.gold.json"), filepath.Join(dir, "s1.jsonl")}

	if err := e.announce([]goldSession{session}, evalOptions{}); err != nil || asked != 0 {
		t.Fatal(asked, err)
	}
	done, err := e.ask([]goldSession{session})
	if err != nil || asked != 1 || len(done) != 1 || done[0].took != (spending{Calls: 1, In: 700, Out: 60}) {
		t.Fatalf("asked %d times: %+v, %v", asked, done, err)
	}
	scores, err := e.score(scorer)
	if want := (score{Gold: 2, Found: 2, Hits: 1, High: 1, HighHit: 1, Section: 1}); err != nil || scores["s1"] != want {
		t.Fatalf("%+v, %v", scores, err)
	}
	e.table(done, scores)
	for _, want := range []string{
		"some-model: about", "nothing to pay", "Nothing was asked. With -yes it is.", "1/1  s1: 1 requests, 700 tokens in, 60 out",
		"| dev/ours | 1 | 2 | 2 | 0.500 | 0.500 | 0.500 | 100 % | 0 of 2 | 100 % | 1 | 700 | 60 | $0.0000 | 700 | 60 | $0.0000 |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not said:\n%s", want, out)
		}
	}

	// Who stands in for a model is not scored as one.
	server.Close()
	if _, err := e.ask([]goldSession{session}); !errors.Is(err, errNotAsked) {
		t.Errorf("%v", err)
	}
	e.left = 0
	if done, err := e.ask([]goldSession{session}); len(done) != 0 || err != nil || !strings.Contains(out.String(), "The budget is spent") {
		t.Errorf("%+v, %v", done, err)
	}
}

func record(id, who, text string) string {
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"sessionId":"s1","cwd":"/home/dev/ours","gitBranch":"main","timestamp":"2026-11-20T09:00:00.000Z","message":{"role":%[1]q,"content":%[3]q}}`+"\n", who, id, text)
}

// reply answers a request for a chat as its vendor does.
func reply(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	for _, event := range []string{
		`{"choices":[{"index":0,"delta":{"role":"assistant","content":` + string(quoted) + `}}]}`,
		`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
		`{"choices":[],"usage":{"prompt_tokens":700,"completion_tokens":60}}`, `[DONE]`,
	} {
		fmt.Fprintf(w, "data: %s\n\n", event)
	}
}
