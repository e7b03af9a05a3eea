package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// clock is a clock that a test sets.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.t }

func (c *clock) set(text string) {
	t, err := time.ParseInLocation("2006-01-02 15:04", text, time.FixedZone("", 2*3600))
	if err != nil {
		panic(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = t
}

func at(text string) *clock { c := &clock{}; c.set(text); return c }

func anyway(Standing) error { return nil }

func spend(t *testing.T, l *Ledger, c Call, b Bill) {
	t.Helper()
	r, err := l.Reserve(t.Context(), c, Estimate{InputTokens: 100, OutputTokens: 100, InputMoney: 40, Money: 100}, anyway)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Settle(b); err != nil {
		t.Fatal(err)
	}
}

func wantTotal(t *testing.T, l *Ledger, want Amount) {
	t.Helper()
	s, err := l.Standing(t.Context(), "p")
	if err != nil || s.Total != want {
		t.Errorf("%s: total %+v, %v; want %+v", s.Day, s.Total, err, want)
	}
}

var bill = Bill{InputTokens: 5, OutputTokens: 2, Money: 9, MoneyKnown: true, Outcome: "ok"}

func TestReserveAndSettle(t *testing.T) {
	t.Parallel()
	c := at("2026-11-28 10:00")
	o := Options{Dir: filepath.Join(t.TempDir(), "ledger"), Now: c.now}
	l := Open(o)
	wantTotal(t, l, Amount{})
	if _, err := os.Stat(o.Dir); err == nil {
		t.Error("looking made the folder")
	}
	r, err := l.Reserve(t.Context(), Call{Plugin: "p"}, Estimate{InputTokens: 10, OutputTokens: 20, Money: 30}, anyway)
	if err != nil {
		t.Fatal(err)
	}
	other := Open(o) // as another process sees it
	wantTotal(t, other, Amount{1, 30, 30})
	refused := errors.New("no")
	if _, err := other.Reserve(t.Context(), Call{}, Estimate{}, func(Standing) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("refused: %v", err)
	}
	for range 2 {
		if err := r.Settle(bill); err != nil {
			t.Fatal(err)
		}
	}
	spend(t, other, Call{Plugin: "q"}, Bill{NotCalled: true})
	for _, l := range []*Ledger{l, other, Open(o)} {
		wantTotal(t, l, Amount{1, 7, 9})
		if s, err := l.Standing(t.Context(), "q"); err != nil || s.Plugin != (Amount{}) || s.Ends.Format(time.DateTime) != "2026-11-29 00:00:00" {
			t.Errorf("%+v, %v", s, err)
		}
	}
	for _, l := range []*Ledger{l, other} {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, _ := os.ReadDir(filepath.Join(o.Dir, "live")); len(left) != 0 {
		t.Errorf("left in live: %v", left)
	}
}

// TestDays moves the clock in every direction. A day's total starts at nothing
// only when the clock shows a later date than ever before.
func TestDays(t *testing.T) {
	t.Parallel()
	c := at("2026-11-29 23:59")
	o := Options{Dir: t.TempDir(), Now: c.now}
	l := Open(o)
	for _, step := range []struct {
		to    string
		calls int64 // after one more
		day   string
	}{
		{"2026-11-29 23:59", 1, "2026-11-29"},
		{"2026-11-30 00:00", 1, "2026-11-30"},
		{"2026-11-29 23:58", 2, "2026-11-30"}, // set back over midnight: no second 29th
		{"2026-11-28 12:00", 3, "2026-11-30"},
		{"2026-11-30 09:00", 4, "2026-11-30"},
		{"2026-12-01 00:01", 1, "2026-12-01"},
		{"2036-01-01 00:00", 1, "2036-01-01"}, // a wrong clock
		{"2026-12-02 00:00", 2, "2026-12-02"}, // set right: the day goes on
		{"2026-12-02 23:00", 3, "2026-12-02"},
		{"2026-12-03 01:00", 1, "2026-12-03"}, // and ends
		{"1970-01-01 00:00", 2, "1970-01-01"}, // an empty battery
		{"2026-12-03 02:00", 1, "2026-12-03"}, // as of a new day, for nothing of it can be known
	} {
		c.set(step.to)
		spend(t, l, Call{Plugin: "p"}, bill)
		for _, l := range []*Ledger{l, Open(o)} {
			s, err := l.Standing(t.Context(), "p")
			if err != nil || s.Day != step.day || s.Total.Calls != step.calls || s.Plugin != s.Total {
				t.Errorf("%s: %+v, %v; want %d calls on %s", step.to, s, err, step.calls, step.day)
			}
		}
	}
	files, _ := filepath.Glob(filepath.Join(o.Dir, "*.jsonl"))
	u, err := l.Usage(t.Context(), Query{})
	if err != nil || u.Total.Calls != 12 || u.Damaged != 0 || len(files) != 4 {
		t.Errorf("%d calls in %v, %d damaged, %v", u.Total.Calls, files, u.Damaged, err)
	}
}

func TestCallOverMidnight(t *testing.T) {
	t.Parallel()
	c := at("2026-11-28 23:59")
	l := Open(Options{Dir: t.TempDir(), Now: c.now})
	r, err := l.Reserve(t.Context(), Call{}, Estimate{InputTokens: 10}, anyway)
	if err != nil {
		t.Fatal(err)
	}
	c.set("2026-11-29 00:01")
	wantTotal(t, l, Amount{})
	spend(t, l, Call{}, bill)
	if err := r.Settle(bill); err != nil {
		t.Fatal(err)
	}
	wantTotal(t, l, Amount{1, 7, 9})
	u, err := l.Usage(t.Context(), Query{})
	if err != nil || len(u.ByDay) != 2 || u.ByDay[0].Calls != 1 || u.Total.Open != 0 {
		t.Errorf("%+v, %v", u, err)
	}
}

// TestTornAndDamaged cuts the file at every byte, as a crash could, and goes on.
func TestTornAndDamaged(t *testing.T) {
	t.Parallel()
	c := at("2026-11-28 10:00")
	o := Options{Dir: t.TempDir(), Now: c.now}
	l := Open(o)
	spend(t, l, Call{Plugin: "p"}, bill)
	spend(t, l, Call{Plugin: "p"}, bill)
	whole, err := os.ReadFile(l.current())
	if err != nil {
		t.Fatal(err)
	}
	first := strings.Index(string(whole), "\n") + 1
	for cut := first; cut <= len(whole); cut += 7 {
		o := Options{Dir: t.TempDir(), Now: c.now}
		l := Open(o)
		if err := os.WriteFile(l.current(), whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		before, err := l.Standing(t.Context(), "p")
		if err != nil {
			t.Fatal(err)
		}
		spend(t, l, Call{Plugin: "p"}, bill)
		wantTotal(t, l, before.Total.Plus(Amount{1, 7, 9}))
		wantTotal(t, Open(o), before.Total.Plus(Amount{1, 7, 9}))
	}
	garbage := "\x00\x00\x00\n{\"e\":\"reserve\"}\n[]\n" + strings.Repeat("x", 3*maxLine) + "\n" + `{"e":"settle","day":"2026-11-28","id":"x","in":-5,"usd_micro":9}` + "\n"
	if err := os.WriteFile(l.current(), append([]byte(garbage), whole...), 0o600); err != nil {
		t.Fatal(err)
	}
	wantTotal(t, Open(o), Amount{2, 14, 18})
	u, err := Open(o).Usage(t.Context(), Query{})
	if err != nil || u.Damaged != 5 || u.Total.Calls != 2 {
		t.Errorf("%d damaged, %d calls, %v", u.Damaged, u.Total.Calls, err)
	}
	// Without the line of a reservation its end still counts.
	lines := strings.SplitAfter(string(whole), "\n")
	if err := os.WriteFile(l.current(), []byte(lines[0]+lines[2]+lines[3]+lines[4]), 0o600); err != nil {
		t.Fatal(err)
	}
	wantTotal(t, Open(o), Amount{2, 14, 18})
}

func TestFindsLastDay(t *testing.T) {
	t.Parallel()
	c := at("2026-11-01 10:00")
	o := Options{Dir: t.TempDir(), Now: c.now}
	l := Open(o)
	for d := 1; d <= 5; d++ {
		c.set(fmt.Sprintf("2026-11-%02d 10:00", d))
		for range 90 * (d % 3) { // so that days begin at all places in a block
			spend(t, l, Call{Plugin: "p", Purpose: strings.Repeat("x", 150+d)}, bill)
		}
		spend(t, l, Call{Plugin: "p"}, bill)
		n := int64(90*(d%3) + 1)
		wantTotal(t, Open(o), Amount{n, 7 * n, 9 * n})
	}
}

// TestKilled kills a process with a reservation. What it asked counts as one
// call with its prompt; what was set aside for the reply is free again.
func TestKilled(t *testing.T) {
	dir := os.Getenv("RECOLLECT_TEST_LEDGER")
	if dir != "" {
		l := Open(Options{Dir: dir})
		_, err := l.Reserve(t.Context(), Call{Plugin: "p"}, Estimate{InputTokens: 10, OutputTokens: 90, InputMoney: 3, Money: 100}, anyway)
		fmt.Println("reserved", err)
		select {}
	}
	dir = t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilled$", "-test.v")
	cmd.Env = append(os.Environ(), "RECOLLECT_TEST_LEDGER="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var seen []byte
	for buf := make([]byte, 256); !strings.Contains(string(seen), "reserved <nil>"); {
		n, err := out.Read(buf)
		if err != nil {
			t.Fatalf("%s: %v", seen, err)
		}
		seen = append(seen, buf[:n]...)
	}
	l := Open(Options{Dir: dir})
	full := errors.New("full")
	limit := func(s Standing) error {
		if s.Total.Money > 3 {
			return full
		}
		return nil
	}
	if _, err := l.Reserve(t.Context(), Call{}, Estimate{}, limit); !errors.Is(err, full) {
		t.Fatalf("while it lives: %v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	r, err := l.Reserve(t.Context(), Call{Plugin: "p"}, Estimate{}, limit)
	if err != nil {
		t.Fatalf("after its death: %v", err)
	}
	if err := r.Settle(bill); err != nil {
		t.Fatal(err)
	}
	wantTotal(t, l, Amount{2, 17, 12})
	u, err := l.Usage(t.Context(), Query{})
	if err != nil || u.Total.Calls != 2 || u.Total.Open != 1 || u.Total.OutputTokens != 2 {
		t.Errorf("%+v, %v", u.Total, err)
	}
}

func TestCancelledWait(t *testing.T) {
	t.Parallel()
	l := Open(Options{Dir: t.TempDir()})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Reserve(ctx, Call{}, Estimate{}, anyway); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestUnwritable(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below"), ""} {
		if _, err := Open(Options{Dir: dir}).Reserve(t.Context(), Call{}, Estimate{}, anyway); err == nil {
			t.Errorf("%q: a reservation without a record", dir)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	c := at("2026-11-28 10:00")
	l := Open(Options{Dir: filepath.Join(t.TempDir(), "a [b]*"), Now: c.now})
	spend(t, l, Call{Project: "/a", Plugin: "p", Model: "m"}, bill)
	spend(t, l, Call{Project: "/b", Plugin: "p", Model: "m"}, Bill{InputTokens: 1, Money: 500, Outcome: "timeout", Model: "new"})
	c.set("2026-11-29 10:00")
	spend(t, l, Call{Project: "/b", Plugin: "q", Model: "m"}, Bill{InputTokens: 1, Money: 50, MoneyKnown: true, Outcome: "ok"})
	u, err := l.Usage(t.Context(), Query{})
	if err != nil {
		t.Fatal(err)
	}
	if (u.Total != Row{Calls: 3, Failed: 1, Unpriced: 1, InputTokens: 7, OutputTokens: 2, Money: 59}) {
		t.Errorf("total %+v", u.Total)
	}
	names := func(rows []Row) (s string) {
		for _, r := range rows {
			s += fmt.Sprintf("%s:%d ", r.Name, r.Calls)
		}
		return s
	}
	got := names(u.ByDay) + names(u.ByProject) + names(u.ByPlugin) + names(u.ByModel)
	if want := "2026-11-28:2 2026-11-29:1 /b:2 /a:1 q:1 p:2 m:2 new:1 "; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	if u, err := l.Usage(t.Context(), Query{From: "2026-11-29", Project: "/b"}); err != nil || u.Total.Calls != 1 {
		t.Errorf("%+v, %v", u.Total, err)
	}
	if u, err := l.Usage(t.Context(), Query{To: "2026-11-01"}); err != nil || u.ByDay == nil || len(u.ByDay) != 0 {
		t.Errorf("%+v, %v", u, err)
	}
}

func BenchmarkCall(b *testing.B) {
	l := Open(Options{Dir: b.TempDir()})
	for b.Loop() {
		r, err := l.Reserve(b.Context(), Call{Plugin: "p"}, Estimate{}, anyway)
		if err != nil {
			b.Fatal(err)
		}
		if err := r.Settle(bill); err != nil {
			b.Fatal(err)
		}
	}
}
