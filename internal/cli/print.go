package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"recollect/internal/cli/answer"
	"recollect/internal/engine"
	"recollect/internal/history"
	"recollect/internal/printable"
)

// print answers: value in JSON, else what text writes.
func (a *app) print(value any, text func(w io.Writer)) error {
	if a.json {
		return a.encode(a.out, value)
	}
	text(a.out)
	return nil
}

func (a *app) encode(w io.Writer, value any) error { return answer.Write(w, value) }

// note tells something besides the answer; not in JSON.
func (a *app) note(format string, args ...any) {
	if !a.json {
		said := fmt.Sprintf(format+"\n", args...)
		if rest, ok := strings.CutPrefix(said, "warning:"); ok {
			paint(a.err, warns, "warning:")
			said = rest
		}
		io.WriteString(a.err, said)
	}
}

// noteFollowed says what followed a change of a memory, whichever command made it.
func (a *app) noteFollowed() {
	if a.engine != nil {
		a.noteFollowing(a.engine.Followed(), "")
	}
}

// noteFollowing says what followed in a project; where is its folder if there are
// several.
func (a *app) noteFollowing(f engine.Following, where string) {
	if where != "" {
		where = plain(where) + ": "
	}
	for _, name := range f.WrittenBlocks {
		a.note("%s%s is written, as inject.auto wants.", where, plain(name))
	}
	for _, b := range f.StaleBlocks {
		a.note("%s%s", where, staleWords(b))
	}
}

func staleWords(b engine.StaleBlock) string {
	return fmt.Sprintf("%s shows %s: recollect inject", plain(b.Name), plain(b.Words))
}

// plain is a text from outside as it may go to a terminal: one line of what can
// be seen.
func plain(s string) string { return printable.Line(s, len(s)) }

// branchLabel is a branch's name where it stands by itself.
func branchLabel(name string) string { return plain(history.BranchLabel(name)) }

// branchLabels are several of them in a cell of a table, which makes them plain.
func branchLabels(names []string) string {
	var labels []string
	for _, name := range names {
		labels = append(labels, history.BranchLabel(name))
	}
	return strings.Join(labels, ", ")
}

// branchSubject is a branch's name within a sentence.
func branchSubject(name string) string { return plain(history.BranchSubject(name)) }

// branchFlagged is the flag that names a branch, as it must be typed.
func branchFlagged(name string) string {
	return " --branch " + printable.ShellWord(history.BranchLabel(name))
}

// lines is a text of several lines as it may go to a terminal.
func lines(s string) string { return printable.Lines(s, len(s)) }

// short cuts a text to n runes for a table.
func short(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// when is a time for people.
func when(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return printable.Time(t)
}

// count is "1 turn", "2 turns".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
