package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// Whatever the help tells is in the manual page.
func TestManPageSaysWhatTheHelpSays(t *testing.T) {
	t.Parallel()
	parser, err := kong.New(&root{}, kong.Name("recollect"))
	if err != nil {
		t.Fatal(err)
	}
	page := manPage(parser.Model, "1.2.3", "86400")
	want := []string{`.TH RECOLLECT 1 "1970-01-02" "Recollect 1.2.3"`, `\-\-project=DIR`, ".SH EXIT STATUS"}
	for _, leaf := range parser.Model.Leaves(true) {
		want = append(want, ".SS \"recollect "+roff(commandPath(leaf)), roff(leaf.Help))
		for _, p := range leaf.Positional {
			want = append(want, roff(p.Help))
		}
		for _, f := range leaf.Flags {
			if !f.Hidden {
				want = append(want, roff("--"+f.Name), roff(f.Help))
			}
		}
	}
	for _, w := range want {
		if !strings.Contains(page, w) {
			t.Errorf("the page does not say %q", w)
		}
	}
	if strings.Contains(page, "recollect complete ") || strings.Contains(page, "recollect start") {
		t.Error("the page tells of commands that the help hides")
	}
	if _, err := exec.LookPath("groff"); err != nil {
		t.Skip("groff is not here to read the page")
	}
	c := exec.Command("groff", "-man", "-Tascii", "-ww", "-z")
	var told bytes.Buffer
	c.Stdin, c.Stderr = strings.NewReader(page), &told
	if err := c.Run(); err != nil || told.Len() > 0 {
		t.Errorf("groff: %v\n%s", err, told.String())
	}
}

func TestRoff(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{".recollect": `\&.recollect`, "a-b": `a\-b`, `c\d`: `c\ed`, "'x": `\&'x`, "a\n b": "a b"} {
		if got := roff(in); got != want {
			t.Errorf("roff(%q) = %q, want %q", in, got, want)
		}
	}
}
