package cli

import (
	"fmt"
	"io"

	"recollect/internal/engine"
)

type statusCmd struct{}

// Run implements the command. Turns are counted anew: who asks once wants to know
// it as it is.
func (c *statusCmd) Run(a *app) error {
	o := a.options(historyFlags{})
	o.Tolerant = true
	e, err := a.opened(o)
	if err != nil {
		return err
	}
	defer e.Close()
	branches, err := e.Branches(a)
	if err != nil {
		return err
	}
	s, err := e.Status(a)
	if err != nil {
		return err
	}
	s.Version, s.Service = programVersion(), a.serviceLine()
	return a.print(s, func(w io.Writer) { writeHow(w, e.Root(), branches, s) })
}

func writeHow(w io.Writer, root string, branches []engine.Branch, s engine.Status) {
	fmt.Fprintf(w, "%s\n%s\n%s\n", plain(root), checkedOut(s.Head, branches), plain(s.Sentence))
	if s.Problem != nil && s.Problem.Hint != "" {
		fmt.Fprintf(w, "hint: %s\n", plain(s.Problem.Hint))
	}
	items, turns := 0, 0
	for _, b := range branches {
		items += b.Items
		turns += b.Turns
	}
	fmt.Fprintf(w, "\n%s, %s, %s\n", number(len(branches), "branch", "branches"), count(turns, "turn"), count(items, "item"))
	for _, l := range []struct {
		n         int
		one, many string
		whatToDo  string
	}{
		{s.NewTurns, "turn is new", "turns are new", "recollect memorize --all"},
		{s.Review, "proposal waits", "proposals wait", "recollect review"},
		{s.Suggestions, "suggestion waits", "suggestions wait", "recollect review"},
		{s.Conflicts, "conflict is open", "conflicts are open", "recollect conflicts"},
		{s.Plugins, "plug-in waits for you", "plug-ins wait for you", "recollect plugin list"},
		{s.Unseen, "item came with the repository and was not looked at", "items came with the repository and were not looked at", "recollect trust"},
		{s.Asked, "setting of the project waits for your yes", "settings of the project wait for your yes", "recollect trust"},
		{s.Trusted, "setting of the project counts with your yes", "settings of the project count with your yes", "recollect trust --show"},
		{s.Damage, "place in a file can't be read", "places in files can't be read", "recollect doctor"},
	} {
		if l.n > 0 {
			fmt.Fprintf(w, "%s: %s\n", number(l.n, l.one, l.many), l.whatToDo)
		}
	}
	for _, x := range s.Absent {
		fmt.Fprintf(w, "%s; %s\n", plain(x.Sentence()), plain(x.Cure()))
	}
	for _, b := range s.StaleBlocks {
		fmt.Fprintln(w, staleWords(b))
	}
	if s.Held != "" {
		fmt.Fprintf(w, "held by %s\n", plain(s.Held))
	}
	if s.LeftToday != "" {
		fmt.Fprintf(w, "left today for models: %s: recollect usage\n", plain(s.LeftToday))
	}
	writeMaintenance(w, s.Maintenance)
	fmt.Fprintln(w, serviceWords(s.Service))
	if r := s.Last; r != nil {
		fmt.Fprintf(w, "last memorized %s: %s, %s changed\n", when(r.At), number(r.Branches, "branch", "branches"), count(r.Changes, "item"))
	}
}

// checkedOut says what is checked out, and what is remembered of it.
func checkedOut(h engine.Head, branches []engine.Branch) string {
	items := 0
	for _, b := range branches {
		if b.Name == h.Branch {
			items = b.Items
		}
	}
	words := plain(h.String())
	switch {
	case h.State == engine.HeadUnknown:
		return words + "; name the branch with --branch"
	case h.State == engine.HeadNone:
		return words
	case items == 0:
		return words + "; nothing is remembered of it"
	}
	return words + "; " + number(items, "item is", "items are") + " remembered of it"
}

func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
