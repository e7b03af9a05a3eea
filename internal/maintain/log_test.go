package maintain

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
)

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func logFile(t testing.TB, text string) LogFile {
	t.Helper()
	f := LogFile{In: safefile.Beneath(t.TempDir())}
	if text != "" {
		if err := os.WriteFile(f.Path(), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func TestDecodeLog(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		ok   bool
	}{
		{`{"version":1,"lastThreadProcessed":null,"lastWeeklyConsolidation":null,"lastMonthlyReindex":null}`, true},
		{`{"version":1,"lastThreadProcessed":"2025-01-15T10:30:00.000Z","lastWeeklyConsolidation":"2025-01-12T08:00:00.000Z","lastMonthlyReindex":"2025-01-01T00:00:00.000Z"}`, true},
		{"\ufeff{\"version\":1}", true},
		{`{"version":1,"lastNightly":"2025-01-15T10:30:00+09:00","theirs":{"a":1}}`, true},
		{`{"version":2}`, false}, {`{"version":"1"}`, false}, {`{}`, false}, {``, false}, {`[]`, false}, {`{"version":1,`, false},
		{`{"version":1,"lastNightly":"yesterday"}`, false}, {`{"version":1,"lastNightly":12}`, false},
		{`{"version":1,"lastNightly":"1970-01-01T00:00:00Z"}`, false}, {`{"version":1,"results":"none"}`, false},
	} {
		l, err := DecodeLog([]byte(tt.text))
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.text, err)
		}
		if err != nil {
			continue
		}
		data, err := l.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := DecodeLog(data); err != nil || !reflect.DeepEqual(again.times(), l.times()) || len(again.unknown) != len(l.unknown) {
			t.Errorf("%s: became %s, %v", tt.text, data, err)
		}
	}
}

func TestLogOfBothSides(t *testing.T) {
	t.Parallel()
	f := logFile(t, "{\n  \"version\": 1,\n<<<<<<< HEAD\n  \"lastNightly\": \"2026-03-01T12:00:00Z\"\n=======\n  \"lastNightly\": \"2026-03-02T12:00:00Z\"\n>>>>>>> other\n}\n")
	l, broken, err := f.Load()
	if err != nil || broken != nil || l.Nightly.Day() != 2 {
		t.Fatalf("%+v %v %v", l, broken, err)
	}
	if aside, err := f.Change(func(*Log) {}); aside != "" || err != nil {
		t.Error(aside, err)
	}
}

func TestLogIsBounded(t *testing.T) {
	t.Parallel()
	f := logFile(t, "")
	many := make([]string, 1000)
	for i := range 3 * maxResults {
		if _, err := f.Change(func(l *Log) {
			l.set(Nightly, t0.Add(time.Duration(i)*time.Hour))
			l.add(Result{Kind: Nightly, At: t0, Words: fmt.Sprint(i, strings.Repeat("wörds \xff", 1000)), Deferred: many})
		}); err != nil {
			t.Fatal(err)
		}
	}
	l, broken, err := f.Load()
	if err != nil || broken != nil || len(l.Results) != maxResults || len(l.Results[0].Deferred) != maxNames {
		t.Fatal(len(l.Results), broken, err)
	}
	if want := fmt.Sprint(3*maxResults - 1); !strings.HasPrefix(l.Results[maxResults-1].Words, want) {
		t.Errorf("the last one is %q", l.Results[maxResults-1].Words)
	}
}

func TestBrokenLogIsKeptAside(t *testing.T) {
	t.Parallel()
	f := logFile(t, "{broken")
	if _, broken, err := f.Load(); broken == nil || err != nil {
		t.Fatal(broken, err)
	}
	aside, err := f.Change(func(l *Log) { l.set(Weekly, t0) })
	if err != nil || filepath.Base(aside) != "maintenance-log.json.damaged" {
		t.Fatal(aside, err)
	}
	if text, err := os.ReadFile(aside); err != nil || string(text) != "{broken" {
		t.Errorf("%q, %v", text, err)
	}
	if l, broken, err := f.Load(); !l.Weekly.Equal(t0) || broken != nil || err != nil {
		t.Errorf("%+v, %v, %v", l, broken, err)
	}
	if err := os.WriteFile(f.Path(), []byte("broken again"), 0o644); err != nil {
		t.Fatal(err)
	}
	if aside, err = f.Change(func(*Log) {}); err != nil || !strings.HasSuffix(aside, ".damaged.2") {
		t.Errorf("%s, %v", aside, err)
	}
}

func TestNewerLogIsLeft(t *testing.T) {
	t.Parallel()
	f := logFile(t, `{"version":2,"lastNightly":"soon"}`)
	if _, err := f.Change(func(l *Log) { l.set(Weekly, t0) }); !errors.Is(err, ErrNewerLog) {
		t.Error(err)
	}
	if text, _ := os.ReadFile(f.Path()); !strings.Contains(string(text), "soon") {
		t.Errorf("it was written: %s", text)
	}
}

func TestLogFaults(t *testing.T) {
	t.Parallel()
	const before = `{"version":1,"lastNightly":"2025-01-15T10:30:00.000Z","theirs":1}`
	for _, start := range []string{"", before, "{broken"} {
		steps := 0
		f := logFile(t, start)
		f.Before = func(string, atomicfile.Step) error { steps++; return nil }
		if _, err := f.Change(func(l *Log) { l.set(Weekly, t0) }); err != nil || steps == 0 {
			t.Fatal(steps, err)
		}
		for _, cause := range []error{errors.New("no space left"), atomicfile.Crash()} {
			for step := range steps {
				f, n := logFile(t, start), 0
				f.Before = func(string, atomicfile.Step) error {
					if n++; n == step+1 {
						return cause
					}
					return nil
				}
				if _, err := f.Change(func(l *Log) { l.set(Weekly, t0) }); !errors.Is(err, cause) {
					t.Fatal(err)
				}
				f.Before = nil
				if _, err := f.Change(func(l *Log) { l.set(Monthly, t0) }); err != nil {
					t.Fatal(err)
				}
				l, broken, err := f.Load()
				if err != nil || broken != nil || !l.Monthly.Equal(t0) || start == before && (l.Nightly.IsZero() || len(l.unknown) != 1) {
					t.Errorf("from %q, step %d: %+v, %v, %v", start, step, l, broken, err)
				}
				aside, _ := os.ReadFile(f.Path() + asideExt)
				if start == "{broken" && string(aside) != start {
					t.Errorf("step %d: aside is %q", step, aside)
				}
			}
		}
	}
}

func TestLogOfManyWriters(t *testing.T) {
	t.Parallel()
	f := logFile(t, "")
	var all sync.WaitGroup
	for i := range 5 {
		all.Go(func() {
			if _, err := f.Change(func(l *Log) { l.add(Result{Kind: Nightly, At: t0, Words: fmt.Sprint(i)}) }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if l, _, err := f.Load(); err != nil || len(l.Results) != 5 {
		t.Errorf("%d results, %v", len(l.Results), err)
	}
}

func FuzzDecodeLog(f *testing.F) {
	f.Add([]byte(`{"version":1,"lastThreadProcessed":"2025-01-15T10:30:00.000Z","lastWeeklyConsolidation":null,"results":[{"kind":"weekly","words":"a"}],"x":[1]}`))
	f.Add([]byte(`{"version":1,"results":null,"lastNightly":"9999-12-31T23:59:59+23:00"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := DecodeLog(data)
		if err != nil {
			return
		}
		text, err := l.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := DecodeLog(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if more, err := again.Encode(); err != nil || string(more) != string(text) {
			t.Fatalf("%s became %s", text, more)
		}
	})
}
