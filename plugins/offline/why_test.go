package main

import (
	"fmt"
	"strings"
	"testing"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

// explainTurns reads turns as one who is asked why.
func explainTurns(turns []guest.Turn) guest.ExtractResult {
	c := newCollector(notes())
	c.why = &explainer{model: c.model}
	for _, t := range turns {
		c.turn(t)
	}
	items, chosen := c.choose(hostapi.Limits{})
	return c.explain(chosen, guest.ExtractResult{Items: items})
}

func oneTurn(id, role, text string) guest.Turn {
	return guest.Turn{ID: id, Session: "s", Messages: []guest.Message{{ID: "m" + id, Role: role, Text: text}}}
}

// Every feature has a name: a reason that is a blank is none.
func TestEachFeatureHasAName(t *testing.T) {
	for c := range cue(cues) {
		if cueNames[c] == "" {
			t.Errorf("cue %d has no name", c)
		}
	}
	for i := fUser; i < features; i++ {
		if placeNames[i] == "" {
			t.Errorf("feature %d has no name", i-fUser)
		}
	}
}

// Being asked why changes nothing of what is found, and each item and refusal has a
// reason.
func TestExplain(t *testing.T) {
	turns := []guest.Turn{
		oneTurn("1", guest.RoleUser, "Always run the linter before a commit. Should we never use floats for prices?"),
		oneTurn("2", guest.RoleAssistant, "The root cause is that `Save` ignores the error of `Close`, because it is deferred."),
		oneTurn("3", guest.RoleAssistant, "The cause was that `Save` ignores the error of `Close`, because it is deferred."),
		oneTurn("4", guest.RoleAssistant, "I'll check `Save` because it must never ignore the error of `Close`."),
	}
	plain := found(t, turns)
	got := explainTurns(turns)
	if len(got.Items) != len(plain) || len(plain) == 0 {
		t.Fatalf("asked why: %d items, else %d", len(got.Items), len(plain))
	}
	for i, it := range got.Items {
		if it.Rationale == "" || it.Content != plain[i].Content {
			t.Errorf("%+v", it)
		}
	}
	for _, want := range []string{"it is a question", "it says what is taken", "it tells what the assistant does next"} {
		n := 0
		for _, r := range got.Refused {
			if strings.Contains(r.Why, want) && r.Content != "" && len(r.Evidence) == 1 {
				n++
			}
		}
		if n == 0 {
			t.Errorf("nothing was refused since %s: %+v", want, got.Refused)
		}
	}
}

// However much was nearly kept, only what came nearest is told.
func TestExplainIsBounded(t *testing.T) {
	var turns []guest.Turn
	for i := range 4 * maxTold {
		turns = append(turns, oneTurn(fmt.Sprint(i), guest.RoleUser, fmt.Sprintf("Should we never use table %d for prices, because it must be empty?", i)))
	}
	if got := explainTurns(turns).Refused; len(got) == 0 || len(got) > maxRefusals {
		t.Errorf("%d refusals, want 1 to %d", len(got), maxRefusals)
	}
}
