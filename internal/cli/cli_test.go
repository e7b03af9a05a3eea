package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"recollect/internal/llm/llmtest"

	"recollect/internal/plugin"
)

// The stories in testdata run the program itself: "recollect" is this test
// binary.
func TestMain(m *testing.M) {
	if handled, code := plugin.RunChild(os.Args[1:], os.Stdin, os.Stdout); handled {
		os.Exit(code)
	}
	if os.Getenv(envProgram) != "" {
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){
		"recollect": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

func TestStories(t *testing.T) {
	t.Parallel()
	testscript.Run(t, stories(t, "testdata"))
}

// stories says how those of a folder are run: each with a home of its own for the
// program and for the assistant, and an empty project.
func stories(t *testing.T, dir string) testscript.Params {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cache := compiledCache(t)
	hear := &servers{heard: map[string][]string{}}
	return testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			if err := os.MkdirAll(filepath.Join(home, "cache"), 0o755); err != nil {
				return err
			}
			if err := os.Symlink(cache, filepath.Join(home, "cache", "compiled")); err != nil {
				return err
			}
			if err := cacheKey(home); err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Join(e.WorkDir, "project"), 0o755); err != nil {
				return err
			}
			e.Setenv("RECOLLECT_HOME", home)
			e.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(e.WorkDir, "claude"))
			e.Setenv("PROJECT", filepath.Join(e.WorkDir, "project"))
			e.Setenv("REPO", root)
			e.Setenv("REALCLAUDE", filepath.Dir(realClaude()))
			e.Setenv("CASES", filepath.Join(root, "..", "shared", "corpus", "cases"))
			e.Setenv("TZ", "UTC")
			for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
				value, err := exec.Command("go", "env", name).Output()
				if err != nil {
					return err
				}
				e.Setenv(name, strings.TrimSpace(string(value)))
			}
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "shared":
				_, err := os.Stat(filepath.Join(root, "..", "shared", "corpus"))
				return err == nil, nil
			case "systemd":
				_, err := os.Stat("/run/systemd/system")
				return err == nil, nil
			case "root":
				return os.Geteuid() == 0, nil
			case "realclaude":
				return realClaude() != "", nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"tell":    tell,
			"exits":   exits,
			"take":    take,
			"waitfor": waitfor,
			"crlf":    crlf,
			"fill":    fill,
			"silent":  func(ts *testscript.TestScript, _ bool, args []string) { hear.silent(t, ts, args) },
			"state":   stateOf,
			"journal": journal,
			"reads":   reads,
			"fits":    fits,
			"model":   func(ts *testscript.TestScript, _ bool, args []string) { model(t, ts, args) },
			"replace": replace,
		},
	}
}

// stateOf sets STATE to where this machine's own words about the project are, the
// only one that has any.
func stateOf(ts *testscript.TestScript, neg bool, _ []string) {
	places, err := filepath.Glob(filepath.Join(ts.Getenv("RECOLLECT_HOME"), "data", "projects", "*", "place.json"))
	ts.Check(err)
	if neg {
		if len(places) != 0 {
			ts.Fatalf("there is state: %v", places)
		}
		return
	}
	if len(places) != 1 {
		ts.Fatalf("there is state in %v", places)
	}
	ts.Setenv("STATE", filepath.Dir(places[0]))
}

// compiledCache is a folder for compiled modules that all tests share, from run
// to run: compiling takes seconds.
func compiledCache(t *testing.T) string {
	t.Helper()
	cache := filepath.Join(os.TempDir(), "recollect-test-compiled")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		t.Fatal(err)
	}
	return cache
}

// cacheKey gives a home the key that all tests share: without it, what the cache
// holds is another's.
func cacheKey(home string) error {
	dir := filepath.Join(home, "data", "plugins")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "cache.key"), bytes.Repeat([]byte("k"), 32), 0o600)
}

// realClaude is the real claude program, if the tests of the client that asks it
// have brought it; else "".
func realClaude() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	found, err := filepath.Glob(filepath.Join(cache, "recollect-test", "claude-code-*", "node_modules", "@anthropic-ai", "claude-code-*", "claude"))
	if err != nil || len(found) == 0 {
		return ""
	}
	return found[len(found)-1]
}

// exits runs the program and checks its exit code: exits CODE ARGS...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE recollect ARGS...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// waitfor runs a command again and again until its output matches: waitfor
// REGEXP COMMAND ARGS...
func waitfor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: waitfor REGEXP COMMAND ARGS...")
	}
	want := regexp.MustCompile("(?m)" + args[0])
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if err := ts.Exec(args[1], args[2:]...); err == nil && want.MatchString(ts.ReadFile("stdout")) {
			return
		}
	}
	ts.Fatalf("no output matches %q", args[0])
}

// take puts what the parentheses match in the last command's output into a
// variable: take VARIABLE REGEXP.
func take(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: take VARIABLE REGEXP")
	}
	m := regexp.MustCompile(args[1]).FindStringSubmatch(ts.ReadFile("stdout") + "\n" + ts.ReadFile("stderr"))
	if len(m) != 2 {
		ts.Fatalf("no match for %s", args[1])
	}
	ts.Setenv(args[0], m[1])
}

// model starts a server that stands in for a vendor's and puts its address into
// a variable: model VARIABLE REPLY... Each reply is a file with the text, or
// with a line "status NUMBER" for an error; the last one is given again and
// again.
func model(t *testing.T, ts *testscript.TestScript, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: model VARIABLE REPLY...")
	}
	var script []llmtest.Reply
	for _, name := range args[1:] {
		r := llmtest.Reply{Text: ts.ReadFile(name)}
		if code, ok := strings.CutPrefix(strings.TrimSpace(r.Text), "status "); ok {
			status, err := strconv.Atoi(code)
			ts.Check(err)
			r = llmtest.Reply{Status: status}
		}
		script = append(script, r)
	}
	ts.Setenv(args[0], llmtest.NewServer(t, script...).URL)
}

// crlf gives a file CRLF line endings.
func crlf(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		text := strings.ReplaceAll(ts.ReadFile(name), "\n", "\r\n")
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o644))
	}
}

// replace puts other words into a file, as a person's editor does: replace FILE OLD NEW.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
}

// tell writes a transcript in Claude Code's format from a text that people can
// read: tell TRANSCRIPT TEXT [append]. A line "user: …" or "assistant: …"
// begins a record; lines that begin with two blanks go on with it. "branch X"
// and "session X" hold for the records that follow.
func tell(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: tell TRANSCRIPT TEXT [append]")
	}
	path := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	flags := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if len(args) > 2 {
		flags = os.O_CREATE | os.O_WRONLY | os.O_APPEND
	}
	f, err := os.OpenFile(path, flags, 0o644)
	ts.Check(err)
	defer f.Close()
	t := teller{
		cwd: ts.Getenv("PROJECT"), session: strings.TrimSuffix(filepath.Base(path), ".jsonl"), branch: "main",
		seed: strings.TrimSuffix(filepath.Base(args[1]), ".txt"),
	}
	for _, rec := range t.records(ts.ReadFile(args[1])) {
		line, err := json.Marshal(rec)
		ts.Check(err)
		_, err = f.Write(append(line, '\n'))
		ts.Check(err)
	}
}

type teller struct {
	cwd, session, branch, seed string
	n                          int
	parent                     any
}

func (t *teller) records(text string) []map[string]any {
	var out []map[string]any
	s := bufio.NewScanner(strings.NewReader(text))
	for s.Scan() {
		line := s.Text()
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case word == "branch":
			t.branch = rest
		case word == "session":
			t.session = rest
		case word == "user:" || word == "assistant:":
			out = append(out, t.record(strings.TrimSuffix(word, ":"), rest))
		case strings.HasPrefix(line, "  ") && len(out) > 0:
			m := out[len(out)-1]["message"].(map[string]any)
			if s, ok := m["content"].(string); ok {
				m["content"] = s + "\n" + line[2:]
			} else {
				block := m["content"].([]map[string]any)[0]
				block["text"] = block["text"].(string) + "\n" + line[2:]
			}
		}
	}
	return out
}

func (t *teller) record(role, text string) map[string]any {
	t.n++
	id := fmt.Sprintf("%s-%04d", t.seed, t.n)
	message := map[string]any{"role": role, "content": text}
	if role == "assistant" {
		message["id"], message["type"] = "msg_"+id, "message"
		message["content"] = []map[string]any{{"type": "text", "text": text}}
	}
	rec := map[string]any{
		"type": role, "uuid": id, "parentUuid": t.parent, "isSidechain": false, "userType": "external",
		"cwd": t.cwd, "sessionId": t.session, "version": "2.1.146", "gitBranch": t.branch, "message": message,
		"timestamp": time.Date(2026, 11, 20, 9, 0, t.n, 0, time.UTC).Format("2006-01-02T15:04:05.000Z"),
	}
	t.parent = id
	return rec
}
