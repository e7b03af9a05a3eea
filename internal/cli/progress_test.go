package cli

import (
	"bytes"
	"strings"
	"testing"

	"recollect/internal/engine"
	"recollect/internal/memorize"
)

// While plug-ins are made ready, which is done once, a bar moves, and it is gone when
// the run goes on.
func TestProgressOfPreparing(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := &progress{out: &out}
	at := func(step string, done, total int) {
		p.show(engine.Progress{Branch: "main", Number: 1, Branches: 2, Progress: memorize.Progress{Step: step, Done: done, Total: total}})
	}
	at(engine.StepCompile, 100, 1000)
	if out.Len() > 0 {
		t.Errorf("what may be over in a moment is told: %q", out.String())
	}
	at(engine.StepCompile, 300, 1000)
	at(engine.StepCompile, 600, 1000)
	if !strings.Contains(out.String(), "preparing the plug-ins, once") || !strings.Contains(out.String(), "%") {
		t.Errorf("%q", out.String())
	}
	at("extract", 1, 10)
	if p.preparing != nil || !strings.Contains(out.String(), "1/2 main: extract") {
		t.Errorf("%q", out.String())
	}
	p.clear()
}
