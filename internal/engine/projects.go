package engine

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"recollect/internal/config"
	"recollect/internal/history"
)

// KnownProject is a project that assistants' histories name, that a person
// added, or that was memorized here.
type KnownProject struct {
	Root       string    `json:"root"`
	Name       string    `json:"name"`
	Exists     bool      `json:"exists"`     // its folder is still there
	Memory     bool      `json:"memory"`     // it has a memory folder
	Assistants []string  `json:"assistants"` // whose history names it
	Sessions   int       `json:"sessions"`
	LastActive time.Time `json:"last_active,omitzero"`
	// Counts are there if CountProjects was asked and anything is known.
	Counts *ProjectCounts `json:"counts,omitempty"`
}

// Assistant is one whose history is read, and what was found of it.
type Assistant struct {
	Name     string `json:"name"`
	Found    bool   `json:"found"`
	Where    string `json:"where"` // the folder that was looked at, or which one in each project
	Projects int    `json:"projects"`
	Sessions int    `json:"sessions"`
	// Problem says that something is there which can't be read.
	Problem *Problem `json:"problem,omitempty"`
}

// Projects lists all projects, the one worked on last first, without opening
// any. Options.Dir does not matter. Work trees and folders of one project are one.
// A session counts where it began. It fails if nothing is found because of what
// can't be read; if only a part can't be read, Assistants tells.
func Projects(ctx context.Context, o Options) ([]KnownProject, error) {
	s, err := takeSurvey(ctx, o)
	if err != nil {
		return nil, err
	}
	if len(s.projects) == 0 && len(s.errs) > 0 {
		return nil, errors.Join(s.errs...)
	}
	out := make([]KnownProject, 0, len(s.projects))
	for _, p := range s.projects {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b KnownProject) int {
		return cmp.Or(b.LastActive.Compare(a.LastActive), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Root, b.Root))
	})
	return out, nil
}

// Assistants tells what was found of each assistant that has a source.
func Assistants(ctx context.Context, o Options) ([]Assistant, error) {
	s, err := takeSurvey(ctx, o)
	return s.assistants, err
}

// AddProject adds the project of the folder Options.Dir to those that Projects
// lists, whether or not it has history. It writes nothing in the project.
func AddProject(ctx context.Context, o Options) (KnownProject, error) {
	e, err := openPerson(o)
	if err != nil {
		return KnownProject{}, err
	}
	info, err := os.Stat(o.Dir)
	if err == nil && !info.IsDir() {
		err = errNoFolder
	}
	if err != nil {
		return KnownProject{}, &ProjectError{Dir: o.Dir, Err: err}
	}
	p, err := history.Locate(o.Dir)
	if err != nil {
		return KnownProject{}, &ProjectError{Dir: o.Dir, Err: err}
	}
	now := e.options.Now()
	if err := e.changeRecord(p.Root, func(r *record) {
		if r.Added.IsZero() {
			r.Added = now
		}
	}); err != nil {
		return KnownProject{}, err
	}
	s, err := takeSurvey(ctx, o)
	if err != nil {
		return KnownProject{}, err
	}
	return *s.project(p), nil
}

// openPerson makes an engine of no project: it knows the person's folders and
// settings, and what damaged settings say does not count.
func openPerson(o Options) (*Engine, error) {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	dirs, err := config.UserDirs(o.Getenv)
	if err != nil {
		return nil, err
	}
	e := &Engine{options: o, dirs: dirs}
	settings, err := config.Load(dirs.File())
	if err != nil {
		settings, e.settingsErr = config.Default(), err
	}
	e.inForce.Store(&config.InForce{Settings: settings})
	return e, nil
}

// survey is what was found in all histories.
type survey struct {
	assistants []Assistant
	projects   map[string]*KnownProject // by root
	errs       []error                  // what can't be read at all

	folders map[string][]string        // in which the history of projects lies, by root
	tops    []string                   // in which there may be new ones
	located map[string]history.Project // by directory
	removed []history.Project          // projects with work trees that are gone
	states  states
}

// takeSurvey asks each assistant where it was used. Those that keep their history
// in the projects come last and are asked about all that are known by then.
func takeSurvey(ctx context.Context, o Options) (*survey, error) {
	s := &survey{assistants: []Assistant{}, projects: map[string]*KnownProject{}, folders: map[string][]string{}, located: map[string]history.Project{}}
	e, err := openPerson(o)
	if err != nil {
		return s, err
	}
	s.states = e.states()
	records, err := e.records()
	if err != nil {
		s.errs = append(s.errs, err)
	}
	var roots []string
	for _, r := range records {
		p := history.Project{Root: r.Root}
		if isFolder(r.Root) {
			p = s.locate(r.Root)
			roots = append(roots, p.Root)
		}
		if !r.Added.IsZero() || isFolder(filepath.Join(p.Root, history.MemoryDir)) {
			s.project(p)
		}
	}
	for _, name := range config.KnownSources {
		source := e.discoverer(name)
		if source == nil {
			continue
		}
		d, err := source.Discover(ctx, roots)
		if ctx.Err() != nil {
			return s, ctx.Err()
		}
		s.add(d, err)
		for root := range s.projects {
			roots = append(roots, root)
		}
	}
	return s, nil
}

// discoverer makes the source that finds where an assistant was used, nil if the
// settings leave it out.
func (e *Engine) discoverer(name string) history.Discoverer {
	if slices.Contains(e.settings().Sources, name) {
		d, _ := e.source(name).(history.Discoverer)
		return d
	}
	return nil
}

// add takes in what one assistant's history names.
func (s *survey) add(d history.Discovery, err error) {
	a := Assistant{Name: d.Source, Found: d.Found, Where: d.Where}
	switch {
	case err != nil:
		p := Explain(err)
		a.Found, a.Problem = true, &p
		s.errs = append(s.errs, err)
	case len(d.Damage) > 0:
		first := d.Damage[0]
		a.Problem = &Problem{
			Code: "unreadable", Message: first.File + ": " + first.Kind + " (" + first.Note + ")",
			Hint: "the rest was read; recollect doctor tells more", Exit: ExitFailed,
		}
	}
	s.tops = append(s.tops, d.Tops...)
	s.findRemoved(d.Used)
	found := map[string]bool{}
	for _, u := range d.Used {
		if !history.Absolute(u.Dir) {
			continue
		}
		p := s.project(s.locate(u.Dir))
		if !slices.Contains(p.Assistants, d.Source) {
			p.Assistants = append(p.Assistants, d.Source)
		}
		for _, folder := range d.Folders[u.Dir] {
			if !slices.Contains(s.folders[p.Root], folder) {
				s.folders[p.Root] = append(s.folders[p.Root], folder)
			}
		}
		p.Sessions += u.Sessions
		if u.LastActive.After(p.LastActive) {
			p.LastActive = u.LastActive
		}
		found[p.Root] = true
		a.Sessions += u.Sessions
	}
	a.Projects = len(found)
	s.assistants = append(s.assistants, a)
}

// locate gives the project of a directory, each asked for once. One that can't
// be resolved is a project by itself.
func (s *survey) locate(dir string) history.Project {
	if p, ok := s.located[dir]; ok {
		return p
	}
	p, err := history.Locate(dir)
	if err != nil {
		p = history.Project{Root: filepath.Clean(dir)}
	}
	if !isFolder(dir) {
		for _, r := range s.removed {
			if r.Owns(dir) {
				p = r
				break
			}
		}
	}
	s.located[dir] = p
	return p
}

// findRemoved looks for projects that remember work trees which git has
// forgotten: what was said in those is theirs.
func (s *survey) findRemoved(used []history.Used) {
	for _, u := range used {
		if !history.Absolute(u.Dir) || !isFolder(u.Dir) {
			continue
		}
		p := s.locate(u.Dir)
		if slices.ContainsFunc(s.removed, func(r history.Project) bool { return r.Root == p.Root }) {
			continue
		}
		known := loadWorktrees(s.states.of(p))
		gone := slices.DeleteFunc(known, func(w string) bool { return !filepath.IsAbs(w) || slices.Contains(p.Worktrees, w) })
		if len(gone) > 0 {
			p.Worktrees = slices.Concat(p.Worktrees, gone)
			s.removed = append(s.removed, p)
		}
	}
}

// project gives the entry of a project, which is made with the first asking.
func (s *survey) project(p history.Project) *KnownProject {
	if k := s.projects[p.Root]; k != nil {
		return k
	}
	k := &KnownProject{
		Root: p.Root, Name: p.Name(), Assistants: []string{}, Exists: isFolder(p.Root),
		Memory: isFolder(filepath.Join(p.Root, history.MemoryDir)),
	}
	s.projects[p.Root] = k
	return k
}
