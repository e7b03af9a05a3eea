package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"recollect/internal/history"
)

// Diagnosis is what a Doctor found.
type Diagnosis struct {
	Facts    []Fact           `json:"facts"`
	Sources  []history.Report `json:"sources"`
	Findings []Finding        `json:"findings"`
}

// Fact is something that was found as it should be.
type Fact struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Folder bool   `json:"folder,omitempty"` // it names one that was looked in
}

// Finding is something that is damaged or missing.
type Finding struct {
	Where string `json:"where"`
	What  string `json:"what"`
	Fix   string `json:"fix,omitempty"` // what --fix does about it; empty: nothing
	Fixed bool   `json:"fixed"`
}

// Doctor looks at everything that the project and the person have. With fix it
// mends what can be mended without losing anything; transcripts and hand-written
// files are never touched.
func (e *Engine) Doctor(ctx context.Context, fix bool) (Diagnosis, error) {
	defer e.follow(ctx)
	return e.diagnose(ctx, fix)
}

// diagnose is Doctor for those who hold the project's lock.
func (e *Engine) diagnose(ctx context.Context, fix bool) (Diagnosis, error) {
	d := &Diagnosis{Facts: []Fact{}, Sources: []history.Report{}, Findings: []Finding{}}
	d.fact("version", e.options.Version)
	d.folder("project", e.project.Root)
	d.folder("your settings", e.dirs.Config)
	d.folder("user data", e.dirs.Data)
	d.folder("cache", e.dirs.Cache)
	if e.settingsErr != nil {
		d.find(Finding{Where: "settings", What: e.settingsErr.Error() + "; built-in settings are used here, other commands refuse"})
	}
	if err := e.diagnoseTrust(ctx, d); err != nil {
		return *d, err
	}
	if err := e.mayWrite(); err != nil {
		d.find(Finding{Where: "project", What: err.Error() + "; " + Explain(err).Hint})
		fix = false
	}
	e.diagnoseWide(d)
	e.diagnoseFolder(ctx, d, fix)
	e.diagnoseState(d)
	if err := e.headError(); err != nil {
		d.find(Finding{Where: "git", What: err.Error() + "; " + Explain(err).Hint})
	}
	if err := e.diagnoseHistory(ctx, d); err != nil {
		return *d, err
	}
	if err := e.diagnoseMemories(ctx, d, fix); err != nil {
		return *d, err
	}
	if err := e.diagnoseReview(d); err != nil {
		return *d, err
	}
	if err := e.diagnoseMaintenance(d, fix); err != nil {
		return *d, err
	}
	e.diagnosePlugins(d)
	return *d, ctx.Err()
}

// Verdict says in a sentence how it is: whether something wants a person.
func (d Diagnosis) Verdict() string {
	open, mended := 0, ""
	for _, f := range d.Findings {
		if !f.Fixed {
			open++
		}
	}
	if n := len(d.Findings) - open; n > 0 {
		mended = "; " + number(n, "thing was mended", "things were mended")
	}
	if open == 0 {
		return "All is well" + mended + "."
	}
	return number(open, "thing wants you", "things want you") + mended + ":"
}

func (d *Diagnosis) fact(name, value string) {
	d.Facts = append(d.Facts, Fact{Name: name, Value: value})
}

func (d *Diagnosis) folder(name, path string) {
	d.Facts = append(d.Facts, Fact{Name: name, Value: path, Folder: true})
}

func (d *Diagnosis) find(f Finding) { d.Findings = append(d.Findings, f) }

// diagnoseFolder looks for a memory folder that is missing or half made.
func (e *Engine) diagnoseFolder(ctx context.Context, d *Diagnosis, fix bool) {
	if _, err := e.folder().Stat("."); errors.Is(err, fs.ErrNotExist) {
		d.folder("memory folder", e.path()+", which does not exist yet: memorize makes it")
		return
	}
	var missing []string
	for _, name := range []string{".gitignore", "config.json"} {
		if _, err := e.folder().Lstat(name); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, name)
		}
	}
	if data, _, err := e.folder().Read(ctx, ".gitattributes", maxAttributes); errors.Is(err, fs.ErrNotExist) || err == nil && len(missingAttributes(data)) > 0 {
		missing = append(missing, "what .gitattributes says of merges")
	}
	d.folder("memory folder", e.path())
	if len(missing) == 0 {
		return
	}
	f := Finding{Where: e.path(), What: strings.Join(missing, ", ") + " is missing", Fix: "make it again"}
	if fix {
		_, err := e.Init(ctx)
		f.Fixed = err == nil
	}
	d.find(f)
}

func (e *Engine) diagnoseHistory(ctx context.Context, d *Diagnosis) error {
	h, err := e.openHistory(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	d.Sources = append(d.Sources, h.Reports()...)
	for _, r := range d.Sources {
		d.fact(r.Source, fmt.Sprintf("%d transcripts, %d records, %d bytes; own calls: %d, abandoned turns: %d",
			r.Files, r.Records, r.Bytes, r.OwnCalls, r.Abandoned))
		for _, l := range r.Looked {
			d.folder("transcripts of "+r.Source, l.String())
		}
		for _, x := range r.Damage {
			what := x.Kind
			if x.Note != "" {
				what += " (" + x.Note + ")"
			}
			if x.Kind == history.DamageTail {
				what += ": it is read when it is finished"
			}
			d.find(Finding{Where: place(x), What: what})
		}
		for _, x := range r.Strangers {
			d.find(Finding{Where: r.Source, What: unknownSender(x)})
		}
	}
	d.fact("turns", fmt.Sprint(len(h.Refs("*"))))
	return e.diagnoseSweep(h, d)
}

// unknownSender says that records come from somebody whom this version does not
// know. A newer one may.
func unknownSender(x history.Stranger) string {
	records, name := fmt.Sprintf("%d records name", x.Records), strconv.Quote(x.Kind)
	if x.Records == 1 {
		records = "1 record names"
	}
	if x.Kind == "" {
		name = "that is no name"
	}
	return fmt.Sprintf("%s a sender that this version does not know (%s %s): what they say counts as nobody's words", records, x.Field, name)
}

func place(x history.Damage) string {
	if x.Line == 0 {
		return x.File
	}
	return fmt.Sprintf("%s:%d", x.File, x.Line)
}

// diagnoseMemories loads every memory. Mending one is saving it again: what
// could not be read is set aside beside it.
func (e *Engine) diagnoseMemories(ctx context.Context, d *Diagnosis, fix bool) error {
	names, err := e.memories().Branches()
	if err != nil {
		return err
	}
	d.fact("memories", fmt.Sprint(len(names)))
	for _, name := range names {
		m, _, err := e.memories().Load(name)
		if err != nil {
			d.find(Finding{Where: name, What: err.Error()})
			continue
		}
		for i, x := range m.Damage {
			f := Finding{
				Where: fmt.Sprintf("%s:%d", e.path("branches", x.File), x.Line),
				What:  x.Why, Fix: "set the unreadable part aside and keep the rest",
			}
			if x.Marks {
				f.Fix = "write both sides as one memory, without git's marks"
			}
			if fix && i == 0 {
				err = e.resave(ctx, m.Branch)
			}
			f.Fixed = fix && err == nil
			d.find(f)
		}
	}
	return nil
}

// resave writes a memory as it was read.
func (e *Engine) resave(ctx context.Context, name string) error {
	m, rev, err := e.memories().Load(name)
	if err != nil {
		return err
	}
	_, err = e.memories().Save(ctx, m, rev)
	return err
}
