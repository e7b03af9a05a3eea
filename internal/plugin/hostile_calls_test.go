package plugin

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/hostapi"
)

// Two callers of one plug-in never meet in one instance: each gets the answer to
// its own request, with a program of Go's runtime and with one that keeps its
// request in a fixed place.
func TestTwoCallers(t *testing.T) {
	copies := newBench(t, Limits{}).add(t, manifest("org.example.copies"), echoing())
	speaks := echo(t, manifest("org.example.echo"))
	var wg sync.WaitGroup
	for c := range 8 {
		wg.Go(func() {
			for n := range 25 {
				want := fmt.Sprintf(`{"caller":%d,"call":%d}`, c, n)
				out, err := copies.Run(t.Context(), "extract", []byte(`{"result":`+want+`}`), Setting{})
				if err != nil || string(out.Result) != want {
					t.Errorf("copies: %s, %v, want %s", out.Result, err, want)
				}
			}
			for n := range 5 {
				want := fmt.Sprintf("no luck with %d/%d", c, n)
				_, err := speaks.Run(t.Context(), "extract", fmt.Appendf(nil, `{"branch":"fail:%d/%d"}`, c, n), Setting{})
				if !IsKind(err, KindFailed) || !strings.HasSuffix(err.Error(), want) {
					t.Errorf("speaks: %v, want %q", err, want)
				}
			}
		})
	}
	wg.Wait()
}

// echoing gives a module that answers its request: rc_alloc is at 1024, and the
// answer is 1024<<32 | len.
func echoing() []byte {
	return tiny{alloc: constI32(1024), extract: cat([]byte{0x20, 0, 0xad}, constI64(1024<<32), []byte{0x84})}.build()
}

// One that breaks off leaves the callers beside it alone.
func TestCallersBesideAnAttack(t *testing.T) {
	b := newBench(t, Limits{})
	p := b.add(t, manifest("org.example.mixed"), goGuest(t, "hostile"))
	must(t, p.Prepare(t.Context()))
	var wg sync.WaitGroup
	for _, do := range []string{"panic", "exit"} {
		wg.Go(func() {
			if _, err := p.Run(t.Context(), "extract", []byte(`{"branch":"`+do+`"}`), Setting{}); !IsKind(err, KindTrap) {
				t.Errorf("%s: %v", do, err)
			}
		})
	}
	for range 6 {
		wg.Go(func() {
			for range 5 {
				_, err := p.Run(t.Context(), "extract", []byte(`{"branch":"environment"}`), Setting{})
				if !IsKind(err, KindFailed) || !strings.Contains(err.Error(), "nothing in it") {
					t.Errorf("beside an attack: %v", err)
				}
			}
		})
	}
	wg.Wait()
}

// What the host has copied in and out survives that the guest's memory moves
// when it grows.
func TestReplyAfterMemoryGrowth(t *testing.T) {
	ping := `{"method":"host.features"}`
	calls := [][]byte{function(hostapi.HostModule, "call", tCall), function(hostapi.HostModule, "read", tCall)}
	// n = call(0, len); grow by 16 pages; read(65536, n); answer 65536<<32 | n.
	code := cat(constI32(0), constI32(int64(len(ping))), callFn(0), []byte{0x21, 1},
		constI32(16), []byte{0x40, 0, 0x1a},
		constI32(65536), []byte{0x20, 1}, callFn(1), []byte{0xad}, constI64(65536<<32), []byte{0x84})
	p := newBench(t, Limits{}).add(t, manifest("org.example.grown"), tiny{imports: calls, data: []byte(ping), locals: groups(1, 1), extract: code}.build())
	for range 3 {
		out, err := p.Run(t.Context(), "extract", []byte(`{}`), Setting{})
		if err != nil || !strings.Contains(string(out.Result), `"abi":"rc/1"`) {
			t.Errorf("%s, %v", out.Result, err)
		}
	}
}

// A module with one bit changed is refused, fails or works, and does nothing
// else. The meter's own tests try some 50,000 of them; this is the whole way.
func TestBitFlips(t *testing.T) {
	wasm := answering(`{"result":{"items":[{"content":"fine"}]}}`)
	b := newBench(t, small)
	good := b.add(t, manifest("org.example.good"), wasm)
	rng := rand.New(rand.NewPCG(1, 2))
	n := 48
	if testing.Short() {
		n = 12
	}
	for i := range n {
		flipped := append([]byte(nil), wasm...)
		at := rng.IntN(len(flipped))
		flipped[at] ^= 1 << rng.IntN(8)
		id := fmt.Sprint("org.example.flip", i)
		p := b.add(t, manifest(id), flipped)
		began := time.Now()
		_, err := p.Run(t.Context(), "extract", []byte(`{}`), Setting{})
		var e *Error
		if err != nil && (!errors.As(err, &e) || !strings.Contains(err.Error(), id)) {
			t.Errorf("bit of byte %d: %v", at, err)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("bit of byte %d: %v", at, took)
		}
	}
	if items := contents(t, Extractor{Plugin: good}, extraction("x", nil)); items[""] != "fine" {
		t.Errorf("the good plug-in gave %v", items)
	}
}

// A module that the meter lets through and that takes a compiler long all the
// same, or much memory, ends with the child.
func TestCompilingIsLimited(t *testing.T) {
	hostile := goGuest(t, "hostile")
	ownTemp(t)
	for name, limits := range map[string]CompileLimits{
		"time": {Wall: 50 * time.Millisecond}, "memory": {Memory: 48 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			b := bench{library: NewLibrary(t.TempDir(), nil)}
			b.host = NewHost(b.library, HostOptions{CacheDir: t.TempDir(), Compile: limits})
			p := b.add(t, manifest("org.example.slow"), hostile)
			left := newRemains(t)
			for range 2 {
				_, err := p.Run(t.Context(), "extract", []byte(`{}`), Setting{})
				if !IsKind(err, KindLimit) || !strings.Contains(err.Error(), "to compile") || !strings.Contains(err.Error(), "org.example.slow") {
					t.Errorf("error = %v", err)
				}
				left.check(t)
			}
			if list := entries(t, b.host.options.CacheDir); len(list) != 0 {
				t.Errorf("the cache holds %q", list)
			}
			must(t, b.host.Close())
		})
	}
}
