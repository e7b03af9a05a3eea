package plugin

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"recollect/hostapi"
)

func texts(lines []Logged) (out []string) {
	for _, l := range lines {
		out = append(out, l.Level+" "+l.Text)
	}
	return out
}

func TestLogOfKeepsTheLastCalls(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{})
	b.host.journal.redact = func(s string) string { return strings.ReplaceAll(s, "hunter2", "[redacted]") }
	if lines := b.host.LogOf("org.example.journal"); lines == nil || len(lines) != 0 {
		t.Errorf("before any call: %v", lines)
	}
	fault := &Error{Plugin: "p", Verb: "extract", Kind: KindTrap, Reason: "it crashed: hunter2"}
	b.host.journal.add("org.example.journal", "extract", Outcome{Log: []LogLine{{hostapi.LogInfo, "one hunter2"}, {99, "two"}, {-1, "three"}}}, nil)
	b.host.journal.add("org.example.journal", "extract", Outcome{Stderr: "panic: a\n\ngoroutine 1\r\n"}, fault)
	b.host.journal.add("org.example.journal", "extract", Outcome{}, nil)
	b.host.journal.add("org.example.journal", "evolve", Outcome{}, &Error{Kind: KindUnsupported})
	b.host.journal.add("org.example.journal", "extract", Outcome{}, &Error{Kind: KindCancelled})
	b.host.journal.add("org.example.other", "extract", Outcome{}, errors.New("else"))
	want := []string{"info one [redacted]", "error two", "debug three", "stderr panic: a", "stderr goroutine 1", "error extract: it crashed: [redacted]"}
	lines := b.host.LogOf("org.example.journal")
	if got := texts(lines); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if at := lines[0].Time; time.Since(at) > time.Minute {
		t.Errorf("logged at %v", at)
	}
	// Another process reads the same.
	other := NewHost(b.library, HostOptions{})
	if got := texts(other.LogOf("org.example.journal")); !slices.Equal(got, want) {
		t.Errorf("another host: %q", got)
	}
	must(t, b.host.Forget("org.example.journal"))
	if got := other.LogOf("org.example.journal"); len(got) != 0 {
		t.Errorf("after Forget: %q", texts(got))
	}
	if got := texts(other.LogOf("org.example.other")); !slices.Equal(got, []string{"error else"}) {
		t.Errorf("other: %q", got)
	}
	if lines := b.host.LogOf("../../plugins"); len(lines) != 0 {
		t.Errorf("a path: %v", lines)
	}
	b.host.journal.add("../../x", "extract", Outcome{}, errors.New("x"))
	b.host.journal.flush()
	if entries, err := os.ReadDir(b.host.journal.dir); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestLogIsBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{})
	for i := range 50 {
		var log []LogLine
		for k := range 100 {
			log = append(log, LogLine{hostapi.LogInfo, fmt.Sprint(i, " ", k)})
		}
		b.host.journal.add("org.example.many", "extract", Outcome{Log: log}, nil)
		b.host.journal.add("org.example.long", "extract", Outcome{Log: []LogLine{{hostapi.LogInfo, strings.Repeat("é", maxLogLine/2)}}}, nil)
		b.host.journal.add("org.example.stderr", "extract", Outcome{Stderr: strings.Repeat("x\n", maxTail/2)}, nil)
		if i%7 == 0 {
			b.host.journal.flush()
		}
	}
	lines := b.host.LogOf("org.example.many")
	if len(lines) != keptLines || lines[keptLines-1].Text != "49 99" || lines[0].Text != "48 0" {
		t.Errorf("%d lines from %q", len(lines), lines[0].Text)
	}
	if n := len(b.host.LogOf("org.example.long")); n != keptBytes/maxLogLine {
		t.Errorf("%d long lines", n)
	}
	if n := len(b.host.LogOf("org.example.stderr")); n > keptLines || n < keptStderr {
		t.Errorf("%d lines of standard error", n)
	}
}

// Several processes at once may lose lines, and break nothing.
func TestLogIsNeverBroken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var wg sync.WaitGroup
	for w := range 4 {
		j := &journal{dir: dir}
		wg.Go(func() {
			for i := range 15 {
				j.add("org.example.race", "extract", Outcome{Log: []LogLine{{hostapi.LogInfo, fmt.Sprint(w, " ", i)}}}, nil)
				j.flush()
			}
		})
	}
	wg.Wait()
	data, err := os.ReadFile(journalFile(dir, "org.example.race"))
	must(t, err)
	lines := parseJournal(data)
	if len(lines) != bytes.Count(data, []byte("\n")) || len(lines) < 15 {
		t.Errorf("%d lines:\n%s", len(lines), data)
	}
	for w := range 4 { // of each writer they stay in order
		last := -1
		for _, l := range lines {
			var who, n int
			if _, err := fmt.Sscan(l.Text, &who, &n); err != nil {
				t.Fatal(err)
			}
			if who == w && n <= last {
				t.Errorf("writer %d: %d after %d", w, n, last)
			} else if who == w {
				last = n
			}
		}
	}
}

func TestCallsLeaveTheirLog(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{})
	p := b.add(t, manifest("org.example.trap"), tiny{start: []byte{0x00}}.build())
	var told []string
	set := Setting{Watch: func(verb string, _ Outcome, err error) { told = append(told, fmt.Sprint(verb, " ", err != nil)) }}
	if _, err := p.Run(t.Context(), "extract", []byte("{}"), set); !IsKind(err, KindTrap) {
		t.Fatal(err)
	}
	if !slices.Equal(told, []string{"extract true"}) {
		t.Errorf("told %q", told)
	}
	must(t, b.host.Close())
	lines := NewHost(b.library, HostOptions{}).LogOf("org.example.trap")
	if len(lines) != 1 || lines[0].Level != "error" || !strings.Contains(lines[0].Text, "extract: it crashed") {
		t.Errorf("%q", texts(lines))
	}
	e, err := b.library.Get("org.example.trap")
	must(t, err)
	must(t, b.library.Remove(e.ID))
	must(t, b.library.Forget(e.ID))
	if _, err := os.Stat(journalFile(filepath.Join(b.library.dir, "logs"), e.ID)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a removed plug-in's log is there: %v", err)
	}
}

func FuzzParseJournal(f *testing.F) {
	f.Add(encodeJournal([]Logged{{time.Now().UTC(), "info", "a\nb"}, {time.Time{}, "stderr", ""}}))
	f.Add([]byte("{\"level\":\"info\",\"text\":\"a\"}\n{\"level\":\"in"))
	f.Add([]byte("{\"time\":\"2026-11-28T00:00:00Z\",\"level\":\"\xff\",\"text\":\"\\ud800\"}\nnull\n[]\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := parseJournal(data)
		size := 0
		for _, l := range lines {
			size += len(l.Text)
			if !utf8.ValidString(l.Text) || !utf8.ValidString(l.Level) || l.Level == "" {
				t.Fatalf("%+v", l)
			}
		}
		if len(lines) > keptLines || size > keptBytes {
			t.Fatalf("%d lines of %d bytes", len(lines), size)
		}
		if again := parseJournal(encodeJournal(lines)); !slices.Equal(texts(again), texts(lines)) {
			t.Fatalf("%q became %q", texts(lines), texts(again))
		}
	})
}

// BenchmarkJournal is what keeping its log adds to a call.
func BenchmarkJournal(b *testing.B) {
	j := &journal{dir: b.TempDir()}
	log := make([]LogLine, 5)
	for i := range log {
		log[i] = LogLine{hostapi.LogInfo, "part 3: asking again, the reply could not be used"}
	}
	for name, out := range map[string]Outcome{"no line": {}, "5 lines": {Log: log}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				j.add("org.example.bench", "extract", out, nil)
			}
		})
	}
	j.close()
}
