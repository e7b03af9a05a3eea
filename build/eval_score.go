package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// spending is what requests took.
type spending struct {
	Calls  int64 `json:"calls"`
	Failed int64 `json:"failed"`
	In     int64 `json:"input_tokens"`
	Out    int64 `json:"output_tokens"`
	Money  money `json:"usd"`
}

func (u spending) minus(o spending) spending {
	return spending{u.Calls - o.Calls, u.Failed - o.Failed, u.In - o.In, u.Out - o.Out, u.Money - o.Money}
}

func (u spending) plus(o spending) spending {
	return spending{u.Calls + o.Calls, u.Failed + o.Failed, u.In + o.In, u.Out + o.Out, u.Money + o.Money}
}

// askedSession is a session that the model was asked about, and what that took.
type askedSession struct {
	goldSession
	took spending
}

// ask runs the program over one session after the other, until the budget is spent.
// What was asked before an error is the result beside it.
func (e *evaluation) ask(sessions []goldSession) ([]askedSession, error) {
	var asked []askedSession
	for i, s := range sessions {
		mean := money(0)
		if len(asked) > 0 {
			mean = e.spent.Money / money(len(asked))
		}
		if e.left < mean || e.left <= 0 {
			e.say("The budget is spent: %d of %d sessions were read.", len(asked), len(sessions))
			break
		}
		took, err := e.one(s)
		if err != nil {
			return asked, fmt.Errorf("%s of %s: %w", s.name, s.project, err)
		}
		asked = append(asked, askedSession{s, took})
		e.say("%d/%d  %s: %d requests, %d tokens in, %d out, %s", i+1, len(sessions), s.name, took.Calls, took.In, took.Out, dollars(took.Money))
	}
	return asked, nil
}

var errNotAsked = errors.New("the model was not asked, and the offline extractor read in its place: \"recollect auth test\" and \"recollect usage\" tell why")

// one has the program read one session, with what is left as the limit of the run.
func (e *evaluation) one(s goldSession) (spending, error) {
	limit, err := json.Marshal(map[string]any{"version": 1, "budget": map[string]any{"run_dollars": float64(e.left) / 1e6}})
	if err != nil {
		return spending{}, err
	}
	settings := filepath.Join(e.project, ".recollect", "config.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(settings), 0o755), os.WriteFile(settings, limit, 0o644)); err != nil {
		return spending{}, err
	}
	var found struct {
		Items []struct {
			Section    string   `json:"section"`
			Text       string   `json:"text"`
			Evidence   []string `json:"evidence"`
			Confidence float64  `json:"confidence"`
			State      string   `json:"state"`
		} `json:"items"`
	}
	if err := e.answer(&found, "extract", "--extractor", "model-notes", "--transcript", s.transcript); err != nil {
		return spending{}, err
	}
	var all struct{ Total spending }
	if err := e.answer(&all, "usage", "--here"); err != nil {
		return spending{}, err
	}
	took := all.Total.minus(e.spent)
	e.spent, e.left = all.Total, e.left-took.Money
	if took.Calls == took.Failed && len(found.Items) > 0 {
		return took, errNotAsked
	}
	kept := found.Items[:0]
	for _, it := range found.Items {
		if it.State == "memory" {
			kept = append(kept, it)
		}
	}
	data, err := json.Marshal(map[string]any{"items": kept})
	if err != nil {
		return took, err
	}
	gold, err := os.ReadFile(s.gold)
	if err != nil {
		return took, err
	}
	return took, errors.Join(os.WriteFile(filepath.Join(e.found, s.name+".pred.json"), data, 0o644),
		os.WriteFile(filepath.Join(e.golds, s.name+".gold.json"), gold, 0o644))
}

// score is the scorer's count of a session, or of several.
type score struct {
	Gold    int `json:"gold"`
	Found   int `json:"pred"`
	Hits    int `json:"tp"`
	High    int `json:"imp3"`
	HighHit int `json:"imp3_hit"`
	Junk    int `json:"junk_hits"`
	Section int `json:"strict"`
}

func (s score) plus(o score) score {
	return score{s.Gold + o.Gold, s.Found + o.Found, s.Hits + o.Hits, s.High + o.High, s.HighHit + o.HighHit, s.Junk + o.Junk, s.Section + o.Section}
}

// score has the scorer compare what was found with the gold.
func (e *evaluation) score(scorer string) (map[string]score, error) {
	var out, said bytes.Buffer
	cmd := e.command(e.project, nil, "python3", scorer, e.golds, e.found, "--json", "-")
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("the scorer: %w\n%s", err, lastLines(said.String(), 5))
	}
	var report struct {
		Each map[string]score `json:"per_transcript"`
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		return nil, fmt.Errorf("the scorer's report: %w", err)
	}
	return report.Each, nil
}

// group is what sessions have in common, with their sums.
type group struct {
	name     string
	sessions int
	score    score
	took     spending
}

// table prints a row for each set, and for each of its projects.
func (e *evaluation) table(asked []askedSession, scores map[string]score) {
	var groups []group
	add := func(name string, s askedSession) {
		i := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
		if i < 0 {
			i, groups = len(groups), append(groups, group{name: name})
		}
		g := &groups[i]
		g.sessions, g.score, g.took = g.sessions+1, g.score.plus(scores[s.name]), g.took.plus(s.took)
	}
	for _, s := range asked {
		add("all of "+s.set, s)
	}
	sorted := slices.Clone(asked)
	slices.SortStableFunc(sorted, func(a, b askedSession) int {
		return bytes.Compare([]byte(a.set+"/"+a.project), []byte(b.set+"/"+b.project))
	})
	for _, s := range sorted {
		add(s.set+"/"+s.project, s)
	}
	e.say("\n| sessions of | number | gold | found | precision | recall | F1 | importance 3 found | junk | section right | requests | tokens in | out | cost | in, a session | out, a session | cost, a session |\n|%s", repeated(" --- |", 17))
	for _, g := range groups {
		e.say("%s", g.row())
	}
}

func repeated(s string, n int) string { return string(bytes.Repeat([]byte(s), n)) }

func (g group) row() string {
	s, n := g.score, int64(g.sessions)
	precision, recall := ratio(s.Hits, s.Found), ratio(s.Hits, s.Gold)
	f1 := 0.0
	if s.Hits > 0 {
		f1 = 2 * precision * recall / (precision + recall)
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %.3f | %.3f | %.3f | %s | %d of %d | %s | %d | %d | %d | %s | %d | %d | %s |",
		g.name, n, s.Gold, s.Found, precision, recall, f1, percent(s.HighHit, s.High), s.Junk, s.Found, percent(s.Section, s.Hits),
		g.took.Calls, g.took.In, g.took.Out, dollars(g.took.Money), g.took.In/n, g.took.Out/n, dollars(g.took.Money/money(n)))
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func percent(a, b int) string {
	if b == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100*ratio(a, b))
}
