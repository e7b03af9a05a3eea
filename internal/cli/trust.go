package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"recollect/internal/engine"
)

type trustCmd struct {
	Show   bool `xor:"do" help:"Only show it."`
	Yes    bool `short:"y" xor:"do" help:"Say yes to what is shown, without being asked."`
	Revoke bool `xor:"do" help:"Take back what you said yes to in this project."`
}

// errUndecided says that nobody was there to decide.
var errUndecided = errors.New("the project asks for more than may count by itself, and nobody is here to say yes")

// Run implements the command.
func (c *trustCmd) Run(a *app) error {
	e, err := engine.Open(a.options(historyFlags{}))
	if err != nil {
		return err
	}
	defer e.Close()
	t, err := e.Trust(a)
	if err != nil {
		return err
	}
	switch {
	case c.Revoke:
		if t, err = e.RevokeTrust(a); err != nil {
			return err
		}
		return a.print(t, func(w io.Writer) {
			fmt.Fprintln(w, "What this project asks for counts no longer, unless it may count by itself.")
		})
	case c.Show || len(t.Waiting()) == 0:
		return a.print(t, func(w io.Writer) { writeTrust(w, t) })
	case c.Yes:
		return c.give(a, e, t)
	}
	return c.ask(a, e, t)
}

// ask shows what is asked for and has a person on a terminal decide.
func (c *trustCmd) ask(a *app, e *engine.Engine, t engine.Trust) error {
	in, ok := a.in.(*os.File)
	if !ok || !terminal(in) || a.json {
		if err := a.print(t, func(w io.Writer) { writeTrust(w, t) }); err != nil {
			return err
		}
		return &refusedError{errUndecided, "recollect trust --yes says yes to what is shown"}
	}
	writeTrust(a.out, t)
	fmt.Fprint(a.err, "Say yes to this? [y/N] ")
	yes, err := saysYes(in)
	if err != nil {
		return err
	}
	if !yes {
		fmt.Fprintln(a.out, "It stays left aside.")
		return nil
	}
	return c.said(a, e, t)
}

// give says yes to what it shows.
func (c *trustCmd) give(a *app, e *engine.Engine, t engine.Trust) error {
	if !a.json {
		writeTrust(a.out, t)
	}
	return c.said(a, e, t)
}

func (c *trustCmd) said(a *app, e *engine.Engine, t engine.Trust) error {
	t, err := e.GiveTrust(a, t.Digest)
	if err != nil {
		return err
	}
	return a.print(t, func(w io.Writer) {
		fmt.Fprintln(w, "It counts now. When it changes you are asked again; recollect trust --revoke takes your yes back.")
	})
}

// refusedError is what is not done without a person.
type refusedError struct {
	err  error
	hint string
}

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// writeTrust is what a person must have seen before they say yes.
func writeTrust(w io.Writer, t engine.Trust) {
	fmt.Fprintln(w, plain(t.Root))
	switch t.Status {
	case engine.TrustNothing:
		fmt.Fprintln(w, "This project asks for nothing that needs your yes.")
		return
	case engine.TrustGiven:
		fmt.Fprintf(w, "You said yes to this on %s:\n", when(t.At))
	case engine.TrustChanged:
		fmt.Fprintln(w, "This project asks for something else than what you said yes to. Only with your yes:")
	default:
		fmt.Fprintln(w, "This project asks for more than may count by itself. Only with your yes:")
	}
	for _, c := range t.Claims {
		state := ""
		if c.Given && t.Status != engine.TrustGiven {
			state = " You said yes to this."
		}
		fmt.Fprintf(w, "- %s: %s%s\n", plain(c.Name), plain(c.Words), state)
		if c.Long {
			fmt.Fprintf(w, "    in full: %s\n", plain(compact(c.Value)))
		}
		if items, ok := c.Value.([]engine.ClaimedItem); ok && !c.Given {
			for _, it := range items {
				writeClaimed(w, it.Section, it.Content)
			}
		}
	}
}

// aside is what a note tells a program about settings that were left aside.
type aside struct {
	Code      string   `json:"code"` // "left_aside"
	Message   string   `json:"message"`
	Hint      string   `json:"hint"`
	LeftAside []string `json:"left_aside"`
}

// noteAside tells once what the project's settings asked for and did not get. where
// is the project's folder if the command is about several.
func (a *app) noteAside(e *engine.Engine, where string) {
	left := e.LeftAside()
	if len(left) == 0 {
		return
	}
	said := "This project asks for more than may count by itself (" + plain(strings.Join(left, ", ")) + "): left aside."
	if a.json {
		a.encode(a.err, map[string]aside{"note": {"left_aside", said, "recollect trust", left}})
		return
	}
	if where != "" {
		said = plain(where) + ": " + said
	}
	fmt.Fprintln(a.err, said+" See it and decide: recollect trust")
}
