package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"recollect/internal/engine"
	"recollect/internal/lookup"
	"recollect/internal/memory"
	"recollect/internal/printable"
)

// usageError is a wrong use of the command line.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usage(err error) error { return usageError{err} }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// hasJSON looks for --json in arguments that could not be parsed.
func hasJSON(args []string) bool {
	for _, a := range args {
		if a == "--json" {
			return true
		}
		if a == "--" {
			return false
		}
	}
	return false
}

// misused is the command that arguments which could not be parsed were for, as far
// as they were understood.
func misused(err error) *kong.Node {
	var wrong *kong.ParseError
	if errors.As(err, &wrong) && wrong.Context != nil {
		return wrong.Context.Selected()
	}
	return nil
}

// misuse holds for problems that the usage of the command helps with.
func misuse(p engine.Problem) bool {
	return p.Code == "usage" || p.Code == "settings" && p.Detail == "" || p.Code == memory.UnknownSection
}

// whereHelpIs names the command that tells more.
func (a *app) whereHelpIs() string {
	if a.command == nil {
		return "recollect help lists the commands; recollect help COMMAND tells about one"
	}
	return "recollect help " + commandPath(a.command) + " tells more"
}

// commandPath is a command with those that it is below: "config set".
func commandPath(n *kong.Node) string {
	var words []string
	for ; n != nil && n.Parent != nil; n = n.Parent {
		words = append([]string{n.Name}, words...)
	}
	return strings.Join(words, " ")
}

// writeUsage says how the command is used and what its arguments may be.
func (a *app) writeUsage() {
	if a.command == nil {
		fmt.Fprintln(a.err, "usage: recollect COMMAND [flags]")
		return
	}
	fmt.Fprintf(a.err, "usage: recollect %s\n", a.command.Summary())
	if names := subcommands(a.command); len(names) > 0 {
		a.writeValues("COMMAND is one of", strings.Join(names, ", "))
	}
	for _, p := range a.command.Positional {
		if p.Tag.Enum != "" {
			a.writeValues(p.Summary()+" is one of", strings.Join(p.EnumSlice(), ", "))
		} else if p.Help != "" {
			a.writeValues(p.Summary(), p.Help)
		}
	}
	for _, f := range a.command.Flags {
		if f.Tag.Enum != "" {
			a.writeValues("--"+f.Name+" is one of", strings.Join(f.EnumSlice(), ", "))
		}
	}
}

func (a *app) writeValues(name, values string) { fmt.Fprintf(a.err, "  %s: %s\n", name, values) }

// subcommands are the names of the commands below n that a person is told of.
func subcommands(n *kong.Node) []string {
	var names []string
	for _, c := range n.Children {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return names
}

// unparsed is an error of the parser in words: what stands where a command must is
// no argument too many.
func unparsed(err error, model *kong.Node) error {
	at := misused(err)
	if at == nil {
		at = model
	}
	if of, got, found := strings.Cut(err.Error(), " but got "); found {
		if _, values, found := strings.Cut(of, " must be one of "); found {
			known := strings.Split(strings.ReplaceAll(values, `"`, ""), ",")
			return usagef("%w%s", err, lookup.Ask(strings.Trim(got, `"`), known, strconv.Quote))
		}
	}
	word, found := strings.CutPrefix(err.Error(), "unexpected argument ")
	if !found || len(at.Children) == 0 {
		return usage(err)
	}
	word, _, _ = strings.Cut(word, ", did you mean ")
	known := subcommands(at)
	return usagef("there is no command %s%s", printable.Quote(strings.TrimPrefix(commandPath(at)+" "+word, " "), 80),
		lookup.Ask(word, known, func(name string) string { return strings.TrimPrefix(commandPath(at)+" "+name, " ") }))
}
