package engine

import (
	"maps"
	"slices"

	"recollect/internal/folderwatch"
	"recollect/internal/history"
)

// maxHeadProjects are watched for what is checked out, those worked on last first.
const maxHeadProjects = 32

// noHead says which names in a git directory do not tell what is checked out.
func noHead(name string) bool { return name != "HEAD" && name != "tables.list" }

// followHeads watches what is checked out in projects. Whether one has a memory is
// looked at when its head changes.
func (w *watch) followHeads(projects []*KnownProject) {
	heads := map[string]head{}
	var order []string
	for _, k := range projects[:min(len(projects), maxHeadProjects)] {
		p, err := history.Locate(k.Root)
		if err != nil {
			continue
		}
		folders := p.HeadFolders()
		for _, f := range slices.Sorted(maps.Keys(folders)) {
			if _, there := heads[f]; !there {
				heads[f] = head{root: p.Root, top: folders[f]}
				order = append(order, f)
			}
		}
	}
	w.mu.Lock()
	w.headOf = heads
	w.mu.Unlock()
	w.heads.Set(order)
}

// head says of which work tree and project a folder of git is.
type head struct{ root, top string }

// checkedOut is told that something else may be checked out.
func (w *watch) checkedOut(changes []folderwatch.Change) {
	at := map[head]bool{}
	w.mu.Lock()
	for _, c := range changes {
		if h, ok := w.headOf[c.Folder]; ok {
			at[h] = true
		}
	}
	for h := range at {
		w.begin(func() { w.writeBlock(h) })
	}
	w.mu.Unlock()
}

// writeBlock brings what assistants read up to what is checked out, where the settings
// want that, and tells.
func (w *watch) writeBlock(h head) {
	o := w.options
	o.Dir = h.top // an engine of the Desk may be at another work tree
	e, err := Open(o)
	if err == nil {
		e.writeBlock(w.ctx)
		_ = e.Close()
	}
	w.desk.notice(h.root, "memory")
}
