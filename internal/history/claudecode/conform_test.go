package claudecode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/history"
	"recollect/internal/history/historytest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	for name, keep := range map[string]bool{"with an index": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			historytest.Run(t, func(t *testing.T) historytest.Fixture { return fixture(t, keep) })
		})
	}
}

func fixture(t *testing.T, keep bool) historytest.Fixture {
	config, root := t.TempDir(), t.TempDir()
	in := fields{"cwd": root}
	two := fields{"cwd": filepath.Join(root, "sub"), "sessionId": "s2", "gitBranch": "HEAD"}
	other := fields{"cwd": t.TempDir(), "sessionId": "s3"}
	folder := filepath.Join(config, "projects", "-some-folder")
	write(t, filepath.Join(folder, "s1.jsonl"),
		user("a", "", 1, "Prices are cents. Цены в центах 🍎", in), answer("b", "a", 2, "Noted.", in), answer("c", "b", 3, "Anything else?", in),
		user("d", "c", 4, "No answer to this", in), user("e", "d", 5, "On a branch", in, fields{"gitBranch": "feature/x"}), answer("f", "e", 6, "Yes.", in))
	newest := write(t, filepath.Join(folder, "s2.jsonl"), user("g", "", 7, "Second session", two), answer("h", "g", 8, "Fine.", two))
	write(t, filepath.Join(folder, "s3.jsonl"), user("x", "", 9, "Another project", other))
	index := ""
	if keep {
		index = t.TempDir()
	}
	n := 20
	last := "h"
	appended := func(line func(id, parent string, n int, text string, f ...fields) string, text string) {
		n++
		id := "new" + string(rune('a'+n))
		appendTo(t, newest, line(id, last, n, text, two))
		last = id
	}
	return historytest.Fixture{
		New: func(*testing.T) history.Source {
			return New(Options{ConfigDir: config, IndexDir: index})
		},
		Scope: project(t, realPath(t, root)),
		Empty: project(t, realPath(t, t.TempDir())),
		Turns: []historytest.Turn{
			{Session: "s1", Branch: "main", Messages: []string{"Prices are cents. Цены в центах 🍎", "Noted.", "Anything else?"}},
			{Session: "s1", Branch: "main", Messages: []string{"No answer to this"}},
			{Session: "s1", Branch: "feature/x", Messages: []string{"On a branch", "Yes."}},
			{Session: "s2", Branch: history.Detached, Messages: []string{"Second session", "Fine."}},
		},
		Append: func(t *testing.T, prompt, reply string) {
			appended(user, prompt)
			appended(answer, reply)
		},
		Extend: func(t *testing.T, reply string) { appended(answer, reply) },
		Remove: func(t *testing.T, ref history.Ref) {
			path := filepath.Join(folder, ref.Session+".jsonl")
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var kept []string
			for l := range strings.Lines(string(b)) {
				if !strings.Contains(l, `"uuid":"`+ref.ID+`"`) {
					kept = append(kept, l)
				}
			}
			write(t, path, kept...)
		},
		Damage: func(t *testing.T) {
			appendTo(t, newest, "{\"type\":\"user\",\"mess\n", "[1]\n", "{\"type\":")
		},
	}
}

func realPath(t *testing.T, dir string) string {
	t.Helper()
	p, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
