package engine

import (
	"context"
	"runtime"
	"sync"
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

// CountProjects fills in the counts of projects that Projects gave. No transcript
// is read and no plug-in is opened. What can't be read is not counted: Status
// tells of it.
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
				projects[i].Counts = countProject(o, projects[i])
			}
		})
	}
	group.Wait()
}

// countProject counts one; nil if nothing is known of it.
func countProject(o Options, p KnownProject) *ProjectCounts {
	o.Dir, o.Tolerant = p.Root, true
	e, err := Open(o)
	if err != nil {
		return nil
	}
	defer e.Close()
	n := &ProjectCounts{}
	c := e.loadCounts()
	if p.Memory {
		if c, err = e.countsNow(); err != nil {
			return nil
		}
		waits, _, _ := e.waits()
		for _, w := range waits {
			n.Review += w.proposals
		}
		open, _ := e.Conflicts(false)
		n.Conflicts = len(open)
	} else if c.Counted.IsZero() {
		return nil
	}
	n.NewTurns = c.NewTurns
	for _, one := range c.Memories {
		n.Items += one.Items
	}
	var s Status
	e.statusOfTrust(&s)
	n.Asked = s.Asked
	return n
}
