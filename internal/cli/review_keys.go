package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"recollect/internal/engine"
)

type reviewEachCmd struct {
	Branch *string `short:"b" placeholder:"NAME" help:"Only of this branch (default: of all)."`
}

// Run implements the command.
func (c *reviewEachCmd) Run(a *app) error {
	in, ok := a.in.(*os.File)
	if !ok || a.json || !term.IsTerminal(int(in.Fd())) || !terminal(a.out) {
		return usagef("review each needs a terminal; recollect review lists what waits")
	}
	e, err := a.openOn(&c.Branch, historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	waiting, err := proposals(a, e, c.Branch)
	if err != nil {
		return err
	}
	k := &keys{
		in: bufio.NewReader(in), out: a.out, waiting: waiting,
		decide: func(d engine.Decision) (engine.Reviewed, error) { return e.Decide(a, []engine.Decision{d}) },
		undo:   func(token string) (engine.Reviewed, error) { return e.UndoReview(a, token) },
		raw: func() (func(), error) {
			before, err := term.MakeRaw(int(in.Fd()))
			return func() { _ = term.Restore(int(in.Fd()), before) }, err
		},
	}
	return k.run()
}

// keys goes through proposals one by one, by single keys.
type keys struct {
	in      *bufio.Reader
	out     io.Writer
	waiting []engine.Proposal
	at      int
	done    []step // newest last
	decide  func(engine.Decision) (engine.Reviewed, error)
	undo    func(token string) (engine.Reviewed, error)
	raw     func() (restore func(), err error) // gives keys as they are pressed
}

// step is a decision that can be taken back.
type step struct {
	token string
	at    int
	p     engine.Proposal
}

const keysHelp = "j next, k previous, a accept, x refuse, e accept in other words, u undo, q quit"

func (k *keys) run() error {
	fmt.Fprintln(k.out, keysHelp)
	for len(k.waiting) > 0 || len(k.done) > 0 {
		k.show()
		key, err := k.key()
		if errors.Is(err, io.EOF) || key == 'q' || key == 3 || key == 4 { // Ctrl-C, Ctrl-D
			break
		}
		if err == nil {
			err = k.press(key)
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(k.out, "%s decided, %s left\n", count(len(k.done), "proposal"), waitingWords(k.waiting))
	return nil
}

func (k *keys) key() (byte, error) {
	restore, err := k.raw()
	if err != nil {
		return 0, err
	}
	defer restore()
	return k.in.ReadByte()
}

func (k *keys) show() {
	if len(k.waiting) == 0 {
		fmt.Fprintln(k.out, "nothing is left; u takes the last decision back, q ends")
		return
	}
	p := k.waiting[k.at]
	kind := ""
	if p.Suggestion {
		kind = ", a suggestion"
	}
	fmt.Fprintf(k.out, "[%d of %d] %s%s\n", k.at+1, len(k.waiting), branchLabel(p.Branch), kind)
	writeProposal(k.out, p)
}

func (k *keys) press(key byte) error {
	switch key {
	case 'u':
		return k.takeBack()
	case 'j', 'k', 'a', 'x', 'e':
	default:
		fmt.Fprintln(k.out, keysHelp)
		return nil
	}
	if len(k.waiting) == 0 {
		return nil
	}
	d := engine.Decision{ID: k.waiting[k.at].ID, Accept: key != 'x'}
	switch key {
	case 'j':
		k.at = min(k.at+1, len(k.waiting)-1)
		return nil
	case 'k':
		k.at = max(k.at-1, 0)
		return nil
	case 'e':
		fmt.Fprint(k.out, "in other words (empty: leave it): ")
		line, err := k.in.ReadString('\n')
		if d.Content = strings.TrimSpace(line); d.Content == "" {
			return ignoreEOF(err)
		}
	}
	return k.settle(d)
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (k *keys) settle(d engine.Decision) error {
	r, err := k.decide(d)
	if err != nil {
		// What a person typed can be refused; they try again.
		p := engine.Explain(err)
		if p.Exit != engine.ExitUsage {
			return err
		}
		fmt.Fprintln(k.out, lines(p.Message))
		return nil
	}
	if len(r.Stale) > 0 {
		fmt.Fprintln(k.out, "it changed meanwhile: see recollect review and recollect conflicts list")
	} else {
		k.done = append(k.done, step{r.Undo, k.at, k.waiting[k.at]})
	}
	k.waiting = slices.Delete(k.waiting, k.at, k.at+1)
	k.at = max(0, min(k.at, len(k.waiting)-1))
	return nil
}

// takeBack undoes the last decision; the ones before were made on what it left
// and can't be taken back after it.
func (k *keys) takeBack() error {
	if len(k.done) == 0 {
		fmt.Fprintln(k.out, "nothing was decided")
		return nil
	}
	last := k.done[len(k.done)-1]
	if _, err := k.undo(last.token); err != nil {
		fmt.Fprintln(k.out, lines(engine.Explain(err).Message))
		return nil
	}
	k.done = k.done[:len(k.done)-1]
	k.waiting = slices.Insert(k.waiting, last.at, last.p)
	k.at = last.at
	return nil
}
