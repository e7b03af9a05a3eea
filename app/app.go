// Package app is the desktop face: a window whose page is in frontend, and the
// Bridge that the page asks. It works with no service in the background.
package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"recollect/internal/engine"
	"recollect/internal/peer"
	"recollect/internal/plugin"
	"recollect/internal/service"
)

// version is set by the build.
var version = "dev"

// start is what the command line says.
type start struct {
	project string // folder to open; "": the last one
	screen  string
}

// Main runs the window until it is closed and returns the exit code of the
// program. A second one brings the first forward and ends with 0. icon is a PNG.
func Main(args []string, icon []byte) int {
	if handled, code := plugin.RunChild(args, os.Stdin, os.Stdout); handled {
		return code
	}
	s, err := parse(args, os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return engine.ExitDone
	case err != nil:
		fmt.Fprintln(os.Stderr, "Recollect:", err)
		return engine.ExitUsage
	}
	if err := run(s, icon); err != nil {
		p := service.Explain(err)
		fmt.Fprintln(os.Stderr, "Recollect:", p.Message)
		if p.Hint != "" {
			fmt.Fprintln(os.Stderr, p.Hint)
		}
		return p.Exit
	}
	return engine.ExitDone
}

func parse(args []string, out io.Writer) (start, error) {
	var s start
	flags := flag.NewFlagSet("Recollect", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&s.project, "project", "", "a `folder` of the project to open")
	flags.StringVar(&s.screen, "screen", "", "the `screen` to show: projects, memory, review, …")
	show := flags.Bool("version", false, "print the version")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if *show {
		fmt.Fprintln(out, version)
		return s, flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("%q is not understood", flags.Arg(0))
	}
	if s.project == "" {
		return s, nil
	}
	abs, err := filepath.Abs(s.project)
	s.project = abs
	return s, err
}

// run opens the window, or brings the one that is open forward.
func run(s start, icon []byte) error {
	if engine.Nested() {
		return nil
	}
	hideInspector(os.Getenv, os.Unsetenv)
	dirs, folder, err := service.Where(os.Getenv)
	if err != nil {
		return err
	}
	defer service.Made(os.Getenv)()
	b := newBridge(dirs, folder, s)
	server, err := peer.Listen(peer.Options{Folder: folder, Role: peer.Window, Version: version, Handle: b.handle})
	if errors.Is(err, peer.ErrRunning) {
		return raise(folder, s)
	}
	if err != nil {
		return err
	}
	defer server.Close()
	go endEarly(b, server)
	return window(b, icon)
}

// endEarly ends the program if it is told to before its page is there: Wails
// does not hear that until its loop runs.
func endEarly(b *Bridge, server *peer.Server) {
	told := make(chan os.Signal, 1)
	signal.Notify(told, os.Interrupt, syscall.SIGTERM)
	<-told
	b.mu.Lock()
	there := b.shown
	b.mu.Unlock()
	if there {
		return
	}
	_ = b.close()
	_ = server.Close()
	os.Exit(engine.ExitCancelled)
}

// raise asks the window that is open to come forward.
func raise(folder string, s start) error {
	ctx, cancel := context.WithTimeout(context.Background(), raiseWait)
	defer cancel()
	c, err := peer.Dial(ctx, peer.DialOptions{Folder: folder, Role: peer.Window, Version: version, Wait: raiseWait})
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Call(ctx, "show", Show{Root: s.project, Screen: s.screen}, nil)
}

// hideInspector keeps other programs from steering the page: WebKit would listen
// for a debugger wherever these variables say. Our own tests need it.
func hideInspector(getenv func(string) string, unsetenv func(string) error) {
	if getenv("RECOLLECT_E2E") != "" {
		return
	}
	for _, name := range []string{"WEBKIT_INSPECTOR_HTTP_SERVER", "WEBKIT_INSPECTOR_SERVER"} {
		_ = unsetenv(name)
	}
}
