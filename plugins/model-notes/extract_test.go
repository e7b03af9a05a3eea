package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

// long is a conversation of n turns of about 1,000 characters each, which say
// "Rule number N is kept in file N".
func long(n int) []guest.Turn {
	var texts []string
	for i := range n {
		texts = append(texts, fmt.Sprintf("Rule number %d is kept in file %d. %s", i, i, strings.Repeat("So it is. ", 80)),
			fmt.Sprintf("I shall keep rule number %d. %s", i, strings.Repeat("Yes. ", 20)))
	}
	return turns(texts...)
}

// ruleOf answers with the first rule of the part that it is shown.
func ruleOf(p guest.CompleteParams) string {
	_, after, _ := strings.Cut(p.Prompt, "Rule number ")
	number, _, _ := strings.Cut(after, " ")
	return `{"items":[{"section":"conventions","content":"Rule number ` + number + ` is kept in file ` + number + `","confidence":0.9}]}`
}

func TestLongConversationsAreReadInParts(t *testing.T) {
	s := &scripted{Fake: guest.Fake{Turns: long(50)}, script: func(_ int, p guest.CompleteParams) (string, *guest.Error) { return ruleOf(p), nil }}
	items, err := extracted(t, s)
	if err != nil || len(s.asked) != 3 || len(items) != 3 {
		t.Fatalf("%d requests, %d items, %v", len(s.asked), len(items), err)
	}
	for i, p := range s.asked {
		if want := fmt.Sprintf("part %d of 3", 3-i); !strings.Contains(p.Prompt, want) || !strings.Contains(p.Purpose, want) {
			t.Errorf("request %d is not %s, but %s", i, want, p.Purpose)
		}
	}
	if !strings.Contains(s.asked[0].Prompt, "Rule number 49 ") || !strings.Contains(s.asked[2].Prompt, "Rule number 0 ") {
		t.Error("the newest part is not first, or the oldest is missing")
	}
}

func TestTheOldestTurnsAreLeftOut(t *testing.T) {
	s := &scripted{Fake: guest.Fake{Turns: long(100), Config: map[string]any{"max_total_chars": 30000, "max_part_chars": 15000}}, script: always(`{"items":[]}`)}
	if _, err := extracted(t, s); err != nil {
		t.Fatal(err)
	}
	newest, oldest := s.asked[0].Prompt, s.asked[len(s.asked)-1].Prompt
	if !strings.Contains(newest, "Rule number 99 ") || strings.Contains(newest, "left out for length") {
		t.Error("the newest part is not whole")
	}
	shown := 0
	for _, p := range s.asked {
		shown += strings.Count(p.Prompt, "Rule number ")
	}
	if want := fmt.Sprintf("[...%d earlier turns left out for length]\n", 100-shown); !strings.Contains(oldest, want) || shown < 25 {
		t.Errorf("%d turns are shown, and the oldest part does not say %q", shown, want)
	}
}

func TestAPartThatFailsCostsNoOther(t *testing.T) {
	for name, failure := range map[string]func() (string, *guest.Error){
		"bad replies": func() (string, *guest.Error) { return "what?", nil },
		"refusal":     func() (string, *guest.Error) { return "I can't do that.", nil },
		"host":        func() (string, *guest.Error) { return "", &guest.Error{Code: hostapi.CodeFailed, Message: "too long"} },
	} {
		t.Run(name, func(t *testing.T) {
			s := &scripted{Fake: guest.Fake{Turns: long(50)}, script: func(_ int, p guest.CompleteParams) (string, *guest.Error) {
				if strings.Contains(p.Prompt, "part 2 of 3") {
					return failure()
				}
				return ruleOf(p), nil
			}}
			items, err := extracted(t, s)
			if err != nil || len(items) != 2 {
				t.Errorf("%v, %v", items, err)
			}
			if !slices.ContainsFunc(s.Lines, func(l string) bool { return strings.Contains(l, "part 2 of 3: ") }) ||
				!slices.Contains(s.Lines, "only 2 of 3 parts of the conversation were read") {
				t.Errorf("the log does not tell: %q", s.Lines)
			}
		})
	}
}

func TestASpentBudgetKeepsTheNewest(t *testing.T) {
	for _, code := range []hostapi.Code{hostapi.CodeBudget, hostapi.CodeUnavailable, hostapi.CodeCancelled, "new-in-rc-1.7"} {
		s := &scripted{Fake: guest.Fake{Turns: long(50)}, script: func(n int, p guest.CompleteParams) (string, *guest.Error) {
			if n > 0 {
				return "", &guest.Error{Code: code, Message: "no more"}
			}
			return ruleOf(p), nil
		}}
		items, err := extracted(t, s)
		if err != nil || len(items) != 1 || len(s.asked) != 2 {
			t.Errorf("%s: %v, %v, %d requests", code, items, err, len(s.asked))
		}
	}
}

func TestErrorsKeepTheHostsCode(t *testing.T) {
	for _, code := range []hostapi.Code{hostapi.CodeBudget, hostapi.CodeUnavailable, hostapi.CodeDenied, hostapi.CodeCancelled} {
		refusal := &guest.Error{Code: code, Message: "the day's money is spent", Retry: true}
		s := &scripted{Fake: guest.Fake{Turns: long(50)}, script: func(int, guest.CompleteParams) (string, *guest.Error) { return "", refusal }}
		if _, err := extracted(t, s); !guest.IsCode(err, code) || !strings.Contains(err.Error(), "the day's money is spent") || len(s.asked) != 1 {
			t.Errorf("%s: %v after %d requests", code, err, len(s.asked))
		}
		s = &scripted{Fake: guest.Fake{Turns: long(50), Denied: []string{hostapi.MethodHistoryTurns}}, budget: refusal}
		if _, err := extracted(t, s); !guest.IsCode(err, code) || len(s.asked) != 0 {
			t.Errorf("%s by budget: %v after %d requests", code, err, len(s.asked))
		}
	}
}

func TestNothingSaidAsksNothing(t *testing.T) {
	s := &scripted{Fake: guest.Fake{Turns: turns("  ", "\n")}}
	if items, err := extracted(t, s); err != nil || len(items) != 0 || len(s.asked) != 0 {
		t.Errorf("%v, %v, %d requests", items, err, len(s.asked))
	}
}

func TestEvidenceOfAnotherPartDoesNotCount(t *testing.T) {
	s := &scripted{Fake: guest.Fake{Turns: long(50)}, script: func(_ int, p guest.CompleteParams) (string, *guest.Error) {
		if !strings.Contains(p.Prompt, "part 3 of 3") {
			return `{"items":[]}`, nil
		}
		return `{"items":[{"section":"facts","content":"Ducks quack loudly","confidence":1,"evidence":["m1"]}]}`, nil
	}}
	if items, err := extracted(t, s); err != nil || len(items) != 0 {
		t.Errorf("%v, %v", items, err)
	}
}

func TestTheModelIsAWish(t *testing.T) {
	s := &scripted{Fake: guest.Fake{Turns: long(1), Config: map[string]any{"model": "small-one"}}, script: always(`{"items":[]}`)}
	if _, err := extracted(t, s); err != nil || s.asked[0].Model != "small-one" {
		t.Errorf("%v", err)
	}
}

func BenchmarkExtract(b *testing.B) {
	s := &scripted{Fake: guest.Fake{Turns: long(80), PageTurns: 30}, script: func(_ int, p guest.CompleteParams) (string, *guest.Error) { return ruleOf(p), nil }}
	for b.Loop() {
		if items, err := extracted(b, s); err != nil || len(items) != 4 {
			b.Fatal(len(items), err)
		}
		s.asked, s.Lines = nil, nil
	}
}

// What the host refused, and what was left out for length, is asked for again;
// what the model refused is not.
func TestWhatWasNotReadStaysNew(t *testing.T) {
	for name, tt := range map[string]struct {
		failure func() (string, *guest.Error)
		unread  bool
	}{
		"refusal": {func() (string, *guest.Error) { return "I can't do that.", nil }, false},
		"budget":  {func() (string, *guest.Error) { return "", &guest.Error{Code: hostapi.CodeBudget, Message: "spent"} }, true},
	} {
		turns := long(50)
		restore := guest.SetHost(&scripted{Fake: guest.Fake{Turns: turns}, script: func(_ int, p guest.CompleteParams) (string, *guest.Error) {
			if strings.Contains(p.Prompt, "part 2 of 3") {
				return tt.failure()
			}
			return ruleOf(p), nil
		}})
		r, err := extract(guest.ExtractRequest{NewTurns: len(turns), Sections: notes()})
		restore()
		if err != nil || len(r.Warnings) == 0 || (len(r.Unread) > 0) != tt.unread {
			t.Errorf("%s: %d unread, warnings %q, %v", name, len(r.Unread), r.Warnings, err)
		}
		if tt.unread && (!slices.Contains(r.Unread, turns[0].ID) || slices.Contains(r.Unread, turns[49].ID)) {
			t.Errorf("%s: unread %q", name, r.Unread)
		}
	}
}
