package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

// recording is a conversation, or finds, with the replies that a model gave.
type recording struct {
	scripted
	found   []guest.Item
	replies []string
}

// readRecording reads a file of testdata/recorded: what it is about, then parts
// that begin with a line "-- name --".
func readRecording(t *testing.T, path string) *recording {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := &recording{}
	name := ""
	var lines []string
	flush := func() {
		r.take(t, name, strings.Join(lines, "\n"))
		lines = nil
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n") {
		if strings.HasPrefix(line, "-- ") && strings.HasSuffix(line, " --") {
			flush()
			name = strings.Trim(line, "- ")
			continue
		}
		lines = append(lines, line)
	}
	flush()
	r.script = func(n int, _ guest.CompleteParams) (string, *guest.Error) {
		if n >= len(r.replies) {
			t.Fatalf("request %d, and %d replies are recorded", n+1, len(r.replies))
		}
		return r.replies[n], nil
	}
	return r
}

func (r *recording) take(t *testing.T, name, text string) {
	t.Helper()
	switch name {
	case "":
	case "config":
		r.Config = json.RawMessage(text)
	case "local":
		r.local = true
	case "reply":
		r.replies = append(r.replies, text)
	case "session":
		r.Turns = recordedTurns(text)
	case "work":
		s := guest.Session{ID: "s"}
		for line := range strings.SplitSeq(text, "\n") {
			if files, ok := strings.CutPrefix(line, "files: "); ok {
				s.Files = strings.Split(files, ", ")
			}
			if commit, ok := strings.CutPrefix(line, "commit: "); ok {
				s.Commit = commit
			}
		}
		r.Sessions = append(r.Sessions, s)
	case "memory", "found":
		for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
			section, content, _ := strings.Cut(line, ": ")
			section, fixed := strings.CutSuffix(section, ", fixed")
			if name == "found" {
				r.found = append(r.found, guest.Item{Section: section, Content: content, Confidence: 0.9, Evidence: []string{"r-1"}})
				continue
			}
			r.Memory = append(r.Memory, guest.MemoryItem{ID: fmt.Sprintf("aaaaaaaaaaa%d", i+1), Section: section, Content: content, Confidence: 0.9, ByPerson: fixed})
		}
	default:
		t.Fatalf("what is %q?", name)
	}
}

// recordedTurns reads messages, each of which begins a line with who says it.
func recordedTurns(text string) []guest.Turn {
	var out []guest.Turn
	n := 0
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		said, byDeveloper := strings.CutPrefix(line, "developer: ")
		words, byAssistant := strings.CutPrefix(line, "assistant: ")
		switch {
		case byDeveloper:
			out = append(out, guest.Turn{ID: fmt.Sprintf("t-%d", len(out)+1), Session: "s", New: true, Time: time.Date(2026, 1, 2, 10, len(out), 0, 0, time.UTC)})
		case !byAssistant:
			last := &out[len(out)-1].Messages[len(out[len(out)-1].Messages)-1]
			last.Text += "\n" + line
			continue
		}
		n++
		m := guest.Message{ID: fmt.Sprintf("r-%d", n), Role: guest.RoleUser, Text: said}
		if byAssistant {
			m.Role, m.Text = guest.RoleAssistant, words
		}
		last := &out[len(out)-1]
		last.Messages = append(last.Messages, m)
	}
	return out
}

// result plays the recording, and tells what came of it.
func (r *recording) result(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	if len(r.found) > 0 {
		got, err := evolved(t, &r.scripted, guest.EvolveRequest{Project: hostapi.Project{Name: "parcels"}, Branch: "main", Sections: notes(), Memory: r.Memory, Found: r.found})
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range got.Items {
			fmt.Fprintf(&b, "%s | %s | %s\n", it.ID, it.Section, it.Content)
		}
		for _, c := range got.Changes {
			fmt.Fprintf(&b, "%s %s: %s; rival %q\n", c.Action, c.ID, c.Why, c.Rival)
		}
		return b.String()
	}
	items, err := extracted(t, &r.scripted)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range items {
		fmt.Fprintf(&b, "%d %.2f %s %v\n  %s\n", i.Importance, i.Confidence, i.Section, i.Evidence, i.Content)
	}
	return b.String()
}

// TestRecorded plays recorded replies: the requests, what comes of the replies and
// what the log says of them are golden. The system prompts stand in the golden
// files of the prompts.
func TestRecorded(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "recorded", "*.txt"))
	if err != nil || len(files) < 5 {
		t.Fatal(len(files), err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".txt")
		t.Run(name, func(t *testing.T) {
			r := readRecording(t, f)
			got := r.result(t)
			if len(r.asked) != len(r.replies) {
				t.Errorf("%d requests, and %d replies are recorded", len(r.asked), len(r.replies))
			}
			var b strings.Builder
			for i, p := range r.asked {
				fmt.Fprintf(&b, "##### request %d: %s\n\n%s\n", i+1, p.Purpose, p.Prompt)
			}
			fmt.Fprintf(&b, "##### result\n\n%s\n##### log\n\n%s\n", got, strings.Join(r.Lines, "\n"))
			golden(t, "recorded-"+name+".md", b.String())
		})
	}
}
