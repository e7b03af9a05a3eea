package engine

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"recollect/internal/atomicfile"
	"recollect/internal/history"
	"recollect/internal/inject"
	"recollect/internal/memorize"
	"recollect/internal/safefile"
)

// record is what is remembered of a project in the person's own folder: that it
// is there, whatever becomes of the assistants' histories, and how the last runs
// in it ended.
type record struct {
	Version int    `json:"version"`
	Root    string `json:"root"`
	// Added says that a person added the project by hand.
	Added time.Time `json:"added,omitzero"`
	// Wide says that the person wants the folder to be a project, though it holds
	// more than one can.
	Wide time.Time `json:"wide,omitzero"`
	// Knows says that the record is of a version that tells what came with a
	// repository from what was made here.
	Knows    bool `json:"knows,omitempty"`
	Memorize run  `json:"memorize,omitzero"`
	Inject   run  `json:"inject,omitzero"`
}

// run is how the last run of one kind ended.
type run struct {
	At      time.Time `json:"at,omitzero"`
	Done    time.Time `json:"done,omitzero"`     // of the last one that was no failure
	Problem *Problem  `json:"problem,omitempty"` // of one that failed
	Result  *LastRun  `json:"result,omitempty"`  // of the last memorize that began
}

// LastRun is what a memorize did.
type LastRun struct {
	At        time.Time `json:"at"`
	Branches  int       `json:"branches"`
	Memorized int       `json:"memorized"` // of them: with something new
	Changes   int       `json:"changes"`   // items added, changed or taken out
	Failed    int       `json:"failed"`
}

const (
	recordVersion = 1
	maxRecord     = 64 << 10
	maxRecords    = 10_000
	recordTries   = 5
)

func (e *Engine) recordsDir() string { return filepath.Join(e.dirs.Data, "projects") }

func (e *Engine) recordFile(root string) string {
	return filepath.Join(e.recordsDir(), fmt.Sprintf("%016x.json", xxhash.Sum64String(root)))
}

// decodeRecord reads a record; one that is damaged or of a newer version is none.
func decodeRecord(data []byte) (record, bool) {
	var r record
	if json.Unmarshal(data, &r) != nil || r.Version != recordVersion || !history.Absolute(r.Root) {
		return record{}, false
	}
	return r, true
}

// records lists what is remembered of all projects, by root.
func (e *Engine) records() ([]record, error) {
	entries, err := safefile.ReadDir(e.recordsDir(), maxRecords)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil && !errors.Is(err, safefile.ErrTooMany) {
		return nil, err
	}
	var out []record
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".json") || strings.HasPrefix(name, ".") {
			continue
		}
		data, _, err := atomicfile.Read(filepath.Join(e.recordsDir(), name), maxRecord)
		if err != nil {
			continue
		}
		if r, ok := decodeRecord(data); ok {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b record) int { return cmp.Compare(a.Root, b.Root) })
	return out, nil
}

var errNewerRecord = errors.New("what is known of the project was written by a newer version, and is left as it is")

// newer says whether a JSON file of ours says that a newer version wrote it.
func newer(data []byte, version int) bool {
	var v struct {
		Version int `json:"version"`
	}
	return json.Unmarshal(data, &v) == nil && v.Version > version
}

// record gives what is remembered of a project; nothing, if it can't be read.
func (e *Engine) record(root string) record {
	data, _, err := atomicfile.Read(e.recordFile(root), maxRecord)
	if err != nil {
		return record{}
	}
	r, _ := decodeRecord(data)
	return r
}

// changeRecord changes what is remembered of a project.
func (e *Engine) changeRecord(root string, change func(*record)) error {
	if !utf8.ValidString(root) {
		return &ProjectError{Dir: strings.ToValidUTF8(root, "\uFFFD"), Err: errors.New("its path is not valid UTF-8")}
	}
	file := e.recordFile(root)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	var err error
	for range recordTries {
		expect := atomicfile.Absent()
		data, sum, rerr := atomicfile.Read(file, maxRecord)
		switch {
		case rerr == nil:
			expect = atomicfile.Content(sum)
		case !errors.Is(rerr, fs.ErrNotExist):
			return rerr
		}
		r, whole := decodeRecord(data)
		if !whole && newer(data, recordVersion) {
			return errNewerRecord
		}
		if !whole {
			r.Knows = true
		}
		r.Version, r.Root = recordVersion, root
		change(&r)
		after, merr := json.MarshalIndent(r, "", "  ")
		if merr != nil {
			return merr
		}
		err = atomicfile.Replace(file, append(after, '\n'), expect, atomicfile.Options{Mode: 0o600})
		if !errors.Is(err, atomicfile.ErrChanged) {
			break
		}
	}
	return err
}

// usedBefore says that the project was used by a version that did not tell what came
// with the repository from what was made here.
func (e *Engine) usedBefore() bool {
	r := e.record(e.project.Root)
	return r.Root != "" && !r.Knows && !(r.Memorize.Done.IsZero() && r.Inject.Done.IsZero())
}

// noteKnows remembers that this version knows the project.
func (e *Engine) noteKnows() error {
	if r := e.record(e.project.Root); r.Root == "" || r.Knows {
		return nil
	}
	return e.changeRecord(e.project.Root, func(r *record) { r.Knows = true })
}

// noteMemorize remembers how a memorize ended. Where that can't be remembered,
// Status knows less: no reason for an error.
func (e *Engine) noteMemorize(reports []BranchReport, err error) {
	result := LastRun{At: e.options.Now(), Branches: len(reports)}
	var problem *Problem
	for _, r := range reports {
		switch {
		case r.Problem != nil:
			result.Failed++
			problem = cmp.Or(problem, r.Problem)
		case len(r.Changes) > 0 && r.Outcome != memorize.Unchanged:
			result.Memorized++
			result.Changes += len(r.Changes)
		}
	}
	e.noteRun(func(r *record) *run { return &r.Memorize }, problem, err, &result)
}

// noteInject remembers how an injection ended.
func (e *Engine) noteInject(done Injection, err error) {
	var problem *Problem
	for _, t := range done.Targets {
		if t.Outcome == inject.Failed || t.Outcome == inject.Refused {
			p := Problem{Code: string(t.Outcome), Message: t.Path + ": " + t.Reason, Exit: ExitFailed}
			if t.Err != nil {
				p = Explain(t.Err)
			}
			problem = &p
		}
	}
	e.noteRun(func(r *record) *run { return &r.Inject }, problem, err, nil)
}

// noteRun remembers how a run ended: with an error, with a problem in its report,
// or well, which clears what went wrong before. A run that was cancelled, that
// another process kept from beginning, or that needs a yes leaves all as it was.
func (e *Engine) noteRun(which func(*record) *run, problem *Problem, err error, result *LastRun) {
	if err != nil {
		p := Explain(err)
		problem = &p
	}
	if problem != nil && (problem.Code == "cancelled" || problem.Code == "busy" || problem.Code == "usage" || problem.Code == "other_branch") {
		return
	}
	_ = e.changeRecord(e.project.Root, func(r *record) {
		last := which(r)
		last.At, last.Problem = e.options.Now(), problem
		if problem == nil {
			last.Done = last.At
		}
		if result != nil && err == nil {
			last.Result = result
		}
	})
}
