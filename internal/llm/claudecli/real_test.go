package claudecli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"recollect/internal/llm"
	"recollect/internal/llm/claudecli"
	"recollect/internal/llm/llmtest"
)

// The version of the real program that is known to work.
const (
	realPackage = "@anthropic-ai/claude-code"
	realVersion = "2.1.197"
)

// realProgram is the path of the real claude program. RECOLLECT_TEST_CLAUDE names
// it; with "install" there, or in CI, npm brings it into the user's cache.
func realProgram(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("short: the real program takes seconds for each call")
	}
	wanted := os.Getenv("RECOLLECT_TEST_CLAUDE")
	if filepath.IsAbs(wanted) {
		return wanted
	}
	if runtime.GOOS == "windows" {
		t.Skip("the real program is tried on Unix")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(cache, "recollect-test", "claude-code-"+realVersion)
	find := func() string {
		found, _ := filepath.Glob(filepath.Join(dir, "node_modules", "@anthropic-ai", "claude-code-*", "claude"))
		for _, path := range found {
			if exec.CommandContext(t.Context(), path, "--version").Run() == nil {
				return path
			}
		}
		return ""
	}
	if path := find(); path != "" {
		return path
	}
	if wanted != "install" && os.Getenv("CI") == "" {
		t.Skip("the real claude program is not in the cache; RECOLLECT_TEST_CLAUDE=install has npm bring it (240 MB)")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	npm := exec.CommandContext(ctx, "npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--ignore-scripts", realPackage+"@"+realVersion)
	if said, err := npm.CombinedOutput(); err != nil {
		t.Skipf("npm could not bring the real claude program: %v\n%s", err, llm.Clean(string(said)))
	}
	path := find()
	if path == "" {
		t.Skip("npm brought no claude program for this machine")
	}
	return path
}

// realEnv is the environment of a person who has a key and nothing else.
func realEnv(t *testing.T, url, key string) (env []string, home string) {
	t.Helper()
	home = t.TempDir()
	return []string{"HOME=" + home, "PATH=/usr/bin:/bin", "ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=" + key,
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1"}, home
}

func TestRealConformance(t *testing.T) {
	program := realProgram(t)
	llmtest.Run(t, llmtest.Setup{Program: true, New: func(t *testing.T, url, key string) llm.Client {
		env, _ := realEnv(t, url, key)
		c, err := claudecli.New(claudecli.Options{Marker: marker, Program: program, Env: env})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}})
}

// hooks has every event call a command that notes it.
func hooks(t *testing.T, home string) (log string) {
	t.Helper()
	log = filepath.Join(home, "hooks.log")
	set := map[string]any{}
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"} {
		set[event] = []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": "echo " + event + " >> " + log}}}}
	}
	b, err := json.Marshal(map[string]any{"hooks": set})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(home, ".claude", "settings.json"), string(b))
	return log
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func sessions(t *testing.T, home string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(home, ".claude", "projects", "*", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A person's own call runs the hooks and leaves a session; ours does neither,
// reads none of the person's files, and shows its marker.
func TestRealLeavesNothing(t *testing.T) {
	program := realProgram(t)
	server := llmtest.NewServer(t, llmtest.Reply{Text: "Grams."})
	env, home := realEnv(t, server.URL, llmtest.Key)
	log := hooks(t, home)
	write(t, filepath.Join(home, ".claude", "CLAUDE.md"), "canary-of-the-persons-memory")
	secret := filepath.Join(home, "secret.txt")
	write(t, secret, "canary-of-a-file")

	work := filepath.Join(home, "work")
	write(t, filepath.Join(work, "CLAUDE.md"), "canary-of-the-persons-memory")
	own := exec.CommandContext(t.Context(), program, "-p", "Hello.", "--model", "haiku")
	own.Env, own.Dir = env, work
	if said, err := own.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	noted, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(noted), "UserPromptSubmit") {
		t.Fatalf("the hooks of the person's own call did not run: %q, %v", noted, err)
	}
	before := sessions(t, home)
	if len(before) != 1 {
		t.Fatalf("the person's own call left %d sessions, want 1", len(before))
	}

	c, err := claudecli.New(claudecli.Options{Marker: marker, Program: program, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	for _, schema := range []string{"", llmtest.Schema} {
		_, err := c.Complete(t.Context(), llm.Prompt{
			System: "You list facts.", Text: "Look at @" + secret + " and at @../secret.txt, and /clear.", Schema: json.RawMessage(schema),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if after, _ := os.ReadFile(log); string(after) != string(noted) {
		t.Errorf("our call ran hooks: %q", strings.TrimPrefix(string(after), string(noted)))
	}
	if after := sessions(t, home); len(after) != len(before) {
		t.Errorf("our call left a session: %q", after)
	}
	requests := server.Requests()
	for _, r := range requests[len(requests)-2:] {
		if strings.Contains(string(r.Body), "canary") {
			t.Errorf("a file of the person was sent: %s", r.Body)
		}
		if !strings.Contains(r.Prompt(), marker+"\nLook at @") {
			t.Errorf("the prompt is %q", r.Prompt())
		}
	}
}

// What a subscription is told of its limit, and what a person without a login
// is told.
func TestRealSubscription(t *testing.T) {
	program := realProgram(t)
	reset := time.Now().Add(3 * time.Hour).Truncate(time.Second)
	server := llmtest.NewServer(t, llmtest.Reply{Status: 429, Header: map[string]string{
		"anthropic-ratelimit-unified-status": "rejected", "anthropic-ratelimit-unified-reset": fmt.Sprint(reset.Unix()),
		"anthropic-ratelimit-unified-representative-claim": "five_hour",
	}})
	for _, tt := range []struct {
		name, login string
		kind        llm.Kind
		until       time.Time
	}{
		{"limit", "CLAUDE_CODE_OAUTH_TOKEN=" + llmtest.Key, llm.RateLimited, reset},
		{"no login", "NO=login", llm.Auth, time.Time{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env, _ := realEnv(t, server.URL, "")
			c, err := claudecli.New(claudecli.Options{Marker: marker, Program: program, Env: append(env, tt.login)})
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Complete(t.Context(), llm.Prompt{Text: "Hello."})
			e, ok := err.(*llm.Error)
			if !ok || e.Kind != tt.kind || !e.Until.Equal(tt.until) || e.Hint() == "" {
				t.Errorf("got %v; want %s until %s", err, tt.kind, tt.until)
			}
			if strings.Contains(fmt.Sprintf("%v %+v", err, e.Hint()), llmtest.Key) {
				t.Errorf("the login is in the error: %v", err)
			}
		})
	}
}

// Whoever asks the real program may be killed, too.
func TestRealNoOrphans(t *testing.T) {
	program := realProgram(t)
	server := llmtest.NewServer(t, llmtest.Reply{Delay: time.Minute})
	env, _ := realEnv(t, server.URL, llmtest.Key)
	out := filepath.Join(t.TempDir(), "out")
	script := filepath.Join(t.TempDir(), "claude")
	write(t, script, "#!/bin/sh\nexec 3<&0\necho $$ >> "+out+"\n"+program+" \"$@\" <&3 &\necho $! >> "+out+"\nwait\n") // as wrappers do
	if err := os.Chmod(script, 0o700); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(self)
	parent.Env = append(env, "FAKE_CLAUDE=parent", "FAKE_PROGRAM="+script)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	started := pids(t, out, 2)
	for end := time.Now().Add(30 * time.Second); len(server.Requests()) == 0 && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	if len(server.Requests()) == 0 {
		t.Fatal("nothing was asked")
	}
	wantGone(t, started)
	for end := time.Now().Add(5 * time.Second); server.Left() == 0 && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	if server.Left() == 0 {
		t.Error("the request goes on")
	}
}
