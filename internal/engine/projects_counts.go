package engine

import (
	"context"
	"path/filepath"
	"runtime"
	"sync"

	"recollect/internal/history"
)

// ProjectCounts are what a person wants to know of a project before any other, as
// Status counts it.
type ProjectCounts struct {
	NewTurns  int `json:"new_turns"`
	Items     int `json:"items"`     // active ones, of all branches
	Review    int `json:"review"`    // proposals that wait
	Conflicts int `json:"conflicts"` // open ones
	Asked     int `json:"asked"`     // settings of the project that wait for the person's yes
}

// CountProjects fills in the counts of projects that Projects gave, and whether
// they have a memory by now. No transcript is read and no plug-in is opened. What
// can't be read is not counted: Status tells of it.
func CountProjects(ctx context.Context, o Options, projects []KnownProject) {
	var group sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range projects {
		if !projects[i].Exists {
			continue
		}
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() == nil {
				projects[i].count(o)
			}
		})
	}
	group.Wait()
}

// count counts one. Where nothing is known there are no counts. Proposals may wait
// where there is no memory yet.
func (p *KnownProject) count(o Options) {
	p.Counts = nil
	p.Memory = isFolder(filepath.Join(p.Root, history.MemoryDir))
	o.Dir, o.Tolerant = p.Root, true
	e, err := Open(o)
	if err != nil {
		return
	}
	defer e.Close()
	c, err := e.countsNow()
	if err != nil || !p.Memory && c.Counted.IsZero() && !e.hasState() {
		return
	}
	n := &ProjectCounts{NewTurns: c.NewTurns}
	for _, one := range c.Memories {
		n.Items += one.Items
	}
	waits, _, _ := e.waits()
	for _, w := range waits {
		n.Review += w.proposals
	}
	open, _ := e.Conflicts(false)
	n.Conflicts = len(open)
	var s Status
	e.statusOfTrust(&s)
	n.Asked = s.Asked
	p.Counts = n
}
