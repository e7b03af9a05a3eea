package cli

import (
	"fmt"

	"recollect/internal/plugin"
)

// compiling tells on a terminal that a plug-in's module is being compiled, which
// takes seconds, in a line that is gone afterwards. What ends before half a
// second is not worth a word.
func (a *app) compiling(c plugin.Compiling) {
	a.compiled = c.Elapsed
	if !terminal(a.err) || c.Elapsed.Milliseconds() < 500 {
		return
	}
	line := unwrapped(a.err)
	fmt.Fprint(line, "\r\x1b[K")
	if !c.Done {
		fmt.Fprintf(line, "Preparing the plug-ins, once: %s, %.1f s", plain(c.Plugin), c.Elapsed.Seconds())
	}
}
