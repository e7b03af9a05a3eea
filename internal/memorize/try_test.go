package memorize

import (
	"errors"
	"testing"

	"recollect/internal/memory"
)

func TestTryTellsWhatWouldGoInAndWhatNot(t *testing.T) {
	t.Parallel()
	x := &lines{
		also:   []memory.Found{{Section: "facts", Content: "made up", Confidence: .9}, {Section: "nowhere", Content: "lost", Confidence: .8, Origin: memory.Origin{Records: []string{"1"}}}},
		unread: []string{"2"},
	}
	p, s := parts(x)
	h := told{turn("1", "keep the password is hunter2, use the blue one", "ok"), turn("2", "keep b", "ok")}
	var steps []string
	trial, err := Try(t.Context(), p, Input{Branch: "main", History: h, Now: now, Progress: func(p Progress) { steps = append(steps, p.Step) }})
	if err != nil {
		t.Fatal(err)
	}
	if len(trial.Found) != 2 || trial.Found[0].Content != "the password is [redacted], use the blue one" || trial.Found[0].Origin.Session != "s1" {
		t.Errorf("found %+v", trial.Found)
	}
	reasons := map[string]string{}
	for _, f := range trial.Refused {
		reasons[f.Content] = f.Reason
		if f.Confidence == 0 {
			t.Errorf("without its confidence: %+v", f)
		}
	}
	if len(reasons) != 2 || reasons["made up"] == "" || reasons["lost"] != "unknown section" {
		t.Errorf("refused %v", reasons)
	}
	if trial.Turns != 2 || trial.Unread != 1 || len(steps) == 0 {
		t.Errorf("%+v, %q", trial, steps)
	}
	if s.saves != 0 || len(p.Seen.(seenInMemory)) != 0 {
		t.Error("a try was kept")
	}
}

func TestTryLetsNobodyStandIn(t *testing.T) {
	t.Parallel()
	p, _ := parts(&lines{fail: ErrUnavailable})
	p.StandIn = &offline{}
	if _, err := Try(t.Context(), p, Input{Branch: "main", History: told{turn("1", "keep a", "ok")}, Now: now}); !errors.Is(err, ErrUnavailable) {
		t.Errorf("%v", err)
	}
	trial, err := Try(t.Context(), p, Input{Branch: "empty", History: told{}, Now: now})
	if err != nil || trial.Turns != 0 || len(trial.Found) != 0 {
		t.Errorf("%+v, %v", trial, err)
	}
}

type offline struct{ lines }

func (*offline) ID() string { return "test.offline" }
