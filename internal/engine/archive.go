package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"recollect/internal/config"
	"recollect/internal/history"
	"recollect/internal/history/archive"
	"recollect/internal/memorize"
	"recollect/internal/memory"
	"recollect/internal/safefile"
)

// ArchiveReport says what became of the archive of sessions.
type ArchiveReport struct {
	Sessions int             // that were looked at
	Written  int             // of them: were not archived as they are
	Failed   int             // of them
	Err      error           // of the first that failed
	Removed  archive.Removed // to keep to the limit
	Damaged  []string        // files that were set aside
}

// archive is what is kept of sessions of the project that were read.
func (e *Engine) archive() *archive.Store {
	return archive.New(filepath.Join(e.dirs.Data, "archive"), e.project.Root, archive.Options{Before: e.options.beforeArchive})
}

// archiving gives the settings of the archive.
func (e *Engine) archiving() config.Archive { return e.settings().Archive }

// ArchiveSessions archives the sessions that were read: of which a turn was
// memorized, or which an item came from. Memorize does that for its branches; this
// is for what was read before, or elsewhere.
func (e *Engine) ArchiveSessions(ctx context.Context) (ArchiveReport, error) {
	lock, err := e.lock(ctx, "archiving")
	if err != nil {
		return ArchiveReport{}, err
	}
	defer lock.Release()
	h, err := e.openHistory(ctx)
	if err != nil {
		return ArchiveReport{}, err
	}
	defer h.Close()
	wanted := e.cited(e.project.Root)
	byBranch := map[string][]history.Ref{}
	for _, r := range h.refs {
		byBranch[r.Branch] = append(byBranch[r.Branch], r)
	}
	for name, refs := range byBranch {
		seen, err := e.seen().Load(name)
		if err != nil {
			return ArchiveReport{}, err
		}
		for _, id := range e.extractors() {
			fresh := map[turnKey]bool{}
			for _, r := range seen.New(id, refs) {
				fresh[keyOf(r)] = true
			}
			for _, r := range refs {
				if !fresh[keyOf(r)] {
					wanted[archive.Cited{Source: r.Source, Session: r.Session}] = true
				}
			}
		}
	}
	r := e.keepSessions(ctx, h, wanted)
	return r, ctx.Err()
}

// archive archives what was read before there was an archive, or was read last by a
// process that could not write it. What fails here is tried again, and told by the
// next memorize.
func (u *upkeep) archive(ctx context.Context) {
	if !u.e.archiving().Enabled {
		return
	}
	l, err := u.hold(ctx) // to archive waits for the lock itself, and for long
	if err != nil || l.Release() != nil {
		return
	}
	_, _ = u.e.ArchiveSessions(ctx)
}

// keepRead archives what a memorize has read, and says what went wrong: that is
// no reason for the memorize to fail.
func (e *Engine) keepRead(ctx context.Context, h *joined, reports []BranchReport) {
	read := map[string]bool{}
	for _, r := range reports {
		read[r.Branch] = r.Outcome != memorize.Skipped && r.Outcome != memorize.Failed
	}
	wanted := map[archive.Cited]bool{}
	for _, r := range h.refs {
		if read[r.Branch] {
			wanted[archive.Cited{Source: r.Source, Session: r.Session}] = true
		}
	}
	if len(wanted) == 0 {
		return
	}
	last := &reports[len(reports)-1]
	last.Warnings = append(last.Warnings, e.keepSessions(ctx, h, wanted).warnings()...)
}

// keepSessions archives the wanted sessions of a history.
func (e *Engine) keepSessions(ctx context.Context, h *joined, wanted map[archive.Cited]bool) ArchiveReport {
	var report ArchiveReport
	how := e.archiving()
	if !how.Enabled {
		return report
	}
	var redact func(string) string
	if how.Redact {
		red, err := e.redactor()
		if err != nil {
			return ArchiveReport{Failed: 1, Err: err}
		}
		redact = func(text string) string {
			clean, _ := red.Redact(text)
			return clean
		}
	}
	refs := map[archive.Cited][]history.Ref{}
	for _, r := range h.refs {
		if k := (archive.Cited{Source: r.Source, Session: r.Session}); wanted[k] {
			refs[k] = append(refs[k], r)
		}
	}
	store := e.archive()
	w := store.Writer(redact, e.options.Now())
	for _, s := range h.Sessions() {
		own := refs[archive.Cited{Source: s.Source, Session: s.ID}]
		if len(own) == 0 || ctx.Err() != nil {
			continue
		}
		report.Sessions++
		wrote, err := w.Put(ctx, archive.Session{Session: s, Refs: own, Turns: h.Turns})
		switch {
		case err != nil && ctx.Err() == nil:
			report.Failed++
			report.Err = errors.Join(report.Err, err)
			if report.Failed >= maxArchiveFailures {
				return report
			}
		case wrote:
			report.Written++
		}
	}
	report.Damaged = w.Damage
	if report.Written > 0 {
		var err error
		if report.Removed, err = store.Keep(int64(how.Limit)*1_000_000, e.cited); err != nil {
			report.Failed++
			report.Err = errors.Join(report.Err, err)
		}
	}
	return report
}

// maxArchiveFailures ends an attempt: where that many can't be written, a disk is
// full or can't be written to.
const maxArchiveFailures = 3

// warnings tell what a person should know.
func (r ArchiveReport) warnings() []string {
	var out []string
	if r.Failed > 0 {
		out = append(out, "What was said could not be archived: "+oneLine(r.Err.Error()))
	}
	if n := r.Removed.Sessions; n > 0 {
		out = append(out, fmt.Sprintf("The archive is full (archive.limit): the oldest %s removed, %d of them with words that an item came from.",
			number(n, "session was", "sessions were"), r.Removed.Cited))
	}
	for _, file := range r.Damaged {
		out = append(out, file+" was damaged and is set aside.")
	}
	return out
}

// cited gives the sessions that the items of a project came from: all, if one of
// its memories can't be read.
func (e *Engine) cited(root string) map[archive.Cited]bool {
	out := map[archive.Cited]bool{}
	p := history.Project{Root: root}
	if isFolder(root) {
		if here, err := history.Locate(root); err == nil {
			p = here
		}
	}
	store := memory.NewStore(safefile.Beneath(p.Root).Sub(history.MemoryDir, "branches"), memory.At(e.states().of(p)), memory.StoreOptions{Now: e.options.Now})
	names, err := store.Branches()
	out[archive.Cited{}] = err != nil
	for _, name := range names {
		m, _, err := store.Load(name)
		if err != nil {
			out[archive.Cited{}] = true
			continue
		}
		for _, it := range m.Items {
			for _, o := range it.Origins {
				out[archive.Cited{Source: o.Source, Session: o.Session}] = true
			}
		}
	}
	return out
}

// archived finds an archived session of the project, also of where it was before.
func (e *Engine) archived(source, session string) (*archive.Store, archive.Header, error) {
	store := e.archive()
	head, err := store.Find(source, session)
	for _, root := range e.former() {
		if !errors.Is(err, archive.ErrNone) {
			break
		}
		store = archive.New(filepath.Join(e.dirs.Data, "archive"), root, archive.Options{})
		head, err = store.Find(source, session)
	}
	return store, head, err
}

// archivedTurns are the turns of an archived session with wanted messages and
// their neighbours, in order. Those that were found leave wanted.
func (e *Engine) archivedTurns(ctx context.Context, o memory.Origin, wanted map[string]bool) (turns []history.Turn, title string, err error) {
	store, head, err := e.archived(o.Source, o.Session)
	if err != nil {
		return nil, "", nil // not there, or not to be read: doctor tells
	}
	var before *history.Turn
	after := false
	for t, err := range store.Turns(ctx, head) {
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		if err != nil || len(turns) >= maxPlaceTurns {
			break
		}
		hit := slices.ContainsFunc(t.Messages, func(m history.Message) bool { return wanted[m.ID] })
		switch {
		case hit:
			if before != nil {
				turns = append(turns, *before)
			}
			turns, before, after = append(turns, t), nil, true
			for _, m := range t.Messages {
				delete(wanted, m.ID)
			}
		case after:
			turns, before, after = append(turns, t), nil, false
		default:
			before = &t
		}
	}
	return turns, head.Title, nil
}

// archivedSession is SessionTurns of a session whose transcript is gone.
func (e *Engine) archivedSession(ctx context.Context, session string, from, count int) (SessionTurns, error) {
	red, err := e.redactor()
	if err != nil {
		return SessionTurns{}, err
	}
	for _, source := range config.KnownSources {
		store, head, err := e.archived(source, session)
		if errors.Is(err, archive.ErrNone) {
			continue
		}
		if err != nil {
			return SessionTurns{}, err
		}
		out := SessionTurns{Session: session, Title: head.Title, Source: source, Total: len(head.Turns), Turns: []Turn{}, Archived: true}
		out.From = min(max(from, 0), out.Total)
		end := out.From + min(max(count, 0), maxWindow)
		x := (&excerpter{red: red, share: maxShown}).begin()
		i := 0
		for t, err := range store.Turns(ctx, head) {
			if err != nil {
				return SessionTurns{}, err
			}
			if i >= end || x.left <= 0 {
				break
			}
			if i >= out.From {
				out.Turns = append(out.Turns, x.turn(t, nil))
			}
			i++
		}
		return out, nil
	}
	return SessionTurns{}, fmt.Errorf("%q: %w", session, errNoSession)
}
