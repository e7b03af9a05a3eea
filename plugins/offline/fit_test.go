package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recollect/hostapi/guest"
)

// writeFit makes TestFit write weights.json; see "go run ./build fit".
var writeFit = flag.Bool("fit", false, "fit weights.json to the labels")

// How the model is fitted. Chosen by what is left out, of eleven projects; from 30 to
// 100 the penalty makes no difference.
const (
	penalty   = 300  // of the square of each weight's distance from the prior
	doubtful  = 0.35 // what a sentence counts that a reader keeps perhaps
	fitFrom   = -2.5 // by the prior; what scores less is of no use to learn from
	morePass  = 1.5  // of what passes by the prior passes; a session gives its best all the same
	fitRounds = 20
)

// prior is the model that the fit is pulled towards: set by hand, before there were
// labels of more than five projects.
func prior(t *testing.T) *model {
	t.Helper()
	m, err := readModel([]byte(readFile(t, "testdata/prior.json")))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// example is a sentence that could be an item, as the extractor weighs it.
type example struct {
	on    []int   // its features
	keep  float64 // by a reader: 1, doubtful or 0
	prior float64 // its score by the prior
}

// labelledSession is a session with all that readers said of it.
type labelledSession struct {
	name, project string
	gold          map[string]any
	turns         []guest.Turn
	said          map[string]float64 // by record and digest
	examples      []example
}

// labelledSessions reads all sessions that have a gold file, and weighs their sentences.
func labelledSessions(t *testing.T, by *model) []*labelledSession {
	t.Helper()
	said := map[string]map[string]float64{}
	for _, l := range labels(t, "labels.tsv") {
		if said[l.transcript] == nil {
			said[l.transcript] = map[string]float64{}
		}
		said[l.transcript][l.record+" "+l.digest] = map[string]float64{"keep": 1, "maybe": doubtful}[l.label]
	}
	files, err := filepath.Glob(filepath.Join(labelDir, "gold", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	var out []*labelledSession
	for _, f := range files {
		s := &labelledSession{name: strings.TrimSuffix(filepath.Base(f), ".gold.json")}
		if err := json.Unmarshal([]byte(readFile(t, f)), &s.gold); err != nil {
			t.Fatal(f, err)
		}
		transcript := s.gold["transcript"].(string)
		s.project, _, _ = strings.Cut(s.name, "__")
		s.turns, s.said = moreTranscript(t, transcript), said[transcript]
		if s.said == nil {
			s.said = map[string]float64{}
		}
		quote(s.gold, cutSentences(s.turns))
		s.goldSentences()
		out = append(out, s)
	}
	out = append(out, devSessions(t)...)
	for _, s := range out {
		s.examples = s.weigh(by)
	}
	return out
}

// devSessions are those of the first five projects. Their gold quotes what carries an
// item instead of naming its digest.
func devSessions(t *testing.T) []*labelledSession {
	t.Helper()
	shared := sharedDir(t)
	files, err := filepath.Glob(filepath.Join(shared, "bench", "extraction", "dev", "*.gold.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	var out []*labelledSession
	for _, f := range files {
		s := &labelledSession{name: strings.TrimSuffix(filepath.Base(f), ".gold.json"), turns: goldTranscript(t, shared, f), said: map[string]float64{}}
		if err := json.Unmarshal([]byte(readFile(t, f)), &s.gold); err != nil {
			t.Fatal(f, err)
		}
		s.project = filepath.Base(filepath.Dir(filepath.FromSlash(s.gold["transcript"].(string))))
		cut := cutSentences(s.turns)
		items, _ := s.gold["items"].([]any)
		for _, x := range items {
			item, _ := x.(map[string]any)
			records, _ := item["evidence"].([]any)
			quoted, _ := item["quote"].(string)
			for key, said := range cut {
				record, _, _ := strings.Cut(key, " ")
				if slices.Contains(records, any(record)) && alike(said, quoted) >= 0.6 {
					s.said[key] = 1
				}
			}
		}
		out = append(out, s)
	}
	return out
}

// alike is the share of words that two sentences have in common, of both.
func alike(a, b string) float64 {
	x, y := words(lower(a)), words(lower(b))
	both := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			both++
		}
	}
	return 2 * float64(both) / float64(max(1, len(x)+len(y)))
}

// goldSentences takes what carries a gold item for kept.
func (s *labelledSession) goldSentences() {
	items, _ := s.gold["items"].([]any)
	for _, x := range items {
		item, _ := x.(map[string]any)
		sentences, _ := item["sentences"].([]any)
		records, _ := item["evidence"].([]any)
		for _, r := range records {
			for _, d := range sentences {
				s.said[r.(string)+" "+d.(string)] = 1
			}
		}
	}
}

// keys gives the record and digest of each sentence, by the number that the collector
// gives it.
func (s *labelledSession) keys() []string {
	keys := []string{""}
	for _, turn := range s.turns {
		for _, m := range turn.Messages {
			for _, u := range units(memo(m.Role, m.Text)) {
				for _, x := range sentences(u.text, m.Role == guest.RoleUser) {
					keys = append(keys, m.ID+" "+digestOf(x))
				}
			}
		}
	}
	return keys
}

// weigh gives each sentence that is not refused, whatever it scores.
func (s *labelledSession) weigh(by *model) []example {
	all := *by
	all.threshold = float32(math.Inf(-1))
	c := newCollector(notes())
	c.model, c.perPart = &all, math.MaxInt32
	for _, t := range s.turns {
		c.turn(t)
	}
	keys := s.keys()
	var out []example
	for _, name := range c.names {
		p := c.parts[name]
		for i := range p.found {
			x := &p.found[i]
			p.late(x)
			if x.facts.has(fAsked) {
				continue
			}
			out = append(out, example{activeFeatures(&x.facts), s.said[keys[x.order]], float64(by.score(&x.facts))})
		}
	}
	return out
}

func activeFeatures(f *facts) []int {
	var on []int
	for i := range int(features) {
		if f.has(feature(i)) {
			on = append(on, i)
		}
	}
	return on
}

// fitModel fits the weights to examples, and sets the thresholds so that as many pass
// as by the prior.
func fitModel(from *model, examples []example) *model {
	var learn []example
	pass, sure := 0, 0
	for _, e := range examples {
		if e.prior >= fitFrom {
			learn = append(learn, e)
		}
		if e.prior >= float64(from.threshold) {
			pass++
		}
		if e.prior >= float64(from.sure) {
			sure++
		}
	}
	w := descend(learn, vector(from))
	scores := make([]float64, len(examples))
	for i, e := range examples {
		scores[i] = sum(w, e.on)
	}
	slices.Sort(scores)
	m := modelOf(w)
	m.threshold = rounded(scores[max(0, len(scores)-int(morePass*float64(pass)))])
	m.sure = rounded(scores[max(0, len(scores)-sure)])
	m.slope, m.offset = 1, 0
	return m
}

// vector lays a model's weights out as the features are numbered, the bias last.
func vector(m *model) []float64 {
	w := make([]float64, int(features)+1)
	for c := range cue(cues) {
		w[c], w[user(c)], w[front(c)] = float64(m.cues[c][0]), float64(m.cues[c][1]), float64(m.cues[c][2])
	}
	for i := fUser; i < features; i++ {
		w[i] = float64(m.places[i])
	}
	w[features] = float64(m.bias)
	return w
}

func modelOf(w []float64) *model {
	m := &model{bias: rounded(w[features])}
	for c := range cue(cues) {
		m.cues[c] = [3]float32{rounded(w[c]), rounded(w[user(c)]), rounded(w[front(c)])}
	}
	for i := fUser; i < features; i++ {
		m.places[i] = rounded(w[i])
	}
	return m
}

// rounded is what the file can say: two digits.
func rounded(x float64) float32 { return float32(math.Round(x*100) / 100) }

// sum is the score of a sentence with these features.
func sum(w []float64, on []int) float64 {
	z := w[features]
	for _, i := range on {
		z += w[i]
	}
	return z
}

// TestFit holds that weights.json is what the labels say; with -fit it writes it.
func TestFit(t *testing.T) {
	from := prior(t)
	sessions := labelledSessions(t, from)
	m := fitModel(from, examplesBut(sessions, ""))
	m.slope, m.offset = calibrated(leftOut(from, sessions))
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetIndent("", "  ")
	if err := enc.Encode(fileOf(m)); err != nil {
		t.Fatal(err)
	}
	// One line for a cue's three figures.
	text := threeFigures.ReplaceAllString(out.String(), "[$1, $2, $3]")
	if *writeFit {
		if err := os.WriteFile("weights.json", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != readFile(t, "weights.json") {
		t.Error("weights.json is not what the labels give: go run ./build fit")
	}
}

// examplesBut gives the examples of all projects but one.
func examplesBut(sessions []*labelledSession, project string) []example {
	var out []example
	for _, s := range sessions {
		if s.project != project {
			out = append(out, s.examples...)
		}
	}
	return out
}

func fileOf(m *model) modelFile {
	f := modelFile{Bias: m.bias, Threshold: m.threshold, Sure: m.sure, Slope: m.slope, Offset: m.offset, Cues: map[string][3]float32{}, Places: map[string]float32{}}
	for c := range cue(cues) {
		f.Cues[cueNames[c]] = m.cues[c]
	}
	for i := fUser; i < features; i++ {
		f.Places[placeNames[i]] = m.places[i]
	}
	return f
}

// chosen is an item that a model took of a session that it was not fitted to.
type chosen struct {
	score float64
	keep  float64
	user  bool
}

// leftOut gives the items of each project by the model that was fitted to the others.
func leftOut(from *model, sessions []*labelledSession) []chosen {
	var out []chosen
	models := map[string]*model{}
	for _, s := range sessions {
		m := models[s.project]
		if m == nil {
			m = fitModel(from, examplesBut(sessions, s.project))
			models[s.project] = m
		}
		out = append(out, s.choose(m)...)
	}
	return out
}

func (s *labelledSession) choose(m *model) []chosen {
	_, best := s.extract(m)
	keys := s.keys()
	var out []chosen
	for _, x := range best {
		if !x.facts.has(fAsked) && !badlyRead(x.text) {
			out = append(out, chosen{float64(x.score), s.said[keys[x.order]], x.user})
		}
	}
	return out
}
