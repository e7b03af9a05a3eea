package claudecode

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/history"
)

// fields are what a test record has beside, or instead of, the usual.
type fields map[string]any

// recordLine makes one record of the format. n gives its time.
func recordLine(kind, id, parent string, n int, message any, f ...fields) string {
	r := fields{
		"type": kind, "uuid": id, "parentUuid": nil, "sessionId": "s1", "cwd": "/home/dev/orchard", "gitBranch": "main",
		"version": "2.1.0", "isSidechain": false, "userType": "external",
		"timestamp": fmt.Sprintf("2026-11-20T09:%02d:%02d.000Z", n/60, n%60),
	}
	if parent != "" {
		r["parentUuid"] = parent
	}
	if message != nil {
		r["message"] = message
	}
	for _, more := range f {
		maps.Copy(r, more)
	}
	for k, v := range r {
		if v == "absent" {
			delete(r, k)
		}
	}
	b, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return string(b) + "\n"
}

func user(id, parent string, n int, text string, f ...fields) string {
	return recordLine("user", id, parent, n, fields{"role": "user", "content": text}, f...)
}

func answer(id, parent string, n int, text string, f ...fields) string {
	return recordLine("assistant", id, parent, n, assistant("msg_"+id, fields{"type": "text", "text": text}), f...)
}

func assistant(msg string, blocks ...any) fields {
	return fields{
		"id": msg, "role": "assistant", "model": "claude-test", "content": blocks,
		"usage": fields{"input_tokens": 10, "output_tokens": 5},
	}
}

func call(id, parent string, n int, msg, tool string) string {
	return recordLine("assistant", id, parent, n, assistant(msg, fields{"type": "tool_use", "id": tool, "name": "Read", "input": fields{}}))
}

func result(id, parent string, n int, tool string) string {
	return recordLine("user", id, parent, n, fields{"role": "user", "content": []any{
		fields{"type": "tool_result", "tool_use_id": tool, "content": "secret of a tool"},
	}})
}

func system(id, parent string, n int, f ...fields) string {
	return recordLine("system", id, parent, n, nil, f...)
}

// write makes a file of lines below dir.
func write(t testing.TB, path string, lines ...string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func appendTo(t testing.TB, path string, lines ...string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(strings.Join(lines, "")); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func openPath(t testing.TB, s *Source, paths ...string) history.History {
	t.Helper()
	h, err := s.Open(t.Context(), history.Scope{Transcripts: paths})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// talk gives the turns as text: "branch: prompt / answer / answer".
func talk(t testing.TB, h history.History) []string {
	t.Helper()
	out := []string{}
	for turn, err := range h.Turns(t.Context(), h.Refs("*")) {
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, m := range turn.Messages {
			said = append(said, m.Text)
		}
		out = append(out, strings.Join(said, " / "))
	}
	return out
}

// talkOf opens one file of the lines.
func talkOf(t testing.TB, lines ...string) ([]string, history.History) {
	t.Helper()
	h := openPath(t, New(Options{}), write(t, filepath.Join(t.TempDir(), "s1.jsonl"), lines...))
	return talk(t, h), h
}

func project(t testing.TB, root string) history.Scope {
	t.Helper()
	return history.Scope{Project: history.Project{Root: root}}
}
