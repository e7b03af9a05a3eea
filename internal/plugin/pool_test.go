package plugin

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"

	"recollect/hostapi"
)

var machineCode = sync.OnceValues(func() (wazero.CompilationCache, error) {
	return wazero.NewCompilationCacheWithDir(filepath.Join(shared, "machine-code"))
})

// compiled gives a module ready to run.
func compiled(t testing.TB, wasm []byte) *module {
	t.Helper()
	metered, _, err := instrument(wasm, DefaultLimits.Memory)
	must(t, err)
	cache, err := machineCode()
	must(t, err)
	m, err := compile(t.Context(), cache, metered, DefaultLimits.Memory)
	must(t, err)
	t.Cleanup(m.close)
	return m
}

// outcome of a call, as far as it must not depend on other calls.
type outcomeOf struct {
	answer, err, stderr string
	fuel, memory        int64
}

// extractIn calls rc_extract and gives all that a caller can see of it.
func extractIn(m *module, request []byte) outcomeOf {
	s := newSession(context.Background(), hostapi.Manifest{}, DefaultLimits, Setting{}, "test")
	defer s.close()
	answer, err := m.call(s, "extract", request)
	o := outcomeOf{answer: string(answer), stderr: s.stderr.String(), fuel: s.usage.Fuel, memory: s.usage.Memory}
	if err != nil {
		o.err = err.Error()
	}
	return o
}

// freshly does as extractIn in an instance that is made for this call.
func freshly(m *module, request []byte) outcomeOf {
	was := m.pool
	m.pool = newPool()
	defer func() {
		m.pool.close()
		m.pool = was
	}()
	return extractIn(m, request)
}

// TestNothingIsRemembered calls guests that hoard, in random orders, and wants
// each answer to be what a fresh instance gives.
func TestNothingIsRemembered(t *testing.T) {
	branch := func(kinds ...string) func(*rand.Rand) []byte {
		return func(r *rand.Rand) []byte {
			kind := kinds[r.IntN(len(kinds))]
			return fmt.Appendf(nil, `{"branch":%q}`, kind+strings.Repeat("x", r.IntN(1+r.IntN(50_000))))
		}
	}
	op := func(n int) func(*rand.Rand) []byte {
		return func(r *rand.Rand) []byte { return []byte{byte(1 + r.IntN(n)), byte(r.IntN(24))} }
	}
	for _, tt := range []struct {
		name    string
		wasm    []byte
		request func(*rand.Rand) []byte
		calls   int
		pooled  bool
	}{
		{"hand-made", hoarder(false), op(7), 600, true},
		{"hand-made with a table", hoarder(true), op(9), 600, false},
		{"Go", goGuest(t, "hoarder"), branch("some", "other", "grow", "close", "panic"), 40, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := compiled(t, tt.wasm)
			r := rand.New(rand.NewPCG(1, 2))
			reused := 0
			for i := range tt.calls {
				request := tt.request(r)
				if len(m.pool.idle) > 0 {
					reused++
				}
				got, want := extractIn(m, request), freshly(m, request)
				if got != want {
					t.Fatalf("call %d with %.40q:\n%+.1200v\na fresh instance:\n%+.1200v", i, request, got, want)
				}
			}
			if pooled := reused > tt.calls/4; pooled != tt.pooled {
				t.Errorf("%d of %d calls found an idle instance", reused, tt.calls)
			}
		})
	}
}

// TestFuelIsTheSame wants the same fuel from the same request in another
// runtime, too.
func TestFuelIsTheSame(t *testing.T) {
	one, two := compiled(t, goGuest(t, "echo")), compiled(t, goGuest(t, "echo"))
	for _, request := range []string{`{"branch":"nothing"}`, `{"branch":"calls"}`, `{"branch":"` + strings.Repeat("n", 100_000) + `"}`} {
		a, b, c := extractIn(one, []byte(request)), extractIn(one, []byte(request)), extractIn(two, []byte(request))
		if a != b || a != c || a.fuel < 1000 {
			t.Errorf("%.30q: %+.300v\n%+.300v\n%+.300v", request, a, b, c)
		}
	}
}

func TestPoolIsBounded(t *testing.T) {
	m := compiled(t, hoarder(false))
	var mu sync.Mutex
	taken := map[*instance]int{}
	var wg sync.WaitGroup
	for range 4 * maxInstances {
		wg.Go(func() {
			must(t, m.pool.enter(context.Background()))
			defer m.pool.leave()
			s := newSession(context.Background(), hostapi.Manifest{}, DefaultLimits, Setting{}, "")
			defer s.close()
			in, err := m.pool.take(s, m)
			must(t, err)
			mu.Lock()
			taken[in]++
			if n := taken[in]; n > 1 {
				t.Errorf("%d calls have one instance", n)
			}
			busy := len(taken)
			mu.Unlock()
			if busy > maxInstances {
				t.Errorf("%d instances at once", busy)
			}
			_, err = s.exchange(in, "extract", []byte{1, 1})
			must(t, err)
			mu.Lock()
			delete(taken, in)
			mu.Unlock()
			m.pool.give(in)
		})
	}
	wg.Wait()
	if n := len(m.pool.idle); n < 1 || n > maxIdle {
		t.Errorf("%d idle instances", n)
	}
	m.pool.release()
	if n := len(m.pool.idle); n != 0 {
		t.Errorf("%d idle instances after a pause", n)
	}
}

func TestWaitingForAnInstanceEnds(t *testing.T) {
	m := compiled(t, hoarder(false))
	for range maxInstances {
		must(t, m.pool.enter(t.Context()))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := m.pool.enter(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v", err)
	}
	for range maxInstances {
		m.pool.leave()
	}
}

func TestWhatIsNotKept(t *testing.T) {
	m := compiled(t, hoarder(false))
	idle := func(request ...byte) int {
		extractIn(m, request)
		return len(m.pool.idle)
	}
	if n := idle(1, 1); n != 1 {
		t.Fatalf("%d idle instances after a call", n)
	}
	if n := idle(6, 0); n != 0 {
		t.Errorf("%d idle instances after a trap", n)
	}
	if idle(3, 8); len(m.pool.idle) != 1 {
		t.Error("an instance that grew a little was not kept")
	}
	if size := m.pool.idle[0].guest.Memory().Size(); size != pageBytes {
		t.Errorf("it was kept with %d bytes", size)
	}
	if n := idle(3, 200); n != 0 {
		t.Errorf("%d idle instances after growth by 200 pages", n)
	}
	idle(1, 1)
	in := m.pool.idle[0]
	in.calls = maxCalls - 1
	if idle(1, 1); slices.Contains(m.pool.idle, in) {
		t.Errorf("an instance was kept after %d calls", maxCalls)
	}
}

// TestStopped stops a guest in each way and calls it again.
func TestStopped(t *testing.T) {
	m := compiled(t, hoarder(false))
	want := extractIn(m, []byte{1, 1})
	for name, stop := range map[string]func(*session){
		"cancel":   func(s *session) { time.AfterFunc(20*time.Millisecond, func() { s.cancel(errors.New("enough")) }) },
		"deadline": func(s *session) { s.clock.left = 20 * time.Millisecond },
		"fuel":     func(s *session) { s.limits.Fuel = 1_000_000 },
	} {
		s := newSession(t.Context(), hostapi.Manifest{}, DefaultLimits, Setting{}, "")
		stop(s)
		_, err := m.call(s, "extract", []byte{10, 0})
		s.close()
		if err == nil || len(m.pool.idle) != 0 {
			t.Errorf("%s: %v, %d idle instances", name, err, len(m.pool.idle))
		}
		if got := extractIn(m, []byte{1, 1}); got != want {
			t.Errorf("%s: then %+v, want %+v", name, got, want)
		}
	}
}

// TestStartMayTalk has a guest that asks the host before any call: every
// instance asks anew, since the answer may be another one.
func TestStartMayTalk(t *testing.T) {
	const ping = `{"method":"host.features"}`
	ask := cat(constI32(0), constI32(int64(len(ping))), callFn(0), []byte{0x1a})
	for name, g := range map[string]tiny{"start": {start: ask}, "_initialize": {init: ask}} {
		g.imports, g.data = [][]byte{function(hostapi.HostModule, "call", tCall)}, []byte(ping)
		p := newBench(t, Limits{}).add(t, manifest("org.example.talks"), g.build())
		for range 3 {
			out, err := p.Run(t.Context(), "extract", []byte("{}"), Setting{})
			if err != nil || out.Usage.HostCalls != 1 {
				t.Errorf("%s: %d host calls, %v", name, out.Usage.HostCalls, err)
			}
		}
	}
}
