package budget

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"recollect/internal/llm"
	"recollect/internal/llm/ledger"
	"recollect/internal/tokens"
)

// model is a client that answers as a test says.
type model struct {
	name  string
	calls atomic.Int64
	reply func() (llm.Completion, error)
}

func (m *model) Name() string { return m.name }

func (m *model) Complete(context.Context, llm.Prompt) (llm.Completion, error) {
	m.calls.Add(1)
	if m.reply == nil {
		return llm.Completion{Text: "hi", Model: "claude-haiku-4-5", InputTokens: 10, OutputTokens: 5}, nil
	}
	return m.reply()
}

var unlimited = ledger.Amount{Calls: NoLimit, Tokens: NoLimit, Money: NoLimit}

// none are no limits at all.
func none() Limits { return Limits{Run: unlimited, Day: unlimited, Plugin: unlimited} }

func budgetIn(dir string, l Limits) *Budget {
	return New(Options{Ledger: ledger.Open(ledger.Options{Dir: dir}), Limits: l, Project: "/p", Run: "r"})
}

var haiku = Asker{Plugin: "p", Model: "claude-haiku-4-5"}

func wantSpent(t *testing.T, err error, scope Scope, what What) *SpentError {
	t.Helper()
	var spent *SpentError
	if !errors.As(err, &spent) || spent.Scope != scope || spent.What != what || llm.KindOf(err) != llm.OverBudget {
		t.Fatalf("%v; want the %s's %s spent", err, scope, what)
	}
	return spent
}

func TestNothingAllowedByDefault(t *testing.T) {
	t.Parallel()
	m := &model{name: "anthropic"}
	_, err := budgetIn(t.TempDir(), Limits{}).Client(m, haiku).Complete(t.Context(), llm.Prompt{Text: "x"})
	wantSpent(t, err, Run, Calls)
	if m.calls.Load() != 0 {
		t.Error("it was called")
	}
}

// TestTogether has 200 callers in one process, over several budgets, with
// retries of their own, ask for 50 calls.
func TestTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	limits := none()
	limits.Day.Calls = 50
	m := &model{name: "anthropic"}
	budgets := []*Budget{budgetIn(dir, limits), budgetIn(dir, limits)}
	var refused atomic.Int64
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			c := budgets[i%2].Client(m, Asker{Plugin: fmt.Sprint("p", i%3), Model: "claude-haiku-4-5"})
			for range 2 {
				if _, err := c.Complete(t.Context(), llm.Prompt{Text: "x"}); err != nil {
					refused.Add(1)
					if llm.KindOf(err) != llm.OverBudget {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	if m.calls.Load() != 50 || refused.Load() != 350 {
		t.Errorf("%d calls, %d refused", m.calls.Load(), refused.Load())
	}
}

// TestProcesses has 8 processes with 25 callers each ask for 50 calls.
func TestProcesses(t *testing.T) {
	limits := none()
	limits.Day.Calls = 50
	if dir := os.Getenv("RECOLLECT_TEST_BUDGET"); dir != "" {
		m := &model{name: "anthropic"}
		c := budgetIn(filepath.Join(dir, "ledger"), limits).Client(m, haiku)
		var wg sync.WaitGroup
		for range 25 {
			wg.Go(func() {
				if _, err := c.Complete(t.Context(), llm.Prompt{Text: "x"}); err != nil && llm.KindOf(err) != llm.OverBudget {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		fmt.Printf("calls=%d.\n", m.calls.Load())
		return
	}
	dir := t.TempDir()
	var total atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProcesses$", "-test.v")
			cmd.Env = append(os.Environ(), "RECOLLECT_TEST_BUDGET="+dir)
			out, err := cmd.CombinedOutput()
			var n int64
			_, after, _ := strings.Cut(string(out), "calls=")
			if _, scan := fmt.Sscanf(after, "%d.", &n); scan != nil || err != nil {
				t.Errorf("%v: %s", err, out)
			}
			total.Add(n)
		})
	}
	wg.Wait()
	if total.Load() != 50 {
		t.Errorf("%d calls, want 50", total.Load())
	}
	u, err := ledger.Open(ledger.Options{Dir: filepath.Join(dir, "ledger")}).Usage(t.Context(), ledger.Query{})
	if err != nil || u.Total.Calls != 50 || u.Total.Failed != 0 || u.Damaged != 0 {
		t.Errorf("%+v, %v", u.Total, err)
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		limit func(*Limits)
		scope Scope
		what  What
	}{
		{"run calls", func(l *Limits) { l.Run.Calls = 1 }, Run, Calls},
		{"day calls", func(l *Limits) { l.Day.Calls = 1 }, Day, Calls},
		{"plug-in calls", func(l *Limits) { l.Plugin.Calls = 1 }, Plugin, Calls},
		{"run tokens", func(l *Limits) { l.Run.Tokens = 150 }, Run, Tokens},
		{"day tokens", func(l *Limits) { l.Day.Tokens = 150 }, Day, Tokens},
		{"plug-in tokens", func(l *Limits) { l.Plugin.Tokens = 150 }, Plugin, Tokens},
		{"run money", func(l *Limits) { l.Run.Money = 560 }, Run, Money},
		{"day money", func(l *Limits) { l.Day.Money = 560 }, Day, Money},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			limits := none()
			tt.limit(&limits)
			m := &model{name: "anthropic"}
			b := budgetIn(t.TempDir(), limits)
			c := b.Client(m, haiku)
			prompt := llm.Prompt{Text: "x", MaxTokens: 100}
			if _, err := c.Complete(t.Context(), prompt); err != nil {
				t.Fatal(err) // set aside: 1 call, 134 tokens, 534 millionths; taken: 15 tokens, 35 millionths
			}
			_, err := c.Complete(t.Context(), llm.Prompt{Text: "x", MaxTokens: 110})
			if spent := wantSpent(t, err, tt.scope, tt.what); spent.Renews.IsZero() != (tt.scope == Run) {
				t.Errorf("renews %v", spent.Renews)
			}
			var e *llm.Error
			if !errors.As(err, &e) || e.Detail == "" || e.Hint() == "" {
				t.Errorf("%+v", e)
			}
			other := b.Client(m, Asker{Plugin: "q", Model: haiku.Model})
			if _, err := other.Complete(t.Context(), llm.Prompt{Text: "x", MaxTokens: 110}); (err == nil) != (tt.scope == Plugin) {
				t.Errorf("another plug-in: %v", err)
			}
		})
	}
}

// TestBills compares what the ledger holds after each kind of end.
func TestBills(t *testing.T) {
	t.Parallel()
	reply := llm.Completion{Text: "hi", Model: "claude-haiku-4-5-20251001", InputTokens: 10, OutputTokens: 5}
	fail := func(kind llm.Kind, cause error) error { return &llm.Error{Kind: kind, Err: cause} }
	input := int64(tokens.Count("\nx")) + frame
	full := input + 100
	for _, tt := range []struct {
		name   string
		asker  Asker
		reply  llm.Completion
		err    error
		want   ledger.Amount
		priced bool
	}{
		{"list price", haiku, reply, nil, ledger.Amount{Calls: 1, Tokens: 15, Money: 35}, true},
		{"own price", Asker{Price: &ledger.Price{}}, reply, nil, ledger.Amount{Calls: 1, Tokens: 15}, true},
		{"the vendor's figure", haiku, llm.Completion{InputTokens: 10, OutputTokens: 5, Cost: 77, CostKnown: true}, nil, ledger.Amount{Calls: 1, Tokens: 15, Money: 77}, true},
		{"unknown model", Asker{Model: "new"}, llm.Completion{Model: "new", InputTokens: 10, OutputTokens: 5}, nil, ledger.Amount{Calls: 1, Tokens: 15, Money: 150 + 375}, false},
		{"unknown, then known", Asker{}, reply, nil, ledger.Amount{Calls: 1, Tokens: 15, Money: 35}, true},
		{"no tokens told", haiku, llm.Completion{Text: ""}, nil, ledger.Amount{Calls: 1, Tokens: input, Money: input}, true},
		{"nonsense told", haiku, llm.Completion{InputTokens: -7, OutputTokens: 5}, nil, ledger.Amount{Calls: 1, Tokens: 5, Money: 25}, true},
		{"rate limited", haiku, llm.Completion{}, fail(llm.RateLimited, nil), ledger.Amount{Calls: 1}, true},
		{"no program", haiku, llm.Completion{}, fail(llm.NotInstalled, nil), ledger.Amount{}, true},
		{"the vendor's budget", haiku, llm.Completion{}, fail(llm.OverBudget, nil), ledger.Amount{Calls: 1}, true},
		{"no network", haiku, llm.Completion{}, fail(llm.Unavailable, &net.OpError{Op: "dial", Err: errors.New("x")}), ledger.Amount{Calls: 1}, true},
		{"no network, no refusal", haiku, llm.Completion{}, fail(llm.Timeout, &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}), ledger.Amount{Calls: 1}, true},
		{"no name", haiku, llm.Completion{}, fail(llm.Unavailable, &net.DNSError{}), ledger.Amount{Calls: 1}, true},
		{"out of order", haiku, llm.Completion{}, fail(llm.Unavailable, nil), ledger.Amount{Calls: 1, Tokens: input, Money: input}, true},
		{"timeout", haiku, llm.Completion{}, fail(llm.Timeout, nil), ledger.Amount{Calls: 1, Tokens: full, Money: input + 500}, true},
		{"broke off with a bill", haiku, llm.Completion{InputTokens: 10, OutputTokens: 1}, fail(llm.Unavailable, nil), ledger.Amount{Calls: 1, Tokens: 11, Money: 15}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := budgetIn(t.TempDir(), none())
			m := &model{name: "anthropic", reply: func() (llm.Completion, error) { return tt.reply, tt.err }}
			_, err := b.Client(m, tt.asker).Complete(t.Context(), llm.Prompt{Text: "x", MaxTokens: 100})
			if !errors.Is(err, tt.err) {
				t.Fatal(err)
			}
			s, err := b.o.Ledger.Standing(t.Context(), "")
			if err != nil || s.Total != tt.want || b.run != tt.want {
				t.Errorf("day %+v, run %+v, %v; want %+v", s.Total, b.run, err, tt.want)
			}
			u, err := b.o.Ledger.Usage(t.Context(), ledger.Query{})
			if err != nil || (u.Total.Unpriced == 0) != tt.priced || u.Total.Open != 0 {
				t.Errorf("%+v, %v", u.Total, err)
			}
		})
	}
}

func TestPanicSettles(t *testing.T) {
	t.Parallel()
	b := budgetIn(t.TempDir(), none())
	m := &model{name: "anthropic", reply: func() (llm.Completion, error) { panic("x") }}
	func() {
		defer func() { _ = recover() }()
		_, _ = b.Client(m, haiku).Complete(t.Context(), llm.Prompt{Text: "x"})
	}()
	u, err := b.o.Ledger.Usage(t.Context(), ledger.Query{})
	if err != nil || u.Total.Calls != 1 || u.Total.Open != 0 || u.Total.OutputTokens != llm.DefaultMaxTokens {
		t.Errorf("%+v, %v", u.Total, err)
	}
}

// TestExactWhenTight lets a call through that fits only if every token is
// counted.
func TestExactWhenTight(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a quite ordinary sentence about nothing in particular. ", 2000)
	quick, exact := quickTokens(text), tokens.Count(text)
	if quick <= exact {
		t.Fatalf("quick %d, exact %d", quick, exact)
	}
	limits := none()
	limits.Run.Tokens = int64(exact+quick)/2 + 200
	b := budgetIn(t.TempDir(), limits)
	if _, err := b.Client(&model{name: "anthropic"}, haiku).Complete(t.Context(), llm.Prompt{Text: text, MaxTokens: 10}); err != nil {
		t.Error(err)
	}
}

func TestLedgerOutOfOrder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	m := &model{name: "anthropic"}
	b := budgetIn(file, none())
	_, err := b.Client(m, haiku).Complete(t.Context(), llm.Prompt{Text: "x"})
	if llm.KindOf(err) != llm.OverBudget || m.calls.Load() != 0 || b.run != (ledger.Amount{}) {
		t.Errorf("%v, %d calls, run %+v", err, m.calls.Load(), b.run)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := &model{name: "anthropic"}
	if _, err := budgetIn(t.TempDir(), none()).Client(m, haiku).Complete(ctx, llm.Prompt{Text: "x"}); llm.KindOf(err) != llm.Cancelled || m.calls.Load() != 0 {
		t.Error(err)
	}
}

// TestGivenUp cancels a call under way: it counts.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	m := &model{name: "anthropic", reply: func() (llm.Completion, error) {
		cancel()
		return llm.Completion{}, llm.ContextError(ctx, "anthropic")
	}}
	b := budgetIn(t.TempDir(), none())
	_, _ = b.Client(m, haiku).Complete(ctx, llm.Prompt{Text: "x", MaxTokens: 100})
	u, err := b.o.Ledger.Usage(t.Context(), ledger.Query{})
	if err != nil || u.Total.OutputTokens != 100 || u.Total.Open != 0 {
		t.Errorf("%+v, %v", u.Total, err)
	}
}

func TestLeft(t *testing.T) {
	t.Parallel()
	limits := none()
	limits.Run.Calls, limits.Plugin.Tokens, limits.Day.Money = 2, 20, 10
	limits.Plugin.Tokens = 1000
	limits.Day.Money = 1000
	b := budgetIn(t.TempDir(), limits)
	want := func(plugin string, a ledger.Amount) {
		t.Helper()
		if left, err := b.Left(t.Context(), plugin); err != nil || left != a {
			t.Errorf("%s: %+v, %v; want %+v", plugin, left, err, a)
		}
	}
	want("p", ledger.Amount{Calls: 2, Tokens: 1000, Money: 1000})
	if _, err := b.Client(&model{name: "anthropic"}, haiku).Complete(t.Context(), llm.Prompt{Text: "x", MaxTokens: 10}); err != nil {
		t.Fatal(err)
	}
	want("p", ledger.Amount{Calls: 1, Tokens: 985, Money: 965})
	want("q", ledger.Amount{Calls: 1, Tokens: 1000, Money: 965})
}

func TestSentences(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 11, 29, 0, 0, 0, 0, time.Local)
	zone, _ := day.Zone()
	for want, e := range map[string]*SpentError{
		"today's 50 calls are used up; raise the budget, or wait until 2026-11-29 00:00 " + zone:                                                                                    {Scope: Day, What: Calls, Limit: 50, Used: 50, Renews: day},
		"this run's budget of $0.50 has no room for this call: $0.45 used, the call may take $0.12; raise the budget of a run, or run it again for the rest":                        {Scope: Run, What: Money, Limit: 500_000, Used: 450_000, Need: 120_000},
		"the plug-in's daily budget of 100 tokens has no room for this call: 10 tokens used, the call may take 91 tokens; raise the budget, or wait until 2026-11-29 00:00 " + zone: {Scope: Plugin, What: Tokens, Limit: 100, Used: 10, Need: 91, Renews: day},
	} {
		if got := e.Error() + "; " + e.Fix(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// BenchmarkOverhead is what a call costs on our side, with a prompt as large as
// a chunk of a transcript.
func BenchmarkOverhead(b *testing.B) {
	budget := budgetIn(b.TempDir(), none())
	c := budget.Client(&model{name: "anthropic"}, haiku)
	p := llm.Prompt{Text: strings.Repeat("The user asked to fix the build; func main() { x := 1 }\n", 2000)}
	for b.Loop() {
		if _, err := c.Complete(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
}
