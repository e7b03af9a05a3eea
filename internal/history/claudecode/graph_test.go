package claudecode

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/history"
)

func TestGraph(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		lines     []string
		want      []string
		abandoned int
	}{
		{"in a row", []string{
			user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), user("c", "b", 3, "P2"), answer("d", "c", 4, "A2"),
		}, []string{"P1 / A1", "P2 / A2"}, 0},
		{"rewound", []string{
			user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), user("c", "b", 3, "bad"), answer("d", "c", 4, "bad answer"),
			user("e", "d", 5, "bad again"), user("f", "b", 6, "good"), answer("g", "f", 7, "good answer"),
		}, []string{"P1 / A1", "good / good answer"}, 2},
		{"rewound at the first prompt", []string{
			system("z", "", 0), user("a", "z", 1, "bad"), answer("b", "a", 2, "bad"), user("c", "z", 3, "good"), answer("d", "c", 4, "A"),
		}, []string{"good / A"}, 1},
		{"two first prompts without a common parent", []string{
			user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), user("c", "", 3, "P2"), answer("d", "c", 4, "A2"),
		}, []string{"P1 / A1", "P2 / A2"}, 0},
		{"rewound behind a chain of links", []string{
			user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), system("h1", "b", 3), system("h2", "h1", 3),
			user("c", "h2", 4, "bad"), answer("d", "c", 5, "bad"), user("e", "h1", 6, "good"), answer("f", "e", 7, "A2"),
		}, []string{"P1 / A1", "good / A2"}, 1},
		{"rewound three times", []string{
			user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), user("c", "b", 3, "bad1"), user("d", "b", 4, "bad2"), answer("e", "d", 5, "bad"),
			user("f", "b", 6, "good"), user("g", "f", 7, "bad3"), user("h", "f", 8, "more"),
		}, []string{"P1 / A1", "good", "more"}, 3},
		{"gone back to the older attempt", []string{
			user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), user("c", "b", 3, "good"), user("d", "b", 4, "bad"), answer("e", "d", 5, "bad"),
			answer("f", "c", 6, "late answer"), user("g", "f", 7, "and more"),
		}, []string{"P1 / A1", "good / late answer", "and more"}, 1},
		{"two processes by turns", []string{
			user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), user("c", "b", 3, "left"), user("d", "b", 4, "right"),
			answer("e", "c", 5, "left answer"), answer("f", "d", 6, "right answer"),
		}, []string{"P1 / A1", "left / left answer", "right / right answer"}, 0},
		{"prompt typed while busy", []string{
			user("a", "", 1, "P1"), user("q", "a", 3, "also this"), answer("b", "a", 2, "A1"), user("c", "b", 4, "P2"), answer("d", "c", 5, "A2"),
		}, []string{"P1 / A1", "also this", "P2 / A2"}, 0},
		{"parallel tool calls", []string{
			user("a", "", 1, "P1"), call("b1", "a", 2, "m", "t1"), call("b2", "b1", 3, "m", "t2"), result("r1", "b1", 4, "t1"),
			result("r2", "b2", 5, "t2"), answer("c", "r1", 6, "A1"), user("d", "c", 7, "P2"), answer("e", "r2", 8, "A1b"), user("f", "e", 9, "P3"),
		}, []string{"P1 / A1 / A1b", "P2", "P3"}, 0},
		{"progress in the chain", []string{
			user("a", "", 1, "P1"), call("b", "a", 2, "m", "t1"), recordLine("progress", "p", "b", 3, nil), recordLine("progress", "p2", "p", 3, nil),
			result("r", "b", 4, "t1"), answer("c", "r", 5, "A1"), recordLine("progress", "p3", "c", 6, nil), user("d", "p3", 7, "P2"),
		}, []string{"P1 / A1", "P2"}, 0},
		{"compacted", []string{
			user("a", "", 1, "P1"), answer("b", "a", 2, "A1"),
			system("z", "", 3, fields{"subtype": "compact_boundary", "logicalParentUuid": "b"}),
			user("y", "z", 4, "This session is being continued from a previous conversation …", fields{"isCompactSummary": true}),
			answer("c", "y", 5, "A1 goes on"), user("d", "c", 6, "P2"),
		}, []string{"P1 / A1 / A1 goes on", "P2"}, 0},
		{"compacted from an earlier point", []string{
			user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), user("e", "b", 3, "P2"), answer("f", "e", 4, "A2"),
			system("z", "", 5, fields{"logicalParentUuid": "b"}), user("d", "z", 6, "P3"),
		}, []string{"P1 / A1", "P2 / A2", "P3"}, 0},
		{"missing parents", []string{
			user("a", "", 1, "P1"), answer("b", "nowhere", 2, "A1"), user("c", "nowhere", 3, "P2"), user("d", "nowhere", 4, "P3"), answer("e", "gone", 5, "A3"),
		}, []string{"P1 / A1", "P2", "P3 / A3"}, 0},
		{"child before parent", []string{
			answer("b", "a", 2, "A1"), user("c", "b", 3, "P2"), user("a", "", 1, "P1"),
		}, []string{"P1 / A1", "P2"}, 0},
		{"a circle", []string{
			user("a", "d", 1, "P1"), answer("b", "a", 2, "A1"), user("c", "b", 3, "P2"), answer("d", "c", 4, "A2"), user("e", "e", 5, "P3"),
		}, []string{"P1 / A1", "P2 / A2", "P3"}, 0},
		{"several sessions in one file", []string{
			user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), user("c", "b", 3, "P2"),
			user("f", "b", 4, "other", fields{"sessionId": "s2"}), answer("g", "f", 5, "A", fields{"sessionId": "s2"}),
		}, []string{"P1 / A1", "P2", "other / A"}, 0},
		{"sidechain", []string{
			user("a", "", 1, "P1"), user("x", "", 2, "task", fields{"isSidechain": true}),
			answer("y", "x", 3, "a guess", fields{"isSidechain": true}), answer("b", "a", 4, "A1"),
		}, []string{"P1 / A1"}, 0},
		{"the same record twice", []string{
			user("a", "", 1, "P1"), user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), answer("b", "a", 2, "A1"),
		}, []string{"P1 / A1"}, 0},
		{"rewound to before the answer", []string{
			user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), user("c", "b", 3, "bad"), answer("d", "c", 4, "bad"), user("e", "a", 5, "good"),
		}, []string{"P1 / A1", "good"}, 1},
		{"live by way of a compaction", []string{
			user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), user("c", "b", 3, "good"), user("x", "b", 5, "bad"),
			system("z", "", 4, fields{"logicalParentUuid": "c"}), user("d", "z", 6, "goes on"),
		}, []string{"P1 / A1", "good", "goes on"}, 1},
		{"a circle of answers", []string{
			user("a", "", 1, "P1"), answer("b", "d", 2, "A1"), answer("c", "b", 3, "A2"), answer("d", "c", 4, "A3"),
		}, []string{"P1 / A1 / A2 / A3"}, 0},
		{"a circle of links", []string{
			user("a", "", 1, "P1"), system("x", "z", 2), system("y", "", 2), system("z", "x", 2), answer("b", "z", 3, "A1"),
		}, []string{"P1 / A1"}, 0},
		{"no time", []string{
			user("a", "", 1, "P1"), answer("b", "a", 2, "A1", fields{"timestamp": "absent"}), user("c", "b", 3, "P2", fields{"timestamp": "x"}), answer("d", "gone", 4, "A2"),
		}, []string{"P1 / A1", "P2 / A2"}, 0},
		{"an own call within a session", []string{
			user("a", "", 1, "P1"), user("b", "a", 2, history.OwnMarker+" extract"), answer("c", "b", 3, "{}"), user("d", "c", 4, "P2"),
		}, []string{"P1", "P2"}, 0},
		{"no prompt", []string{answer("a", "", 1, "hello"), answer("b", "a", 2, "there"), user("c", "b", 3, "P")}, []string{"hello / there", "P"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, h := talkOf(t, tt.lines...)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("turns (-want +got):\n%s", d)
			}
			if got := h.Report().Abandoned; got != tt.abandoned {
				t.Errorf("%d abandoned, want %d", got, tt.abandoned)
			}
		})
	}
}

func TestCopies(t *testing.T) {
	t.Parallel()
	s2 := fields{"sessionId": "s2"}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "s1.jsonl"),
		user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), user("c", "b", 3, "P2"))
	// A resumed session copies what was said and goes on; then it goes back on
	// its own words, and on those of the session it came from.
	write(t, filepath.Join(dir, "s2.jsonl"),
		user("a", "", 1, "P1", s2), answer("b", "a", 2, "A1", s2), user("c", "b", 3, "P2", s2),
		answer("d", "c", 4, "A2", s2), user("e", "d", 5, "bad", s2), user("f", "d", 6, "P3", s2), answer("a", "nowhere", 7, "other words", s2))
	// A fork with new ids says where they are from.
	write(t, filepath.Join(dir, "s3.jsonl"),
		user("x", "", 1, "P1", fields{"sessionId": "s3", "forkedFrom": fields{"sessionId": "s1", "messageUuid": "a"}}),
		user("y", "x", 9, "P4", fields{"sessionId": "s3"}))
	h := openPath(t, New(Options{}), dir)
	if d := cmp.Diff([]string{"P1 / A1", "P2 / A2", "P3", "P4"}, talk(t, h)); d != "" {
		t.Errorf("turns (-want +got):\n%s", d)
	}
	if got := h.Report().Abandoned; got != 1 {
		t.Errorf("%d abandoned, want 1", got)
	}
	var sessions []string
	for _, ref := range h.Refs("*") {
		sessions = append(sessions, ref.Session)
	}
	if d := cmp.Diff([]string{"s1", "s1", "s2", "s3"}, sessions); d != "" {
		t.Errorf("sessions (-want +got):\n%s", d)
	}
}

// A session that was resumed under a new id and then went back on what it had
// copied: the old file is only its beginning.
func TestAbandonedAfterResume(t *testing.T) {
	t.Parallel()
	s2 := fields{"sessionId": "s2"}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "s1.jsonl"), user("a", "", 1, "P1"), user("b", "a", 2, "tried"), answer("c", "b", 3, "A"))
	write(t, filepath.Join(dir, "s2.jsonl"),
		user("a", "", 1, "P1", s2), user("b", "a", 2, "tried", s2), answer("c", "b", 3, "A", s2), user("d", "a", 4, "instead", s2))
	h := openPath(t, New(Options{}), dir)
	if d := cmp.Diff([]string{"P1", "instead"}, talk(t, h)); d != "" {
		t.Errorf("turns (-want +got):\n%s", d)
	}
	if got := h.Report().Abandoned; got != 1 {
		t.Errorf("%d abandoned, want 1", got)
	}
}

// A forked session belongs to what it copied only where it went on, also when
// the older session went on longer.
func TestForkedSession(t *testing.T) {
	t.Parallel()
	s2 := fields{"sessionId": "s2"}
	queue := recordLine("queue-operation", "absent", "", 3, nil, fields{"uuid": "absent", "cwd": "absent", "sessionId": "s2"})
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b.jsonl"),
		user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), user("c", "b", 8, "P2"), answer("d", "c", 9, "A2"))
	mode := recordLine("mode", "absent", "", 0, nil, fields{"uuid": "absent", "cwd": "absent", "timestamp": "absent", "sessionId": "s2"})
	write(t, filepath.Join(dir, "a.jsonl"), mode, queue,
		user("a", "", 1, "P1", s2), answer("b", "a", 2, "A1", s2), user("e", "b", 4, "other", s2), answer("f", "e", 5, "A", s2))
	h := openPath(t, New(Options{}), dir)
	if d := cmp.Diff([]string{"P1 / A1", "other / A", "P2 / A2"}, talk(t, h)); d != "" {
		t.Errorf("turns (-want +got):\n%s", d)
	}
	if got := h.Refs("*")[0].Session; got != "s1" {
		t.Errorf("what was copied belongs to %s", got)
	}
}

// An attempt that one session abandoned after another had copied it still
// counts: there it is what was said.
func TestAbandonedInOneSessionOnly(t *testing.T) {
	t.Parallel()
	s2 := fields{"sessionId": "s2"}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "s1.jsonl"),
		user("a", "", 1, "P1"), user("b", "a", 2, "tried"), answer("c", "b", 3, "A"), user("e", "a", 5, "instead"))
	write(t, filepath.Join(dir, "s2.jsonl"),
		user("a", "", 1, "P1", s2), user("b", "a", 2, "tried", s2), answer("c", "b", 3, "A", s2), user("d", "c", 4, "went on", s2))
	h := openPath(t, New(Options{}), dir)
	if d := cmp.Diff([]string{"P1", "tried / A", "went on", "instead"}, talk(t, h)); d != "" {
		t.Errorf("turns (-want +got):\n%s", d)
	}
}

// Two snapshots of one session: the older does not know that an attempt was
// abandoned later.
func TestSnapshots(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old := []string{user("a", "", 1, "P1"), answer("b", "a", 2, "A1"), user("c", "b", 3, "bad"), answer("d", "c", 4, "bad")}
	write(t, filepath.Join(dir, "z-old.jsonl"), old...)
	write(t, filepath.Join(dir, "new.jsonl"), append(old, user("e", "b", 5, "good"), answer("f", "e", 6, "A2"))...)
	h := openPath(t, New(Options{}), dir)
	if d := cmp.Diff([]string{"P1 / A1", "good / A2"}, talk(t, h)); d != "" {
		t.Errorf("turns (-want +got):\n%s", d)
	}
}
