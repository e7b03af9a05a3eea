package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
)

func logs(t *testing.T) (config.Dirs, *slog.Logger, *LogOutput, *bytes.Buffer) {
	t.Helper()
	dirs := config.Dirs{Data: filepath.Join(t.TempDir(), "data")}
	var b bytes.Buffer
	log, c := OpenLog(dirs, &b)
	t.Cleanup(func() { c.Close() })
	return dirs, log, c, &b
}

func TestLog(t *testing.T) {
	t.Parallel()
	dirs, log, _, people := logs(t)
	if lines, err := LastLogs(dirs, 10); err != nil || len(lines) != 0 {
		t.Errorf("before anything is said: %q, %v", lines, err)
	}
	if _, err := os.Stat(dirs.Data); err == nil {
		t.Error("a log that says nothing made a folder")
	}
	const secret = "sk-ant-api03-AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIIIIJJJJKKKKLLLLMMMMNNNN-AAAAAAAA"
	log.Warn("it failed with "+secret, "why", fmt.Errorf("key %s is wrong", secret), "text", strings.Repeat("é", 5000), "n", 7, "any", struct{ Key string }{secret})
	text, err := os.ReadFile(LogFile(dirs))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil || m["level"] != "WARN" || m["n"] != 7.0 {
		t.Errorf("%v: %s", err, text)
	}
	for what, s := range map[string]string{"file": string(text), "people": people.String()} {
		if strings.Contains(s, "BBBB") || len(s) > 3000 {
			t.Errorf("%s: %d bytes\n%s", what, len(s), s)
		}
	}
	if info, err := os.Stat(LogFile(dirs)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if info, err := os.Stat(logDir(dirs)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

// A log that can't be written is no reason to stop, and is told of once.
func TestLogThatCanNotBeWritten(t *testing.T) {
	t.Parallel()
	dirs, log, _, people := logs(t)
	if err := os.WriteFile(dirs.Data, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	log.Info("one")
	log.Info("two")
	if s := people.String(); strings.Count(s, "can't be written") != 1 || !strings.Contains(s, "two") {
		t.Errorf("told:\n%s", s)
	}
	if err := os.Remove(dirs.Data); err != nil {
		t.Fatal(err)
	}
	log.Info("three")
	if lines, err := LastLogs(dirs, 10); err != nil || len(lines) != 1 {
		t.Errorf("afterwards: %q, %v", lines, err)
	}
}

func TestLogsAreBounded(t *testing.T) {
	t.Parallel()
	dirs, log, w, _ := logs(t)
	w.file.MaxSize = 1
	w.warn = io.Discard
	for n := range 12_000 {
		log.Info(strings.Repeat("x", 500), "n", n)
	}
	var size int64
	until(t, "old files are removed", func() bool { // by the library, in its own time
		size = 0
		names, err := filepath.Glob(filepath.Join(logDir(dirs), "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if info, err := os.Stat(name); err == nil {
				size += info.Size()
			}
		}
		return size <= (logFiles+1)<<20
	})
	lines, err := LastLogs(dirs, 3000) // more than one file has
	if err != nil || len(lines) != 3000 || !strings.Contains(lines[0], `"n":9000}`) || !strings.Contains(lines[2999], `"n":11999}`) {
		t.Errorf("%d lines, %v", len(lines), err)
	}
}

// Nothing is lost or told twice while files are turned over.
func TestFollowLogs(t *testing.T) {
	t.Parallel()
	dirs, log, w, _ := logs(t)
	const all = 60 // turned over several times between two looks
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var got []string
	enough := errors.New("enough")
	log.Info("message 0")
	log.Info("message 1")
	began := make(chan struct{}, all)
	go func() {
		<-began
		for n := 2; n < all; n++ {
			if n%7 == 0 {
				_ = w.file.Rotate()
			}
			log.Info(fmt.Sprint("message ", n))
			time.Sleep(time.Duration(n%5) * 10 * time.Millisecond)
		}
	}()
	err := FollowLogs(ctx, dirs, 1, func(line string) error {
		began <- struct{}{}
		got = append(got, line[strings.Index(line, "message"):len(line)-2])
		if len(got) == all-1 {
			return enough
		}
		return nil
	})
	var want []string
	for n := 1; n < all; n++ {
		want = append(want, fmt.Sprint("message ", n))
	}
	if d := cmp.Diff(want, got); d != "" || !errors.Is(err, enough) {
		t.Errorf("%v\n%s", err, d)
	}
}

func TestLogLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"time":"2026-11-28T03:04:05Z","level":"INFO","msg":"it runs","pid":7,"why":"a b"}`: time.Date(2026, 11, 28, 3, 4, 5, 0, time.UTC).Local().Format("2006-01-02 15:04:05 MST") + " INFO it runs pid=7 why=a b",
		`not JSON`: `not JSON`,
		`{"time":`: `{"time":`,
		`[1]`:      `[1]`,
		``:         ``,
	} {
		if got := LogLine(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func FuzzLogLine(f *testing.F) {
	f.Add(`{"time":"2026-11-28T03:04:05Z","level":"INFO","msg":"it runs","g":{"a":[1,2]}}`)
	f.Fuzz(func(_ *testing.T, line string) { LogLine(line) })
}

// What a person said is not in the log of the service that memorized it.
func TestLogHoldsNothingThatWasSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.said(t, "canary", "We decided to use PostgreSQL 16 for the xylophone database, always run make lint.")
	dirs, _, err := Where(w.getenv)
	if err != nil {
		t.Fatal(err)
	}
	var people lockedBuffer
	log, file := OpenLog(dirs, &people)
	defer file.Close()
	o := w.options(nil)
	o.Log = log
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, o) }()
	c := w.dial(t)
	call[any](t, c, "memorize", map[string]any{"root": root, "all": true})
	until(t, "it is memorized", func() bool { return strings.Contains(w.memory(root), "xylophone") })
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(LogFile(dirs))
	if err != nil || len(text) == 0 || bytes.Contains(text, []byte("xylophone")) || strings.Contains(people.String(), "xylophone") {
		t.Errorf("%v\n%s", err, text)
	}
}

// lockedBuffer is written to by several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
