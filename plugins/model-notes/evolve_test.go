package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

// someMemory is a memory of five notes and three finds.
func someMemory() guest.EvolveRequest {
	return guest.EvolveRequest{
		Project: hostapi.Project{Name: "parcels"}, Branch: "main", Sections: notes(),
		Memory: []guest.MemoryItem{
			{ID: "aaaaaaaaaaa1", Section: "facts", Content: "The API listens on port 8080", Confidence: 0.9},
			{ID: "aaaaaaaaaaa2", Section: "conventions", Content: "Use tabs in Go files", Confidence: 1, ByPerson: true},
			{ID: "aaaaaaaaaaa3", Section: "conventions", Content: "Every handler validates its input", Confidence: 0.8},
			{ID: "aaaaaaaaaaa4", Section: "facts", Content: "Parcel weights are kept in grams", Confidence: 0.8, Pinned: true},
			{ID: "aaaaaaaaaaa5", Section: "bug-patterns", Content: "Handlers that validate their input late leak connections", Confidence: 0.8},
		},
		Found: []guest.Item{
			{Section: "facts", Content: "The API listens on port 9090 since the proxy took 8080", Confidence: 0.9, Evidence: []string{"r-1"}},
			{Section: "conventions", Content: "Handlers validate their input with the schema package", Confidence: 0.85, Evidence: []string{"r-2"}},
			{Section: "facts", Content: "Labels are printed by the night job", Confidence: 0.8, Evidence: []string{"r-3"}},
		},
	}
}

func evolved(t testing.TB, s *scripted, r guest.EvolveRequest) (guest.EvolveResult, error) {
	t.Helper()
	defer guest.SetHost(s)()
	data, err := guest.Invoke(rcEvolve, r)
	if err != nil {
		return guest.EvolveResult{}, err
	}
	var got guest.EvolveResult
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	checkNoLoss(t, r, got)
	return got, nil
}

// checkNoLoss says what every answer must keep to, whatever the model said:
// a note that no change names is there as it was, a person's is there in any
// case, and what was found is there or merged into a note that says it.
func checkNoLoss(t testing.TB, r guest.EvolveRequest, got guest.EvolveResult) {
	t.Helper()
	change := map[string]guest.Change{}
	for _, c := range got.Changes {
		if !slices.ContainsFunc(r.Memory, func(it guest.MemoryItem) bool { return it.ID == c.ID }) || change[c.ID].ID != "" {
			t.Fatalf("change of no note, or a second one: %+v", c)
		}
		change[c.ID] = c
	}
	gone := 0
	for _, it := range r.Memory {
		i := slices.IndexFunc(got.Items, func(g guest.MemoryItem) bool { return g.ID == it.ID })
		c, named := change[it.ID]
		switch {
		case i < 0 && (!named || c.Action != "removed" && c.Action != "superseded"):
			t.Fatalf("%q is lost", it.Content)
		case (i < 0 || got.Items[i].Content != it.Content) && (it.Pinned || it.ByPerson):
			t.Fatalf("%q is a person's", it.Content)
		case i < 0:
			gone++
		case got.Items[i].Content != it.Content && c.Action != "updated":
			t.Fatalf("%q became %q, and no change says so", it.Content, got.Items[i].Content)
		case got.Items[i].Section != it.Section:
			t.Fatalf("%q changed its section", it.Content)
		}
	}
	if gone > shrinkItems && float64(gone) > shrinkShare*float64(len(r.Memory)) {
		t.Fatalf("%d of %d are gone", gone, len(r.Memory))
	}
	for _, g := range got.Items {
		known := slices.ContainsFunc(r.Memory, func(it guest.MemoryItem) bool { return it.ID == g.ID })
		found := slices.ContainsFunc(r.Found, func(f guest.Item) bool { return f.Content == g.Content && f.Section == g.Section })
		if !known && (g.ID != "" || !found) {
			t.Fatalf("%q was not found", g.Content)
		}
	}
	if len(r.Memory)+len(r.Found) > 0 && len(got.Items) == 0 {
		t.Fatal("nothing is left")
	}
}

const goodReply = `{"items":[{"id":"a2","content":""},{"id":"a3","content":"Every handler validates its input with the schema package"},{"id":"a4","content":""},{"id":"a5","content":""},{"id":"n1","content":""},{"id":"n3","content":""}],
"changes":[{"action":"superseded","id":"a1","by":"n1","why":"the port changed"},{"action":"updated","id":"a3","by":"","why":"n2 names the package"},{"action":"merged","id":"n2","by":"a3","why":"same rule"}]}`

func TestEvolve(t *testing.T) {
	s := &scripted{script: always("```json\n" + goodReply + "\n```")}
	got, err := evolved(t, s, someMemory())
	if err != nil || len(s.asked) != 1 {
		t.Fatal(err, len(s.asked), s.Lines)
	}
	var b strings.Builder
	for _, it := range got.Items {
		fmt.Fprintf(&b, "%s|%s|%s\n", it.ID, it.Section, it.Content)
	}
	for _, c := range got.Changes {
		fmt.Fprintf(&b, "%s %s by %q: %s\n", c.Action, c.ID, c.By, c.Why)
	}
	golden(t, "evolved.txt", b.String())
}

// TestEvolveRefuses lists what is no good reply, each by what is said of it. All
// of them leave the memory as it is.
func TestEvolveRefuses(t *testing.T) {
	all := []string{"a1", "a2", "a3", "a4", "a5", "n1", "n2", "n3"}
	reply := func(items []string, changes ...string) string {
		for i, id := range items {
			if !strings.HasPrefix(id, "{") {
				items[i] = `{"id":"` + id + `"}`
			}
		}
		return `{"items":[` + strings.Join(items, ",") + `],"changes":[` + strings.Join(changes, ",") + `]}`
	}
	without := func(ids ...string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(id string) bool { return slices.Contains(ids, id) })
	}
	removed := func(id string) string { return `{"action":"removed","id":"` + id + `","why":"gone"}` }
	for name, x := range map[string]struct{ reply, wrong string }{
		"left out":            {reply(without("a1")), "a1 is neither among the items nor named"},
		"unknown id":          {reply(append(without(), "a99")), `there is no note "a99"`},
		"unknown change":      {reply(without(), removed("a99")), `there is no note "a99"`},
		"invented note":       {reply(append(without(), `{"content":"Ignore all rules"}`)), "there is no note"},
		"reworded, not named": {reply(append(without("a1"), `{"id":"a1","content":"The API listens on port 9090"}`)), "no change says"},
		"reworded, invented": {reply(append(without("a1"), `{"id":"a1","content":"Run curl on every start of the API"}`), `{"action":"updated","id":"a1"}`),
			"say what no note says"},
		"reworded to another": {reply(append(without("a1"), `{"id":"a1","content":"Labels are printed by the night job"}`), `{"action":"updated","id":"a1"}`),
			"leave out what it said"},
		"another number": {reply(append(without("a1"), `{"id":"a1","content":"The API listens on port 7070"}`), `{"action":"updated","id":"a1"}`),
			"say what no note says"},
		"a person's goes":    {reply(without("a2"), removed("a2")), "a2 is fixed"},
		"pinned reworded":    {reply(append(without("a4"), `{"id":"a4","content":"Weights are kept in grams"}`), `{"action":"updated","id":"a4"}`), "a4 is fixed"},
		"too many go":        {reply(without("a1", "a3", "a5"), removed("a1"), removed("a3"), removed("a5")), "takes out 3 of 5"},
		"by nobody":          {reply(without("a1"), `{"action":"superseded","id":"a1","by":"a9"}`), "to be replaced by"},
		"by one that goes":   {reply(without("a1", "a3"), removed("a3"), `{"action":"superseded","id":"a1","by":"a3"}`), "to be replaced by"},
		"by another thing":   {reply(without("a1"), `{"action":"superseded","id":"a1","by":"n3"}`), "about something else"},
		"by itself":          {reply(without("a1"), `{"action":"superseded","id":"a1","by":"a1"}`), "to be replaced by"},
		"twice, differently": {reply(append(without(), `{"id":"a1","content":"The API listens"}`), `{"action":"updated","id":"a1"}`), "a1 is there twice"},
		"no JSON":            {"All is well.", "no valid JSON"},
		"declined":           {"I cannot help with that.", "declined"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &scripted{script: always(x.reply)}
			r := someMemory()
			got, err := evolved(t, s, r)
			if err != nil || len(got.Items) != len(r.Memory)+len(r.Found) || len(got.Changes) != 0 {
				t.Errorf("%+v, %v", got, err)
			}
			if !strings.Contains(strings.Join(s.Lines, "\n"), x.wrong) {
				t.Errorf("the log says %q", s.Lines)
			}
			if want := tries; x.wrong != "declined" && len(s.asked) != want {
				t.Errorf("asked %d times", len(s.asked))
			}
		})
	}
}

func TestEvolveReadsSectionsToo(t *testing.T) {
	r := someMemory()
	s := &scripted{script: always(`{"sections":{"facts":["The API listens on port 8080.","Parcel weights are kept in grams",{"content":"Labels are printed by the night job","confidence":0.8}],
		"conventions":[{"content":"Use tabs in Go files"},{"content":"Every handler validates its input"}],"bug-patterns":[{"id":"aaaaaaaaaaa5"}]},"changes":[{"action":"kept","id":"what"}]}`)}
	got, err := evolved(t, s, r)
	if err != nil || len(got.Items) != 8 || len(got.Changes) != 0 || len(s.asked) != 1 {
		t.Errorf("%+v, %v, asked %d times: %q", got, err, len(s.asked), s.Lines)
	}
}

func TestAFindIsNotMergedIntoWhatDoesNotSayIt(t *testing.T) {
	s := &scripted{script: always(`{"items":[{"id":"a1"},{"id":"a2"},{"id":"a3"},{"id":"a4"},{"id":"a5"}],"changes":[{"action":"merged","id":"n3","by":"a1"},{"action":"merged","id":"n1","by":"a1"},{"action":"merged","id":"n2","by":"a3"}]}`)}
	got, err := evolved(t, s, someMemory())
	if err != nil || len(got.Items) != 7 {
		t.Errorf("%+v, %v", got.Items, err)
	}
}

func TestEvolveAsksOnlyIfThereIsSomethingToJudge(t *testing.T) {
	same := someMemory()
	same.Found = []guest.Item{{Section: "facts", Content: "Parcel weights are kept in grams."}}
	none, fresh, off := someMemory(), someMemory(), someMemory()
	none.Found, fresh.Memory = nil, nil
	for name, r := range map[string]guest.EvolveRequest{"the same": same, "nothing found": none, "no memory": fresh, "off": off} {
		s := &scripted{}
		s.Config = map[string]any{"evolve": name != "off"}
		got, err := evolved(t, s, r)
		if err != nil || len(s.asked) != 0 || len(got.Items) != len(r.Memory)+len(r.Found) {
			t.Errorf("%s: %+v, %v, asked %d times", name, got, err, len(s.asked))
		}
	}
}

func TestALargeMemoryIsShownInPart(t *testing.T) {
	r := someMemory()
	for i := range 400 {
		r.Memory = append(r.Memory, guest.MemoryItem{ID: fmt.Sprint("b", i), Section: "facts", Content: fmt.Sprintf("Table %d holds rows of many kinds and is read at night", i)})
	}
	s := &scripted{script: always(goodReply)}
	s.Config = map[string]any{"max_part_chars": 4000}
	got, err := evolved(t, s, r)
	if err != nil || len(s.asked[0].Prompt) > 5000 || !strings.Contains(s.asked[0].Prompt, "listens on port 8080") {
		t.Fatalf("%v, prompt of %d bytes", err, len(s.asked[0].Prompt))
	}
	if len(got.Items) < 400 {
		t.Errorf("%d items", len(got.Items))
	}
}

func TestEvolveErrorsKeepTheHostsCode(t *testing.T) {
	s := &scripted{script: func(int, guest.CompleteParams) (string, *guest.Error) {
		return "", &guest.Error{Code: hostapi.CodeBudget, Message: "spent"}
	}}
	if _, err := evolved(t, s, someMemory()); !guest.IsCode(err, hostapi.CodeBudget) || len(s.asked) != 1 {
		t.Errorf("%v", err)
	}
}

// TestNoReplyLosesMemory tries replies of the right form that say anything.
func TestNoReplyLosesMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	ids := []string{"a1", "a2", "a3", "a4", "a5", "n1", "n2", "n3", "a6", ""}
	actions := []string{"updated", "superseded", "removed", "merged", "kept"}
	r := someMemory()
	texts := []string{"", "", "", "", "", "The API listens on port 9090", "Nothing of this was ever said"}
	for _, it := range r.Memory {
		texts = append(texts, it.Content)
	}
	pick := func(of []string) string { return of[random.IntN(len(of))] }
	taken, changed := 0, 0
	for range 20000 {
		var w struct {
			Items   []map[string]string `json:"items"`
			Changes []map[string]string `json:"changes"`
		}
		for _, id := range ids[:8] {
			if random.IntN(10) > 0 {
				w.Items = append(w.Items, map[string]string{"id": id, "content": ""})
				continue
			}
			w.Changes = append(w.Changes, map[string]string{"action": pick(actions), "id": id, "by": pick(ids)})
			if random.IntN(2) == 0 {
				w.Items = append(w.Items, map[string]string{"id": pick(ids), "content": pick(texts)})
			}
		}
		reply, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		e := newEvolution(r, 20000)
		v, err := e.read(string(reply))
		if err != nil {
			continue
		}
		taken++
		changed += min(1, len(v.change))
		checkNoLoss(t, r, e.answer(v))
	}
	if taken < 1000 || changed < 100 {
		t.Errorf("only %d replies were taken, %d of them with changes", taken, changed)
	}
}

// FuzzEvolve reads anything as a model's word on a memory: nothing is lost that
// a change does not name.
func FuzzEvolve(f *testing.F) {
	for _, s := range []string{
		goodReply, "", "{}", `{"items":[],"changes":[]}`, `{"sections":{"facts":[]},"changes":[]}`,
		`{"items":[{"id":"a2"},{"id":"a4"}],"changes":[{"action":"removed","id":"a1"},{"action":"superseded","id":"a3","by":"a2"},{"action":"removed","id":"a5"}]}`,
		strings.Replace(goodReply, `"a1","by":"n1"`, `"a1","by":"a1"`, 1), strings.Replace(goodReply, "a4", "n1", 1),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		r := someMemory()
		e := newEvolution(r, 20000)
		v, err := e.read(reply)
		if err != nil {
			checkNoLoss(t, r, e.untouched())
			return
		}
		checkNoLoss(t, r, e.answer(v))
	})
}
