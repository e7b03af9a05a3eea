package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"recollect/internal/config"
	"recollect/internal/engine"
)

// noteUnseen says once that a memory holds what came with the repository, and from
// whom if that is known.
func (a *app) noteUnseen(n int, from string) {
	if n > 0 {
		a.note("%s%s. Look and decide: recollect trust", cameUnseen(n), ofAuthors(from))
	}
}

func ofAuthors(from string) string {
	if from == "" {
		return ""
	}
	return ", from " + plain(from)
}

// noteHeld says once that such items were left out of what assistants are shown.
func (a *app) noteHeld(n int) {
	if n > 0 {
		a.note("%s: left out. Look and decide: recollect trust", cameUnseen(n))
	}
}

func cameUnseen(n int) string {
	return number(n, "item came with the repository and was not looked at", "items came with the repository and were not looked at")
}

// askUnseen has a person on a terminal decide about what came with the repository,
// where the settings want that, before it would be shown to an assistant.
func (a *app) askUnseen(e *engine.Engine, branch *string, writesNothing bool) error {
	in, ok := a.in.(*os.File)
	if mode, err := e.Setting("inject.unseen"); err != nil || mode != config.AskUnseen || writesNothing || a.json || !ok || !terminal(in) {
		return err
	}
	u, err := e.Unseen(branch)
	if err != nil || len(u.Items) == 0 {
		return err
	}
	fmt.Fprintf(a.out, "%s%s:\n", cameUnseen(len(u.Items)), ofAuthors(u.From))
	for _, it := range u.Items {
		writeClaimed(a.out, it.Section, it.Content)
	}
	fmt.Fprint(a.err, "Show them to assistants? [y/N] ")
	yes, err := saysYes(bufio.NewReader(io.LimitReader(in, maxAnswer)))
	if err != nil || !yes {
		return err
	}
	return e.LookedAt(u)
}

// writeClaimed prints an item that came with the repository: one line of it.
func writeClaimed(w io.Writer, section, content string) {
	fmt.Fprintf(w, "    %s: %s\n", short(plain(section), 40), short(plain(content), 300))
}

// maxAnswer bounds what a person types in answer, in bytes.
const maxAnswer = 1000

// saysYes reads a person's answer, a line. Anything but a yes is none.
func saysYes(in *bufio.Reader) (bool, error) {
	word, err := in.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	word = strings.ToLower(strings.TrimSpace(word))
	return word == "y" || word == "yes", nil
}
