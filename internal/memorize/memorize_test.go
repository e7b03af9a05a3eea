package memorize

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"recollect/internal/history"
	"recollect/internal/memory"
)

var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// told is a history in memory.
type told []history.Turn

func (t told) Revision() string            { return fmt.Sprint(len(t)) }
func (t told) Sessions() []history.Session { return nil }
func (t told) Traces(history.Session) history.Traces {
	return history.Traces{Files: []string{"hunter2/a.go"}, Commit: "0123456 Take hunter2 out"}
}
func (t told) Report() history.Report { return history.Report{} }
func (t told) Close() error           { return nil }
func (t told) Refs(branch string) (r []history.Ref) {
	for _, turn := range t {
		if branch == "*" || turn.Branch == branch {
			r = append(r, turn.Ref)
		}
	}
	return r
}

func (t told) Turns(_ context.Context, refs []history.Ref) iter.Seq2[history.Turn, error] {
	return func(yield func(history.Turn, error) bool) {
		for _, r := range refs {
			for _, turn := range t {
				if turn.ID == r.ID && !yield(turn, nil) {
					return
				}
			}
		}
	}
}

func turn(id, user, assistant string) history.Turn {
	t := history.Turn{Ref: history.Ref{ID: id, Session: "s1", Source: "test", Branch: "main", Time: now, Digest: user + assistant}}
	t.Messages = append(t.Messages, history.Message{ID: id, Role: history.User, Time: now, Text: user})
	if assistant != "" {
		t.Messages = append(t.Messages, history.Message{ID: id + "a", Role: history.Assistant, Time: now, Text: assistant})
	}
	return t
}

// lines finds every line of a message that begins with "keep ", and suggests those
// that begin with "maybe ".
type lines struct {
	got    []history.Ref
	fail   error
	also   []memory.Found
	unread []string
	halted error
}

func (*lines) ID() string { return "test.lines" }

func (x *lines) Extract(ctx context.Context, in Extraction) (Extracted, error) {
	x.got = in.New
	found := append([]memory.Found(nil), x.also...)
	for t, err := range in.History.Turns(ctx, in.New) {
		if err != nil {
			return Extracted{}, err
		}
		for _, m := range t.Messages {
			for l := range strings.Lines(m.Text) {
				word, rest, _ := strings.Cut(strings.TrimSpace(l), " ")
				if word == "keep" || word == "maybe" {
					found = append(found, memory.Found{Section: "facts", Content: rest, Confidence: .7, Origin: memory.Origin{Records: []string{m.ID}}, Suggestion: word == "maybe"})
				}
			}
		}
	}
	return Extracted{Found: found, Unread: x.unread, Halted: x.halted}, x.fail
}

type plainSchema struct{}

func (plainSchema) ID() string { return "test.schema" }
func (plainSchema) Layout(context.Context) (memory.Layout, error) {
	return memory.Layout{Title: "Branch Memory", Sections: []memory.Section{{ID: "facts", Heading: "Facts"}}}, nil
}
func (plainSchema) Check(_ context.Context, _ []memory.Section, f []memory.Found) ([]memory.Found, []Reject, error) {
	return f, nil, nil
}

// shelf is a store in memory; before each save it calls meanwhile.
type shelf struct {
	m         memory.Memory
	rev       int
	saves     int
	meanwhile func(*shelf)
}

func (s *shelf) Load(string) (memory.Memory, memory.Revision, error) {
	return s.m, memory.Revision(fmt.Sprint(s.rev)), nil
}

func (s *shelf) Save(ctx context.Context, m memory.Memory, rev memory.Revision) (memory.Revision, error) {
	if f := s.meanwhile; f != nil {
		s.meanwhile = nil
		f(s)
	}
	if rev != memory.Revision(fmt.Sprint(s.rev)) {
		return "", memory.ErrChanged
	}
	s.m, s.rev, s.saves = m, s.rev+1, s.saves+1
	return memory.Revision(fmt.Sprint(s.rev)), nil
}

type seenInMemory map[string][]byte

func (s seenInMemory) Load(b string) (*Seen, error) { return DecodeSeen(s[b], b), nil }
func (s seenInMemory) Save(b string, seen *Seen) (err error) {
	s[b], err = seen.Encode(b)
	return err
}

// hide takes the word "hunter2" out.
type hide struct{}

func (hide) Redact(s string) (string, int) {
	return strings.ReplaceAll(s, "hunter2", "[redacted]"), strings.Count(s, "hunter2")
}
func (hide) OnlySecret(_, after string) bool { return strings.TrimSpace(after) == "[redacted]" }

func parts(x *lines) (Parts, *shelf) {
	s := &shelf{}
	return Parts{Extractors: []Extractor{x}, Schema: plainSchema{}, Store: s, Seen: seenInMemory{}, Redactor: hide{}}, s
}

func run1(t *testing.T, p Parts, h told) Report {
	t.Helper()
	r, err := Run(t.Context(), p, Input{Project: "p", Branch: "main", History: h, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const long = "a long answer that says enough for the gate to let the turn pass"

func TestGate(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		h      told
		out    Outcome
		reason string
	}{
		"no history":      {nil, Unchanged, ReasonNone},
		"other branch":    {told{{Ref: history.Ref{ID: "1", Branch: "x"}}}, Unchanged, ReasonNone},
		"never answered":  {told{turn("1", "keep this fact about the depot, which is quite long really", "")}, Skipped, ReasonEmpty},
		"short":           {told{turn("1", "hi", "hello"), turn("2", "ok", "bye")}, Skipped, ReasonTrivial},
		"49 runes":        {told{turn("1", strings.Repeat("é", 40), strings.Repeat("é", 9))}, Skipped, ReasonTrivial},
		"50 runes":        {told{turn("1", strings.Repeat("é", 40), strings.Repeat("é", 10))}, Empty, ""},
		"nothing to keep": {told{turn("1", "hi", long)}, Empty, ""},
		"something":       {told{turn("1", "keep prices in cents", long)}, Memorized, ""},
		"one short is ok": {told{turn("1", "hi", "ho"), turn("2", "keep prices in cents", long)}, Memorized, ""},
	} {
		x := &lines{}
		p, s := parts(x)
		r := run1(t, p, tt.h)
		if r.Outcome != tt.out || r.Reason != tt.reason {
			t.Errorf("%s: %s %q, want %s %q", name, r.Outcome, r.Reason, tt.out, tt.reason)
		}
		if (s.saves > 0) != (tt.out == Memorized) {
			t.Errorf("%s: %d saves", name, s.saves)
		}
	}
}

// TestGateHearsShortRules looks at what is said, in any script, not at how long it is.
func TestGateHearsShortRules(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{
		"We never use floats for prices.", "Use tabs.", "Don't push to main", "no semicolons, please",
		"Preise nie als Float!", "никогда не используй float", "不要用浮点数存价格", "価格に小数は使わない", "항상 탭을 사용하세요",
		"ห้ามใช้เลขทศนิยม", "/compact\nnever use floats",
	} {
		if says, answered := weigh(turn("1", prompt, "ok")); !says || !answered {
			t.Errorf("%q is skipped", prompt)
		}
	}
	if says, _ := weigh(turn("1", "why?", "Prices are stored as integer cents")); !says {
		t.Error("a short answer that says something is skipped")
	}
	for _, prompt := range []string{
		"ok", "Thanks!", "yes, please go ahead", "continue", "OK, that's great, thank you", "y", "1", "👍", "...", "looks good to me",
		"/clear", "/model opus", "  /plan the next steps", "ja, mach weiter", "да, продолжай", "好的，继续", "谢谢", "はい、お願いします", "네, 계속해 주세요",
		"let’s go", "what's next?",
	} {
		if says, _ := weigh(turn("1", prompt, "Done. What next?")); says {
			t.Errorf("%q is worth a call", prompt)
		}
	}
}

func TestOnlyNewTurnsAreExtracted(t *testing.T) {
	t.Parallel()
	x := &lines{}
	p, _ := parts(x)
	h := told{turn("1", "keep prices in cents", long)}
	run1(t, p, h)
	if r := run1(t, p, h); r.Outcome != Unchanged || r.NewTurns != 0 || r.Items != 1 {
		t.Errorf("again: %+v", r)
	}
	h = append(h, turn("2", "keep depots closed on Sunday", long))
	if r := run1(t, p, h); r.Outcome != Memorized || r.NewTurns != 1 || len(x.got) != 1 || x.got[0].ID != "2" {
		t.Errorf("appended: %+v, extracted %v", r, x.got)
	}
	h[1] = turn("2", "keep depots closed on Sunday", long+" and it goes on")
	if r := run1(t, p, h); r.NewTurns != 1 || r.Outcome != Unchanged {
		t.Errorf("a turn that grew: %+v", r)
	}
	r, err := Run(t.Context(), p, Input{Branch: "main", History: h, Now: now, Again: true})
	if err != nil || r.NewTurns != 2 || r.Outcome != Unchanged {
		t.Errorf("again: %+v, %v", r, err)
	}
}

func TestSecretsAreNeverShownNorKept(t *testing.T) {
	t.Parallel()
	x := &lines{also: []memory.Found{{Section: "facts", Content: "the password is hunter2", Confidence: 1, Origin: memory.Origin{Records: []string{"1"}}}}}
	p, s := parts(x)
	run1(t, p, told{turn("1", "keep hunter2\nkeep the port is 8443, password hunter2", long)})
	for _, it := range s.m.Items {
		if strings.Contains(it.Content, "hunter2") || strings.TrimSpace(it.Content) == "[redacted]" {
			t.Errorf("kept %q", it.Content)
		}
	}
	if len(s.m.Items) != 2 {
		t.Errorf("%d items, want the port and the password's sentence: %+v", len(s.m.Items), s.m.Items)
	}
}

func TestEvidenceIsChecked(t *testing.T) {
	t.Parallel()
	x := &lines{also: []memory.Found{
		{Section: "facts", Content: "made up", Confidence: 1},
		{Section: "facts", Content: "made up too", Confidence: 1, Origin: memory.Origin{Records: []string{"nowhere"}}},
		{Section: "nosuch", Content: "in no section", Confidence: 1, Origin: memory.Origin{Records: []string{"1"}}},
		{Section: "facts", Content: strings.Repeat("x", MaxItemRunes+1), Confidence: 1, Origin: memory.Origin{Records: []string{"1"}}},
	}}
	p, s := parts(x)
	r := run1(t, p, told{turn("1", "keep prices in cents", long)})
	if len(s.m.Items) != 1 || len(r.Rejected) != 4 {
		t.Fatalf("items %+v, rejected %+v", s.m.Items, r.Rejected)
	}
	o := s.m.Items[0].Origins[0]
	if o.Extractor != "test.lines" || o.Session != "s1" || o.Source != "test" || !o.Time.Equal(now) {
		t.Errorf("origin %+v", o)
	}
}

func TestAnEditMeanwhileIsKept(t *testing.T) {
	t.Parallel()
	x := &lines{}
	p, s := parts(x)
	s.meanwhile = func(s *shelf) {
		s.m.Items = append(s.m.Items, memory.Item{ID: "byhand", Section: "facts", Content: "written meanwhile", State: memory.Active})
		s.rev++
	}
	run1(t, p, told{turn("1", "keep prices in cents", long)})
	if len(s.m.Items) != 2 {
		t.Errorf("items %+v", s.m.Items)
	}
}

func TestFailureCountsNothingAsSeen(t *testing.T) {
	t.Parallel()
	x := &lines{fail: errors.New("broken")}
	p, s := parts(x)
	h := told{turn("1", "keep prices in cents", long)}
	if _, err := Run(t.Context(), p, Input{Branch: "main", History: h, Now: now}); err == nil || s.saves != 0 {
		t.Fatalf("%v, %d saves", err, s.saves)
	}
	x.fail = nil
	if r := run1(t, p, h); r.Outcome != Memorized || r.NewTurns != 1 {
		t.Errorf("after the failure: %+v", r)
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	t.Parallel()
	x := &lines{}
	p, s := parts(x)
	h := told{turn("1", "keep prices in cents", long)}
	r, err := Run(t.Context(), p, Input{Branch: "main", History: h, Now: now, DryRun: true})
	if err != nil || r.Outcome != Memorized || len(r.Changes) != 1 || s.saves != 0 {
		t.Fatalf("%+v, %v, %d saves", r, err, s.saves)
	}
	if r := run1(t, p, h); r.NewTurns != 1 {
		t.Errorf("the dry run counted as seen: %+v", r)
	}
}

func TestALongHistoryComesInParts(t *testing.T) {
	t.Parallel()
	var h told
	for i := range batchTurns + 5 {
		h = append(h, turn(fmt.Sprint(i), fmt.Sprintf("keep value number %d is %d", i, i*7), long))
	}
	x := &lines{}
	p, _ := parts(x)
	// The newest come first: the last part is the oldest.
	if r := run1(t, p, h); len(x.got) != batchTurns || x.got[0].ID != "0" || r.NewTurns != batchTurns+5 {
		t.Errorf("last part %d, %+v", len(x.got), r.NewTurns)
	}
}

func FuzzDecodeSeen(f *testing.F) {
	f.Add([]byte(`{"version":1,"branch":"main","seen":{"x":{"s/1":"d"}}}`))
	f.Add([]byte(`{"version":1,"branch":"main","seen":{"x":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := DecodeSeen(data, "main")
		refs := []history.Ref{{ID: "1", Source: "s", Digest: "d"}}
		s.New("x", refs)
		s.Add("x", refs)
		if len(s.New("x", refs)) != 0 {
			t.Error("what was added is new")
		}
	})
}

func TestWhatWasNotReadStaysNew(t *testing.T) {
	t.Parallel()
	x := &lines{unread: []string{"1"}}
	p, _ := parts(x)
	h := told{turn("1", "keep prices in cents", long), turn("2", "keep depots closed on Sunday", long)}
	run1(t, p, h)
	x.unread = nil
	if r := run1(t, p, h); r.NewTurns != 1 || x.got[0].ID != "1" {
		t.Errorf("%+v, %+v", r, x.got)
	}
}

func TestTracesAreRedacted(t *testing.T) {
	w := Redacted(told{}, hide{}).Traces(history.Session{})
	if w.Files[0] != "[redacted]/a.go" || w.Commit != "0123456 Take [redacted] out" {
		t.Errorf("%+v", w)
	}
	if again := (told{}).Traces(history.Session{}); again.Files[0] != "hunter2/a.go" {
		t.Error("the history itself was changed")
	}
}

// titled is a history with one session, and counts what is redacted.
type titled struct {
	told
	hide
	redacted *int
}

func (titled) Sessions() []history.Session {
	return []history.Session{{ID: "s", Title: "About hunter2", Files: []string{"/home/dev/s.jsonl"}}}
}

func (t titled) Redact(s string) (string, int) {
	*t.redacted++
	return t.hide.Redact(s)
}

// TestSessionsAreRedactedOnce: a plug-in may ask for each session of thousands.
func TestSessionsAreRedactedOnce(t *testing.T) {
	t.Parallel()
	n := 0
	h := titled{redacted: &n}
	v := newView(h, h)
	for range 3 {
		if s := v.Sessions(); len(s) != 1 || strings.Contains(s[0].Title, "hunter2") || s[0].Files != nil {
			t.Errorf("%+v", s)
		}
	}
	if n != 1 {
		t.Errorf("a title was redacted %d times", n)
	}
}
