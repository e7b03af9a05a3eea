// Package cli is the command line: it reads arguments, calls the engine and
// prints. Every command has --json, --project and a help that ends with the
// exit codes. What a command answers goes to standard output, what it tells
// besides (progress, warnings, errors) to standard error.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/alecthomas/kong"

	"recollect/internal/engine"
	"recollect/internal/plugin"
	"recollect/internal/service"
)

// version is stamped by the build tool.
var version = "dev"

const description = "Memory for AI coding assistants: what was said becomes Markdown that you can read, edit and commit."

// root is the command line as a whole.
type root struct {
	Project string `short:"p" placeholder:"DIR" help:"A folder of the project (default: the current folder)."`
	JSON    bool   `help:"Answer in JSON."`

	Start      startCmd      `cmd:"" default:"1" hidden:"" help:"Say what is here, and what to do next; the same as no command."`
	Init       initCmd       `cmd:"" help:"Make the project's memory folder."`
	Projects   projectsCmd   `cmd:"" help:"List the projects that the assistants were used in."`
	Status     statusCmd     `cmd:"" help:"Show how the project stands: what is there, what waits, how the last run ended."`
	Branches   branchesCmd   `cmd:"" help:"List the branches that have history or memory."`
	Rename     renameCmd     `cmd:"" help:"Have a branch that was renamed keep its memory."`
	Memorize   memorizeCmd   `cmd:"" help:"Bring what was said into memory."`
	Show       showCmd       `cmd:"" help:"Show what is remembered of a branch."`
	Add        addCmd        `cmd:"" help:"Add an item in your own words."`
	Edit       editCmd       `cmd:"" help:"Give an item other words."`
	Move       moveCmd       `cmd:"" help:"Move an item to another section or place."`
	Pin        pinCmd        `cmd:"" help:"Keep items as they are and show them first."`
	Unpin      unpinCmd      `cmd:"" help:"Unpin items."`
	Undo       undoCmd       `cmd:"" help:"Take back the last change of a memory; again, the one before."`
	Redo       redoCmd       `cmd:"" help:"Make the change again that was undone last."`
	Restore    restoreCmd    `cmd:"" help:"Bring back an earlier version of a memory."`
	Inject     injectCmd     `cmd:"" help:"Write the right part of memory into CLAUDE.md."`
	Forget     forgetCmd     `cmd:"" help:"Forget an item or a whole branch."`
	Review     reviewCmd     `cmd:"" help:"Decide about what waits to go into memory."`
	Conflicts  conflictsCmd  `cmd:"" help:"Look at items that contradict each other, and decide."`
	Import     importCmd     `cmd:"" help:"Take over the memory of another tool."`
	Extract    extractCmd    `cmd:"" help:"Show what the extractors find in one transcript."`
	History    historyCmd    `cmd:"" help:"Look at the history that is read."`
	Model      modelCmd      `cmd:"" help:"Choose who finds what is worth remembering: a model, or none, each with what it costs."`
	Auth       authCmd       `cmd:"" help:"Manage the API key of a model's provider."`
	Usage      usageCmd      `cmd:"" help:"Show what models took, as a chart."`
	Plugin     pluginCmd     `cmd:"" help:"Manage plug-ins."`
	Config     configCmd     `cmd:"" help:"Read and change settings."`
	Trust      trustCmd      `cmd:"" help:"Show what the project asks for that needs your yes, and give it."`
	Maintain   maintainCmd   `cmd:"" help:"Keep memories up: memorize what is new, merge what is said twice, pack what is old, check everything."`
	Service    serviceCmd    `cmd:"" help:"Work in the background."`
	Open       openCmd       `cmd:"" help:"Open the window, or bring the one that is open forward."`
	Upgrade    upgradeCmd    `cmd:"" help:"Check a file of a release: whether it is newer, for this system, and whole."`
	Uninstall  uninstallCmd  `cmd:"" help:"Remove what Recollect made on this machine; your memories stay."`
	Doctor     doctorCmd     `cmd:"" help:"Say what was found, what is damaged and what would be mended."`
	Completion completionCmd `cmd:"" help:"Print what makes a shell complete this command line."`
	Complete   completeCmd   `cmd:"" hidden:"" help:"List what could be typed."`
	Man        manCmd        `cmd:"" hidden:"" help:"Print the manual page."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
	Help       helpCmd       `cmd:"" help:"Tell about a command."`
}

// historyFlags are the flags of every command that reads history.
type historyFlags struct {
	Transcripts []string `placeholder:"PATH" sep:"none" help:"Take this file or folder (any depth) as the project's history; may be given several times."`
}

// app is what a command runs with.
type app struct {
	context.Context
	in       io.Reader
	out, err io.Writer
	json     bool
	project  string
	command  *kong.Node    // that was asked for, as far as it was understood; nil: none
	compiled time.Duration // that the last plug-in's module took
	tray     func(*slog.Logger) service.Tray
	engine   *engine.Engine // that the command opened; nil: none
}

// options are those of every command; the caller closes the engine that it
// opens with them.
func (a *app) options(h historyFlags) engine.Options {
	return engine.Options{Dir: a.project, Transcripts: h.Transcripts, Version: programVersion(), Compiling: a.compiling}
}

// open opens the project, and tells what of its settings was left aside; the caller
// closes the engine.
func (a *app) open(h historyFlags) (*engine.Engine, error) { return a.opened(a.options(h)) }

// openOn is open for a command about a branch: what a person named becomes its exact
// name.
func (a *app) openOn(branch **string, h historyFlags) (*engine.Engine, error) {
	e, err := a.open(h)
	if err != nil || *branch == nil {
		return e, err
	}
	name, err := e.FindBranch(a, *branch)
	if err != nil {
		e.Close()
		return nil, err
	}
	*branch = &name
	return e, nil
}

// openFor is open for a command about a plug-in, likewise.
func (a *app) openFor(id *string, h historyFlags) (*engine.Engine, error) {
	e, err := a.open(h)
	if err != nil {
		return nil, err
	}
	found, err := e.FindPlugin(*id)
	if err != nil {
		e.Close()
		return nil, err
	}
	*id = found
	return e, nil
}

// opened is open with other options.
func (a *app) opened(o engine.Options) (*engine.Engine, error) {
	e, err := engine.Open(o)
	if err == nil {
		a.engine = e
		a.noteParent(e)
		a.noteAside(e, "")
	}
	return e, err
}

// noteParent says that the project is a folder above the one that a person stands in,
// or names.
func (a *app) noteParent(e *engine.Engine) {
	dir := a.project
	if dir == "" {
		dir = "."
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return
	}
	if below, err := filepath.Rel(e.Root(), dir); err == nil && below != "." && filepath.IsLocal(below) {
		up, _ := filepath.Rel(dir, e.Root())
		a.note("project: %s", plain(up))
	}
}

// exit is panicked with by kong's own exits (help, version) and caught in Main.
type exit int

// Program is what the command line brings besides itself.
type Program struct {
	// Tray makes the tray that the service shows; nil: it shows none.
	Tray func(*slog.Logger) service.Tray
}

// Main runs the program without a tray.
func Main(args []string, in io.Reader, out, errw io.Writer) int {
	return Program{}.Main(args, in, out, errw)
}

// Main runs the program with the arguments after its name and returns its exit
// code. Ctrl-C cancels the command, a second one ends the process. It is called
// from the main goroutine.
func (p Program) Main(args []string, in io.Reader, out, errw io.Writer) (code int) {
	if handled, code := plugin.RunChild(args, in, out); handled {
		return code
	}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(exit)
			if !ok {
				panic(r)
			}
			code = int(e)
		}
	}()
	// The program is small and short-lived beside what it reads: collecting more
	// often takes a third off its greatest memory and costs no time that shows.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(40)
	}
	// Not a flag of kong's: show --version names a version of a memory.
	if len(args) == 1 && args[0] == "--version" {
		fmt.Fprintln(out, "recollect "+programVersion())
		return engine.ExitDone
	}
	// A hook or a script that one of our own calls to a model has started must not
	// start another.
	if engine.Nested() {
		fmt.Fprintln(errw, "recollect: called from within a call of its own to a model; nothing is done")
		return engine.ExitDone
	}
	var r root
	parser, err := kong.New(&r,
		kong.Name("recollect"),
		kong.Description(description),
		kong.Writers(out, errw),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.WithHyphenPrefixedParameters(true), // a branch may be called -rf
		kong.Help(printHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
	)
	if err != nil {
		panic(err) // the structs above are wrong: a programmer's mistake
	}
	screen, notes := newScreen(out, os.Getenv), newScreen(errw, os.Getenv)
	defer screen.Flush()
	defer notes.Flush()
	a := &app{in: in, out: screen, err: notes, tray: p.Tray}
	k, err := parser.Parse(args)
	if err != nil {
		a.json, a.command = hasJSON(args), misused(err)
		if a.json {
			notes.machine()
		}
		return a.fail(unparsed(err, parser.Model.Node))
	}
	a.command = k.Selected()
	a.json, a.project = r.JSON, r.Project
	if r.JSON {
		screen.machine()
		notes.machine()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop)
	a.Context = ctx
	defer service.Made(os.Getenv)()
	err = k.Run(a)
	a.noteFollowed()
	return a.finish(err)
}

// finish turns a command's error into the exit code.
func (a *app) finish(err error) int {
	var done exitCode
	switch {
	case err == nil:
		return engine.ExitDone
	case errors.As(err, &done):
		return int(done)
	}
	return a.fail(err)
}

// exitCode ends a command that has said all that is to say.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// errorAnswer is what a program is told instead of an answer, on standard error.
type errorAnswer struct {
	Error engine.Problem `json:"error"`
}

// fail explains an error and gives the exit code.
func (a *app) fail(err error) int {
	p := service.Explain(err)
	var u usageError
	var r *refusedError
	if errors.As(err, &r) {
		p = engine.Problem{Code: "refused", Message: r.Error(), Hint: r.hint, Exit: engine.ExitRefused}
	}
	if errors.As(err, &u) {
		p = engine.Problem{Code: "usage", Message: u.Error(), Hint: a.whereHelpIs(), Exit: engine.ExitUsage}
	}
	if a.json {
		a.encode(a.err, errorAnswer{p})
		return p.Exit
	}
	paint(a.err, fails, "recollect:")
	fmt.Fprintf(a.err, " %s\n", lines(p.Message))
	if p.Detail != "" {
		fmt.Fprintln(a.err, lines(p.Detail))
	}
	if misuse(p) {
		a.writeUsage()
	}
	if p.Hint != "" {
		paint(a.err, heading, "hint:")
		fmt.Fprintf(a.err, " %s\n", plain(p.Hint))
	}
	return p.Exit
}

// printHelp ends every help with the exit codes.
func printHelp(o kong.HelpOptions, ctx *kong.Context) error {
	if err := kong.DefaultHelpPrinter(o, ctx); err != nil {
		return err
	}
	w := ctx.Stdout
	fmt.Fprintln(w, "\nExit codes:")
	for _, c := range engine.ExitCodes {
		fmt.Fprintf(w, "  %-3d  %s\n", c.Code, c.Meaning)
	}
	return nil
}

// programVersion is what the build tool stamped, else the module's version.
func programVersion() string {
	if version != "dev" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return version
}
