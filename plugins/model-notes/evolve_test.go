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

const goodReply = `{"changes":[{"action":"superseded","id":"a1","by":"n1","content":"","why":"the port changed"},
{"action":"merged","id":"n2","by":"a3","content":"","why":"same rule"},
{"action":"updated","id":"a3","by":"","content":"Every handler validates its input with the schema package","why":"n2 names the package"}]}`

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

// TestEachChangeIsJudgedAlone lists what may not be, each by what the log says of
// it. None of them costs a good change that stands beside it, or another request.
func TestEachChangeIsJudgedAlone(t *testing.T) {
	change := func(action, id, by, content string) string {
		return fmt.Sprintf(`{"action":%q,"id":%q,"by":%q,"content":%q,"why":"so"}`, action, id, by, content)
	}
	const good = `{"action":"merged","id":"n2","by":"a3","content":"","why":"same rule"},{"action":"updated","id":"a3","by":"","content":"Every handler validates its input with the schema package","why":"more"}`
	for name, x := range map[string]struct{ change, why string }{
		"unknown id":          {change("removed", "a99", "", ""), "removed a99: there is no such note"},
		"no such change":      {change("deleted", "a1", "", ""), "there is no such change"},
		"reworded, invented":  {change("updated", "a1", "", "Run curl on every start of the API"), "say what no note says"},
		"reworded to another": {change("updated", "a1", "", "Labels are printed by the night job"), "leave out what it said"},
		"another number":      {change("updated", "a1", "", "The API listens on port 7070"), "say what no note says"},
		"no words":            {change("updated", "a1", "", " "), "no new words"},
		"a person's goes":     {change("removed", "a2", "", ""), "removed a2: it is fixed"},
		"pinned reworded":     {change("updated", "a4", "", "Weights are kept in grams"), "updated a4: it is fixed"},
		"by nobody":           {change("superseded", "a1", "a9", ""), "nothing takes its place"},
		"by itself":           {change("superseded", "a1", "a1", ""), "nothing takes its place"},
		"twice":               {change("removed", "a3", "", "") + "," + change("removed", "a3", "", ""), "it is changed already"},
		"not said by it":      {change("merged", "n3", "a1", ""), "the other one does not say it"},
		"another port":        {change("merged", "n1", "a1", ""), "the other one does not say it"},
		"a new one goes":      {change("removed", "n3", "", ""), "is merged or comes in"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &scripted{script: always(`{"changes":[` + x.change + `,` + good + `]}`)}
			got, err := evolved(t, s, someMemory())
			if err != nil || len(s.asked) != 1 || !strings.Contains(strings.Join(s.Lines, "\n"), x.why) {
				t.Errorf("%v, asked %d times, the log says %q", err, len(s.asked), s.Lines)
			}
			if name == "twice" {
				return
			}
			if len(got.Items) != 7 || len(got.Changes) != 1 || got.Changes[0].ID != "aaaaaaaaaaa3" || len(got.Warnings) != 0 {
				t.Errorf("%d items, changes %+v, warnings %q", len(got.Items), got.Changes, got.Warnings)
			}
		})
	}
}

// TestNotTooMuchGoesAtOnce: what is beyond the limit stays, and so does what
// would be replaced by something that goes.
func TestNotTooMuchGoesAtOnce(t *testing.T) {
	for reply, want := range map[string]int{
		`{"changes":[{"action":"removed","id":"a1"},{"action":"removed","id":"a3"},{"action":"removed","id":"a5"}]}`: 2,
		`{"changes":[{"action":"superseded","id":"a5","by":"a3"},{"action":"removed","id":"a3"}]}`:                   1,
		`{"changes":[{"action":"removed","id":"a3"},{"action":"superseded","id":"a5","by":"a3"}]}`:                   1,
		`{"changes":[{"action":"superseded","id":"a5","by":"a3"},{"action":"superseded","id":"a3","by":"a5"}]}`:      1,
		`{"changes":[{"action":"superseded","id":"a5","by":"n2"},{"action":"merged","id":"n2","by":"a3"}]}`:          1,
		`{"changes":[{"action":"superseded","id":"a3","by":"n2"},{"action":"superseded","id":"a5","by":"a3"}]}`:      2,
	} {
		r := someMemory()
		got, err := evolved(t, &scripted{script: always(reply)}, r)
		if n := len(r.Memory) + len(r.Found) - len(got.Items); err != nil || n != want {
			t.Errorf("%s: %d are gone, want %d; %v", reply, n, want, err)
		}
	}
}

func TestAReplyThatCannotBeReadChangesNothing(t *testing.T) {
	for reply, asked := range map[string]int{"All is well.": tries, "I cannot help with that.": 1, `{"items":[{"id":"a1"}]}`: tries} {
		s := &scripted{script: always(reply)}
		r := someMemory()
		got, err := evolved(t, s, r)
		if err != nil || len(got.Items) != len(r.Memory)+len(r.Found) || len(got.Changes) != 0 || len(got.Warnings) != 1 || len(s.asked) != asked {
			t.Errorf("%s: %+v, %v, asked %d times", reply, got, err, len(s.asked))
		}
	}
}

// TestADoubtfulReplacementIsAPersonsToDecide: without a word in common, or of what
// a person wrote, nothing is replaced.
func TestADoubtfulReplacementIsAPersonsToDecide(t *testing.T) {
	for id, by := range map[string]string{"a1": "n3", "a2": "n1"} {
		s := &scripted{script: always(`{"changes":[{"action":"superseded","id":"` + id + `","by":"` + by + `","why":"it is the newer word"}]}`)}
		r := someMemory()
		got, err := evolved(t, s, r)
		if err != nil || len(got.Items) != 8 || len(got.Changes) != 1 {
			t.Fatalf("%s: %d items, changes %+v, %v", id, len(got.Items), got.Changes, err)
		}
		if c := got.Changes[0]; c.Action != "kept" || c.Rival != r.Found[by[1]-'1'].Content || c.Why != "it is the newer word" {
			t.Errorf("%+v", c)
		}
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
	changed := 0
	for range 20000 {
		var w struct {
			Changes []map[string]string `json:"changes"`
		}
		for range random.IntN(6) {
			w.Changes = append(w.Changes, map[string]string{"action": pick(actions), "id": pick(ids), "by": pick(ids), "content": pick(texts)})
		}
		reply, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		e := newEvolution(r, 20000)
		e.ordered = random.IntN(2) == 0
		v, err := e.read(string(reply))
		if err != nil && len(w.Changes) > 0 {
			t.Fatal(err, string(reply))
		}
		if err == nil {
			changed += min(1, len(v.change))
			checkNoLoss(t, r, e.answer(v))
		}
	}
	if changed < 1000 {
		t.Errorf("only %d replies changed something", changed)
	}
}

// FuzzEvolve reads anything as a model's word on a memory: nothing is lost that
// a change does not name.
func FuzzEvolve(f *testing.F) {
	for _, s := range []string{
		goodReply, "", "{}", `{"items":[],"changes":[]}`, `{"changes":[{"action":"merged","id":"n1","by":"n2"},{"action":"merged","id":"n2","by":"n1"}]}`,
		`{"changes":[{"action":"removed","id":"a1"},{"action":"superseded","id":"a3","by":"a2"},{"action":"removed","id":"a5"}]}`,
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
