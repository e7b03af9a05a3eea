package engine

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/internal/config"
	"recollect/internal/folderwatch"
	"recollect/internal/history"
	"recollect/internal/safefile"
)

// Watch says what of the doings of other processes a Desk tells.
type Watch struct {
	// History tells where something new was said: "history" of each known project,
	// those worked on last first, as far as the bounds reach.
	History bool
	// Memory tells what changed in the memory folders of the projects that were
	// used last, and in the person's settings and plug-ins. What the Desk itself
	// writes is told too, once.
	Memory bool
	// Heads tells "memory" where git has something else checked out, and writes the
	// block of that where the setting inject.auto is on. It needs History.
	Heads bool
	// Polling looks instead of asking the system.
	Polling bool
}

const (
	// maxHistoryFolders are watched; further ones are of projects that nobody has
	// worked on for long.
	maxHistoryFolders = 256
	// maxNewFolders are watched of those in which nothing of a project was found
	// yet.
	maxNewFolders = 16
	// maxUsed is how many memory folders are watched.
	maxUsed = 4
	// surveyEvery keeps a busy folder from having all projects looked for all the
	// time.
	surveyEvery = 5 * time.Second
	// newFor is how long a new folder makes looking more urgent.
	newFor = 30 * time.Second
)

// watch tells a Desk what others do. A nil one does nothing.
type watch struct {
	desk    *Desk
	options Options
	dirs    config.Dirs
	ctx     context.Context
	cancel  context.CancelFunc
	work    sync.WaitGroup
	history *folderwatch.Watcher // nil: not wanted
	memory  *folderwatch.Watcher
	heads   *folderwatch.Watcher

	mu       sync.Mutex
	roots    map[string][]string // projects by folder of history
	tops     []string
	headOf   map[string]head   // folders of git
	fresh    []string          // folders of history that are no project's yet, newest first
	used     []string          // roots, the last one first
	states   map[string]string // folders of the states of those, by root
	came     time.Time         // when a folder came last
	surveyed time.Time
	again    *time.Timer // looks for projects once more; nil: not due
}

func newWatch(d *Desk, o DeskOptions) *watch {
	w := &watch{desk: d, options: o.Engine, roots: map[string][]string{}}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	if e, err := openPerson(o.Engine); err == nil {
		w.dirs = e.dirs
	}
	if o.Watch.History {
		if o.Watch.Heads {
			w.heads = folderwatch.New(folderwatch.Options{Polling: o.Watch.Polling, Ignore: noHead}, w.checkedOut)
		}
		w.history = folderwatch.New(folderwatch.Options{Max: maxHistoryFolders, Polling: o.Watch.Polling, Ignore: noHistory}, w.said)
		w.work.Go(w.survey)
	}
	if o.Watch.Memory {
		w.memory = folderwatch.New(folderwatch.Options{Polling: o.Watch.Polling, Ignore: noMemory}, w.changed)
		w.work.Go(w.follow)
	}
	return w
}

// close ends the watching; nothing is told afterwards.
func (w *watch) close() {
	if w == nil {
		return
	}
	w.mu.Lock()
	w.cancel()
	if w.again != nil {
		w.again.Stop()
	}
	w.mu.Unlock()
	w.work.Wait()
	for _, f := range []*folderwatch.Watcher{w.history, w.memory, w.heads} {
		if f != nil {
			f.Close()
		}
	}
}

// begin runs f beside all else, unless the watching ends. It is called under the
// lock.
func (w *watch) begin(f func()) {
	if w.ctx.Err() == nil {
		w.work.Go(f)
	}
}

// noHistory says which names in folders of history say nothing new: temporary
// ones. A folder of a session has its own, which nobody reads.
func noHistory(name string) bool { return strings.HasPrefix(name, ".") }

// survey finds the folders of all projects and watches them.
func (w *watch) survey() {
	s, err := takeSurvey(w.ctx, w.options)
	if err != nil {
		return
	}
	var projects []*KnownProject
	for _, p := range s.projects {
		projects = append(projects, p)
	}
	slices.SortFunc(projects, func(a, b *KnownProject) int { return b.LastActive.Compare(a.LastActive) })
	if w.heads != nil {
		w.followHeads(projects)
	}
	roots, order := map[string][]string{}, existing(s.tops)
	w.mu.Lock()
	w.tops = order
	fresh := w.fresh
	w.mu.Unlock()
	for _, p := range projects {
		for _, folder := range s.folders[p.Root] {
			if roots[folder] == nil {
				order = append(order, folder)
			}
			roots[folder] = append(roots[folder], p.Root)
		}
	}
	fresh = slices.DeleteFunc(slices.Clone(fresh), func(f string) bool { return roots[f] != nil })
	order = slices.Concat(fresh, order)
	w.history.Set(order)
	w.mu.Lock()
	known := w.roots
	first := w.surveyed.IsZero()
	w.roots, w.fresh, w.surveyed = roots, fresh, time.Now()
	w.mu.Unlock()
	for folder, now := range roots {
		for _, root := range now {
			if !first && !slices.Contains(known[folder], root) {
				w.desk.notice(root, "history")
			}
		}
	}
}

// existing gives the folders that are there; of one that is not, the one in which
// it would come.
func existing(folders []string) []string {
	var out []string
	for _, f := range folders {
		if isFolder(f) {
			out = append(out, f)
		} else if above := filepath.Dir(f); isFolder(above) {
			out = append(out, above)
		}
	}
	return out
}

// said is told what changed in folders of history.
func (w *watch) said(changes []folderwatch.Change) {
	told := map[string]bool{}
	look := false
	w.mu.Lock()
	for _, c := range changes {
		if slices.Contains(w.tops, c.Folder) {
			look = true
			w.come(c)
			continue
		}
		look = look || len(w.roots[c.Folder]) == 0
		for _, root := range w.roots[c.Folder] {
			told[root] = true
		}
	}
	if look {
		w.lookAgain()
	}
	w.mu.Unlock()
	for root := range told {
		w.desk.notice(root, "history")
	}
}

// come takes in folders that came. It is called under the lock.
func (w *watch) come(c folderwatch.Change) {
	for _, name := range c.Names {
		folder := filepath.Join(c.Folder, name)
		if w.roots[folder] == nil && !slices.Contains(w.fresh, folder) && isFolder(folder) {
			w.fresh, w.came = slices.Insert(w.fresh, 0, folder), time.Now()
		}
	}
	w.fresh = w.fresh[:min(len(w.fresh), maxNewFolders)]
}

// lookAgain has the projects looked for soon. It is called under the lock.
func (w *watch) lookAgain() {
	if w.again != nil {
		return
	}
	wait := max(0, surveyEvery-time.Since(w.surveyed))
	if time.Since(w.came) < newFor {
		wait = min(wait, time.Second)
	}
	w.again = time.AfterFunc(wait, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.again = nil
		w.begin(w.survey)
	})
}

// use says that a project is looked at.
func (w *watch) use(root string) {
	if w == nil || w.memory == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if i := slices.Index(w.used, root); i >= 0 {
		w.used = slices.Insert(slices.Delete(w.used, i, i+1), 0, root)
		return
	}
	w.used = slices.Insert(w.used, 0, root)
	w.used = w.used[:min(len(w.used), maxUsed)]
	w.begin(w.follow)
}

// follow watches the memory folders of the projects that were used last.
func (w *watch) follow() {
	w.mu.Lock()
	used := slices.Clone(w.used)
	w.mu.Unlock()
	folders := []string{w.dirs.Config, w.dirs.Plugins()}
	all, states := statesOf(w.dirs.Data), map[string]string{}
	for _, root := range used {
		in := safefile.Beneath(root).Sub(history.MemoryDir)
		if !in.IsDir() {
			folders = append(folders, root)
			continue
		}
		folders = append(folders, in.Path())
		if branches := in.Sub("branches"); branches.IsDir() {
			folders = append(folders, branches.Path())
		}
		p, err := history.Locate(root)
		if err != nil {
			continue
		}
		if state := all.of(p); state.IsDir() {
			states[root] = state.Path()
			folders = append(folders, state.Path(), state.Path("review"))
		} else {
			folders = append(folders, all.dir)
		}
	}
	w.mu.Lock()
	w.states = states
	w.mu.Unlock()
	w.memory.Set(folders)
}

// noMemory says which names in a memory folder do not matter.
func noMemory(name string) bool {
	return strings.HasPrefix(name, ".") && name != history.MemoryDir || strings.HasSuffix(name, ".lock")
}

// changed is told what changed in memory folders.
func (w *watch) changed(changes []folderwatch.Change) {
	w.mu.Lock()
	used := slices.Clone(w.used)
	w.mu.Unlock()
	follow := false
	if len(used) == 0 { // the settings are the person's
		used = []string{""}
	}
	for _, root := range used {
		var what []string
		for _, c := range changes {
			more, inside := w.meaning(root, c)
			follow = follow || inside
			for _, m := range more {
				if !slices.Contains(what, m) {
					what = append(what, m)
				}
			}
		}
		if root != "" && slices.Contains(what, "memory") {
			w.takeIn(root)
		}
		w.desk.notice(root, what...)
	}
	if follow { // folders may have come or gone
		w.mu.Lock()
		w.begin(w.follow)
		w.mu.Unlock()
	}
}

// takeIn has what a person wrote by hand known as theirs, before they commit it.
func (w *watch) takeIn(root string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(func() {
		o := w.options
		o.Dir = root
		e, err := Open(o)
		if err != nil {
			return // the person sees that where they look
		}
		defer e.Close()
		_ = e.lookAround(w.ctx) // what is not known counts as unseen
	})
}

// meaning says what a change is to a project, and whether it is one of folders.
func (w *watch) meaning(root string, c folderwatch.Change) (what []string, folders bool) {
	dir := filepath.Join(root, history.MemoryDir)
	w.mu.Lock()
	state := w.states[root]
	w.mu.Unlock()
	has := func(name string) bool { return len(c.Names) == 0 || slices.Contains(c.Names, name) }
	add := func(is bool, name ...string) {
		if is {
			what = append(what, name...)
		}
	}
	switch c.Folder {
	case root:
		add(has(history.MemoryDir), "memory", "review", "conflicts", "settings")
		return what, len(what) > 0
	case dir:
		add(has("conflicts.json"), "conflicts")
		add(has("config.json"), "settings")
		add(has("branches"), "memory")
		return what, has("branches") || has(localDir)
	case filepath.Join(dir, "branches"):
		return []string{"memory"}, len(c.Names) == 0
	case statesOf(w.dirs.Data).dir:
		return nil, state == ""
	case w.dirs.Config:
		add(has("config.json"), "settings")
	case w.dirs.Plugins():
		add(has("plugins.json"), "plugins")
	}
	switch {
	case state == "":
	case c.Folder == state:
		add(has("review"), "review")
		return what, has("review")
	case c.Folder == filepath.Join(state, "review"):
		return []string{"review"}, len(c.Names) == 0
	}
	return what, false
}

// newestOf is when one of the files was changed last.
func newestOf(files []string) time.Time {
	var last time.Time
	for _, f := range files {
		if info, err := os.Stat(f); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}
