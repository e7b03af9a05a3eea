package claudecli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"recollect/internal/llm"
	"recollect/internal/llm/claudecli"
)

// The test program is also the claude program, and a program that asks it: what
// it plays stands in FAKE_CLAUDE.
func TestMain(m *testing.M) {
	role := os.Getenv("FAKE_CLAUDE")
	if role == "" {
		os.Exit(m.Run())
	}
	os.Exit(play(role))
}

const answer = `{"type":"result","subtype":"success","is_error":false,"result":"Grams.","total_cost_usd":0.0002,"usage":{"input_tokens":3,"output_tokens":2}}`

func play(role string) int {
	switch role {
	case "replay":
		b, err := os.ReadFile(os.Getenv("FAKE_FILE"))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 3
		}
		os.Stdout.Write(b)
		code, _ := strconv.Atoi(os.Getenv("FAKE_EXIT"))
		return code
	case "show":
		show()
		fmt.Println(answer)
	case "stay": // with a child, and with one in the background that holds the output
		os.Setenv("FAKE_CLAUDE", "sleep")
		child := exec.Command(os.Args[0])
		child.Stdout = os.Stdout
		if child.Start() != nil {
			return 3
		}
		note(child.Process.Pid)
		note(os.Getpid())
		time.Sleep(time.Minute)
	case "leave": // says it all, leaves a child with the output behind
		os.Setenv("FAKE_CLAUDE", "sleep")
		child := exec.Command(os.Args[0])
		child.Stdout = os.Stdout
		if child.Start() != nil {
			return 3
		}
		note(child.Process.Pid)
		fmt.Println("no event")
	case "sleep":
		time.Sleep(time.Minute)
	case "flood":
		line := strings.Repeat("x", 1<<20)
		for {
			if _, err := fmt.Println(line); err != nil {
				return 1
			}
		}
	case "again": // asks in its turn, as a hook of ours would
		os.Setenv("FAKE_CLAUDE", "show")
		for _, clear := range []bool{false, true} {
			if clear {
				os.Unsetenv(claudecli.InternalEnv) // as a script may do
			}
			_, err := ask(context.Background(), nil)
			fmt.Println(err)
		}
		fmt.Println(answer)
	case "parent":
		os.Setenv("FAKE_CLAUDE", "stay")
		_, err := ask(context.Background(), nil)
		fmt.Println(err)
	}
	return 0
}

func ask(ctx context.Context, env []string) (llm.Completion, error) {
	self, err := os.Executable()
	if err != nil {
		return llm.Completion{}, err
	}
	if program := os.Getenv("FAKE_PROGRAM"); program != "" {
		self = program
	}
	c, err := claudecli.New(claudecli.Options{Marker: marker, Program: self, Env: env, MaxCost: 12_345})
	if err != nil {
		return llm.Completion{}, err
	}
	return c.Complete(ctx, llm.Prompt{System: "You list facts.", Text: "Weights are grams.", Schema: json.RawMessage(`{"type":"object"}`), MaxTokens: 321})
}

const marker = "marker-of-our-own-prompts"

// seen is what the fake saw of its surroundings.
type seen struct {
	Args  []string
	Env   map[string]string
	Stdin string
	Files []string // of the folder that it runs in
	Texts map[string]string
}

func show() {
	s := seen{Args: os.Args[1:], Env: map[string]string{}, Texts: map[string]string{}}
	for _, kv := range os.Environ() {
		k, v, _ := strings.Cut(kv, "=")
		s.Env[k] = v
	}
	in, _ := io.ReadAll(os.Stdin)
	s.Stdin = string(in)
	entries, _ := os.ReadDir(".")
	for _, e := range entries {
		s.Files = append(s.Files, e.Name())
	}
	for i, a := range s.Args {
		if filepath.IsAbs(a) {
			b, _ := os.ReadFile(a)
			s.Texts[filepath.Base(a)] = string(b)
			s.Args[i] = filepath.Base(a)
		}
	}
	wd, _ := os.Getwd()
	s.Env["PWD"] = wd
	b, _ := json.Marshal(s)
	os.WriteFile(os.Getenv("FAKE_OUT"), b, 0o600)
}

// note appends the number of a process to the file that the test reads.
func note(pid int) {
	f, err := os.OpenFile(os.Getenv("FAKE_OUT"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		fmt.Fprintln(f, pid)
		f.Close()
	}
}

func fakeEnv(t *testing.T, role string, more ...string) ([]string, string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	return append([]string{"FAKE_CLAUDE=" + role, "FAKE_OUT=" + out, "PATH=/usr/bin:/bin", "HOME=" + t.TempDir(), "SystemRoot=" + os.Getenv("SystemRoot")}, more...), out
}

// pids waits for the numbers of n processes.
func pids(t *testing.T, file string, n int) []int {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		b, _ := os.ReadFile(file)
		var all []int
		for _, word := range strings.Fields(string(b)) {
			if pid, err := strconv.Atoi(word); err == nil {
				all = append(all, pid)
			}
		}
		if len(all) >= n && strings.HasSuffix(string(b), "\n") {
			return all
		}
	}
	t.Error("nothing was started")
	return nil
}

func wantGone(t *testing.T, all []int) {
	t.Helper()
	for _, pid := range all {
		for end := time.Now().Add(10 * time.Second); alive(pid); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Errorf("process %d goes on", pid)
				break
			}
		}
	}
}
