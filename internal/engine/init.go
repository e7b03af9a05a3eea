package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"recollect/internal/atomicfile"
)

// Init is what an Init did.
type Init struct {
	Root    string `json:"root"`
	Created bool   `json:"created"` // false: it was there already, complete
}

// InitWide is Init for a folder that holds more than one project can: the person says
// that it is meant.
func (e *Engine) InitWide(ctx context.Context) (Init, error) {
	if err := cmp.Or(ctx.Err(), e.isMine()); err != nil {
		return Init{Root: e.project.Root}, err
	}
	if e.TooWide() {
		if err := e.changeRecord(e.project.Root, func(r *record) { r.Wide = e.options.Now().UTC() }); err != nil {
			return Init{Root: e.project.Root}, err
		}
	}
	return e.Init(ctx)
}

// gitignore keeps what is local to the machine out of the project's commits. The
// maintenance log is when this machine did its work, which changes every night.
const gitignore = "/local/\n/maintenance-log.json*\n*.tmp\n"

// attributes has git take the lines of both sides where two branches changed a
// memory: what was changed twice is told apart when it is read.
var attributes = []string{"/branches/*.md merge=union", "/branches/*.items.jsonl merge=union"}

// maxAttributes bounds a .gitattributes that is there already, in bytes.
const maxAttributes = 1 << 20

// Init makes the project's memory folder, or what is missing of it. A file that
// is there is left as it is, but for lines that its .gitattributes lacks.
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
	written, err := e.attribute()
	report.Created = report.Created || written
	return report, err
}

// attribute puts our lines into the folder's .gitattributes, behind what is there,
// and says whether one was missing. A pattern that the person has set to something
// else stays so.
func (e *Engine) attribute() (written bool, err error) {
	const name = ".gitattributes"
	data, sum, _, err := atomicfile.ReadIn(e.folder(), name, maxAttributes)
	expect := atomicfile.Content(sum)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		expect = atomicfile.Absent()
	case err != nil:
		return false, nil // a memory works without it
	}
	missing := missingAttributes(data)
	if len(missing) == 0 {
		return false, nil
	}
	eol := "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		eol = "\r\n"
	}
	text := string(data)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += eol
	}
	text += strings.Join(missing, eol) + eol
	err = atomicfile.ReplaceIn(e.folder(), name, []byte(text), expect, atomicfile.Options{})
	if err != nil && len(data) > 0 {
		return false, nil // it is the person's, and may not be written
	}
	return err == nil, err
}

// missingAttributes gives our lines about whose pattern a .gitattributes says
// nothing.
func missingAttributes(data []byte) []string {
	says := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 0 {
			says[f[0]] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(attributes), func(line string) bool { return says[strings.Fields(line)[0]] })
}

// emptySettings sets nothing, so that later defaults reach the project.
const emptySettings = "{\n  \"version\": 1\n}\n"
