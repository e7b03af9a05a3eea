package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// testTool is a tool on a root of its own.
func testTool(t *testing.T, root string) (*tool, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	return &tool{ctx: t.Context(), root: root, out: &out, err: &out}, &out
}

// put writes files below dir.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{nil, exitUsage, "usage:"},
		{[]string{"help"}, exitDone, "usage:"},
		{[]string{"-h"}, exitDone, "usage:"},
		{[]string{"nosuch"}, exitUsage, `no verb "nosuch"`},
		{[]string{"cli", "extra"}, exitUsage, `takes no argument "extra"`},
		{[]string{"test", "-nosuch"}, exitUsage, "-nosuch"},
		{[]string{"test", "-h"}, exitDone, "-norace"},
	} {
		var out bytes.Buffer
		if code := run(t.Context(), tt.args, &out, &out); code != tt.code || !strings.Contains(out.String(), tt.want) {
			t.Errorf("%q: exit %d, want %d; printed %q, want %q", tt.args, code, tt.code, out.String(), tt.want)
		}
	}
	var help bytes.Buffer
	usage(&help)
	for _, v := range verbs {
		if !strings.Contains(help.String(), "\n  "+v.name+" ") {
			t.Errorf("help does not list %s", v.name)
		}
	}
}

func TestStepsGoOnAfterAFailure(t *testing.T) {
	t.Parallel()
	tool, out := testTool(t, t.TempDir())
	ran := false
	err := tool.all([]step{
		{"first", func() error { return errors.New("it broke") }},
		{"second", func() error { return errSkipped{"no compiler"} }},
		{"third", func() error { ran = true; return nil }},
	})
	if err == nil || !strings.Contains(err.Error(), "1 of 3 steps failed") {
		t.Errorf("err = %v", err)
	}
	if !ran {
		t.Error("a failure stopped the steps after it")
	}
	for _, want := range []string{"FAILED   first", "it broke", "left out second", "no compiler", "ok       third"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the summary lacks %q:\n%s", want, out)
		}
	}
}

func TestGofmtNamesWhatIsNotFormatted(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put(t, root, map[string]string{
		"good.go":          "package a\n",
		"bad.go":           "package a\nvar  x = 1\n",
		"broken.go":        "package {",
		"testdata/bad.go":  "package a\nvar  x = 1\n",
		"build/bin/bad.go": "package a\nvar  x = 1\n",
	})
	tool, out := testTool(t, root)
	if err := tool.gofmt(); err == nil || !strings.Contains(err.Error(), "2 files") {
		t.Errorf("err = %v", err)
	}
	if s := out.String(); !strings.Contains(s, "bad.go") || !strings.Contains(s, "broken.go") || strings.Contains(s, "good.go") {
		t.Errorf("printed %q", s)
	}
}

func TestVersionOf(t *testing.T) {
	t.Parallel()
	for described, want := range map[string]string{
		"v1.2.3":                       "1.2.3",
		"v1.2.3-4-g8f1978e0a1b2-dirty": "1.2.3-4-g8f1978e0a1b2-dirty",
		"8f1978e0a1b2":                 "0.0.0-dev+8f1978e0a1b2",
		"8f1978e0a1b2-dirty":           "0.0.0-dev+8f1978e0a1b2.dirty",
		"":                             "dev",
	} {
		if got := versionOf(described); got != want {
			t.Errorf("versionOf(%q) = %q, want %q", described, got, want)
		}
	}
}

func TestBenchRows(t *testing.T) {
	t.Parallel()
	rows := benchRows(strings.NewReader(`goos: linux
pkg: recollect/internal/history/claudecode
BenchmarkRead/corpus-2         	      10	 104857600 ns/op	 361.20 MB/s	 1024 B/op	      12 allocs/op
BenchmarkIndex-2   	 5000000	       240.5 ns/op
PASS
ok  	recollect/internal/history/claudecode	2.000s
`))
	want := []string{
		"| history/claudecode Read/corpus | 104 ms | 361.20 MB/s | 1024 B | 12 |",
		"| history/claudecode Index | 240.5 ns | – | – | – |",
	}
	if strings.Join(rows, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
}

func TestProgressKeepsCounting(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	for _, line := range []string{"BenchmarkX 1 2 ns/op\n", "ok something\n"} {
		if n, err := io.WriteString(progress{&out}, line); n != len(line) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if out.String() != "BenchmarkX 1 2 ns/op\n" {
		t.Errorf("printed %q", out.String())
	}
}

func TestFigureRow(t *testing.T) {
	t.Parallel()
	f := figure{
		what:  "show",
		times: []time.Duration{30 * time.Millisecond, 9 * time.Millisecond, 1500 * time.Millisecond},
		cpu:   []time.Duration{4 * time.Millisecond, 5 * time.Millisecond, 6 * time.Millisecond},
		peak:  17e6,
		goal:  "30 ms",
	}
	want := "| show | 30 ms | 9.0 ms | 1.50 s | 5.0 ms | 3 | 17 MB | 30 ms |"
	if got := f.row(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestBigTranscriptIsWellFormed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "big.jsonl")
	if err := writeBig(path, 1<<20); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) < 1<<20 {
		t.Errorf("%d bytes are too few", len(data))
	}
	last := ""
	for line := range strings.Lines(string(data)) {
		var r struct{ ParentUUID, UUID, Type string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.ParentUUID != last || r.UUID == "" {
			t.Fatalf("a record of type %s follows %q, not %q", r.Type, r.ParentUUID, last)
		}
		last = r.UUID
	}
}
