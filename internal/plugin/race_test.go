package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"recollect/hostapi"
)

// harmless is a manifest of a plug-in that changes nothing at the host.
func harmless(more ...hostapi.Capability) hostapi.Manifest {
	m := manifest("org.example.race")
	m.Capabilities = map[hostapi.Capability]hostapi.Grant{hostapi.CapHistoryRead: {Reason: "r"}}
	for _, c := range more {
		m.Capabilities[c] = hostapi.Grant{Reason: "r"}
	}
	return m
}

// emptyHanded gives a plug-in of a host whose cache is empty.
func emptyHanded(t testing.TB, o HostOptions, m hostapi.Manifest, wasm []byte) *Plugin {
	t.Helper()
	h := newHost(t, o)
	h.spared = time.Hour // the machine may be busy
	return bench{library: h.library, host: h}.add(t, m, wasm)
}

// holdChild keeps the compiler of a plug-in from being started until release.
func holdChild(t testing.TB, p *Plugin, wasm []byte) (release func()) {
	t.Helper()
	cache, err := p.host.codeCache()
	must(t, err)
	lock, err := cache.lock(t.Context(), cache.name(wasm, p.limits.Memory))
	must(t, err)
	release = sync.OnceFunc(func() { must(t, lock.Release()) })
	t.Cleanup(release)
	return release
}

// underway is the loading that calls wait for.
func underway(p *Plugin) *loading {
	p.load.Lock()
	defer p.load.Unlock()
	return p.loading
}

// waiting waits until n calls wait for the module, or are interpreted.
func waiting(t testing.TB, p *Plugin, n int) *loading {
	t.Helper()
	for range 4000 {
		p.load.Lock()
		l := p.loading
		ready := l != nil && l.waiting == n
		p.load.Unlock()
		if ready {
			return l
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("there are not %d calls that wait", n)
	return nil
}

// counting logs a line and then counts to n before it answers with nothing.
func counting(n int64) []byte {
	return tiny{
		imports: [][]byte{function(hostapi.HostModule, hostapi.ImportLog, tLog)},
		data:    []byte("hello"), locals: []byte{1, 1, 0x7e},
		extract: cat(constI32(1), constI32(0), constI32(5), callFn(0),
			[]byte{0x03, void, 0x20, 1, 0x42, 1, 0x7c, 0x22, 1}, constI64(n), []byte{0x54, 0x0d, 0, 0x0b}, constI64(0)),
	}.build()
}

const endless = 1 << 60

// recursing goes as deep as its request is long before it answers.
func recursing() []byte {
	const answer = `{"result":{"items":[]}}`
	return tiny{data: []byte(answer), extract: cat(
		[]byte{0x20, 0, 0x04, 0x7e, 0x20, 0, 0x41, 1, 0x6b}, callFn(2),
		[]byte{0x05}, answerAt(0, uint32(len(answer))), []byte{0x0b})}.build()
}

func TestAnswerBeforeTheCompilerIsDone(t *testing.T) {
	wasm := goGuest(t, "echo")
	for _, tt := range []struct{ name, request, result string }{
		{"answer", `{"branch":"nothing"}`, `{"items":null}`},
		{"failure of its own", `{"branch":"fail:it"}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var done atomic.Int32
			p := emptyHanded(t, HostOptions{Compiling: func(c Compiling) {
				if c.Done {
					done.Add(1)
				}
			}}, harmless(), wasm)
			release := holdChild(t, p, wasm)
			var outs [3]Outcome
			var errs [3]error
			run := func(i int) { outs[i], errs[i] = p.Run(t.Context(), "extract", []byte(tt.request), Setting{}) }
			var calls sync.WaitGroup
			for i := range 2 {
				calls.Go(func() { run(i) })
			}
			calls.Wait()
			l := underway(p)
			if l == nil || l.over.Err() != nil {
				t.Fatal("the compiler is done")
			}
			release()
			<-l.over.Done()
			if !l.answered || l.err != nil {
				t.Errorf("answered %t, error = %v", l.answered, l.err)
			}
			run(2)
			for i := range outs {
				if string(outs[i].Result) != tt.result || (errs[i] != nil) != IsKind(errs[i], KindFailed) || (errs[i] == nil) != (tt.result != "") {
					t.Errorf("call %d: %s, %v", i, outs[i].Result, errs[i])
				}
				if outs[i].Usage.Fuel != outs[2].Usage.Fuel {
					t.Errorf("call %d took %d units, the compiled one %d", i, outs[i].Usage.Fuel, outs[2].Usage.Fuel)
				}
			}
			if m := p.Metrics(); m.Calls != 3 || m.Load <= 0 || done.Load() != 1 {
				t.Errorf("metrics = %+v, compiled %d times", m, done.Load())
			}
		})
	}
}

func TestAVerbThatIsMissingNeedsNoCompiler(t *testing.T) {
	wasm := answering("{}")
	p := emptyHanded(t, HostOptions{}, harmless(), wasm)
	release := holdChild(t, p, wasm)
	if _, err := p.Run(t.Context(), "evolve", []byte("{}"), Setting{}); !IsKind(err, KindUnsupported) {
		t.Errorf("error = %v", err)
	}
	release()
}

func TestCompiledCodeWins(t *testing.T) {
	deep := recursing()
	for _, tt := range []struct {
		name    string
		wasm    []byte
		request string
		lines   int
		spared  time.Duration
	}{
		{"the interpreter is slow", counting(300e6), "{}", 1, time.Hour},
		{"the interpreter gives up", counting(300e6), "{}", 1, 0},
		{"the interpreter has no room", deep, strings.Repeat("x", 3000), 0, time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			logged := 0
			p := emptyHanded(t, HostOptions{Log: func(_ string, lines []LogLine) { logged += len(lines) }}, harmless(), tt.wasm)
			p.host.spared = tt.spared
			release := holdChild(t, p, tt.wasm)
			ended := make(chan error)
			go func() {
				_, err := p.Run(context.Background(), "extract", []byte(tt.request), Setting{})
				ended <- err
			}()
			l := waiting(t, p, 1)
			<-l.missed
			m, err := l.slow()
			must(t, err)
			time.Sleep(50 * time.Millisecond) // so that the call is interpreted
			for tt.spared == 0 && len(m.pool.slots) > 0 {
				time.Sleep(5 * time.Millisecond)
			}
			release()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			if l.answered {
				t.Error("the interpreter answered")
			}
			if m := p.Metrics(); m.Calls != 1 || m.Faults != 0 || logged != tt.lines || p.paused() != "" {
				t.Errorf("%d lines, metrics %+v", logged, m)
			}
		})
	}
}

func TestAModuleThatCantBeCompiledIsRefused(t *testing.T) {
	limits := CompileLimits{CPU: time.Minute, Wall: 10 * time.Minute, Memory: 1 << 20}
	refused := func(err error) bool { return IsKind(err, KindLimit) || IsKind(err, KindInvalid) }
	t.Run("while the call is interpreted", func(t *testing.T) {
		wasm := counting(endless)
		p := emptyHanded(t, HostOptions{Compile: limits}, harmless(), wasm)
		var calls sync.WaitGroup
		for range 2 {
			calls.Go(func() {
				out, err := p.Run(t.Context(), "extract", []byte("{}"), Setting{})
				if !refused(err) || len(out.Log) > 0 || !strings.Contains(err.Error(), "extract") {
					t.Errorf("%+v, error = %v", out, err)
				}
			})
		}
		calls.Wait()
		if m := p.Metrics(); m.Calls != 2 || m.Faults != 2 {
			t.Errorf("metrics = %+v", m)
		}
	})
	t.Run("after the call was answered", func(t *testing.T) {
		wasm := answering(`{"result":{}}`)
		p := emptyHanded(t, HostOptions{Compile: limits}, harmless(), wasm)
		release := holdChild(t, p, wasm)
		if _, err := p.Run(t.Context(), "extract", []byte("{}"), Setting{}); err != nil {
			t.Fatal(err)
		}
		l := underway(p)
		release()
		<-l.over.Done()
		for range 2 {
			if _, err := p.Run(t.Context(), "extract", []byte("{}"), Setting{}); !refused(err) {
				t.Errorf("error = %v", err)
			}
		}
		nothingLeft(t, p.host.options.CacheDir)
	})
}

func TestStoppedRaceLeavesNothing(t *testing.T) {
	ownTemp(t)
	o := HostOptions{CacheDir: t.TempDir()}
	wasm := goGuest(t, "hostile")
	p := emptyHanded(t, o, harmless(), wasm)
	left := newRemains(t)
	for _, branch := range []string{"loop", "sleep"} {
		ctx, cancel := context.WithCancel(t.Context())
		ended, paused := make(chan error), make(chan struct{})
		go func() { // or it is done before it can be stopped
			defer close(paused)
			pauseChild(t, os.Getpid())
		}()
		go func() {
			_, err := p.Run(ctx, "extract", []byte(`{"branch":"`+branch+`"}`), Setting{})
			ended <- err
		}()
		<-paused
		<-waiting(t, p, 1).missed
		cancel()
		if err := <-ended; !IsKind(err, KindCancelled) || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error = %v", branch, err)
		}
		left.check(t)
		nothingLeft(t, o.CacheDir)
	}
	if m := p.Metrics(); m.Faults != 0 || p.failed {
		t.Errorf("metrics = %+v, failed %t", m, p.failed)
	}
}

func TestOneStopsAndTheOtherWaits(t *testing.T) {
	wasm := counting(300e6)
	p := emptyHanded(t, HostOptions{}, harmless(), wasm)
	release := holdChild(t, p, wasm)
	ctx, cancel := context.WithCancel(t.Context())
	stopped, ended := make(chan error), make(chan error)
	run := func(ctx context.Context, to chan error) {
		_, err := p.Run(ctx, "extract", []byte("{}"), Setting{})
		to <- err
	}
	go run(ctx, stopped)
	l := waiting(t, p, 1)
	go run(context.WithoutCancel(ctx), ended)
	waiting(t, p, 2)
	cancel()
	if err := <-stopped; !IsKind(err, KindCancelled) {
		t.Errorf("the stopped one: %v", err)
	}
	if underway(p) != l {
		t.Error("the compiler was stopped too")
	}
	release()
	if err := <-ended; err != nil {
		t.Errorf("the other one: %v", err)
	}
}

func TestCallsWithEffectsWait(t *testing.T) {
	wasm := answering(`{"result":{}}`)
	for _, c := range []hostapi.Capability{hostapi.CapStorage, hostapi.CapLLMCall} {
		p := emptyHanded(t, HostOptions{}, harmless(c), wasm)
		release := holdChild(t, p, wasm)
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		_, err := p.Run(ctx, "extract", []byte("{}"), Setting{})
		cancel()
		if !IsKind(err, KindCancelled) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: error = %v", c, err)
		}
		release()
		if _, err := p.Run(t.Context(), "extract", []byte("{}"), Setting{}); err != nil {
			t.Errorf("%s: error = %v", c, err)
		}
	}
}

func TestCloseWaitsForTheCompiler(t *testing.T) {
	wasm := answering(`{"result":{}}`)
	p := emptyHanded(t, HostOptions{}, harmless(), wasm)
	release := holdChild(t, p, wasm)
	if _, err := p.Run(t.Context(), "extract", []byte("{}"), Setting{}); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, release)
	must(t, p.host.Close())
	next := NewHost(p.host.library, p.host.options)
	next.options.Compiling = func(Compiling) { t.Error("it was compiled again") }
	defer next.Close()
	q, err := next.Plugin(p.Manifest.ID)
	must(t, err)
	if _, err := q.Run(t.Context(), "extract", []byte("{}"), Setting{}); err != nil {
		t.Error(err)
	}
}

// What only takes memory or time to lower is left to the compiler.
func TestLargeModulesAreNotInterpreted(t *testing.T) {
	locals := cat([]byte{1}, uleb(4000), []byte{typeI32}, []byte{0x0b})
	wasm := withFunctions(1100, repeat(1100, cat(uleb(uint32(len(locals))), locals)))
	if _, err := interpret(t.Context(), code3(wasm)); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("error = %v", err)
	}
	for _, b := range bombs {
		if m, err := interpret(t.Context(), code3(b.make(b.full/10))); err == nil {
			m.close()
		}
	}
}

// TestHostileInterpreted attacks the interpreter: no attack gets an answer out of
// it, and all end.
func TestHostileInterpreted(t *testing.T) {
	list := attacks(t)
	ownTemp(t)
	b := newBench(t, small)
	left := newRemains(t)
	for _, a := range list {
		m, err := interpret(t.Context(), code3(a.wasm))
		if err != nil {
			continue
		}
		p := &Plugin{Manifest: harmless(), host: b.host}
		request, err := encode(extractRequest(extraction(a.branch, nil)))
		must(t, err)
		_, err = p.runIn(t.Context(), m, asked(nil).atMost(small), question{
			verb: "extract", request: request, shape: extractShape(),
			into: func(result []byte) error { return json.Unmarshal(result, new(hostapi.ExtractResult)) },
		})
		if err == nil {
			t.Errorf("%s: it answered", a.name)
		}
		m.close()
	}
	left.check(t)
}

// BenchmarkFirstAnswer is a first call with an empty cache, raced and not.
func BenchmarkFirstAnswer(b *testing.B) {
	for _, g := range []struct {
		name, branch string
		wasm         []byte
	}{
		{"small", "", answering(`{"result":{}}`)}, {"small, long", "", counting(1e9)},
		{"Go", "nothing", goGuest(b, "echo")}, {"Go, long", "loop", goGuest(b, "hostile")}, // until its fuel is used up
	} {
		for how, m := range map[string]hostapi.Manifest{"raced": harmless(), "waiting": harmless(hostapi.CapStorage)} {
			b.Run(g.name+"/"+how, func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					h := newHost(b, HostOptions{Limits: Limits{Fuel: 10e9}})
					p := bench{library: h.library, host: h}.add(b, m, g.wasm)
					b.StartTimer()
					if _, err := p.Run(b.Context(), "extract", []byte(`{"branch":"`+g.branch+`"}`), Setting{}); (err != nil) != (g.branch == "loop") {
						b.Fatal(err)
					}
					b.StopTimer()
					must(b, h.Close())
					b.StartTimer()
				}
			})
		}
	}
}
