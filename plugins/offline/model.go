package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
)

// model says how likely a careful developer would keep a sentence: what each feature
// adds to the log odds, and what follows from the sum. Its figures are in weights.json,
// which "go run ./build fit" makes from labels and nobody writes by hand.
type model struct {
	bias      float32          // of a sentence with no feature
	cues      [cues][3]float32 // anywhere, more if a user says it, more if it stands in front
	places    [features]float32
	threshold float32 // what scores less is not found
	sure      float32 // from here on a session gives what it has
	// slope and offset turn a score into a confidence, the share of items of such a
	// score that a reader of other projects keeps.
	slope, offset float64
}

//go:embed weights.json
var weights []byte

// fitted is the model that ships.
var fitted = sync.OnceValue(func() *model {
	m, err := readModel(weights)
	if err != nil {
		panic(err) // a test reads the file
	}
	return m
})

// modelFile is the form of weights.json; features go by the names of names.go.
type modelFile struct {
	Bias      float32               `json:"bias"`
	Threshold float32               `json:"threshold"`
	Sure      float32               `json:"sure"`
	Slope     float64               `json:"slope"`
	Offset    float64               `json:"offset"`
	Cues      map[string][3]float32 `json:"cues"`
	Places    map[string]float32    `json:"places"`
}

// readModel reads a model that names each feature once and no other.
func readModel(data []byte) (*model, error) {
	var f modelFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	if len(f.Cues) != int(cues) || len(f.Places) != int(features-fUser) {
		return nil, errors.New("the model is of other features")
	}
	m := &model{bias: f.Bias, threshold: f.Threshold, sure: f.Sure, slope: f.Slope, offset: f.Offset}
	for c := range cue(cues) {
		w, ok := f.Cues[cueNames[c]]
		if !ok {
			return nil, fmt.Errorf("the model has no cue %q", cueNames[c])
		}
		m.cues[c] = w
	}
	for i := fUser; i < features; i++ {
		w, ok := f.Places[placeNames[i]]
		if !ok {
			return nil, fmt.Errorf("the model has no feature %q", placeNames[i])
		}
		m.places[i] = w
	}
	return m, nil
}

// surest is the score of what a user asks to have remembered.
const surest = 6

// score is the log odds of a sentence.
func (m *model) score(f *facts) float32 {
	if f.has(fAsked) {
		return surest
	}
	s := m.bias
	for c := range cue(cues) {
		if f.has(feature(c)) {
			s += m.cue(c, f)
		}
	}
	for i := fUser; i < features; i++ {
		if f.has(i) {
			s += m.places[i]
		}
	}
	return s
}

// cue is what a cue adds that a sentence has.
func (m *model) cue(c cue, f *facts) float32 {
	w := &m.cues[c]
	s := w[0]
	if f.has(user(c)) {
		s += w[1]
	}
	if f.has(front(c)) {
		s += w[2]
	}
	return s
}

// maxConfidence is that of what a user asks to have remembered.
const maxConfidence = 0.95

// confidence is the share of items of x's score that readers keep.
func (m *model) confidence(x *candidate) float64 {
	if x.facts.has(fAsked) {
		return maxConfidence
	}
	p := 1 / (1 + math.Exp(-m.slope*float64(x.score)-m.offset))
	return math.Round(min(p, maxConfidence)*100) / 100
}
