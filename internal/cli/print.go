package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/term"

	"recollect/internal/cli/answer"
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
		fmt.Fprintf(a.err, format+"\n", args...)
	}
}

// terminal says whether w is one that a person looks at.
func terminal(w io.Writer) bool {
	f, ok := unwrapped(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// unwrapped is where w writes to in the end.
func unwrapped(w io.Writer) io.Writer {
	if p, ok := w.(*printable.Writer); ok {
		return p.To
	}
	return w
}

// table writes rows under headings in aligned columns.
func table(w io.Writer, headings []string, rows [][]string) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, strings.Join(headings, "\t"))
	for _, r := range rows {
		for i := range r {
			r[i] = plain(r[i])
		}
		fmt.Fprintln(tw, strings.Join(r, "\t"))
	}
	tw.Flush()
}

// plain is a text from outside as it may go to a terminal: one line of what can
// be seen.
func plain(s string) string { return printable.Line(s, len(s)) }

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
