package retry

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/internal/llm"
	"recollect/internal/llm/budget"
	"recollect/internal/llm/ledger"
)

// world has a clock that only sleeping moves, and a model that follows a script.
type world struct {
	mu     sync.Mutex
	t      time.Time
	slept  []time.Duration
	script []error // nil: an answer; after its end only answers
	calls  int
	wake   func() // called in each sleep
}

func newWorld(script ...error) *world {
	return &world{t: time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC), script: script}
}

func (w *world) now() time.Time { w.mu.Lock(); defer w.mu.Unlock(); return w.t }

func (w *world) pass(d time.Duration) { w.mu.Lock(); defer w.mu.Unlock(); w.t = w.t.Add(d) }

func (w *world) sleep(ctx context.Context, d time.Duration) error {
	if w.wake != nil {
		w.wake()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	w.pass(d)
	w.slept = append(w.slept, d)
	return nil
}

func (w *world) Name() string { return "anthropic" }

func (w *world) Complete(context.Context, llm.Prompt) (llm.Completion, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls++
	if w.calls <= len(w.script) && w.script[w.calls-1] != nil {
		return llm.Completion{InputTokens: 1}, w.script[w.calls-1]
	}
	return llm.Completion{Text: "hi", InputTokens: 10, OutputTokens: 5, Cost: 3, CostKnown: true}, nil
}

func (w *world) client(o Options) llm.Client {
	o.Now, o.Sleep = w.now, w.sleep
	if o.Rand == nil {
		o.Rand = func() float64 { return 1 }
	}
	return Client(w, o)
}

func fail(kind llm.Kind) error {
	return &llm.Error{Kind: kind, Client: "anthropic", Detail: "as scripted"}
}

func (w *world) failUntil(kind llm.Kind, after time.Duration) error {
	return &llm.Error{Kind: kind, Client: "anthropic", Until: w.t.Add(after)}
}

var prompt = llm.Prompt{Text: "x"}

func times(n int, err error) []error { return slices.Repeat([]error{err}, n) }

func TestTries(t *testing.T) {
	t.Parallel()
	s := time.Second
	for _, tt := range []struct {
		name   string
		script []error
		kind   llm.Kind
		calls  int
		slept  []time.Duration
	}{
		{"answer", nil, "", 1, nil},
		{"once", times(1, fail(llm.Overloaded)), "", 2, []time.Duration{s}},
		{"thrice", times(3, fail(llm.Timeout)), "", 4, []time.Duration{s, 2 * s, 4 * s}},
		{"for ever", times(9, fail(llm.RateLimited)), llm.RateLimited, 4, []time.Duration{s, 2 * s, 4 * s}},
		{"auth", times(1, fail(llm.Auth)), llm.Auth, 1, nil},
		{"bad request", times(1, fail(llm.BadRequest)), llm.BadRequest, 1, nil},
		{"refused", times(1, fail(llm.Refused)), llm.Refused, 1, nil},
		{"not installed", times(1, fail(llm.NotInstalled)), llm.NotInstalled, 1, nil},
		{"over budget", []error{fail(llm.Malformed), fail(llm.OverBudget)}, llm.OverBudget, 2, []time.Duration{s}},
		{"error of no kind", times(1, errors.New("x")), "", 2, []time.Duration{s}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(tt.script...)
			reply, err := w.client(Options{}).Complete(t.Context(), prompt)
			if llm.KindOf(err) != tt.kind || w.calls != tt.calls || !slices.Equal(w.slept, tt.slept) {
				t.Errorf("%v after %d calls, slept %v", err, w.calls, w.slept)
			}
			if err == nil && (reply.Text != "hi" || reply.InputTokens != 10+tt.calls-1 || reply.Cost != 3) {
				t.Errorf("%+v", reply)
			}
		})
	}
}

func TestJitter(t *testing.T) {
	t.Parallel()
	for r, want := range map[float64]time.Duration{0: 15 * time.Second, 0.5: 22500 * time.Millisecond, 0.999999: 30 * time.Second} {
		c := Client(nil, Options{Rand: func() float64 { return r }}).(*client)
		if got := c.backoff(50); got.Round(time.Millisecond) != want {
			t.Errorf("%v: %v", r, got)
		}
	}
}

func TestNamedTime(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.script = []error{w.failUntil(llm.RateLimited, 20*time.Second)}
	if _, err := w.client(Options{}).Complete(t.Context(), prompt); err != nil || w.slept[0] < 20*time.Second || w.slept[0] > 21*time.Second {
		t.Errorf("%v, slept %v", err, w.slept)
	}

	w = newWorld()
	w.script = []error{w.failUntil(llm.RateLimited, 3*time.Hour)}
	_, err := w.client(Options{}).Complete(t.Context(), prompt)
	var e *llm.Error
	if !errors.As(err, &e) || e.Until.IsZero() || w.calls != 1 || w.slept != nil {
		t.Errorf("%v after %d calls, slept %v", err, w.calls, w.slept)
	}
}

// TestAfterRestart keeps a vendor's time for a new process, which has nothing
// but the file.
func TestAfterRestart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "vendors.json")
	w := newWorld()
	w.script = []error{w.failUntil(llm.RateLimited, 3*time.Hour)}
	until := w.t.Add(3 * time.Hour)
	if _, err := w.client(Options{State: path}).Complete(t.Context(), prompt); err == nil {
		t.Fatal("no error")
	}
	ask := func(calls int, kind llm.Kind) {
		t.Helper()
		_, err := w.client(Options{State: path}).Complete(t.Context(), prompt)
		var e *llm.Error
		if llm.KindOf(err) != kind || w.calls != calls || errors.As(err, &e) && !e.Until.Equal(until) {
			t.Errorf("%v, %d calls; want %q, %d", err, w.calls, kind, calls)
		}
	}
	ask(1, llm.RateLimited)
	w.pass(2 * time.Hour)
	ask(1, llm.RateLimited)
	w.pass(59*time.Minute + 30*time.Second) // near enough to wait for
	ask(2, "")
	if len(w.slept) != 1 || w.slept[0] != 30*time.Second {
		t.Errorf("slept %v", w.slept)
	}
	ask(3, "")
	if text, err := os.ReadFile(path); err != nil || strings.TrimSpace(string(text)) != "{}" {
		t.Errorf("%s, %v: an answer forgets all", text, err)
	}
}

// TestClockSetBack shortens what was noted by as much.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "vendors.json")
	w := newWorld()
	w.script = []error{w.failUntil(llm.RateLimited, 2*time.Hour)}
	_, _ = w.client(Options{State: path}).Complete(t.Context(), prompt)
	w.pass(-48 * time.Hour)
	_, err := w.client(Options{State: path}).Complete(t.Context(), prompt)
	var e *llm.Error
	if !errors.As(err, &e) || e.Until.Sub(w.t) != 2*time.Hour {
		t.Errorf("%v, it is %v", err, w.t)
	}
}

func TestCircuit(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"memory": "", "file": filepath.Join(t.TempDir(), "vendors.json")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(times(7, fail(llm.Unavailable))...)
			one := w.client(Options{State: path})
			ask := func(calls int, kind llm.Kind) *llm.Error {
				t.Helper()
				if path != "" {
					one = w.client(Options{State: path}) // as a new process
				}
				_, err := one.Complete(t.Context(), prompt)
				if llm.KindOf(err) != kind || w.calls != calls {
					t.Fatalf("%v after %d calls; want %q after %d", err, w.calls, kind, calls)
				}
				var e *llm.Error
				errors.As(err, &e)
				return e
			}
			ask(4, llm.Unavailable)
			slept := len(w.slept)
			if e := ask(5, llm.Unavailable); !e.Until.IsZero() || len(w.slept) != slept {
				t.Errorf("%v, slept %v: the fifth in a row opens the circuit, and nothing is waited for", e, w.slept)
			}
			if e := ask(5, llm.Unavailable); e.Until.Sub(w.t) != time.Minute || !strings.Contains(e.Fix, "as scripted") {
				t.Errorf("%v; %s", e, e.Fix)
			}
			w.pass(59 * time.Second)
			ask(5, llm.Unavailable)
			w.pass(2 * time.Second)
			ask(6, llm.Unavailable)
			if e := ask(6, llm.Unavailable); e.Until.Sub(w.t) != 2*time.Minute {
				t.Errorf("%v: open twice as long", e)
			}
			w.pass(121 * time.Second)
			ask(7, llm.Unavailable)
			if e := ask(7, llm.Unavailable); e.Until.Sub(w.t) != 4*time.Minute {
				t.Errorf("%v", e)
			}
			w.pass(241 * time.Second)
			ask(8, "")
			ask(9, "")
		})
	}
}

// TestOneTry lets one of many through when the circuit may close.
func TestOneTry(t *testing.T) {
	t.Parallel()
	w := newWorld(times(5, fail(llm.Overloaded))...)
	c := w.client(Options{State: filepath.Join(t.TempDir(), "vendors.json"), Tries: 1})
	for range 5 {
		_, _ = c.Complete(t.Context(), prompt)
	}
	w.pass(2 * time.Minute)
	inside := &gateModel{world: w, entered: make(chan struct{}), leave: make(chan struct{})}
	c.(*client).inner = inside
	done := make(chan error, 1)
	go func() { _, err := c.Complete(t.Context(), prompt); done <- err }()
	<-inside.entered
	for range 5 {
		if _, err := c.Complete(t.Context(), prompt); llm.KindOf(err) != llm.Unavailable {
			t.Errorf("a second try: %v", err)
		}
	}
	close(inside.leave)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := w.client(Options{State: c.(*client).state.path}).Complete(t.Context(), prompt); err != nil {
		t.Errorf("closed again: %v", err)
	}
}

type gateModel struct {
	*world
	entered, leave chan struct{}
}

func (g *gateModel) Complete(ctx context.Context, p llm.Prompt) (llm.Completion, error) {
	close(g.entered)
	<-g.leave
	return g.world.Complete(ctx, p)
}

func TestTryGivenBack(t *testing.T) {
	t.Parallel()
	w := newWorld(append(times(5, fail(llm.Overloaded)), fail(llm.OverBudget))...)
	c := w.client(Options{Tries: 1})
	for range 5 {
		_, _ = c.Complete(t.Context(), prompt)
	}
	w.pass(2 * time.Minute)
	if _, err := c.Complete(t.Context(), prompt); llm.KindOf(err) != llm.OverBudget {
		t.Fatal(err)
	}
	if _, err := c.Complete(t.Context(), prompt); err != nil {
		t.Errorf("the try that told nothing was not given back: %v", err)
	}
}

func TestContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	w := newWorld(times(9, fail(llm.Overloaded))...)
	w.wake = cancel
	_, err := w.client(Options{}).Complete(ctx, prompt)
	if llm.KindOf(err) != llm.Cancelled || w.calls != 1 || !strings.Contains(err.Error(), "as scripted") {
		t.Errorf("%v after %d calls", err, w.calls)
	}

	// A wait beyond the deadline is not begun: the error comes at once.
	ctx, cancel = context.WithDeadline(t.Context(), time.Now().Add(time.Hour))
	defer cancel()
	w = newWorld(times(9, fail(llm.Overloaded))...)
	w.t = time.Now().Add(time.Hour - time.Second/2)
	if _, err := w.client(Options{}).Complete(ctx, prompt); llm.KindOf(err) != llm.Overloaded || w.calls != 1 || w.slept != nil {
		t.Errorf("%v after %d calls, slept %v", err, w.calls, w.slept)
	}
}

// TestWithinBudget counts each try.
func TestWithinBudget(t *testing.T) {
	t.Parallel()
	w := newWorld(times(9, fail(llm.Overloaded))...)
	limits := budget.Limits{}
	limits.Day = ledger.Amount{Calls: 3, Tokens: budget.NoLimit, Money: budget.NoLimit}
	limits.Run = ledger.Amount{Calls: budget.NoLimit, Tokens: budget.NoLimit, Money: budget.NoLimit}
	limits.Plugin = limits.Run
	b := budget.New(budget.Options{Ledger: ledger.Open(ledger.Options{Dir: t.TempDir(), Now: w.now}), Limits: limits})
	c := Client(b.Client(w, budget.Asker{}), Options{Now: w.now, Sleep: w.sleep, Tries: 10, Fails: 100})
	_, err := c.Complete(t.Context(), prompt)
	var spent *budget.SpentError
	if !errors.As(err, &spent) || w.calls != 3 {
		t.Errorf("%v after %d calls", err, w.calls)
	}
}

// TestSleep is the clock's own.
func TestSleep(t *testing.T) {
	t.Parallel()
	if err := sleep(t.Context(), time.Microsecond); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// FuzzState reads any file as what is known of vendors. Nothing in it can keep
// a vendor shut for longer than the limits say, nor crash us.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{"anthropic":{"at":"2026-11-28T09:00:00Z","until":"2099-01-01T00:00:00Z"}}`))
	f.Add([]byte(`{"anthropic":{"at":"2999-11-28T09:00:00Z","fails":99,"open_till":"2999-11-28T10:00:00Z","open_for":9223372036854775807}}`))
	f.Add([]byte(`{"anthropic":{"fails":-5,"trying":"2999-11-28T10:00:00Z","open_till":"2026-11-28T09:59:00Z","kind":"auth"}}`))
	f.Add([]byte(`null`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, text []byte) {
		w := newWorld()
		path := filepath.Join(t.TempDir(), "vendors.json")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := w.client(Options{State: path}).Complete(t.Context(), prompt)
		var e *llm.Error
		if errors.As(err, &e) && (!e.Retriable() || e.Until.Sub(w.t) > maxUntil) {
			t.Errorf("%v", err)
		}
		w.pass(maxUntil + tryFor + maxOpen)
		if _, err := w.client(Options{State: path}).Complete(t.Context(), prompt); err != nil {
			t.Errorf("shut for ever: %v", err)
		}
	})
}
