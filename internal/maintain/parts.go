package maintain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// all lists the branches, once a run.
func (r *run) all() ([]Branch, error) {
	var err error
	if r.branches == nil {
		r.branches, err = r.Branches(r)
	}
	return r.branches, err
}

// memorizeUnknown memorizes branches that have history and no memory.
func (r *run) memorizeUnknown(p *Part) error {
	return r.memorize(p, func(b Branch) bool { return !b.Memory && b.NewTurns > 0 }, "has no memory yet", "have no memory yet", "every branch with history has a memory")
}

// memorizeNew memorizes branches with a memory that have new turns.
func (r *run) memorizeNew(p *Part) error {
	return r.memorize(p, func(b Branch) bool { return b.Memory && b.NewTurns > 0 }, "has new turns", "have new turns", "no branch has new turns")
}

// memorize brings the wanted branches into memory, the one with the oldest gap
// first. It goes on until MaxBranches had something to extract.
func (r *run) memorize(p *Part, want func(Branch) bool, one, many, none string) error {
	r.branches = nil // a part before may have memorized some
	all, err := r.all()
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(slices.Clone(all), func(b Branch) bool { return !want(b) })
	slices.SortFunc(all, func(a, b Branch) int {
		if c := a.OldGap.Compare(b.OldGap); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	names := make([]string, len(all))
	for i, b := range all {
		names[i] = b.Name
	}
	if len(names) == 0 {
		p.Words = none
		return nil
	}
	r.branches = nil
	done, skipped := 0, 0
	for looked := 0; len(names) > 0 && done < MaxBranches && looked < maxLooks; {
		next := names[:min(len(names), MaxBranches-done, maxLooks-looked)]
		reports, err := r.Memorize(r, next, r.DryRun)
		for _, m := range reports {
			if m.Skipped {
				skipped++
			} else {
				done++
			}
			p.take(m)
		}
		if err != nil {
			p.Deferred = names[min(len(reports), len(names)):]
			return err
		}
		names, looked = names[len(next):], looked+len(next)
	}
	p.Deferred = names
	p.Words = number(len(all), "branch "+one, "branches "+many)
	if r.DryRun {
		p.Branches = done
		p.Words += fmt.Sprintf("; would memorize %d", done)
		return nil
	}
	p.Words += fmt.Sprintf("; memorized %d with %s", done, number(p.Changes, "change", "changes"))
	if skipped > 0 {
		p.Words += fmt.Sprintf("; %d with nothing worth keeping", skipped)
	}
	return nil
}

// take counts what came of one branch.
func (p *Part) take(m Memorized) {
	if m.Failed != nil {
		p.Errors = append(p.Errors, m.Branch+": "+m.Failed.Error())
		return
	}
	p.Changes += m.Changes
	if m.Changes > 0 {
		p.Branches++
	}
	p.say(m.Waits)
}

// say adds a note, once.
func (p *Part) say(note string) {
	if note != "" && !slices.Contains(p.Notes, note) {
		p.Notes = append(p.Notes, note)
	}
}

func remembers(b Branch) bool { return b.Memory }

// each does something with the branches that are meant; one that fails does not
// hold up the others, one that has to wait ends the part.
func (r *run) each(p *Part, meant func(Branch) bool, do func(name string) (changes int, err error)) (branches int, err error) {
	all, err := r.all()
	if err != nil {
		return 0, err
	}
	for _, b := range all {
		if !meant(b) {
			continue
		}
		if err := r.Err(); err != nil {
			return branches, err
		}
		branches++
		n, err := do(b.Name)
		switch {
		case errors.Is(err, ErrPutOff):
			return branches, err
		case err != nil:
			p.Errors = append(p.Errors, b.Name+": "+err.Error())
			continue
		}
		if p.Changes += n; n > 0 {
			p.Branches++
		}
	}
	return branches, nil
}

// tidy looks at what changed since the last nightly run, at least a day back: a
// run that was missed leaves no gap. The first one looks at everything.
func (r *run) tidy(p *Part) error {
	since := r.log.Nightly
	if day := r.Now().Add(-Recent); since.After(day) {
		since = day
	}
	n, err := r.each(p, func(b Branch) bool { return b.Memory || b.Suggests }, func(name string) (int, error) {
		t, err := r.Tidy(r, name, since, r.DryRun)
		p.Conflicts += t.Conflicts
		p.say(t.Waits)
		if t.Merged > 0 && t.Waits == "" && err == nil {
			p.Changed = append(p.Changed, name)
		}
		return t.Merged, err
	})
	p.Words = fmt.Sprintf("%s: %s merged, %s", number(n, "memory", "memories"),
		number(p.Changes, "duplicate", "duplicates"), number(p.Conflicts, "new contradiction", "new contradictions"))
	return err
}

func (r *run) pack(p *Part) error {
	items, versions := 0, 0
	now := r.Now()
	_, err := r.each(p, remembers, func(name string) (int, error) {
		k, err := r.Pack(r, name, now.Add(-OldItems), now.Add(-OldVersions), r.DryRun)
		items, versions = items+k.Items, versions+k.Versions
		return k.Items + k.Versions, err
	})
	p.Words = fmt.Sprintf("%s and %s packed", number(items, "old item", "old items"), number(versions, "old version", "old versions"))
	return err
}

func (r *run) rebuild(p *Part) error {
	n, err := r.Rebuild(r, r.DryRun)
	p.Changes = n
	p.Words = number(n, "index or cache", "indexes and caches") + " made anew"
	return err
}

func (r *run) check(p *Part) error {
	c, err := r.Check(r, r.DryRun)
	p.Changes = c.Fixed
	p.Words = fmt.Sprintf("%s checked, %s, %d mended", number(c.Files, "memory", "memories"), number(c.Findings, "finding", "findings"), c.Fixed)
	if c.Findings > c.Fixed && !r.DryRun {
		p.say("recollect doctor tells more")
	}
	return err
}
