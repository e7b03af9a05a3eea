package plugin

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"recollect/hostapi"
)

// small are limits under which a hostile guest is stopped soon.
var small = Limits{Wall: 400 * time.Millisecond}

// attack is a module and what must come of a call of it.
type attack struct {
	name   string
	wasm   []byte
	branch string // tells the hostile guest what to do
	kind   Kind
	reason string // part of the sentence
}

func attacks(t *testing.T) []attack {
	hostile := goGuest(t, "hostile")
	host := func(module, name string, typ byte) [][]byte { return [][]byte{function(module, name, typ)} }
	recollect := hostapi.HostModule
	ping := `{"method":"host.features"}`
	list := []attack{
		{"endless loop", hostile, "loop", KindDeadline, "longer than"},
		{"memory hog", hostile, "hog", KindMemory, "64 MB"},
		{"panic", hostile, "panic", KindTrap, "panic: as told"},
		{"nil map", hostile, "nil map", KindTrap, "nil map"},
		{"recursion", hostile, "recursion", KindTrap, "of its 64 MB"},
		{"exit", hostile, "exit", KindTrap, "exit code 7"},
		{"sleep for an hour", hostile, "sleep", KindDeadline, "longer than"},
		{"deadlock", hostile, "deadlock", KindTrap, "deadlock"},
		{"goroutines", hostile, "goroutines", KindMemory, "64 MB"},
		{"flood of host calls", hostile, "host calls", KindLimit, "host more often"},
		{"flood of logs", hostile, "logs", KindDeadline, "longer than"},
		{"flood of stderr", hostile, "stderr", KindDeadline, "longer than"},
		{"flood of reply", hostile, "reply", KindLimit, "longer than"},

		{"not Wasm at all", []byte("#!/bin/sh\n"), "", KindInvalid, "WebAssembly"},
		{"empty file", []byte{}, "", KindInvalid, "WebAssembly"},
		{"truncated", hostile[:len(hostile)/2], "", KindInvalid, "module"},
		{"type index out of range", []byte("\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x03\x02\x00\x7f\x0a\x07\x02\x04\x00\x10\x01\x0b\x00"), "", KindInvalid, "module"},
		{"no exports", []byte("\x00asm\x01\x00\x00\x00"), "", KindInvalid, "export"},
		{"wrong signature", tiny{verb: tWrong}.build(), "", KindInvalid, "rc_extract"},
		{"unknown module", tiny{imports: host("env", "abort", tVoid)}.build(), "", KindInvalid, "env.abort"},
		{"unknown function", tiny{imports: host(recollect, "open", tVoid)}.build(), "", KindInvalid, "recollect.open"},
		{"unknown WASI function", tiny{imports: host("wasi_snapshot_preview1", "exec", tVoid)}.build(), "", KindInvalid, "exec"},
		{"wrong import", tiny{imports: host(recollect, "call", tVoid)}.build(), "", KindInvalid, "recollect.call"},
		{"tick", tiny{imports: host(recollect, "tick", tVoid)}.build(), "", KindInvalid, "recollect.tick"},
		{"the fuel as an export", tiny{extra: [][]byte{fuelExport}}.build(), "", KindInvalid, "recollect_fuel"},

		{"tiny loop", tiny{extract: loopForever}.build(), "", KindDeadline, "longer than"},
		{"loop in rc_alloc", tiny{alloc: loopForever}.build(), "", KindDeadline, "longer than"},
		{"loop in start", tiny{start: loopForever}.build(), "", KindDeadline, "longer than"},
		{"loop in _initialize", tiny{init: loopForever}.build(), "", KindDeadline, "longer than"},
		{"call tree without a loop", callTree(), "", KindDeadline, "longer than"},
		{"endless recursion", tiny{extract: cat(constI32(0), callFn(2))}.build(), "", KindTrap, "stack overflow"},
		{"unreachable", tiny{extract: []byte{0x00}}.build(), "", KindTrap, "unreachable"},
		{"rc_alloc gives 0", tiny{alloc: constI32(0)}.build(), "", KindMemory, "no memory"},
		{"rc_alloc gives a wild pointer", tiny{alloc: constI32(-8)}.build(), "", KindInvalid, "outside"},
		{"wild answer", tiny{extract: answerAt(0xfffffff0, 64)}.build(), "", KindInvalid, "outside"},
		{"answer of 4 GB", tiny{extract: answerAt(0, 0xffffffff)}.build(), "", KindLimit, "longer than"},
		{"answer past the end", tiny{extract: answerAt(65530, 100)}.build(), "", KindInvalid, "outside"},
		{"answer is not JSON", answering("hello"), "", KindInvalid, "not of its form"},
		{"answer is not UTF-8", answering("{\"result\":\"\xff\"}"), "", KindInvalid, "UTF-8"},
		{"answer is of another form", answering(`{"result":{"items":"none"}}`), "", KindInvalid, "not of its form"},
		{"answer is nested deep", answering(`{"result":` + strings.Repeat("[", 20000)), "", KindInvalid, "not of its form"},
		{"wild pointer in a call", tiny{imports: host(recollect, "call", tCall),
			extract: cat(constI32(-100), constI32(50), callFn(0), []byte{0x1a}, constI64(0))}.build(), "", KindInvalid, "pointer"},
		{"call of 4 GB", tiny{imports: host(recollect, "call", tCall),
			extract: cat(constI32(0), constI32(-1), callFn(0), []byte{0x1a}, constI64(0))}.build(), "", KindLimit, "longer than"},
		{"wild pointer in a read", tiny{imports: append(host(recollect, "call", tCall), function(recollect, "read", tCall)), data: []byte(ping),
			extract: cat(constI32(0), constI32(int64(len(ping))), callFn(0), []byte{0x1a}, constI32(-4), constI32(4000), callFn(1), []byte{0x1a}, constI64(0))}.build(), "", KindInvalid, "pointer"},
		{"wild pointer in a log", tiny{imports: host(recollect, "log", tLog),
			extract: cat(constI32(9), constI32(-1), constI32(-1), callFn(0), constI64(0))}.build(), "", KindInvalid, "pointer"},
		{"host call in start", tiny{imports: host(recollect, "call", tCall),
			start: cat(constI32(-100), constI32(50), callFn(0), []byte{0x1a})}.build(), "", KindInvalid, "pointer"},
		{"memory of 4 GB declared", tiny{memory: cat([]byte{0}, uleb(65536))}.build(), "", KindInvalid, "memory"},
		{"table of 100 million declared", tiny{table: cat([]byte{0}, uleb(100_000_000))}.build(), "", KindInvalid, "tables"},
	}
	return list
}

// TestHostile attacks twice and asks each time whether another plug-in still
// works.
func TestHostile(t *testing.T) {
	b := newBench(t, small)
	patient := newBench(t, Limits{})
	good := patient.add(t, manifest("org.example.good"), answering(`{"result":{"items":[{"content":"fine"}]}}`))
	for i, a := range attacks(t) {
		t.Run(a.name, func(t *testing.T) {
			id := fmt.Sprint("org.example.hostile", i)
			b := b
			if a.kind != KindDeadline {
				b = patient
			}
			m := manifest(id)
			m.Limits = &hostapi.ManifestLimits{WallMS: Ceiling.Wall.Milliseconds()}
			p := b.add(t, m, a.wasm)
			for range 2 {
				before := runtime.NumGoroutine()
				began := time.Now()
				_, err := Extractor{Plugin: p}.Extract(t.Context(), extraction(a.branch, nil))
				var e *Error
				if !errors.As(err, &e) {
					t.Fatalf("error = %v, want an *Error", err)
				}
				if e.Kind != a.kind || !strings.Contains(e.Reason, a.reason) || !strings.Contains(err.Error(), id) {
					t.Errorf("error = %v (%s), want %s with %q", err, e.Kind, a.kind, a.reason)
				}
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("error has several lines: %q", err)
				}
				if testing.Verbose() {
					t.Logf("%v %v\n%s", time.Since(began), err, e.Detail)
				}
				settled(t, before)
				if items := contents(t, Extractor{Plugin: good}, extraction("x", nil)); items[""] != "fine" {
					t.Errorf("the good plug-in gave %v", items)
				}
			}
		})
	}
}

// settled waits until no more goroutines run than before.
func settled(t *testing.T, before int) {
	t.Helper()
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

func TestTableGrowIsClamped(t *testing.T) {
	// table.grow by 50 million entries gives -1; then the guest traps.
	grow := cat([]byte{0xd0, 0x70}, constI32(50_000_000), []byte{0xfc, 15, 0}, constI32(-1), []byte{0x46, 0x04, void, 0x00, 0x0b}, constI64(0))
	p := newBench(t, small).add(t, manifest("org.example.grow"), tiny{table: []byte{0, 1}, extract: grow}.build())
	if _, err := p.Run(t.Context(), "extract", []byte("{}"), Setting{}); !IsKind(err, KindTrap) {
		t.Errorf("error = %v, want a trap", err)
	}
}

func TestSandbox(t *testing.T) {
	t.Setenv("SECRET", "x")
	p := newBench(t, Limits{}).add(t, manifest("org.example.sandbox"), goGuest(t, "hostile"))
	items := contents(t, Extractor{Plugin: p}, extraction("sandbox", nil))
	want := strings.Repeat("read true\n", 5) + "write true\nenviron 0\nargs 0\ndial true\nclock 2022"
	if items[""] != want {
		t.Errorf("the guest saw:\n%s\nwant:\n%s", items[""], want)
	}
}

func TestLogsAreCut(t *testing.T) {
	p := newBench(t, Limits{}).add(t, manifest("org.example.logs"), goGuest(t, "hostile"))
	out, err := p.Run(t.Context(), "extract", []byte(`{"branch":"some logs"}`), Setting{})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Log) != 163 || out.Usage.LogDropped != 10000-163 {
		t.Errorf("%d lines, %d dropped", len(out.Log), out.Usage.LogDropped)
	}
}

func TestCancel(t *testing.T) {
	p := newBench(t, Limits{}).add(t, manifest("org.example.cancel"), goGuest(t, "hostile"))
	if err := p.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, branch := range []string{"loop", "sleep"} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		_, err := Extractor{Plugin: p}.Extract(ctx, extraction(branch, nil))
		cancel()
		if !IsKind(err, KindCancelled) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: error = %v, want cancelled", branch, err)
		}
	}
}

func TestFuel(t *testing.T) {
	p := newBench(t, Limits{Fuel: 2e6}).add(t, manifest("org.example.fuel"), tiny{extract: loopForever}.build())
	var spent []int64
	for range 2 {
		out, err := p.Run(t.Context(), "extract", []byte("{}"), Setting{})
		if !IsKind(err, KindDeadline) {
			t.Fatalf("error = %v, want deadline", err)
		}
		spent = append(spent, out.Usage.Fuel)
	}
	if spent[0] != spent[1] || spent[0] < 2e6 || spent[0] > 3e6 {
		t.Errorf("spent %v", spent)
	}
}

func TestPause(t *testing.T) {
	p := newBench(t, Limits{}).add(t, manifest("org.example.pause"), tiny{extract: []byte{0x00}}.build())
	run := func(want Kind) {
		t.Helper()
		if _, err := p.Run(t.Context(), "extract", []byte("{}"), Setting{}); !IsKind(err, want) {
			t.Errorf("error = %v, want %s", err, want)
		}
	}
	for range pauseFaults {
		run(KindTrap)
	}
	run(KindPaused)
	if m := p.Metrics(); m.Calls != pauseFaults || !strings.Contains(m.Paused, "unreachable") {
		t.Errorf("metrics = %+v", m)
	}
	p.Resume()
	run(KindTrap)

	var b breaker
	at := time.Now()
	for range 10 {
		b.add(at, "x")
		at = at.Add(pauseWithin/2 + time.Second)
	}
	if b.reason != "" {
		t.Error("paused by faults that are far apart")
	}
}
