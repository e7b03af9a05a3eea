// Command build is the project's build tool:
//
//	go run ./build VERB
//
// It needs Go, and Node for what has to do with the window. It works in any
// folder of the checkout and may be run again at any time: what is up to date is
// left alone.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
)

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// verb is one thing that the tool does.
type verb struct {
	name  string
	does  string
	flags func(*flag.FlagSet, *options)
	run   func(*tool, options) error
}

// options are the flags of all verbs.
type options struct {
	noRace bool
	corpus string
	big    int
	only   string

	from string // of test: the first step
	list bool   // of test: only name the steps

	goos, arch string // of desktop
	dev        bool
	version    string

	eval evalOptions
}

var verbs = []verb{
	{"plugins", "compile the built-in plug-ins into plugins/dist", nil, func(t *tool, _ options) error { return t.plugins() }},
	{"cli", "plugins, then compile the command-line program into build/bin", nil, func(t *tool, _ options) error { return t.cli() }},
	{"desktop", "cli and the window, build/bin/Recollect; brings what Debian lacks", desktopFlags, func(t *tool, o options) error { return t.desktop(o) }},
	{"package", "desktop, then .deb, .rpm, .tar.gz and the Windows installer", packageFlags, func(t *tool, o options) error { return t.pack(o) }},
	{"screenshots", "desktop, then pictures of every screen in docs/screenshots", nil, func(t *tool, _ options) error { return t.screenshots() }},
	{"demo", "cli, then run it on the sample project in build/bin/demo", nil, func(t *tool, _ options) error { return t.demo() }},
	{"test", "everything that must pass: format, vet, tests, other systems", testFlags, func(t *tool, o options) error { return t.test(o) }},
	{"fit", "fit the weights of the offline extractor to the labels, into plugins/offline/weights.json", nil, func(t *tool, _ options) error { return t.fit() }},
	{"eval", "score what is found in labelled sessions; with -model what a model finds, and its cost", evalFlags, func(t *tool, o options) error { return t.eval(o.eval) }},
	{"bench", "measure, and print the tables of docs/performance.md", benchFlags, func(t *tool, o options) error { return t.bench(o) }},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	if len(args) == 0 {
		usage(errOut)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		usage(out)
		return exitDone
	}
	for _, v := range verbs {
		if v.name == args[0] {
			return runVerb(ctx, v, args[1:], out, errOut)
		}
	}
	fmt.Fprintf(errOut, "build: there is no verb %q\n\n", args[0])
	usage(errOut)
	return exitUsage
}

func runVerb(ctx context.Context, v verb, args []string, out, errOut io.Writer) int {
	var o options
	fs := flag.NewFlagSet("build "+v.name, flag.ContinueOnError)
	fs.SetOutput(errOut)
	if v.flags != nil {
		v.flags(fs, &o)
	}
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitDone
	case err != nil:
		return exitUsage
	case fs.NArg() > 0:
		fmt.Fprintf(errOut, "build %s: takes no argument %q\n", v.name, fs.Arg(0))
		return exitUsage
	}
	root, err := findRoot()
	if err == nil {
		err = v.run(&tool{ctx: ctx, root: root, out: out, err: errOut}, o)
	}
	if err != nil {
		fmt.Fprintf(errOut, "build %s: %v\n", v.name, err)
		return exitFailed
	}
	return exitDone
}

func usage(w io.Writer) {
	fmt.Fprint(w, "usage: go run ./build VERB [flags]\n\n")
	for _, v := range verbs {
		fmt.Fprintf(w, "  %-11s %s\n", v.name, v.does)
	}
	fmt.Fprint(w, "\n\"go run ./build VERB -h\" lists the flags of a verb. Exit codes: 0 done, 1 failed, 2 usage.\n")
}

// findRoot gives the module's root: the nearest folder upwards with a go.mod.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod here or above: run this inside the checkout")
		}
		dir = parent
	}
}
