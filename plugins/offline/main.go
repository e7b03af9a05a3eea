// Command offline is the extractor that needs no model: it finds the sentences
// of a conversation that are worth keeping by how they are said.
//
// Each message is cut into paragraphs and list entries, without code, tables and
// quotes (markdown.go), and those into sentences (sentence.go), which are made to
// stand alone (clean.go, resolve.go). What can never be an item is refused
// (refuse.go), and so is what is of the moment (passing.go); the rest is scored by
// a linear model (model.go) over cues, the ways of saying something (cues.go),
// and the place and form of a sentence (features.go). What a user asks to have
// remembered (told.go) and lays down as a rule (rules.go) is kept however short.
// Of each session the best are kept (select.go) that say different things
// (distinct.go, similar.go), about as many as its length lets expect, and sorted
// into the schema's sections (sections.go, sorts.go).
//
// There are cues in English, Russian, Chinese and Korean, and a few in other
// languages.
package main

import (
	"recollect/hostapi"
	"recollect/hostapi/guest"
)

//go:wasmexport rc_extract
func rcExtract(n int32) int64 { return guest.Extract(n, extract) }

func extract(r guest.ExtractRequest) (guest.ExtractResult, error) {
	c := newCollector(r.Sections)
	if r.Explain {
		c.why = &explainer{model: c.model}
	}
	for t, err := range guest.Turns(guest.TurnsParams{New: r.NewTurns > 0}) {
		if err == nil && t.Cut {
			t, err = whole(t)
		}
		if err != nil {
			return guest.ExtractResult{}, err
		}
		c.turn(t)
	}
	items, chosen := c.choose(r.Limits)
	found := guest.ExtractResult{Items: items}
	if r.Explain {
		found = c.explain(chosen, found)
	}
	return found, nil
}

// maxParts bounds the pages that are read of one turn.
const maxParts = 32

// whole reads a turn that did not fit its page, each message as far as it is
// read at all. A turn that is gone by now is left as it was cut.
func whole(cut guest.Turn) (guest.Turn, error) {
	t := cut
	t.Messages = nil
	p := hostapi.TurnParams{ID: cut.ID}
	for range maxParts {
		part, err := guest.Call[hostapi.TurnResult](hostapi.MethodHistoryTurn, p)
		if guest.IsCode(err, hostapi.CodeNotFound) || guest.IsCode(err, hostapi.CodeBudget) {
			return cut, nil
		}
		if err != nil {
			return cut, err
		}
		for _, m := range part.Turn.Messages {
			if n := len(t.Messages); n > 0 && t.Messages[n-1].ID == m.ID {
				if last := &t.Messages[n-1]; len(last.Text) < maxMessageBytes {
					last.Text += m.Text
				}
				continue
			}
			t.Messages = append(t.Messages, m)
		}
		if part.Next == "" {
			break
		}
		p.Cursor = part.Next
	}
	return t, nil
}

func main() {}
