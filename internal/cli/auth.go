package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"recollect/internal/engine"
	"recollect/internal/keyring"
)

type authCmd struct {
	Set    authSetCmd    `cmd:"" help:"Store a provider's API key. It is read from a prompt or from standard input, never from an argument."`
	Status authStatusCmd `cmd:"" help:"Say where a provider's key is."`
	Test   authTestCmd   `cmd:"" help:"Ask the configured model one short question."`
	Delete authDeleteCmd `cmd:"" help:"Take a provider's key out."`
}

// providerArg is the provider that a command is about.
type providerArg struct {
	Provider string `arg:"" optional:"" help:"anthropic or openai (default: the setting model.provider)."`
}

type authSetCmd struct {
	providerArg
	For  string `placeholder:"URL" help:"The address that the key is for, and is sent to and nowhere else (default: what your own settings name, else the vendor's own)."`
	File bool   `help:"Keep the key in a file that only you can read, where there is no keyring."`
}

// Run implements the command.
func (c *authSetCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	if c.Provider, err = e.KeyProvider(c.Provider); err != nil {
		return err
	}
	origin, err := e.KeyOrigin(c.Provider, c.For)
	if err != nil {
		return err
	}
	key, err := a.secret("API key for " + plain(origin) + " (it is not shown): ")
	if err != nil {
		return err
	}
	done, err := e.SetKey(a, c.Provider, origin, key, c.File)
	if err != nil {
		return err
	}
	return a.print(done, func(w io.Writer) {
		fmt.Fprintf(w, "Stored, for %s and nothing else. The key for %s that is used there comes from the %s.\n", plain(done.For), done.Provider, place(done))
		for _, s := range done.Looked {
			if s.Notice != "" {
				fmt.Fprintf(w, "note: %s\n", s.Notice)
			}
		}
	})
}

// secret reads one line without showing it, from a terminal or from standard
// input.
func (a *app) secret(prompt string) (string, error) {
	if f, ok := a.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprint(a.err, prompt)
		b, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(a.err)
		return strings.TrimSpace(string(b)), err
	}
	line, err := bufio.NewReader(io.LimitReader(a.in, 1<<16)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	if line = strings.TrimSpace(line); line == "" {
		return "", usagef("no key came from standard input")
	}
	return line, nil
}

func place(s engine.KeyStatus) string {
	if s.Name != "" {
		return fmt.Sprintf("%s %s", s.Place, s.Name)
	}
	return string(s.Place)
}

type authStatusCmd struct{ providerArg }

// Run implements the command.
func (c *authStatusCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	s, err := e.KeyStatus(a, c.Provider)
	if err != nil {
		return err
	}
	return a.print(s, func(w io.Writer) {
		if s.Place == "" {
			fmt.Fprintf(w, "There is no key for %s at %s.\n", s.Provider, plain(s.For))
		} else {
			fmt.Fprintf(w, "The key for %s at %s comes from the %s.\n", s.Provider, plain(s.For), place(s))
		}
		for _, l := range s.Looked {
			switch {
			case l.Problem != "":
				fmt.Fprintf(w, "  %s: %s\n", l.Place, plain(l.Problem))
				if l.Fix != "" {
					fmt.Fprintf(w, "    hint: %s\n", plain(l.Fix))
				}
			case l.HasKey && l.For != s.For:
				fmt.Fprintf(w, "  %s: the key there is for %s\n", l.Place, plain(l.For))
			case l.Notice != "":
				fmt.Fprintf(w, "  note: %s\n", l.Notice)
			}
		}
	})
}

type authTestCmd struct{}

// Run implements the command.
func (c *authTestCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	t, err := e.TestModel(a)
	if err != nil {
		return err
	}
	return a.print(t, func(w io.Writer) {
		fmt.Fprintf(w, "%s answers, as %s, in %v; %d tokens in, %d out.\n", t.Provider, plain(t.Model), t.Took.Round(1e6), t.InputTokens, t.OutputTokens)
	})
}

type authDeleteCmd struct{ providerArg }

type deletedAnswer struct {
	From []keyring.Place `json:"deleted_from"`
}

// Run implements the command.
func (c *authDeleteCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	places, err := e.DeleteKey(a, c.Provider)
	if err != nil {
		return err
	}
	return a.print(deletedAnswer{places}, func(w io.Writer) {
		for _, p := range places {
			fmt.Fprintf(w, "Deleted from the %s.\n", p)
		}
	})
}
