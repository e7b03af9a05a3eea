package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

// What is asked where a model is fitted to all projects but one and scored on that one:
// F1, and the gap to what it has on the sessions that it was fitted to.
const (
	leastLeftOut = 0.42
	widestGap    = 0.05
)

var threeFigures = regexp.MustCompile(`\[\s+(-?[\d.]+),\s+(-?[\d.]+),\s+(-?[\d.]+)\s+\]`)

// TestEvalLeftOut says how good the extractor is on projects that it was not fitted to,
// and holds that it stays so.
func TestEvalLeftOut(t *testing.T) {
	from := prior(t)
	sessions := labelledSessions(t, from)
	projects := map[string]*model{"": fitModel(from, examplesBut(sessions, ""))}
	for _, s := range sessions {
		if projects[s.project] == nil {
			projects[s.project] = fitModel(from, examplesBut(sessions, s.project))
		}
	}
	every := func(s *labelledSession) bool { return true }
	left := scored(t, sessions, every, func(s *labelledSession) *model { return projects[s.project] })
	fit := scored(t, sessions, every, func(*labelledSession) *model { return projects[""] })
	hand := scored(t, sessions, every, func(*labelledSession) *model { return from })
	t.Logf("by hand, %d projects:  %s", len(projects)-1, hand)
	t.Logf("fitted to these:      %s", fit)
	t.Logf("each left out:        %s; the gap is %.3f", left, fit.f1-left.f1)
	if left.f1 < leastLeftOut || fit.f1-left.f1 > widestGap {
		t.Errorf("left out F1 %.3f, less than %.3f, or a gap wider than %.2f", left.f1, leastLeftOut, widestGap)
	}

	isApart := func(s *labelledSession) bool { return slices.Contains(setApart, s.project) }
	var others []example
	for _, s := range sessions {
		if !isApart(s) {
			others = append(others, s.examples...)
		}
	}
	m := fitModel(from, others)
	t.Logf("fitted without %v, on these: %s; by hand: %s", setApart,
		scored(t, sessions, isApart, func(*labelledSession) *model { return m }),
		scored(t, sessions, isApart, func(*labelledSession) *model { return from }))
}

func (s *labelledSession) extract(m *model) ([]guest.Item, []candidate) {
	c := newCollector(notes())
	c.model = m
	for _, t := range s.turns {
		c.turn(t)
	}
	return c.choose(hostapi.Limits{})
}

// figures of sessions together, by the scorer, but for auc: how often an item that a
// reader keeps has a higher score than one that he does not.
type evaluated struct {
	p, r, f1, sections, auc float64
	found, gold, junk       int
	important, importantHit int
}

func (e evaluated) String() string {
	return fmt.Sprintf("P %.3f R %.3f F1 %.3f, %d items for %d, importance 3 found %d of %d, %d hits on junk, section right %.2f, AUC %.2f",
		e.p, e.r, e.f1, e.found, e.gold, e.importantHit, e.important, e.junk, e.sections, e.auc)
}

// scored runs a model over each session that is wanted.
func scored(t *testing.T, sessions []*labelledSession, wanted func(*labelledSession) bool, of func(*labelledSession) *model) evaluated {
	t.Helper()
	golds, out := t.TempDir(), t.TempDir()
	var items []chosen
	for _, s := range sessions {
		if !wanted(s) {
			continue
		}
		m := of(s)
		found, _ := s.extract(m)
		items = append(items, s.choose(m)...)
		put(t, filepath.Join(golds, s.name+".gold.json"), s.gold)
		put(t, filepath.Join(out, s.name+".pred.json"), predictions(found))
	}
	e := byScorer(t, golds, out)
	e.auc = auc(items)
	return e
}

func put(t *testing.T, path string, v any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// byScorer runs the scorer over a folder of gold and one of predictions.
func byScorer(t *testing.T, golds, out string) evaluated {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 to run the scorer with")
	}
	report := filepath.Join(t.TempDir(), "report.json")
	scorer := filepath.Join(sharedDir(t), "bench", "extraction", "eval_extraction.py")
	if text, err := exec.CommandContext(t.Context(), python, scorer, golds, out, "--json", report).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var r struct {
		Micro struct {
			P, R, F1     float64
			Pred, Gold   int
			TP           int `json:"tp"`
			Imp3         int `json:"imp3"`
			Imp3Hit      int `json:"imp3_hit"`
			JunkHits     int `json:"junk_hits"`
			StrictlySame int `json:"strict"`
		} `json:"micro"`
	}
	if err := json.Unmarshal([]byte(readFile(t, report)), &r); err != nil {
		t.Fatal(err)
	}
	m := r.Micro
	return evaluated{p: m.P, r: m.R, f1: m.F1, sections: float64(m.StrictlySame) / float64(max(1, m.TP)), found: m.Pred, gold: m.Gold,
		junk: m.JunkHits, important: m.Imp3, importantHit: m.Imp3Hit}
}

func auc(items []chosen) float64 {
	won, pairs := 0.0, 0
	for _, x := range items {
		for _, y := range items {
			if x.keep < 1 || y.keep == 1 {
				continue
			}
			pairs++
			switch {
			case x.score > y.score:
				won++
			case x.score == y.score:
				won += 0.5
			}
		}
	}
	return won / float64(max(1, pairs))
}
