package plugin

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// trapping is a plug-in that always traps, in a library that several hosts, as
// of several processes, open one after the other.
func trapping(t *testing.T) (dir string, run func(want Kind) Metrics) {
	b := newBench(t, Limits{})
	b.add(t, manifest("org.example.trap"), tiny{extract: []byte{0x00}}.build())
	dir = b.library.dir
	return dir, func(want Kind) Metrics {
		t.Helper()
		l := NewLibrary(dir, nil)
		h := NewHost(l, HostOptions{CacheDir: shared, Version: "test"})
		p, err := h.Plugin("org.example.trap")
		must(t, err)
		if _, err := p.Run(t.Context(), "extract", []byte("{}"), Setting{}); !IsKind(err, want) {
			t.Errorf("error = %v, want %s", err, want)
		}
		must(t, h.Close())
		e, err := l.Get("org.example.trap")
		must(t, err)
		return NewHost(l, HostOptions{}).Metrics(e)
	}
}

func TestPauseHoldsInOtherProcesses(t *testing.T) {
	dir, run := trapping(t)
	for i := range pauseFaults {
		if m := run(KindTrap); m.Calls != i+1 || m.Faults != i+1 || (m.Paused != "") != (i == pauseFaults-1) {
			t.Errorf("after %d faults: %+v", i+1, m)
		}
	}
	m := run(KindPaused)
	if m.Calls != pauseFaults || !strings.Contains(m.Paused, "unreachable") || !strings.Contains(m.LastFault, "unreachable") ||
		m.Since.IsZero() || m.Load <= 0 || m.Memory != pageBytes {
		t.Errorf("metrics = %+v", m)
	}
	l := NewLibrary(dir, nil)
	for _, want := range []bool{true, false} {
		if was, err := l.Resume("org.example.trap"); err != nil || was != want {
			t.Errorf("resumed: %t, %v", was, err)
		}
	}
	if _, err := l.Resume("org.example.none"); !IsKind(err, KindNotFound) {
		t.Errorf("error = %v", err)
	}
	if m := run(KindTrap); m.Paused != "" {
		t.Errorf("paused after one fault: %+v", m)
	}
	must(t, l.Forget("org.example.trap"))
	if m := run(KindTrap); m.Calls != 1 {
		t.Errorf("%d calls after all was forgotten", m.Calls)
	}
}

// TestPauseIsSeen pauses and resumes while a host is open.
func TestPauseIsSeen(t *testing.T) {
	b := newBench(t, Limits{})
	p := b.add(t, manifest("org.example.seen"), answering("{}"))
	other := activityFile{dir: b.library.dir}
	run := func(want Kind) {
		t.Helper()
		if _, err := p.Run(t.Context(), "extract", nil, Setting{}); want == "" && err != nil || want != "" && !IsKind(err, want) {
			t.Errorf("error = %v, want %q", err, want)
		}
	}
	run("")
	for range pauseFaults {
		must(t, other.blame("org.example.seen", p.edition, "it is broken"))
	}
	run(KindPaused)
	_, err := b.library.Resume("org.example.seen")
	must(t, err)
	run("")
	for range pauseFaults {
		must(t, other.blame("org.example.seen", "another package", "it is broken"))
	}
	run("")
}

func TestPauseWithoutAFile(t *testing.T) {
	b := newBench(t, Limits{})
	p := b.add(t, manifest("org.example.alone"), tiny{extract: []byte{0x00}}.build())
	must(t, os.Mkdir(filepath.Join(b.library.dir, activityLock), 0o700))
	for range pauseFaults {
		_, err := p.Run(t.Context(), "extract", nil, Setting{})
		if !IsKind(err, KindTrap) {
			t.Errorf("error = %v", err)
		}
	}
	if _, err := p.Run(t.Context(), "extract", nil, Setting{}); !IsKind(err, KindPaused) {
		t.Errorf("error = %v", err)
	}
	if err := p.Resume(); err == nil {
		t.Error("it was resumed where nothing can be written")
	}
}

func TestWhatCountsAsAFault(t *testing.T) {
	b := newBench(t, Limits{})
	p := b.add(t, manifest("org.example.counts"), hoarder(false))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		verb          string
		ctx           context.Context
		request       []byte
		calls, faults int
	}{
		{"select", t.Context(), nil, 0, 0},
		{"extract", ended, []byte{10, 0}, 1, 0},
		{"extract", t.Context(), []byte{6, 0}, 2, 1},
	} {
		if _, err := p.Run(tt.ctx, tt.verb, tt.request, Setting{}); err == nil {
			t.Errorf("%s gave no error", tt.verb)
		}
		if m := p.Metrics(); m.Calls != tt.calls || m.Faults != tt.faults {
			t.Errorf("after %s: %+v", tt.verb, m)
		}
	}
}

func TestDamagedActivityBeginsAnew(t *testing.T) {
	dir, run := trapping(t)
	name := filepath.Join(dir, activityName)
	for _, damage := range []string{"", "{", "null", `{"version":1}`, `{"version":1,"plugins":[]}`, strings.Repeat("x", maxActivity+1)} {
		must(t, os.WriteFile(name, []byte(damage), 0o600))
		if m := run(KindTrap); m.Calls != 1 || m.Faults != 1 {
			t.Errorf("after %.20q: %+v", damage, m)
		}
	}
	const newer = `{"version":99,"plugins":{},"more":1}`
	must(t, os.WriteFile(name, []byte(newer), 0o600))
	if m := run(KindTrap); m.Calls != 0 {
		t.Errorf("counted in a newer file: %+v", m)
	}
	if data, err := os.ReadFile(name); err != nil || string(data) != newer {
		t.Errorf("the newer file became %s, %v", data, err)
	}
}

func TestActivityOfManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	const writers, rounds = 6, 5
	for range writers {
		wg.Go(func() {
			f := activityFile{dir: dir}
			for range rounds {
				if err := f.add(map[string]track{"a.b": {Package: "1", Metrics: Metrics{Calls: 1, Fuel: 10, Memory: 5}}}); err != nil {
					t.Error(err)
				}
				f.of("a.b", "1")
			}
		})
	}
	wg.Wait()
	f := activityFile{dir: dir}
	if m := f.of("a.b", "1").Metrics; m.Calls != writers*rounds || m.Fuel != 10*writers*rounds || m.Memory != 5 {
		t.Errorf("metrics = %+v", m)
	}
}

func TestFaultsThatAreFarApart(t *testing.T) {
	var b breaker
	at := time.Now()
	for range 10 {
		b.add(at, "x")
		at = at.Add(pauseWithin/2 + time.Second)
	}
	if b.Reason != "" || len(b.Faults) > 2 {
		t.Errorf("%+v", b)
	}
	for range pauseFaults - 1 {
		b.add(at.Add(-24*time.Hour), "the clock was set back")
	}
	if b.Reason != "" {
		t.Error("paused by faults of the future")
	}
}
