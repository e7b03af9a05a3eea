package engine

import (
	"cmp"
	"context"
	"errors"

	"recollect/internal/atomicfile"
)

// Init is what an Init did.
type Init struct {
	Root    string `json:"root"`
	Created bool   `json:"created"` // false: it was there already, complete
}

// gitignore keeps what is local to the machine out of the project's commits.
const gitignore = "/local/\n*.tmp\n"

// Init makes the project's memory folder, or what is missing of it. A file that
// is there is left as it is.
func (e *Engine) Init(ctx context.Context) (Init, error) {
	report := Init{Root: e.project.Root}
	if err := cmp.Or(ctx.Err(), e.mayWrite()); err != nil {
		return report, err
	}
	report.Created = !e.folder().IsDir()
	if err := e.folder().Make(0o755); err != nil {
		if info, serr := e.folder().Stat("."); serr == nil && !info.IsDir() {
			err = errNoFolder
		}
		return report, &ProjectError{Dir: e.path(), Err: err}
	}
	for name, text := range map[string]string{
		".gitignore":  gitignore,
		"config.json": emptySettings,
	} {
		err := atomicfile.ReplaceIn(e.folder(), name, []byte(text), atomicfile.Absent(), atomicfile.Options{})
		switch {
		case err == nil:
			report.Created = true
		case !errors.Is(err, atomicfile.ErrChanged):
			return report, err
		}
	}
	return report, nil
}

// emptySettings sets nothing, so that later defaults reach the project.
const emptySettings = "{\n  \"version\": 1\n}\n"
