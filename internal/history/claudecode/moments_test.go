package claudecode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTimesSince1970(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	write(t, filepath.Join(dir, "projects", "x", "s1.jsonl"),
		user("a", "", 1, "P1", fields{"timestamp": at.UnixMilli()}), answer("b", "a", 2, "A1", fields{"timestamp": at.Add(time.Second).Unix()}),
		user("c", "b", 3, "P2", fields{"timestamp": "1772366402000"}))
	s := New(Options{ConfigDir: dir})
	h, err := s.Open(t.Context(), project(t, "/home/dev/orchard"))
	if err != nil {
		t.Fatal(err)
	}
	var got []time.Time
	for _, r := range h.Refs("*") {
		got = append(got, r.Time)
	}
	if d := cmp.Diff([]time.Time{at, at.Add(2 * time.Second)}, got); d != "" {
		t.Error(d)
	}
	if last := h.Sessions()[0].LastActive; !last.Equal(at.Add(2 * time.Second)) {
		t.Error(last)
	}
	d, err := s.Discover(t.Context(), nil)
	if err != nil || !d.Used[0].LastActive.Equal(at.Add(2*time.Second)) {
		t.Errorf("%+v %v", d.Used, err)
	}
}

// What was said can't be later than when it was written: such a time says nothing.
func TestTimesThatAreStillToCome(t *testing.T) {
	t.Parallel()
	far := fields{"timestamp": time.Now().Add(10 * 365 * 24 * time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")}
	for name, c := range map[string]struct {
		lines []string
		want  time.Time // of the last; zero: when the file was written
	}{
		"in the middle": {[]string{user("a", "", 1, "P1"), user("b", "a", 2, "P2", far), user("c", "b", 3, "P3")}, second(3)},
		"at first":      {[]string{user("a", "", 1, "P1", far), user("b", "a", 2, "P2"), user("c", "b", 3, "P3")}, second(3)},
		"at last":       {[]string{user("a", "", 1, "P1"), user("b", "a", 2, "P2"), user("c", "b", 3, "P3", far)}, second(2)},
		"all":           {[]string{user("a", "", 1, "P1", far), user("b", "a", 2, "P2", far), user("c", "b", 3, "P3", far)}, time.Time{}},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "projects", "x", "s1.jsonl")
		write(t, file, c.lines...)
		written := second(60 * 30)
		if err := os.Chtimes(file, written, written); err != nil {
			t.Fatal(err)
		}
		h, err := New(Options{ConfigDir: dir}).Open(t.Context(), project(t, "/home/dev/orchard"))
		if err != nil {
			t.Fatal(err)
		}
		want := c.want
		if want.IsZero() {
			want = written
		}
		if d := cmp.Diff("P1 P2 P3", strings.Join(talk(t, h), " ")); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if last := h.Sessions()[0].LastActive; !last.Equal(want) {
			t.Errorf("%s: last active %v, want %v", name, last, want)
		}
		for _, r := range h.Refs("*") {
			if r.Time.After(want) {
				t.Errorf("%s: %s was said at %v", name, r.ID, r.Time)
			}
		}
	}
}

// second is the time that recordLine writes for n.
func second(n int) time.Time {
	return time.Date(2026, 11, 20, 9, n/60, n%60, 0, time.UTC)
}
