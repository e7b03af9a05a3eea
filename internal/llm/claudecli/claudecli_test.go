package claudecli_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"recollect/internal/llm"
	"recollect/internal/llm/claudecli"
)

func TestSurroundings(t *testing.T) {
	t.Parallel()
	env, out := fakeEnv(t, "show", "CLAUDECODE=1", "CLAUDE_CODE_ENTRYPOINT=cli", "MAX_THINKING_TOKENS=31999", "KEEP=me")
	got, err := ask(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	want := llm.Completion{Text: "Grams.", Stop: llm.StopEnd, InputTokens: 3, OutputTokens: 2, Cost: 200, CostKnown: true}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var s seen
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatal(err)
	}
	wantArgs := []string{
		"-p", "--model=haiku", "--output-format", "stream-json", "--verbose", "--include-partial-messages",
		"--tools", "", "--strict-mcp-config", "--safe-mode", "--settings", "settings.json",
		"--no-session-persistence", "--max-turns", "1", "--system-prompt-file", "system.txt",
		"--json-schema", `{"type":"object"}`, "--max-budget-usd", "0.012345",
	}
	if runtime.GOOS != "windows" && !reflect.DeepEqual(s.Args, wantArgs) {
		t.Errorf("arguments %q\nwant %q", s.Args, wantArgs)
	}
	if s.Stdin != marker+"\nWeights are grams." {
		t.Errorf("it read %q", s.Stdin)
	}
	if len(s.Files) != 0 {
		t.Errorf("its folder has %q", s.Files)
	}
	if _, err := os.Stat(s.Env["PWD"]); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder is still there: %v", err)
	}
	if !strings.HasPrefix(s.Texts["system.txt"], "You list facts.") || !strings.Contains(s.Texts["settings.json"], `"disableAllHooks":true`) {
		t.Errorf("its files are %q", s.Texts)
	}
	for k, v := range map[string]string{
		claudecli.InternalEnv: "1", claudecli.DepthEnv: "1", "CLAUDE_CODE_MAX_OUTPUT_TOKENS": "321", "MAX_THINKING_TOKENS": "0",
		"CLAUDE_CODE_DISABLE_ATTACHMENTS": "1", "CLAUDECODE": "", "CLAUDE_CODE_ENTRYPOINT": "", "KEEP": "me",
	} {
		if s.Env[k] != v {
			t.Errorf("%s is %q, want %q", k, s.Env[k], v)
		}
	}
	if !strings.HasPrefix(s.Env["TMPDIR"], filepath.Dir(s.Env["PWD"])) {
		t.Errorf("TMPDIR is %q", s.Env["TMPDIR"])
	}
}

func TestNoCallWithinACall(t *testing.T) {
	t.Parallel()
	env, out := fakeEnv(t, "again")
	if _, err := ask(t.Context(), env); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the program was started again")
	}
	for _, kv := range []string{claudecli.InternalEnv + "=1", claudecli.DepthEnv + "=1"} {
		env, out := fakeEnv(t, "show", kv)
		_, err := ask(t.Context(), env)
		if llm.KindOf(err) != llm.BadRequest {
			t.Errorf("%s: %v", kv, err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: the program was started", kv)
		}
	}
}

func TestNotInstalled(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "claude")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec no-such-program-anywhere \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "claude")
	if err := os.WriteFile(plain, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{filepath.Join(t.TempDir(), "claude"), "no-such-program-anywhere", script, plain} {
		if program == script && runtime.GOOS == "windows" {
			continue
		}
		c, err := claudecli.New(claudecli.Options{Marker: marker, Program: program, Env: []string{"PATH=/usr/bin:/bin"}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Complete(t.Context(), llm.Prompt{Text: "x"})
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != llm.NotInstalled || e.Retriable() || e.Hint() == "" {
			t.Errorf("%s: %v", program, err)
		}
	}
}

func TestMarkerIsNeeded(t *testing.T) {
	t.Parallel()
	for _, m := range []string{"", " ", "two\nlines"} {
		if _, err := claudecli.New(claudecli.Options{Marker: m}); err == nil {
			t.Errorf("%q was taken", m)
		}
	}
}

func TestFlood(t *testing.T) {
	t.Parallel()
	env, _ := fakeEnv(t, "flood")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := ask(ctx, env); llm.KindOf(err) != llm.Unavailable {
		t.Errorf("got %.300v", err)
	}
}

// A program that goes and leaves somebody behind who holds its output.
func TestLeavesSomebody(t *testing.T) {
	t.Parallel()
	env, out := fakeEnv(t, "leave")
	start := time.Now()
	if _, err := ask(t.Context(), env); llm.KindOf(err) != llm.Unavailable {
		t.Errorf("got %v", err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
	wantGone(t, pids(t, out, 1))
}

func TestCancelEndsAll(t *testing.T) {
	t.Parallel()
	env, out := fakeEnv(t, "stay")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		pids(t, out, 2)
		cancel()
	}()
	if _, err := ask(ctx, env); llm.KindOf(err) != llm.Cancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	wantGone(t, pids(t, out, 2))
}

// Whoever asks may be killed: nothing goes on.
func TestNoOrphans(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there a program ends when it writes to nobody")
	}
	temp := t.TempDir()
	env, out := fakeEnv(t, "parent", "TMPDIR="+temp)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(self)
	parent.Env = env
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	started := pids(t, out, 2)
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	wantGone(t, started)
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		left, err := filepath.Glob(filepath.Join(temp, "*"))
		if err == nil && len(left) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%q is left behind", left)
		}
	}
}

func BenchmarkComplete(b *testing.B) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(b.TempDir(), "answer")
	if err := os.WriteFile(file, []byte(answer+"\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	env := []string{"FAKE_CLAUDE=replay", "FAKE_FILE=" + file, "PATH=/usr/bin:/bin"}
	c, err := claudecli.New(claudecli.Options{Marker: marker, Program: self, Env: env})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			if _, err := c.Complete(b.Context(), llm.Prompt{Text: "x"}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("program alone", func(b *testing.B) {
		for b.Loop() {
			cmd := exec.Command(self)
			cmd.Env = env
			if _, err := cmd.Output(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
