package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/internal/config"
	"recollect/internal/tokens"
)

// modelServer is a server on this machine that lists models. Asked, it answers as a
// careful reader does in number and length: a note for every 1,400 tokens, with words
// that were said. It gives the kinds of requests that it was sent.
func modelServer(t testing.TB, models ...string) (address string, asked func() (extract, tidy int)) {
	var mu sync.Mutex
	var extract, tidy int
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/models") {
			list := []map[string]string{}
			for _, m := range models {
				list = append(list, map[string]string{"id": m})
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": list})
			return
		}
		mu.Lock()
		defer mu.Unlock()
		reply, in := `{"changes":[]}`, 0
		prompt := promptOf(r, &in)
		if tidy++; strings.Contains(prompt, " m1 ") {
			tidy, extract = tidy-1, extract+1
			reply = noted(prompt, max(1, (in-1750)/1400))
		}
		w.Header().Set("Content-Type", "text/event-stream")
		content, _ := json.Marshal(reply)
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":\"stop\"}]}\n\n", content)
		fmt.Fprintf(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":%d}}\n\ndata: [DONE]\n\n", in, tokens.Count(reply))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", func() (int, int) {
		mu.Lock()
		defer mu.Unlock()
		return extract, tidy
	}
}

// promptOf is the text of a request, whose tokens are added to in with the schema's.
func promptOf(r *http.Request, in *int) string {
	var body struct {
		Messages []struct{ Content string }
		Format   json.RawMessage `json:"response_format"`
	}
	data, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(data, &body) != nil {
		return ""
	}
	text := ""
	for _, m := range body.Messages {
		text += m.Content + "\n"
	}
	*in = tokens.Count(text) + tokens.Count(string(body.Format))
	return text
}

// noted gives n notes with sentences from all over what was said.
func noted(prompt string, n int) string {
	type item struct {
		Evidence   []string `json:"evidence"`
		Section    string   `json:"section"`
		Content    string   `json:"content"`
		Importance int      `json:"importance"`
		Confidence float64  `json:"confidence"`
	}
	var all []item
	handle := ""
	for line := range strings.Lines(prompt) {
		line = strings.TrimSpace(line)
		if f := strings.Fields(line); len(f) > 3 && f[0] == "===" && f[len(f)-1] == "===" {
			if handle = f[2]; handle[0] != 'm' {
				handle = "" // a list of notes
			}
			continue
		}
		for sentence := range strings.SplitSeq(line, ". ") {
			if size := len([]rune(sentence)); handle != "" && size > 40 && size < 260 && !strings.HasSuffix(sentence, "?") {
				all = append(all, item{[]string{handle}, "facts", sentence, 2, 0.9})
			}
		}
	}
	items := []item{}
	for i := range min(n, len(all)) {
		items = append(items, all[i*len(all)/min(n, len(all))])
	}
	out, _ := json.Marshal(map[string]any{"items": items})
	return string(out)
}

func waysOf(t *testing.T, e *Engine) map[string]ModelWay {
	t.Helper()
	w, err := e.ModelWays(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]ModelWay{}
	for _, way := range w.Ways {
		if out[way.Name] = way; way.Ready != (way.Missing == "") || way.Ready != (way.Found != "") {
			t.Errorf("%s: ready %v, found %q, missing %q", way.Name, way.Ready, way.Found, way.Missing)
		}
	}
	return out
}

func TestModelWays(t *testing.T) {
	t.Parallel()
	o := sample(t)
	address, asked := modelServer(t, "nomic-embed-text", "bad name;", "small:4b")
	o.LocalServers = []string{"http://127.0.0.1:1/v1", address}
	env := o.Getenv
	o.Getenv = func(name string) string {
		if name == "ANTHROPIC_API_KEY" {
			return "sk-ant-test-0123456789"
		}
		return env(name)
	}
	mine := filepath.Dir(openEngine(t, o).dirs.Data)
	before := files(t, o.Dir)
	e := openEngine(t, o)
	ways := waysOf(t, e)
	if extract, tidy := asked(); extract+tidy != 0 {
		t.Error("a model was asked")
	}
	if after := files(t, o.Dir); !maps.Equal(before, after) {
		t.Error("something was written into the project")
	}
	if _, err := os.Stat(filepath.Join(mine, "data", "llm", "ledger")); err == nil {
		t.Error("something was written into the ledger")
	}
	if w := ways[config.Anthropic]; !w.Ready || w.Sessions == 0 || w.Requests == 0 || w.Sampled || !w.Priced || w.Subscription || w.Days != 1 ||
		w.Money != w.InputTokens*1+w.OutputTokens*5 || w.Model == "" {
		t.Errorf("%+v", w)
	}
	if w, a := ways[config.ClaudeCLI], ways[config.Anthropic]; !w.Subscription || w.InputTokens != a.InputTokens || w.Requests != a.Requests {
		t.Errorf("%+v", w)
	}
	if w := ways[config.OpenAI]; w.Ready || !strings.Contains(w.Missing, "auth set openai") {
		t.Errorf("%+v", w)
	}
	if w := ways[LocalModel]; !w.Ready || w.Address != address || w.Model != "small:4b" || !slices.Equal(w.Models, []string{"small:4b"}) || w.Money != 0 || w.Requests == 0 {
		t.Errorf("%+v", w)
	}
	if w := ways[Offline]; !w.Ready || w.Sessions == 0 || w.Requests != 0 || w.Money != 0 || w.Days != 0 {
		t.Errorf("%+v", w)
	}
}

// The figures are of what the model has not read; a budget of nothing has no days.
func TestModelWaysCountWhatIsNew(t *testing.T) {
	t.Parallel()
	o := sample(t)
	o.LocalServers = []string{}
	e := openEngine(t, o)
	all := waysOf(t, e)[config.Anthropic]
	address, requests := modelServer(t, "m")
	for name, value := range map[string]string{"model.provider": `"openai"`, "model.base_url": `"` + address + `"`, "model.name": `"m"`, "budget.day_dollars": "0"} {
		if _, err := e.SetSetting(t.Context(), name, json.RawMessage(value), config.User); err != nil {
			t.Fatal(err)
		}
	}
	if w := waysOf(t, e)[config.Anthropic]; w.Days != 0 || w.Money != all.Money {
		t.Errorf("without a budget: %+v", w)
	}
	if _, err := e.SetSetting(t.Context(), "budget.day_dollars", json.RawMessage("1"), config.User); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Memorize(t.Context(), MemorizeOptions{All: true, Extractors: []string{"model-notes"}}); err != nil {
		t.Fatal(err)
	}
	extract, tidy := requests()
	u, err := e.Usage(t.Context(), "", "", false)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("reckoned %+v; made %d + %d, %d tokens in, %d out", all.Reckoned, extract, tidy, u.Total.InputTokens, u.Total.OutputTokens)
	if made := float64(u.Total.InputTokens); all.Requests != extract+tidy || float64(all.InputTokens) < made*0.9 || float64(all.InputTokens) > made*1.1 {
		t.Errorf("reckoned %+v; %d + %d requests were made with %.0f tokens", all.Reckoned, extract, tidy, made)
	}
	if w := waysOf(t, e)[config.Anthropic]; w.Sessions != 0 || w.Requests != 0 || w.Money != 0 {
		t.Errorf("when all is read: %+v", w)
	}
}

// A sample stands for the rest, and is drawn alike each time.
func TestReckonFromASample(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e := openEngine(t, o)
	h, err := e.openHistory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	pieces, err := e.unreadByModel(h)
	if err != nil {
		t.Fatal(err)
	}
	_, all, err := e.reckonIn(t.Context(), h, pieces, 1000, time.Hour)
	if err != nil || all.Sampled || all.Requests == 0 {
		t.Fatalf("%+v, %v", all, err)
	}
	_, one, err := e.reckonIn(t.Context(), h, pieces, 1, time.Hour)
	if err != nil || !one.Sampled || one.Sessions != all.Sessions || one.Requests == 0 || one.InputTokens < all.InputTokens/4 || one.InputTokens > all.InputTokens*4 {
		t.Errorf("%+v of %+v, %v", one, all, err)
	}
	if _, _, err := e.reckonIn(t.Context(), h, pieces, 1, 0); !errors.Is(err, errTooSlow) || Explain(err).Exit != ExitFailed {
		t.Errorf("without any time: %v", err)
	}
	if _, again, err := e.reckonIn(t.Context(), h, pieces, 1, time.Hour); err != nil || again != one {
		t.Errorf("again %+v, first %+v, %v", again, one, err)
	}
}

// A desk reckons a history once, whatever is chosen meanwhile, and again when more
// was said.
func TestADeskReckonsOnce(t *testing.T) {
	t.Parallel()
	o := sample(t)
	o.LocalServers = []string{}
	d := NewDesk(DeskOptions{Engine: o})
	defer d.Close()
	at := func() (w ModelWays, kept reckoning) {
		w, err := Ask(d, o.Dir, func(e *Engine) (ModelWays, error) {
			w, err := e.ModelWays(t.Context())
			kept = e.options.reckonings.by[e.project.Root]
			return w, err
		})
		if err != nil {
			t.Fatal(err)
		}
		return w, kept
	}
	first, kept := at()
	if kept.remote.Requests == 0 || kept.remote != first.Ways[0].Reckoned {
		t.Fatalf("%+v, kept %+v", first.Ways[0], kept)
	}
	if err := d.Use(o.Dir, func(e *Engine) error {
		_, err := e.ChooseModel(t.Context(), ModelChoice{Way: config.Anthropic})
		e.options.reckonings.put(e.project.Root, reckoning{kept.of, Reckoned{}, Reckoned{Sessions: 77}})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if again, _ := at(); again.Ways[0].Sessions != 77 || again.Current != config.Anthropic {
		t.Errorf("it was reckoned anew: %+v", again)
	}
	onBranch(t, o, "other")
	if more, _ := at(); more.Ways[0].Sessions == 77 {
		t.Error("it was not reckoned anew when the history was another")
	}
}

func TestChooseModel(t *testing.T) {
	t.Parallel()
	o := sample(t)
	address, asked := modelServer(t, "small:4b")
	o.LocalServers = []string{address}
	e := openEngine(t, o)
	if e.ModelChosen() {
		t.Error("nothing was chosen yet")
	}
	if _, err := e.SetSetting(t.Context(), "extractors", json.RawMessage(`["dev.recollect.offline","org.example.own"]`), config.User); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		choose ModelChoice
		model  config.Model
		first  string
	}{
		{ModelChoice{Way: config.ClaudeCLI}, config.Model{Provider: config.ClaudeCLI}, config.ModelNotes},
		{ModelChoice{Way: config.ClaudeCLI, Model: "sonnet"}, config.Model{Provider: config.ClaudeCLI, Name: "sonnet"}, config.ModelNotes},
		{ModelChoice{Way: config.ClaudeCLI}, config.Model{Provider: config.ClaudeCLI, Name: "sonnet"}, config.ModelNotes},
		{ModelChoice{Way: LocalModel}, config.Model{Provider: config.OpenAI, Name: "small:4b", BaseURL: address}, config.ModelNotes},
		{ModelChoice{Way: config.OpenAI}, config.Model{Provider: config.OpenAI}, config.ModelNotes},
		{ModelChoice{Way: LocalModel, Model: "m", Address: "http://localhost:9/v1"}, config.Model{Provider: config.OpenAI, Name: "m", BaseURL: "http://localhost:9/v1"}, config.ModelNotes},
		{ModelChoice{Way: config.Anthropic}, config.Model{Provider: config.Anthropic}, config.ModelNotes},
		{ModelChoice{Way: Offline}, config.Model{Provider: config.NoProvider}, config.Offline},
	} {
		used, err := e.ChooseModel(t.Context(), step.choose)
		if err != nil || used.Way != step.choose.Way || len(used.Aside) != 0 || (used.Missing != "") != (step.choose.Way == config.OpenAI || step.choose.Way == config.Anthropic || step.choose.Way == config.ClaudeCLI && e.claudeWay().Missing != "") {
			t.Fatalf("%+v: %+v, %v", step.choose, used, err)
		}
		own, err := config.Load(e.dirs.File())
		if err != nil || own.Model != step.model || !slices.Equal(own.Extractors, []string{step.first, "org.example.own"}) {
			t.Errorf("%+v: %+v, %v, %v", step.choose, own.Model, own.Extractors, err)
		}
		if e.modelWay() != step.choose.Way || !e.ModelChosen() {
			t.Errorf("%+v is not the way of the settings, %q is", step.choose, e.modelWay())
		}
	}
	if extract, tidy := asked(); extract+tidy != 0 {
		t.Error("a model was asked")
	}
	if _, err := os.Stat(filepath.Join(o.Dir, ".recollect")); err == nil {
		t.Error("the choice was put into the project")
	}
	if _, err := e.ChooseModel(t.Context(), ModelChoice{Way: config.Anthropic}); err != nil {
		t.Fatal(err)
	}
	for way, want := range map[ModelChoice]string{
		{Way: "gpt"}: "usage",
		{Way: LocalModel, Model: "m", Address: "http://192.0.2.1/v1"}: "settings",
		{Way: LocalModel, Address: "http://127.0.0.1:1/v1"}:           "no_model",
		{Way: config.ClaudeCLI, Model: "bad name;"}:                   "settings",
		{Way: LocalModel, Model: "m", Address: "http://127.0.0.1/?q"}: "settings",
	} {
		if _, err := e.ChooseModel(t.Context(), way); err == nil || Explain(err).Code != want || e.modelWay() != config.Anthropic {
			t.Errorf("%+v: %v", way, err)
		}
	}
}
