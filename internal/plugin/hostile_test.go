package plugin

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"recollect/hostapi"
	"recollect/internal/printable"
)

// small are limits under which a hostile guest is stopped soon.
var small = Limits{Wall: 400 * time.Millisecond}

// TestHostile attacks twice. Each time the error names the plug-in and comes in
// time, nothing is left behind, and another plug-in still works.
func TestHostile(t *testing.T) {
	list := attacks(t)
	t.Logf("%d attacks", len(list))
	ownTemp(t)
	b, patient := newBench(t, small), newBench(t, Limits{})
	good := patient.add(t, manifest("org.example.good"), answering(`{"result":{"items":[{"content":"fine"}]}}`))
	for i, a := range list {
		t.Run(a.name, func(t *testing.T) {
			id := fmt.Sprint("org.example.hostile", i)
			b := b
			if a.kind != KindDeadline {
				b = patient
			}
			m := manifest(id)
			m.Limits = &hostapi.ManifestLimits{WallMS: Ceiling.Wall.Milliseconds()}
			p := b.add(t, m, a.wasm)
			_ = p.Prepare(t.Context()) // a module that is refused is refused again
			left := newRemains(t)
			for range 2 {
				began := time.Now()
				_, err := Extractor{Plugin: p}.Extract(t.Context(), extraction(a.branch, nil))
				a.check(t, id, err)
				if took := time.Since(began); took > p.limits.Wall+20*time.Second {
					t.Errorf("stopped after %v, with a deadline of %v", took, p.limits.Wall)
				}
				left.check(t)
				if items := contents(t, Extractor{Plugin: good}, extraction("x", nil)); items[""] != "fine" {
					t.Errorf("the good plug-in gave %v", items)
				}
			}
		})
	}
}

// check holds an error against what the attack must end in.
func (a attack) check(t *testing.T, id string, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("error = %v, want an *Error", err)
	}
	// A machine that is quick meets the number of host calls before the time is up.
	if a.kind == KindDeadline && e.Kind == KindLimit && strings.Contains(e.Reason, "host more often") {
		a.kind, a.reason = KindLimit, ""
	}
	if e.Kind != a.kind || !strings.Contains(e.Reason, a.reason) || !strings.Contains(err.Error(), id) {
		t.Errorf("error = %v (%s), want %s with %q", err, e.Kind, a.kind, a.reason)
	}
	if text := err.Error(); printable.Line(text, 1000) != text {
		t.Errorf("the error is not one short printable line: %.2000q", text)
	}
	if printable.Lines(e.Detail, 30_000) != e.Detail {
		t.Errorf("the detail is not printable: %.2000q", e.Detail)
	}
	if testing.Verbose() {
		t.Logf("%v\n%s", err, e.Detail)
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
	must(t, p.Resume())
	run(KindTrap)
}
