package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

// long is a conversation of n turns of about 1,000 characters each, which say
// "Rule number N is kept in file N", in sessions of twenty turns.
func long(n int) []guest.Turn {
	var texts []string
	for i := range n {
		texts = append(texts, fmt.Sprintf("Rule number %d is kept in file %d. %s", i, i, strings.Repeat("So it is. ", 80)),
			fmt.Sprintf("I shall keep rule number %d. %s", i, strings.Repeat("Yes. ", 20)))
	}
	all := turns(texts...)
	for i := range all {
		all[i].Session, all[i].Time = fmt.Sprint("s", i/20), time.Date(2026, 1, 2+i/20, 10, i%20, 0, 0, time.UTC)
	}
	return all
}

// single is the same in one session.
func single(n int) []guest.Turn {
	all := long(n)
	for i := range all {
		all[i].Session = "s"
	}
	return all
}

// ruleOf answers with the first rule of the part that it is shown, and that all is
// well with what was found.
func ruleOf(p guest.CompleteParams) string {
	if strings.HasPrefix(p.Purpose, "evolve") {
		return `{"changes":[]}`
	}
	_, after, _ := strings.Cut(p.Prompt, "developer ===\nRule number ")
	number, _, _ := strings.Cut(after, " ")
	return `{"items":[{"section":"conventions","content":"Rule number ` + number + ` is kept in file ` + number + `","confidence":0.9}]}`
}

func rules(_ int, p guest.CompleteParams) (string, *guest.Error) { return ruleOf(p), nil }

func TestEachSessionIsReadByItself(t *testing.T) {
	s := &scripted{Fake: guest.Fake{Turns: long(50)}, script: rules}
	items, err := extracted(t, s)
	if err != nil || len(s.asked) != 4 || len(items) != 3 {
		t.Fatalf("%d requests, %d items, %v", len(s.asked), len(items), err)
	}
	for i, first := range []int{40, 20, 0} {
		p := s.asked[i]
		if !strings.Contains(p.Prompt, fmt.Sprintf("===\nRule number %d ", first)) || strings.Contains(p.Prompt, fmt.Sprintf("===\nRule number %d ", first+20)) {
			t.Errorf("request %d does not show the session from turn %d alone", i, first)
		}
		if want := fmt.Sprintf("2026-01-%02d", 2+first/20); !strings.Contains(p.Prompt, "When: "+want+"\n") || !strings.Contains(p.Purpose, want) {
			t.Errorf("request %d does not say %s: %s", i, want, p.Purpose)
		}
	}
	if !strings.Contains(s.asked[1].Prompt, "k1 (conventions): Rule number 40 is kept") {
		t.Error("the older session is not told what the newer one brought")
	}
	if last := s.asked[3]; !strings.HasPrefix(last.Purpose, "evolve") || strings.Index(last.Prompt, "n1 (conventions): Rule number 0 ") < 0 {
		t.Errorf("what was found is not tidied, oldest first: %s", last.Prompt)
	}
}

func TestInterleavedSessionsAreToldApart(t *testing.T) {
	all := long(6)
	for i := range all {
		all[i].Session = []string{"a", "b"}[i%2]
	}
	s := &scripted{Fake: guest.Fake{Turns: all}, script: always(`{"items":[]}`)}
	if _, err := extracted(t, s); err != nil || len(s.asked) != 2 {
		t.Fatal(len(s.asked), err)
	}
	if p := s.asked[0].Prompt; !strings.Contains(p, "Rule number 5 ") || strings.Contains(p, "Rule number 4 ") {
		t.Error("the session that was spoken in last is not shown first and alone")
	}
}

// TestALongSessionIsReadInOrder shows each part what was noted from those before,
// and lets it take that back.
func TestALongSessionIsReadInOrder(t *testing.T) {
	s := &scripted{Fake: guest.Fake{Turns: single(50), Config: map[string]any{"max_part_chars": 20000}}}
	s.script = func(n int, p guest.CompleteParams) (string, *guest.Error) {
		if strings.Contains(p.Purpose, "part 3 of 3") {
			return `{"items":[],"gone":["n1","n9"]}`, nil
		}
		return ruleOf(p), nil
	}
	items, err := extracted(t, s)
	if err != nil || len(s.asked) != 3 || len(items) != 1 || strings.HasPrefix(items[0].Content, "Rule number 0 ") {
		t.Fatalf("%d requests, %v, %v", len(s.asked), items, err)
	}
	for i, p := range s.asked {
		if want := fmt.Sprintf("part %d of 3", i+1); !strings.Contains(p.Prompt, want) || !strings.Contains(p.Purpose, want) {
			t.Errorf("request %d is not %s, but %s", i, want, p.Purpose)
		}
		if told := strings.Contains(p.Prompt, "n1 (conventions): Rule number 0 is kept"); told != (i > 0) || strings.Contains(string(p.Schema), `"gone"`) != told {
			t.Errorf("request %d: told of earlier notes: %v\n%s", i, told, p.Schema)
		}
	}
}

// TestWhatIsKnownIsNamedByItsID: a reply says a known note anew by its id.
func TestWhatIsKnownIsNamedByItsID(t *testing.T) {
	s := &scripted{script: always(`{"items":[{"evidence":["m1"],"section":"facts","content":"k1","importance":2,"confidence":0.9}]}`), Fake: guest.Fake{
		Turns: turns("Weights are in grams, as I said.", "Yes."), Memory: []guest.MemoryItem{{ID: "1", Section: "conventions", Content: "Parcel weights are kept in grams"}},
	}}
	items, err := extracted(t, s)
	if got := contents(items); err != nil || got != "conventions: Parcel weights are kept in grams 0.9 [r-1]\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestTheMostImportantComeFirst(t *testing.T) {
	s := &scripted{Fake: guest.Fake{Turns: turns(gramsTold, "I will.")}, script: always(`{"items":[
		{"evidence":["m1"],"section":"facts","content":"One","importance":1,"confidence":0.99},{"evidence":["m1"],"section":"facts","content":"Two","confidence":0.8},
		{"evidence":["m1"],"section":"facts","content":"Three","importance":"3","confidence":0.8},{"evidence":["m1"],"section":"facts","content":"Four","importance":7,"confidence":0.9}]}`)}
	items, err := extracted(t, s)
	var got []string
	for _, i := range items {
		got = append(got, i.Content)
	}
	if want := []string{"Four", "Three", "Two", "One"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAFirstRunIsTidied(t *testing.T) {
	s := &scripted{Fake: guest.Fake{Turns: long(40)}}
	s.script = func(n int, p guest.CompleteParams) (string, *guest.Error) {
		switch {
		case strings.HasPrefix(p.Purpose, "evolve"):
			return `{"changes":[{"action":"merged","id":"n1","by":"n3"},{"action":"superseded","id":"n4","by":"n2"},{"action":"superseded","id":"n2","by":"n4"}]}`, nil
		case n == 0:
			return `{"items":[{"evidence":["m1"],"section":"facts","content":"The rules are kept in files of their own","confidence":0.9},{"evidence":["m1"],"section":"facts","content":"The limit of rules is 20","confidence":0.9}]}`, nil
		}
		return `{"items":[{"evidence":["m1"],"section":"facts","content":"Rules are kept in files","confidence":0.95},{"evidence":["m2"],"section":"facts","content":"The limit of rules is 10","confidence":0.9}]}`, nil
	}
	items, err := extracted(t, s)
	if err != nil || len(s.asked) != 3 {
		t.Fatal(len(s.asked), err)
	}
	// What is the same has the evidence of both; what was overtaken leaves none.
	want := "facts: The rules are kept in files of their own 0.95 [r-41 r-1]\nfacts: The limit of rules is 20 0.9 [r-41]\n"
	if got := contents(items); got != want {
		t.Errorf("%s%q", got, s.Lines)
	}
}

func TestTheOldestTurnsAreLeftOut(t *testing.T) {
	s := &scripted{Fake: guest.Fake{Turns: single(100), Config: map[string]any{"max_total_chars": 30000, "max_part_chars": 15000}}, script: always(`{"items":[]}`)}
	if _, err := extracted(t, s); err != nil {
		t.Fatal(err)
	}
	newest, oldest := s.asked[len(s.asked)-1].Prompt, s.asked[0].Prompt
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

func TestTheOldestSessionsAreLeftForNextTime(t *testing.T) {
	all := long(100)
	defer guest.SetHost(&scripted{Fake: guest.Fake{Turns: all, Config: map[string]any{"max_total_chars": 50000}}, script: rules})()
	r, err := extract(guest.ExtractRequest{NewTurns: len(all), Sections: notes()})
	if err != nil || len(r.Items) != 2 || len(r.Unread) != 60 || r.Unread[59] != all[59].ID {
		t.Errorf("%d items, %d unread, %v", len(r.Items), len(r.Unread), err)
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
				if strings.Contains(p.Purpose, "2026-01-03") {
					return failure()
				}
				return ruleOf(p), nil
			}}
			items, err := extracted(t, s)
			if err != nil || len(items) != 2 {
				t.Errorf("%v, %v", items, err)
			}
			if !slices.ContainsFunc(s.Lines, func(l string) bool { return strings.Contains(l, "session of 2026-01-03 10:19: ") }) ||
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
		if err != nil || len(items) != 1 || len(s.asked) != 2 || !strings.HasPrefix(items[0].Content, "Rule number 40 ") {
			t.Errorf("%s: %v, %v, %d requests", code, items, err, len(s.asked))
		}
	}
}

func TestARunAsksForSoManyParts(t *testing.T) {
	all := long(mostParts + 6)
	for i := range all {
		all[i].Session = fmt.Sprint("s", i)
	}
	s := &scripted{Fake: guest.Fake{Turns: all}, script: rules}
	defer guest.SetHost(s)()
	r, err := extract(guest.ExtractRequest{NewTurns: len(all), Sections: notes()})
	if err != nil || len(s.asked) != mostParts+1 || len(r.Unread) != 6 || !slices.Contains(r.Unread, all[5].ID) || len(r.Warnings) != 1 {
		t.Errorf("%d requests, %d unread, warnings %q, %v", len(s.asked), len(r.Unread), r.Warnings, err)
	}
}

// TestAModelOnThisMachineIsAskedLittle: shorter requests, and not for too long.
func TestAModelOnThisMachineIsAskedLittle(t *testing.T) {
	all := long(20 * (localParts + 2))
	for _, sentences := range []int{120, 0} {
		s := &scripted{Fake: guest.Fake{Turns: all, Config: map[string]any{"local_sentences": sentences, "max_local_chars": 15000, "evolve": false}}, script: rules, local: true}
		restore := guest.SetHost(s)
		r, err := extract(guest.ExtractRequest{NewTurns: len(all), Sections: notes()})
		restore()
		if err != nil || len(s.asked) != localParts || len(r.Unread) == 0 || slices.Contains(r.Unread, all[len(all)-1].ID) {
			t.Errorf("%d requests, %d unread, %v", len(s.asked), len(r.Unread), err)
		}
		for _, p := range s.asked {
			if len(p.Prompt) > 17000 || strings.Contains(p.Purpose, "part") != (sentences == 0) {
				t.Fatalf("%d sentences: %s has %d bytes", sentences, p.Purpose, len(p.Prompt))
			}
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
		if !strings.Contains(p.Purpose, "2026-01-04") {
			return `{"items":[]}`, nil
		}
		return `{"items":[{"section":"facts","content":"Ducks quack loudly","confidence":1,"evidence":["m39"]}]}`, nil
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
	s := &scripted{Fake: guest.Fake{Turns: long(80), PageTurns: 30}, script: rules}
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
			if strings.Contains(p.Purpose, "2026-01-03") {
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

// What the model noted and was not taken is told with why; of a reply that was asked
// for again only what the last one held.
func TestWhatIsNotTakenIsTold(t *testing.T) {
	turns := long(1)
	asked := 0
	restore := guest.SetHost(&scripted{Fake: guest.Fake{Turns: turns}, script: func(int, guest.CompleteParams) (string, *guest.Error) {
		if asked++; asked == 1 {
			return "no JSON at all", nil
		}
		return `{"items":[{"section":"facts","content":"Whales sleep upright","confidence":0.9},{"section":"recipes","content":"Bread wants water"}]}`, nil
	}})
	defer restore()
	r, err := extract(guest.ExtractRequest{NewTurns: len(turns), Sections: notes()})
	if err != nil || len(r.Items) != 0 || len(r.Rejected) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, want := range []string{"no message that was shown says it", `there is no section "recipes"`} {
		if r.Rejected[i].Why != want || r.Rejected[i].Content == "" {
			t.Errorf("%+v, want %q", r.Rejected[i], want)
		}
	}
}
