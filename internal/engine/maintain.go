package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/config"
	"recollect/internal/filelock"
	"recollect/internal/history/claudecode"
	"recollect/internal/maintain"
	"recollect/internal/memory"
)

// MaintainOptions say what to maintain.
type MaintainOptions struct {
	Kind   maintain.Kind
	DryRun bool // say what would be done; nothing is written and no plug-in opened
	// LetIn, if not nil, is called between two branches, to do in this process what
	// people wait for. The project's lock is not held then.
	LetIn func()
	// Progress, if not nil, is told which part begins, and where the memorize of
	// several branches is. It is called from one goroutine at a time.
	Progress func(part string, p Progress)
}

// maintenanceWait is how long maintenance waits for another process that holds
// the project: it can come another time.
const maintenanceWait = 3 * time.Second

// Maintain keeps the project's memory up. What goes wrong with a part stands in
// the report; an error means that the run was cancelled, or that the log is of a
// newer version or can't be written. If the project is maintained by another
// process already, the run is put off, which is no error.
func (e *Engine) Maintain(ctx context.Context, o MaintainOptions) (maintain.Report, error) {
	r := maintain.Report{Kind: o.Kind, DryRun: o.DryRun, Started: e.options.Now(), Parts: []maintain.Part{}, Outcome: maintain.Nothing}
	if !o.DryRun {
		if err := e.mayWrite(); err != nil {
			return r, err
		}
	}
	if !e.hasMemoryFolder() && !o.DryRun {
		if o.Kind != maintain.Startup && o.Kind != maintain.Full {
			r.Ended = e.options.Now()
			return r, nil
		}
		any, err := e.anyToMemorize(ctx, MemorizeOptions{All: true})
		if err != nil && !errors.Is(err, errNoProject) {
			return r, err
		}
		if !any {
			r.Ended = e.options.Now()
			return r, nil
		}
		if err := e.settle(ctx); err != nil {
			return r, err
		}
	}
	if !o.DryRun {
		lock, err := e.acquire(ctx, maintenanceLock, filelock.Options{NoWait: true})
		if errors.Is(err, filelock.ErrBusy) {
			r.Outcome, r.Ended = maintain.PutOff, e.options.Now()
			r.Parts = append(r.Parts, maintain.Part{Kind: o.Kind, Name: "wait", Outcome: maintain.PutOff, Words: "put off: " + err.Error()})
			return r, nil
		}
		if err != nil {
			return r, err
		}
		defer lock.Release()
	}
	defer e.followNow(ctx)
	u := &upkeep{e: e, tell: o.Progress, letIn: o.LetIn}
	in := maintain.Options{Kind: o.Kind, DryRun: o.DryRun, Now: e.options.Now, Shared: e.withoutFolders()}
	if o.Progress != nil {
		in.Progress = func(part string, number, parts int) {
			u.part = part
			o.Progress(part, Progress{Number: number, Branches: parts})
		}
	}
	r, err := maintain.Run(ctx, u, e.maintenanceLog(), in)
	if err == nil && !o.DryRun && o.Kind != maintain.Startup {
		u.archive(ctx)
	}
	return r, err
}

// withoutFolders shortens paths, so that a text does not tell where on this
// machine things are.
func (e *Engine) withoutFolders() func(string) string {
	pairs := []string{e.project.Root + string(filepath.Separator), "", e.project.Root, "."}
	dirs := append([]string{e.dirs.Data, e.dirs.Cache}, claudecode.Folders(e.options.Getenv("CLAUDE_CONFIG_DIR"))...)
	for _, dir := range append(dirs, e.options.Getenv("HOME"), e.options.Getenv("USERPROFILE")) {
		if len(dir) > 1 {
			pairs = append(pairs, dir, "~")
		}
	}
	return strings.NewReplacer(pairs...).Replace
}

func (e *Engine) hasMemoryFolder() bool { return e.folder().IsDir() }

func (e *Engine) maintenanceLog() maintain.LogFile {
	return maintain.LogFile{In: e.folder()}
}

// MaintenanceStatus is what is known of a project's maintenance.
type MaintenanceStatus struct {
	Enabled bool              `json:"enabled"` // by itself, while the service runs
	Tasks   []MaintenanceTask `json:"tasks"`
	Results []maintain.Result `json:"results"` // newest first, at most 5
	// Deferred are the branches that the last runs left for the next ones.
	Deferred []string `json:"deferred,omitempty"`
	Broken   string   `json:"broken,omitempty"` // why the log can't be read
}

// MaintenanceTask is one kind of maintenance.
type MaintenanceTask struct {
	Kind maintain.Kind `json:"kind"`
	Last time.Time     `json:"last,omitzero"` // zero: never
	// Next is when it is due, now or before if it is due already; zero: it is not
	// scheduled.
	Next time.Time `json:"next,omitzero"`
}

// shownResults is how many results a MaintenanceStatus has.
const shownResults = 5

// Maintenance tells what is due when, and what the last runs came to. Only the
// log and the settings are read. A project without a memory folder has no tasks.
func (e *Engine) Maintenance() (MaintenanceStatus, error) {
	s := MaintenanceStatus{Enabled: e.settings().Maintenance.Enabled, Tasks: []MaintenanceTask{}, Results: []maintain.Result{}}
	if !e.hasMemoryFolder() {
		return s, nil
	}
	log, broken, err := e.maintenanceLog().Load()
	if err != nil {
		return s, err
	}
	if broken != nil {
		s.Broken = broken.Error()
	}
	now := here(e.options.Now(), e.options.Getenv("TZ"), "/etc/localtime")
	for _, k := range maintain.Kinds {
		if k == maintain.Full {
			continue
		}
		t := MaintenanceTask{Kind: k, Last: log.Last(k)}
		if s.Enabled {
			t.Next = e.due(k, now, t.Last)
		}
		s.Tasks = append(s.Tasks, t)
	}
	latest := map[maintain.Kind]bool{}
	for i := len(log.Results) - 1; i >= 0; i-- {
		r := log.Results[i]
		if len(s.Results) < shownResults {
			s.Results = append(s.Results, r)
		}
		if !latest[r.Kind] {
			s.Deferred = append(s.Deferred, r.Deferred...)
		}
		latest[r.Kind] = true
	}
	return s, nil
}

// due is when a kind is due by the settings; zero if they don't schedule it.
func (e *Engine) due(k maintain.Kind, now, last time.Time) time.Time {
	m := e.settings().Maintenance
	text := map[maintain.Kind]string{maintain.Nightly: m.Nightly, maintain.Weekly: m.Weekly, maintain.Monthly: m.Monthly}[k]
	if text == "" {
		return time.Time{}
	}
	times, err := config.ParseSchedule(text)
	if err != nil {
		return time.Time{} // the settings have let it through: another version's
	}
	machine, _ := os.Hostname()
	return maintain.NewSchedule(times, fmt.Sprintf("%s\n%s\n%s", machine, e.project.Root, k)).Due(now, last)
}

// nextMaintenance is when the first task is due; zero if none is scheduled.
func (s MaintenanceStatus) nextMaintenance() time.Time {
	var next time.Time
	for _, t := range s.Tasks {
		if !t.Next.IsZero() && (next.IsZero() || t.Next.Before(next)) {
			next = t.Next
		}
	}
	return next
}

// UsesModel says whether maintenance may ask a model over the network.
func (e *Engine) UsesModel() bool { return e.settings().Model.Provider != config.NoProvider }

// Archived gives the items of a branch that maintenance has shortened, as they
// were before, the oldest first.
func (e *Engine) Archived(branch *string) ([]memory.Item, error) {
	name, err := e.branchName(branch)
	if err != nil {
		return nil, err
	}
	items, err := e.memories().Archived(name)
	return append([]memory.Item{}, items...), err
}

// whole gives an item with what the archive has of it. An archive that can't be
// read is for a doctor to tell of.
func (e *Engine) whole(branch string, it memory.Item) memory.Item {
	if it.State == memory.Active {
		return it
	}
	archived, _ := e.memories().Archived(branch)
	for _, k := range slices.Backward(archived) {
		if k.ID == it.ID && k.Content == it.Content && len(k.Origins) > len(it.Origins) {
			it.Origins, it.Rationale = k.Origins, k.Rationale
			break
		}
	}
	return it
}

// diagnoseMaintenance looks at the log and at the archive. Nothing is lost by
// mending: what can't be read is kept aside.
func (e *Engine) diagnoseMaintenance(d *Diagnosis, fix bool) error {
	f := e.maintenanceLog()
	_, broken, err := f.Load()
	switch {
	case err != nil:
		d.find(Finding{Where: f.Path(), What: err.Error()})
	case broken != nil:
		found := Finding{Where: f.Path(), What: broken.Error(), Fix: "keep it aside and begin a new one"}
		if fix {
			_, err := f.Change(func(*maintain.Log) {})
			found.Fixed = err == nil
		}
		d.find(found)
	}
	archive, err := e.memories().CheckArchive()
	if err != nil {
		return err
	}
	if archive.Items+archive.Versions > 0 {
		d.fact("archive", fmt.Sprintf("%d items, %d versions", archive.Items, archive.Versions))
	}
	for _, x := range archive.Damage {
		found := Finding{Where: e.state().Path("archive", x.File), What: x.Why, Fix: "keep it aside, so that there is room for a new one"}
		if fix {
			found.Fixed = e.memories().SetArchiveAside(x.File) == nil
		}
		d.find(found)
	}
	return nil
}
