package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/config"
	"recollect/internal/memorize"
	"recollect/internal/memory"
)

// large says how a project for benchmarks is made. The zero value has nothing.
type large struct {
	sessions int // over all branches
	turns    int // of each session
	branches int
	items    int // of each branch
	others   int // sessions of other projects
}

// make gives what opens the project, with its history, its memories and
// everything memorized.
func (l large) make(tb testing.TB) Options {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	root := filepath.Join(dir, "orchard")
	write(tb, filepath.Join(root, ".git", "HEAD"), []byte("ref: refs/heads/branch-0\n"))
	if err := os.MkdirAll(filepath.Join(root, ".git", "objects"), 0o755); err != nil {
		tb.Fatal(err)
	}
	for i := range l.sessions {
		name := fmt.Sprintf("session-%05d", i)
		write(tb, filepath.Join(dir, "claude", "projects", "-orchard", name+".jsonl"), l.transcript(root, name, i))
	}
	for i := range l.others {
		name := fmt.Sprintf("other-%05d", i)
		slug := fmt.Sprintf("-other-%d", i%199)
		write(tb, filepath.Join(dir, "claude", "projects", slug, name+".jsonl"), l.transcript(filepath.Join(dir, slug), name, i))
	}
	env := map[string]string{config.EnvHome: filepath.Join(dir, "home"), "CLAUDE_CONFIG_DIR": filepath.Join(dir, "claude")}
	o := Options{Dir: root, Version: "test", Getenv: func(name string) string { return env[name] }}
	l.remember(tb, o)
	return o
}

// transcript is one session: prompts with tool calls and answers.
func (l large) transcript(root, name string, n int) []byte {
	var b strings.Builder
	at := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Hour)
	parent, record := "null", 0
	line := func(body string) {
		record++
		id := fmt.Sprintf(`"%s-%04d"`, name, record)
		fmt.Fprintf(&b, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":%q,"sessionId":%q,"version":"2.1.0","gitBranch":"branch-%d",%s,"uuid":%s,"timestamp":%q}`+"\n",
			parent, root, name, n%max(l.branches, 1), body, id, at.Add(time.Duration(record)*time.Second).Format("2006-01-02T15:04:05.000Z"))
		parent = id
	}
	output := strings.Repeat(`a line of what a tool printed, with \"quotes\"\n`, 20)
	for t := range l.turns {
		line(fmt.Sprintf(`"type":"user","message":{"role":"user","content":"Prompt %d of session %d: weights are grams everywhere."}`, t, n))
		for c := range 3 {
			line(fmt.Sprintf(`"type":"assistant","message":{"id":"msg-%d-%d-%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Read","input":{}}],"usage":{"input_tokens":10,"output_tokens":5}}`, n, t, c, c))
			line(fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"%s"}]}`, c, output))
		}
		line(fmt.Sprintf(`"type":"assistant","message":{"id":"msg-%d-%d","role":"assistant","content":[{"type":"text","text":"Answer %d of session %d."}],"usage":{"input_tokens":10,"output_tokens":5}}`, n, t, t, n))
	}
	return []byte(b.String())
}

// remember makes the memories and notes that every turn was memorized.
func (l large) remember(tb testing.TB, o Options) {
	e, err := Open(o)
	if err != nil {
		tb.Fatal(err)
	}
	defer e.Close()
	h, err := e.openHistory(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	defer h.Close()
	sections := memory.DefaultLayout().Sections
	for b := range l.branches {
		m := memory.Memory{Branch: fmt.Sprintf("branch-%d", b)}
		for i := range l.items {
			day := time.Date(2026, 1, 1+i%300, 12, 0, 0, 0, time.UTC)
			m.Items = append(m.Items, memory.Item{
				Section: sections[i%len(sections)].ID, Content: fmt.Sprintf("Rule %d of branch %d: what was decided about module %d.", i, b, i*7),
				Confidence: float64(i%11) / 10, Created: day, Updated: day,
				Origins: []memory.Origin{{Extractor: config.Offline, Source: "claude-code", Session: "session-00001", Records: []string{"r1", "r2"}, Time: day}},
			})
		}
		if _, err := e.memories().Save(context.Background(), m, ""); err != nil {
			tb.Fatal(err)
		}
		var seen memorize.Seen
		seen.Add(config.Offline, h.Refs(m.Branch))
		if err := e.seen().Save(m.Branch, &seen); err != nil {
			tb.Fatal(err)
		}
	}
}

// BenchmarkOpening is what a person waits for who looks at a project with 1,000
// sessions that was looked at before.
func BenchmarkOpening(b *testing.B) {
	for name, l := range map[string]large{
		"alone":        {sessions: 1000, turns: 10, branches: 20, items: 100},
		"long":         {sessions: 1000, turns: 40, branches: 20, items: 100},
		"in full home": {sessions: 1000, turns: 10, branches: 20, items: 100, others: 4000},
	} {
		b.Run(name, l.open)
	}
}

func (l large) open(b *testing.B) {
	o := l.make(b)
	for b.Loop() {
		e, err := Open(o)
		if err != nil {
			b.Fatal(err)
		}
		branches, err := e.Branches(b.Context())
		if err != nil || len(branches) != l.branches || branches[0].Items != l.items || branches[0].NewTurns != 0 {
			b.Fatal(len(branches), branches, err)
		}
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
