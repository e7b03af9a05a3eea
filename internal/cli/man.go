package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"recollect/internal/engine"
)

// manCmd prints the manual page. It is made from the help, so that the two say the
// same; packages bring it compressed. SOURCE_DATE_EPOCH dates it.
type manCmd struct{}

type manAnswer struct {
	Page string `json:"page"`
}

// Run implements the command.
func (c *manCmd) Run(a *app, k *kong.Kong) error {
	page := manPage(k.Model, programVersion(), os.Getenv("SOURCE_DATE_EPOCH"))
	return a.print(manAnswer{page}, func(w io.Writer) { asItIs(w, page) })
}

// manPage writes the page in the macros of man(7).
func manPage(model *kong.Application, version, epoch string) string {
	var b bytes.Buffer
	date := ""
	if n, err := strconv.ParseInt(epoch, 10, 64); err == nil {
		date = time.Unix(n, 0).UTC().Format(time.DateOnly)
	}
	fmt.Fprintf(&b, ".TH RECOLLECT 1 \"%s\" \"Recollect %s\" \"User Commands\"\n", date, roff(version))
	b.WriteString(".SH NAME\nrecollect, Recollect \\- memory for AI coding assistants\n")
	b.WriteString(".SH SYNOPSIS\n.B recollect\n.RI [ command ]\n.RI [ flags ]\n.br\n.B Recollect\n.SH DESCRIPTION\n")
	b.WriteString(roff(description) + " " + roff("It works offline and needs no model. Without a command it says what is here and what to do next.") + "\n.PP\n")
	b.WriteString(".B Recollect\nis the same with a window. A second start brings the window that runs to the front.\n")
	b.WriteString(".SH FLAGS OF ALL COMMANDS\n")
	manFlags(&b, model.Flags)
	b.WriteString(".SH COMMANDS\n")
	manCommands(&b, model.Node)
	b.WriteString(manRest)
	b.WriteString(".SH EXIT STATUS\n")
	for _, c := range engine.ExitCodes {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", c.Code, roff(c.Meaning))
	}
	return b.String()
}

// manCommands writes those below n, those that have others below them by these.
func manCommands(b *bytes.Buffer, n *kong.Node) {
	for _, c := range n.Children {
		if c.Hidden {
			continue
		}
		if len(c.Children) > 0 {
			manCommands(b, c)
			continue
		}
		fmt.Fprintf(b, ".SS \"recollect %s\"\n%s\n", strings.ReplaceAll(roff(c.Summary()), `"`, `\(dq`), roff(c.Help))
		for _, p := range c.Positional {
			fmt.Fprintf(b, ".TP\n.I %s\n%s\n", roff(p.Summary()), roff(p.Help))
		}
		manFlags(b, c.Flags)
	}
}

func manFlags(b *bytes.Buffer, flags []*kong.Flag) {
	for _, f := range flags {
		if f.Hidden {
			continue
		}
		name := "--" + f.Name
		if f.Short != 0 {
			name = "-" + string(f.Short) + ", " + name
		}
		if !f.IsBool() {
			name += "=" + f.FormatPlaceHolder()
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(name), roff(f.Help))
	}
}

// roff is a text as man shows it: dashes that can be copied, and no line that begins
// with what roff takes for a request.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", `\&...`).Replace(strings.Join(strings.Fields(s), " "))
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

const manRest = `.SH FILES
.TP
.I .recollect/branches/NAME.md
What is remembered of a branch; yours to edit.
.TP
.I .recollect/config.json
Settings of the project.
.TP
.I ~/.config/recollect, ~/.local/share/recollect, ~/.cache/recollect
Settings, plug\-ins and caches of the user.
.SH ENVIRONMENT
.TP
.B RECOLLECT_HOME
Moves all folders of the user below this one.
.TP
.B CLAUDE_CONFIG_DIR
Where Claude Code keeps its transcripts; several folders have commas between them.
.TP
.B NO_COLOR
If it is set, nothing is coloured; a TERM of dumb means the same.
`
