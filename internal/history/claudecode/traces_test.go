package claudecode

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recollect/internal/history"
)

// did is a call of a tool and its result.
func did(n int, tool string, input fields, result string, failed bool, f ...fields) string {
	id := fmt.Sprintf("toolu_%d", n)
	return recordLine("assistant", fmt.Sprintf("call%d", n), "", n, assistant("msg_"+id, fields{"type": "tool_use", "id": id, "name": tool, "input": input}), f...) +
		recordLine("user", fmt.Sprintf("result%d", n), "", n, fields{"role": "user", "content": []any{
			fields{"type": "tool_result", "tool_use_id": id, "content": result, "is_error": failed},
		}}, f...)
}

const home = "/home/dev/orchard/"

func working() []string {
	file := func(path string) fields { return fields{"file_path": path} }
	commit := fields{"command": "git add -A && git commit -m 'Keep prices in cents'"}
	return []string{
		user("a", "", 1, "Do it"), answer("b", "a", 2, "I will."),
		did(3, "Write", file(home+"price.go"), "created", false),
		did(4, "Edit", file(home+"store/db.go"), "updated", false),
		did(5, "Read", file(home+"read.go"), "text", false),
		did(6, "Edit", file(home+"refused.go"), "The user doesn't want that", true),
		did(7, "Write", file("/tmp/scratch.md"), "created", false),
		did(8, "Edit", file(home+"../other/x.go"), "updated", false),
		did(9, "Bash", commit, "checks pass\n[main 1a2b3c4] Keep prices in cents\n 2 files changed", false),
		did(10, "NotebookEdit", fields{"notebook_path": home + "plot.ipynb"}, "updated", false),
		did(11, "Edit", file(home+"price.go"), "updated", false),
		did(12, "Bash", fields{"command": "cat notes"}, "[main 9999999] What a file says", false),
		did(13, "Edit", file(home+"beside.go"), "updated", false, fields{"isSidechain": true}),
		did(14, "Bash", commit, "[main 5d6e7f8] Not made", true),
	}
}

func tracesOf(t *testing.T, h history.History) history.Traces {
	t.Helper()
	all := h.Sessions()
	if len(all) != 1 {
		t.Fatalf("%d sessions", len(all))
	}
	return h.Traces(history.Session{Source: Name, ID: all[0].ID})
}

func checkTraces(t *testing.T, w history.Traces, commit string, files ...string) {
	t.Helper()
	if !slices.Equal(w.Files, files) || w.Commit != commit {
		t.Errorf("got %+v, want %q and %q", w, files, commit)
	}
}

func TestTraces(t *testing.T) {
	t.Parallel()
	_, h := talkOf(t, working()...)
	checkTraces(t, tracesOf(t, h), "1a2b3c4 Keep prices in cents", "store/db.go", "plot.ipynb", "price.go")
	if w := h.Traces(history.Session{Source: Name, ID: "no such session"}); len(w.Files) > 0 || w.Commit != "" {
		t.Errorf("a session that is not there did %+v", w)
	}
}

// TestWorkIsTheSameFromAnIndex cuts the transcript wherever a line ends.
func TestTracesAreTheSameFromAnIndex(t *testing.T) {
	t.Parallel()
	lines := slices.Collect(strings.Lines(strings.Join(working(), "")))
	for cut := 2; cut < len(lines); cut++ {
		path := filepath.Join(t.TempDir(), "s1.jsonl")
		s := New(Options{IndexDir: t.TempDir()})
		write(t, path, lines[:cut]...)
		before := openPath(t, s, path)
		appendTo(t, path, strings.Join(lines[cut:], ""))
		h := openPath(t, s, path)
		checkTraces(t, tracesOf(t, h), "1a2b3c4 Keep prices in cents", "store/db.go", "plot.ipynb", "price.go")
		again := openPath(t, s, path)
		if h.Revision() != again.Revision() || tracesOf(t, again).Commit != tracesOf(t, h).Commit {
			t.Errorf("cut after line %d: it reads otherwise again", cut)
		}
		if cut == 5 && before.Revision() == h.Revision() {
			t.Error("the revision does not tell that more was done")
		}
	}
}

func TestTracesAreBounded(t *testing.T) {
	t.Parallel()
	lines := []string{user("a", "", 1, "Do it"), answer("b", "a", 2, "I will.")}
	for i := range 3 * history.MaxTraced {
		lines = append(lines, did(3+i, "Write", fields{"file_path": fmt.Sprintf("%sf%d.go", home, i)}, "created", false))
	}
	lines = append(lines, did(900, "Write", fields{"file_path": home + strings.Repeat("x", 5000)}, "created", false),
		did(901, "Write", fields{"file_path": home + "a\nb"}, "created", false),
		did(902, "Bash", fields{"command": "git commit"}, "[main 1a2b3c4] "+strings.Repeat("ж", 5000), false))
	_, h := talkOf(t, lines...)
	w := tracesOf(t, h)
	if n := len(w.Files); n != history.MaxTraced || w.Files[n-1] != fmt.Sprintf("f%d.go", 3*history.MaxTraced-1) {
		t.Errorf("%d files: %q", n, w.Files)
	}
	if n := len([]rune(w.Commit)); n != len("1a2b3c4 ")+maxSubject+1 {
		t.Errorf("the commit has %d characters", n)
	}
}

// TestTracesOfManyPlaces holds that a transcript of which each record is somewhere
// else is not remembered whole.
func TestTracesOfManyPlaces(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 3 * maxWrites {
		for k, call := range []string{`{"type":"tool_use","id":"t%[1]d","name":"Write","input":{"file_path":"/p%[1]d/f"}}`, `{"type":"tool_use","id":"c%[1]d","name":"Bash","input":{"command":"git commit"}}`} {
			fmt.Fprintf(&b, `{"type":"assistant","uuid":"a%[1]d-%[2]d","sessionId":"s","cwd":"/p%[1]d","message":{"role":"assistant","content":[`+call+"]}}\n", i, k)
		}
		for k, id := range []string{"t", "c"} {
			fmt.Fprintf(&b, `{"type":"user","uuid":"u%[1]d-%[2]d","sessionId":"s","cwd":"/p%[1]d","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"%[3]s%[1]d","content":"[main 1a2b3c4] Do %[1]d"}]}}`+"\n", i, k, id)
		}
	}
	x := parseAs(t, "s", []byte(b.String()))
	last := uint32(3*maxWrites - 1)
	if n := len(x.writes); n != maxWrites || x.writes[n-1].place != last {
		t.Errorf("%d files, the last at %+v", n, x.writes[max(0, n-1):])
	}
	if n := len(x.commits); n != maxCommits || x.commits[n-1].place != last {
		t.Errorf("%d commits, the last at %+v", n, x.commits[max(0, n-1):])
	}
}

func TestBelow(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ dirs, path, want string }{
		{"/a/b", "/a/b/c.go", "c.go"},
		{"/a/b/web,/a/b", "/a/b/web/c.go", "web/c.go"},
		{"/a/b", "/a/bc/d.go", ""},
		{"/a/b", "/a/b/../../etc/passwd", ""},
		{"/a/b", "/a/b", ""},
		{"/a/b", "c.go", ""},
		{`C:\a\b`, `C:\a\b\c\d.go`, "c/d.go"},
		{"/", "/etc/passwd", ""},
		{"", "/etc/passwd", ""},
	} {
		if got := below(strings.Split(x.dirs, ","), x.path); got != x.want {
			t.Errorf("below(%q, %q) = %q, want %q", x.dirs, x.path, got, x.want)
		}
	}
}
