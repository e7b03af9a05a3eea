package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"recollect/internal/filelock"
	"recollect/internal/history"
	"recollect/internal/history/claudecode"
	"recollect/internal/maintain"
	"recollect/internal/memorize"
	"recollect/internal/memory"
)

// upkeep does for an engine what maintenance consists of.
type upkeep struct {
	e    *Engine
	tell func(part string, p Progress)
	part string
	// letIn, if not nil, does in this process what people wait for.
	letIn func()
	begun bool // the lock was held: the run is finished, whoever was let in
}

var _ maintain.Work = (*upkeep)(nil)

// hold takes the project's lock, once those have it whom people wait for; if another
// process holds it when the run begins, the work is put off.
func (u *upkeep) hold(ctx context.Context) (*filelock.Lock, error) {
	wait := min(maintenanceWait, u.e.options.LockWait)
	if u.begun {
		wait = resumeWait
	}
	l, err := u.e.lockInBackground(ctx, "keeping its memory up", wait, u.letIn)
	if ctx.Err() != nil {
		return l, ctx.Err()
	}
	u.begun = u.begun || err == nil
	return l, putOff(err)
}

// putOff says that what another process is at has to wait.
func putOff(err error) error {
	if errors.Is(err, filelock.ErrBusy) {
		return fmt.Errorf("%w: %w", maintain.ErrPutOff, err)
	}
	return err
}

// Branches implements maintain.Work. No plug-in is opened.
func (u *upkeep) Branches(ctx context.Context) ([]maintain.Branch, error) {
	h, err := u.e.openHistory(ctx)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	refs := map[string][]history.Ref{}
	for _, r := range h.Refs("*") {
		refs[r.Branch] = append(refs[r.Branch], r)
	}
	stored, err := u.e.memories().Branches()
	if err != nil {
		return nil, err
	}
	held, _, err := u.e.inboxes().All()
	if err != nil {
		return nil, err
	}
	suggested := map[string]bool{}
	for _, x := range held {
		suggested[x.Branch] = x.Suggests()
	}
	names := slices.Concat(stored, slices.Collect(maps.Keys(refs)), slices.Collect(maps.Keys(suggested)))
	slices.Sort(names)
	out := make([]maintain.Branch, 0, len(names))
	for _, name := range slices.Compact(names) {
		b := maintain.Branch{Name: name, Memory: slices.Contains(stored, name), Suggests: suggested[name]}
		if len(refs[name]) > 0 {
			if b.NewTurns, b.OldGap, err = u.gap(name, refs[name]); err != nil {
				return nil, err
			}
		}
		if b.Memory || b.Suggests || len(refs[name]) > 0 {
			out = append(out, b)
		}
	}
	return out, nil
}

// gap counts the turns that some enabled extractor has not seen, and says when
// the first of them was said.
func (u *upkeep) gap(branch string, refs []history.Ref) (n int, oldest time.Time, err error) {
	seen, err := u.e.seen().Load(branch)
	if err != nil {
		return 0, oldest, err
	}
	for _, id := range u.e.extractors() {
		fresh := seen.New(id, refs)
		n = max(n, len(fresh))
		for _, r := range fresh {
			if oldest.IsZero() || r.Time.Before(oldest) {
				oldest = r.Time
			}
		}
	}
	return n, oldest, nil
}

// Memorize implements maintain.Work. Done dry, it asks nobody: how much there
// would be to remember only an extractor can say, and one may cost money.
func (u *upkeep) Memorize(ctx context.Context, branches []string, dry bool) ([]maintain.Memorized, error) {
	var out []maintain.Memorized
	if dry {
		for _, b := range branches {
			out = append(out, maintain.Memorized{Branch: b})
		}
		return out, nil
	}
	// Memorize takes the lock itself, and would wait for it for long.
	l, err := u.hold(ctx)
	if err != nil {
		return nil, err
	}
	if err := l.Release(); err != nil {
		return nil, err
	}
	o := MemorizeOptions{Branches: branches, Background: true, LetIn: u.letIn, patience: resumeWait}
	if u.tell != nil {
		o.Progress = func(p Progress) { u.tell(u.part, p) }
	}
	reports, err := u.e.Memorize(ctx, o)
	for _, r := range reports {
		m := maintain.Memorized{
			Branch: r.Branch, Changes: len(r.Changes),
			Skipped: r.Outcome == memorize.Skipped || r.Outcome == memorize.Unchanged && r.NewTurns == 0,
		}
		if r.Problem != nil {
			m.Failed = errors.New(r.Problem.Message)
		}
		if len(r.Warnings) > 0 {
			m.Waits = oneLine(r.Warnings[0])
		}
		out = append(out, m)
	}
	return out, putOff(err)
}

// tidyTries bounds how often a memory is tidied anew because a person wrote it
// meanwhile.
const tidyTries = 5

const reviewFirst = "with review on, what was merged waits: recollect review"

// Tidy implements maintain.Work.
func (u *upkeep) Tidy(ctx context.Context, branch string, since time.Time, dry bool) (maintain.Tidied, error) {
	if !dry {
		l, err := u.hold(ctx)
		if err != nil {
			return maintain.Tidied{}, err
		}
		defer l.Release()
	}
	for range tidyTries {
		t, err := u.tidy(ctx, branch, since, dry)
		if !errors.Is(err, memory.ErrChanged) {
			return t, putOff(err)
		}
	}
	return maintain.Tidied{}, memory.ErrChanged
}

func (u *upkeep) tidy(ctx context.Context, branch string, since time.Time, dry bool) (maintain.Tidied, error) {
	var t maintain.Tidied
	e := u.e
	review, err := u.inbox(branch) // before the memory, as a memorize reads them
	if err != nil {
		return t, err
	}
	m, rev, err := e.memories().Load(branch)
	if err != nil {
		return t, err
	}
	next, conflicts := review.tidy(m, since, e.options.Now())
	review.settle(next, e.options.Now())
	t.Merged = review.merged
	if review.on && t.Merged > 0 {
		t.Waits = reviewFirst
	}
	if dry {
		t.Conflicts, err = e.conflictsFile().News(branch, next, conflicts)
		return t, err
	}
	changed := !reflect.DeepEqual(next.Items, m.Items)
	if changed {
		if _, err := e.memories().Save(ctx, next, rev); err != nil {
			return maintain.Tidied{}, err
		}
	}
	if err := review.save(e); err != nil {
		return maintain.Tidied{}, err
	}
	if t.Conflicts, err = e.conflictsFile().Add(branch, next, conflicts, e.options.Now()); err != nil {
		return t, err
	}
	return t, nil
}

// reviewed is what a tidied memory has to do with review.
type reviewed struct {
	on     bool
	was    memory.Inbox
	rev    memory.Revision
	next   memory.Inbox
	merged int // items that another one says too; with review: that wait because of it
}

func (u *upkeep) inbox(branch string) (r *reviewed, err error) {
	r = &reviewed{on: u.e.settings().Review.Enabled}
	r.was, r.rev, err = u.e.inboxes().Load(branch)
	r.next = r.was
	if damaged := new(memory.InboxError); !r.on && errors.As(err, &damaged) {
		err = nil // nothing is lost by leaving it: Review tells of it
	}
	return r, err
}

// tidy gives the memory as it is to be saved. With review, what would be merged
// waits, and only that where somebody said something twice goes in at once.
func (r *reviewed) tidy(m memory.Memory, since, now time.Time) (memory.Memory, []memory.Conflict) {
	before := r.was.Settle(m, now)
	over := m
	if r.on {
		over = before.Over(m)
	}
	next, changes, conflicts := memory.Tidy(over, since, now)
	if !r.on {
		for _, c := range changes {
			if c.Action == memory.Replaced {
				r.merged++
			}
		}
		return next, conflicts
	}
	// What only waits contradicts nothing yet: it is asked about when it comes in.
	conflicts = slices.DeleteFunc(conflicts, func(c memory.Conflict) bool {
		return !remembers(m, c.ID) || !remembers(m, c.Other)
	})
	if len(changes) == 0 {
		return m, conflicts
	}
	quiet, after := before.Propose(m, next, now)
	if len(after.Waiting) > memory.MaxWaiting {
		return m, conflicts
	}
	if len(after.Waiting) > 0 && len(after.Layout.Sections) == 0 {
		after.Layout = m.Layout
	}
	r.next = after
	r.merged = max(len(after.Settle(quiet, now).Proposals())-len(before.Proposals()), 0)
	return quiet, conflicts
}

func remembers(m memory.Memory, id string) bool {
	return slices.ContainsFunc(m.Items, func(it memory.Item) bool { return it.ID == id && it.State == memory.Active })
}

// settle drops suggestions that have waited too long, or that the memory says by
// now.
func (r *reviewed) settle(m memory.Memory, now time.Time) {
	if r.next.Suggests() {
		r.next = r.next.Settle(m, now).Suggest(m, nil, now)
	}
}

// save keeps what waits, after the memory: a crash in between is made up for by
// the next run.
func (r *reviewed) save(e *Engine) error {
	if reflect.DeepEqual(r.next, r.was) {
		return nil
	}
	return e.inboxes().Save(r.next, r.rev)
}

// Pack implements maintain.Work.
func (u *upkeep) Pack(ctx context.Context, branch string, items, versions time.Time, dry bool) (maintain.Packed, error) {
	if !dry {
		l, err := u.hold(ctx)
		if err != nil {
			return maintain.Packed{}, err
		}
		defer l.Release()
	}
	p, err := u.e.memories().Pack(ctx, branch, memory.PackOptions{
		Items: items, Versions: versions, KeepVersions: maintain.KeepVersions, DryRun: dry,
	})
	return maintain.Packed{Items: p.Items, Versions: p.Versions}, putOff(err)
}

// Rebuild implements maintain.Work: the index of the project's transcripts, the
// counts of its memories and the blocks for hooks.
func (u *upkeep) Rebuild(ctx context.Context, dry bool) (int, error) {
	e := u.e
	h, err := e.openHistory(ctx)
	if err != nil {
		return 0, err
	}
	var files []string
	for _, s := range h.Sessions() {
		if s.Source == claudecode.Name {
			files = append(files, s.Files...)
		}
	}
	if err := h.Close(); err != nil {
		return 0, err
	}
	slices.Sort(files)
	files = slices.Compact(files)
	names, err := e.memories().Branches()
	if err != nil || dry {
		return len(files) + len(names), err
	}
	if _, err := claudecode.DropIndex(e.dirs.Index(claudecode.Name), files); err != nil {
		return 0, err
	}
	e.saveCounts(counts{Root: e.project.Root, Memories: map[string]countsOfOne{}})
	if _, err := e.Branches(ctx); err != nil { // which makes both anew
		return len(files), err
	}
	l, err := u.hold(ctx)
	if err != nil {
		return len(files), err
	}
	defer l.Release()
	var errs []error
	for _, name := range names {
		if _, err := e.prepare(ctx, name); err != nil {
			errs = append(errs, fmt.Errorf("the block of %s: %w", branchInWords(name), err))
		}
	}
	return len(files) + len(names), errors.Join(errs...)
}

// Check implements maintain.Work: what a doctor finds and mends.
func (u *upkeep) Check(ctx context.Context, dry bool) (maintain.Checked, error) {
	var c maintain.Checked
	if !dry {
		l, err := u.hold(ctx)
		if err != nil {
			return c, err
		}
		defer l.Release()
	}
	d, err := u.e.diagnose(ctx, !dry)
	if err != nil {
		return c, putOff(err)
	}
	names, err := u.e.memories().Branches()
	c.Files, c.Findings = len(names), len(d.Findings)
	for _, f := range d.Findings {
		if f.Fixed {
			c.Fixed++
		}
	}
	return c, err
}
