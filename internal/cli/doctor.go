package cli

import (
	"fmt"
	"io"
	"strings"

	"recollect/internal/engine"
)

type doctorCmd struct {
	historyFlags
	Fix bool `help:"Mend what can be mended without losing anything."`
}

// Run implements the command.
func (c *doctorCmd) Run(a *app) error {
	o := a.options(c.historyFlags)
	o.Tolerant = true
	e, err := a.opened(o)
	if err != nil {
		return err
	}
	defer e.Close()
	d, err := e.Doctor(a, c.Fix)
	if err != nil {
		return err
	}
	a.diagnoseService(&d)
	return a.print(doctorAnswer{d.Verdict(), d}, func(w io.Writer) { writeDiagnosis(w, d) })
}

type doctorAnswer struct {
	Verdict string `json:"verdict"`
	engine.Diagnosis
}

// writeDiagnosis begins with what a person wants to know.
func writeDiagnosis(w io.Writer, d engine.Diagnosis) {
	verdict := d.Verdict()
	if strings.HasSuffix(verdict, ":") {
		paint(w, warns, verdict)
	} else {
		paint(w, good, verdict)
	}
	io.WriteString(w, "\n")
	for _, f := range d.Findings {
		if f.Fixed {
			fmt.Fprintf(w, "  mended: %s: %s\n", plain(f.Where), plain(f.What))
			continue
		}
		fmt.Fprintf(w, "  - %s: %s\n", plain(f.Where), plain(f.What))
		if f.Fix != "" {
			fmt.Fprintf(w, "    would mend: %s (recollect doctor --fix)\n", f.Fix)
		}
	}
	writeFacts(w, "Looked in:", d.Facts, true)
	writeFacts(w, "Found:", d.Facts, false)
}

// writeFacts writes those that name folders, or the others.
func writeFacts(w io.Writer, title string, facts []engine.Fact, folders bool) {
	io.WriteString(w, "\n")
	paint(w, heading, title)
	io.WriteString(w, "\n")
	for _, f := range facts {
		if f.Folder == folders {
			fmt.Fprintf(w, "  %-26s %s\n", f.Name, plain(f.Value))
		}
	}
}
