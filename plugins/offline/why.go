package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

// near is how far below the threshold a score may lie to be told of.
const near = 0.5

// maxRefusals bounds what is told of all sessions, maxTold what is held meanwhile.
const (
	maxRefusals = 200
	maxTold     = 4 * maxRefusals
)

// refusal is a sentence that was narrowly refused.
type refusal struct {
	told  hostapi.Refusal
	score float32
	order int
}

// explainer keeps why sentences were refused; nil: nobody asked.
type explainer struct {
	model *model
	list  []refusal
}

// note keeps the sentences that came nearest to being kept.
func (w *explainer) note(text, message, why string, score float32, order int) {
	if w == nil || score < w.model.threshold-near {
		return
	}
	w.list = append(w.list, refusal{hostapi.Refusal{Content: strings.TrimSpace(text), Why: why, Evidence: []string{message}}, score, order})
	if len(w.list) > maxTold {
		w.shrink()
	}
}

// weigh notes a sentence whose score is too low.
func (w *explainer) weigh(text, message string, f *facts, score float32, order int) {
	if w != nil && score >= w.model.threshold-near {
		w.note(clean(text), message, w.model.weighing(f), score, order)
	}
}

func (w *explainer) shrink() {
	slices.SortStableFunc(w.list, func(a, b refusal) int { return cmp.Or(cmp.Compare(b.score, a.score), a.order-b.order) })
	w.list = slices.Clip(w.list[:min(len(w.list), maxRefusals)])
}

// refusals gives them in the order in which they were said.
func (w *explainer) refusals() []hostapi.Refusal {
	w.shrink()
	slices.SortStableFunc(w.list, func(a, b refusal) int { return a.order - b.order })
	out := make([]hostapi.Refusal, 0, len(w.list))
	for _, r := range w.list {
		out = append(out, r.told)
	}
	return out
}

// left tells of the candidates of a session that were not taken.
func (w *explainer) left(p *part, taken []candidate) {
	for i := range p.found {
		x := p.found[i]
		if slices.ContainsFunc(taken, func(y candidate) bool { return y.order == x.order }) {
			continue
		}
		w.note(x.text, x.evidence[0], p.whyLeft(x, taken), max(x.score, w.model.threshold), x.order)
	}
}

// whyLeft says why a candidate was not taken beside those that were.
func (p *part) whyLeft(x candidate, taken []candidate) string {
	switch {
	case p.overtaken(&x):
		return "what it names was taken out of use later"
	case p.mended(&x):
		return "what it lacks was put in later"
	}
	for _, y := range taken {
		if pair := distinct([]candidate{y, x}, 2, p.model.sure); len(pair) == 1 {
			return "it says what is taken in these words: " + head(y.text, 120)
		}
	}
	return fmt.Sprintf("others of its paragraph, message or session weigh more; of this session %d are taken. %s", len(taken), p.model.explained(&x))
}

// explained says what the score of a candidate is made of, most first.
func (m *model) explained(x *candidate) string {
	if x.facts.has(fAsked) {
		return "a person asked to have it remembered"
	}
	return m.weighing(&x.facts)
}

// weighing puts a score in words: the features that say most for and against.
func (m *model) weighing(f *facts) string {
	type part struct {
		name   string
		weight float32
	}
	var parts []part
	for c := range cue(cues) {
		if !f.has(feature(c)) {
			continue
		}
		parts = append(parts, part{cueNames[c], m.cue(c, f)})
	}
	for i := fUser; i < features; i++ {
		if f.has(i) {
			parts = append(parts, part{placeNames[i], m.places[i]})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(max(b.weight, -b.weight), max(a.weight, -a.weight)) })
	var words []string
	for _, p := range parts[:min(len(parts), 5)] {
		words = append(words, fmt.Sprintf("%s %+.2f", p.name, p.weight))
	}
	return fmt.Sprintf("score %.2f, kept from %.2f: %s", m.score(f), m.threshold, strings.Join(words, ", "))
}

// explain adds to each item why it is kept, and says what was narrowly refused.
func (c *collector) explain(chosen []candidate, found guest.ExtractResult) guest.ExtractResult {
	for i := range found.Items {
		j := slices.IndexFunc(chosen, func(x candidate) bool { return sentence(x.text) == found.Items[i].Content })
		if j < 0 {
			continue
		}
		found.Items[i].Rationale = c.model.explained(&chosen[j])
		if found.Items[i].Suggestion {
			found.Items[i].Rationale = "Japanese and Korean are read badly, so it is only suggested; " + found.Items[i].Rationale
		}
	}
	for _, name := range c.names {
		c.why.left(c.parts[name], chosen)
	}
	found.Refused = c.why.refusals()
	return found
}
