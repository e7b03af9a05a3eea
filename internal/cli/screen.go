package cli

import (
	"io"
	"os"

	"github.com/fatih/color"
	"golang.org/x/term"

	"recollect/internal/printable"
)

// screen is where a command writes to: what can't be seen is left out of it, and
// where a person looks at it lines are broken between words and some are styled.
type screen struct {
	printable.Writer
	flow   *flow
	styled bool
}

// newScreen is the screen on w; getenv says what its person wants of colours.
func newScreen(w io.Writer, getenv func(string) string) *screen {
	f := &flow{to: w, columns: width(w)}
	return &screen{
		Writer: printable.Writer{To: f}, flow: f,
		styled: terminal(w) && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb",
	}
}

// machine has what follows written for a program.
func (s *screen) machine() { s.JSON, s.styled, s.flow.columns = true, false, 0 }

// asItIs writes a text whose lines stay as they are, as a program is to read it.
func asItIs(w io.Writer, text string) {
	if s, ok := w.(*screen); ok {
		before := s.flow.columns
		s.flow.columns = 0
		defer func() { s.flow.columns = before }()
	}
	io.WriteString(w, text)
}

// width is how many columns the terminal has, 0 if w is none or does not say.
func width(w io.Writer) int {
	if f, ok := unwrapped(w).(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil {
			return n
		}
	}
	return 0
}

// columns is how wide lines may be on w; 0: as they are.
func columns(w io.Writer) int {
	if s, ok := w.(*screen); ok {
		return s.flow.columns
	}
	return 0
}

// terminal says whether w is one that a person looks at.
func terminal(w io.Writer) bool {
	f, ok := unwrapped(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// unwrapped is where w writes to in the end.
func unwrapped(w io.Writer) io.Writer {
	if s, ok := w.(*screen); ok {
		return s.flow.to
	}
	return w
}

// style is how a text stands out.
type style []color.Attribute

// styles by what they are for.
var (
	heading = style{color.Bold}
	added   = style{color.FgGreen}
	removed = style{color.FgRed}
	changed = style{color.FgYellow}
	hunk    = style{color.FgCyan} // where a diff goes on
	good    = style{color.FgGreen, color.Bold}
	warns   = style{color.FgYellow, color.Bold}
	fails   = style{color.FgRed, color.Bold}
)

// paint writes a text in a style, where w has styles.
func paint(w io.Writer, s style, text string) {
	on, ok := w.(*screen)
	if !ok || !on.styled {
		io.WriteString(w, text)
		return
	}
	c := color.New(s...)
	c.EnableColor()
	c.SetWriter(on.flow)
	io.WriteString(on, text)
	c.UnsetWriter(on.flow)
}

// ofSign is the style of a line that begins with a sign for what became of it.
func ofSign(sign string) style {
	switch sign {
	case "+":
		return added
	case "-":
		return removed
	}
	return changed
}
