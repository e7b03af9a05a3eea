package service

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"recollect/internal/peer"
)

// window stands in for the program with the window. It writes down what it is
// asked to show, and ends when it is asked for the screen "quit".
func window(folder string) int {
	ended := make(chan struct{})
	s, err := peer.Listen(peer.Options{Folder: folder, Role: peer.Window, Handle: func(_ context.Context, method string, params []byte) (any, error) {
		f, err := os.OpenFile(filepath.Join(folder, "shown"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if _, err := f.WriteString(method + " " + string(params) + "\n"); err != nil {
			return nil, err
		}
		if strings.Contains(string(params), "quit") {
			close(ended)
		}
		return struct{}{}, nil
	}})
	if err != nil {
		return 1
	}
	defer s.Close()
	_ = os.WriteFile(filepath.Join(folder, "args"), []byte(strings.Join(os.Args[1:], " ")), 0o600)
	select {
	case <-ended:
		return 0
	case <-time.After(time.Minute):
		return 1
	}
}

func TestOpenWindow(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that stands in is a shell script")
	}
	w := newWorld(t)
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	o := OpenOptions{Folder: w.folder, Version: "1.0", Root: "/a b", Screen: "memory"}
	if _, err := OpenWindow(t.Context(), o); Explain(err).Code != "not_installed" {
		t.Fatalf("without a window: %v", err)
	}
	script := func(text string) {
		if err := os.WriteFile(filepath.Join(bin, "Recollect"), []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	script("exit 3")
	if _, err := OpenWindow(t.Context(), o); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("a window that fails: %v", err)
	}
	script("exec /usr/bin/env " + envWindow + "='" + w.folder + "' '" + os.Args[0] + "' \"$@\"")
	opened, err := OpenWindow(t.Context(), o)
	if err != nil || !opened.Started || opened.PID == 0 {
		t.Fatalf("the first: %+v, %v", opened, err)
	}
	args := filepath.Join(w.folder, "args")
	until(t, "the window has started", func() bool { _, err := os.Stat(args); return err == nil })
	if b, _ := os.ReadFile(args); string(b) != "--project /a b --screen memory" {
		t.Errorf("it was started with %q", b)
	}
	o.Screen = "quit"
	again, err := OpenWindow(t.Context(), o)
	if err != nil || again.Started || again.PID != opened.PID {
		t.Errorf("the second: %+v, %v; want that process %d came forward", again, err, opened.PID)
	}
	if b, _ := os.ReadFile(filepath.Join(w.folder, "shown")); string(b) != `show {"root":"/a b","screen":"quit"}`+"\n" {
		t.Errorf("it was asked to %q", b)
	}
}
