package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"recollect/internal/engine"
	"recollect/internal/lookup"
	"recollect/internal/printable"
)

type trustCmd struct {
	Kinds  []string `arg:"" optional:"" name:"kind" help:"Say yes to these kinds only: settings, links, state, memory."`
	Show   bool     `xor:"do" help:"Only show it."`
	Yes    bool     `short:"y" xor:"do" help:"Say yes to what is shown, without being asked."`
	No     bool     `xor:"do" help:"Leave settings aside, and say nothing more of them until they ask for something else."`
	Revoke bool     `xor:"do" help:"Take back what you said yes to in this project."`
}

// claimKinds are the kinds of claims in the order in which they are shown, as the
// command names them, and what a yes to each does.
var claimKinds = []struct{ name, kind, ask string }{
	{"settings", engine.ClaimSetting, "Let these settings count?"},
	{"links", engine.ClaimLink, "Let memory be written where these links lead?"},
	{"state", engine.ClaimState, "Take over what an earlier version kept?"},
	{"memory", engine.ClaimMemory, "Show these items to assistants?"},
}

// kinds are those of the claims that the command names; none: all of them.
func (c *trustCmd) kinds() ([]string, error) {
	var out []string
	for _, name := range c.Kinds {
		i := slices.IndexFunc(claimKinds, func(k struct{ name, kind, ask string }) bool { return k.name == name })
		if i < 0 {
			return nil, usagef("%s is no kind of what a project asks for: settings, links, state or memory%s", printable.Quote(name, 40),
				lookup.Ask(name, []string{"settings", "links", "state", "memory"}, strconv.Quote))
		}
		out = append(out, claimKinds[i].kind)
	}
	if len(out) > 0 && (c.Show || c.No || c.Revoke) {
		return nil, usagef("a kind goes with a yes only")
	}
	return out, nil
}

// errUndecided says that nobody was there to decide.
var errUndecided = errors.New("the project asks for more than may count by itself, and nobody is here to say yes")

// Run implements the command.
func (c *trustCmd) Run(a *app) error {
	kinds, err := c.kinds()
	if err != nil {
		return err
	}
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
	case c.No:
		return c.decline(a, e, t)
	case c.Yes:
		if !a.json {
			writeTrust(a.out, only(t, kinds))
		}
		return c.give(a, e, t, kinds)
	}
	return c.ask(a, e, t, kinds)
}

// ask shows what is asked for and has a person on a terminal decide about each kind.
func (c *trustCmd) ask(a *app, e *engine.Engine, t engine.Trust, kinds []string) error {
	in, ok := a.in.(*os.File)
	if !ok || !terminal(in) || a.json {
		if err := a.print(t, func(w io.Writer) { writeTrust(w, only(t, kinds)) }); err != nil {
			return err
		}
		return &refusedError{errUndecided, "recollect trust --yes says yes to all that is shown, recollect trust --yes memory to one kind of it"}
	}
	writeTrust(a.out, only(t, kinds))
	answers := bufio.NewReader(io.LimitReader(in, maxAnswer))
	var said []string
	for _, k := range claimKinds {
		waits := slices.ContainsFunc(t.Waiting(), func(c engine.Claim) bool { return c.Kind == k.kind })
		if !waits || len(kinds) > 0 && !slices.Contains(kinds, k.kind) {
			continue
		}
		fmt.Fprint(a.err, k.ask+" [y/N] ")
		yes, err := saysYes(answers)
		if err != nil {
			return err
		}
		if yes {
			said = append(said, k.kind)
		}
	}
	if len(said) == 0 {
		fmt.Fprintln(a.out, "It stays left aside. recollect trust --no keeps commands from saying so.")
		return nil
	}
	return c.give(a, e, t, said)
}

// only is what a project asks for, as far as it is of some kinds; of all, if none
// is named.
func only(t engine.Trust, kinds []string) engine.Trust {
	if len(kinds) > 0 {
		t.Claims = slices.DeleteFunc(slices.Clone(t.Claims), func(c engine.Claim) bool { return !slices.Contains(kinds, c.Kind) })
	}
	return t
}

// give says yes to what was shown.
func (c *trustCmd) give(a *app, e *engine.Engine, t engine.Trust, kinds []string) error {
	t, err := e.GiveTrust(a, t.Digest, kinds...)
	if err != nil {
		return err
	}
	return a.print(t, func(w io.Writer) {
		said := "It counts now."
		if left := len(t.Waiting()); left > 0 {
			said = "That counts now; " + number(left, "thing is", "things are") + " left aside."
		}
		fmt.Fprintln(w, said+" When it changes you are asked again; recollect trust --revoke takes your yes back.")
	})
}

// decline leaves aside what was shown, and has nothing more said of it.
func (c *trustCmd) decline(a *app, e *engine.Engine, t engine.Trust) error {
	t, err := e.DeclineTrust(a, t.Digest)
	if err != nil {
		return err
	}
	return a.print(t, func(w io.Writer) {
		fmt.Fprintln(w, "It stays left aside, and nothing more is said of it until the project asks for something else. recollect status counts it.")
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
		fmt.Fprintln(w, "This project asks for more than what you said yes to. Only with your yes:")
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

// noteAnswer is what a program is told besides an answer, on standard error.
type noteAnswer struct {
	Note aside `json:"note"`
}

// noteAside tells once what the project's settings asked for and did not get. where
// is the project's folder if the command is about several.
func (a *app) noteAside(e *engine.Engine, where string) {
	left := e.ToldAside()
	if len(left) == 0 {
		return
	}
	said := "This project asks for more than may count by itself (" + plain(strings.Join(left, ", ")) + "): left aside."
	if a.json {
		a.encode(a.err, noteAnswer{aside{"left_aside", said, "recollect trust", left}})
		return
	}
	if where != "" {
		said = plain(where) + ": " + said
	}
	fmt.Fprintln(a.err, said+" See it and decide: recollect trust")
}
