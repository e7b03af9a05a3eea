package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/filelock"
	"recollect/internal/safefile"
)

// StoreOptions of a store. The zero value is what a user wants.
type StoreOptions struct {
	// Layout of memories that do not say which one they were written with; zero
	// means DefaultLayout.
	Layout Layout
	// MaxVersions is how many versions of a branch are kept; 0 means 50. The
	// newest ones stay.
	MaxVersions int
	// LockWait is how long to wait for another process, if the caller waits that
	// long; 0 means 10 seconds.
	LockWait time.Duration
	// Now is the clock; nil means the system's.
	Now func() time.Time
	// Make, if set, makes the local folder before something is written there. What
	// Local gives may be another folder afterwards.
	Make func() error
	// Redact, if set, takes secrets out of what is imported.
	Redact func(text string) string
	// Before, if set, is called before each step of writing, with the file and the
	// step. An error ends the write there as if the step had failed. Tests use it.
	Before func(file string, step atomicfile.Step) error
	// Written, if set, is told of each change that the store makes, under its lock:
	// the memory as it stood in the files, and as it stands there now.
	Written func(before, after Memory)
	// Joined, if set, is told of a memory that git merged when it is written as one,
	// under the store's lock.
	Joined func(m Memory)
}

// Store keeps the memories of one project.
//
// A memory is two files, NAME.md and NAME.items.jsonl; FileStem says what NAME
// is. Neither is ever seen half-written. The item lines record the Markdown that
// they belong to: if it is another, a person edited it, and Load takes the edit
// over. A save first writes down, in the local folder, what it is about to
// write; if it dies between the two files, the next save completes it, and until
// then Load gives what that will come to.
//
// Who writes holds one lock. Reading takes none and writes nothing. A Store may be
// used from several goroutines.
type Store struct {
	dir         safefile.Folder
	local       func() safefile.Folder
	made        func() error
	layout      Layout
	maxVersions int
	lockWait    time.Duration
	now         func() time.Time
	redact      func(string) string
	before      func(string, atomicfile.Step) error
	written     func(before, after Memory)
	joinedNow   func(Memory)
}

// NewStore returns the store of the memories in dir. Locks and previous versions
// are kept in the folder that local gives at that moment, which must be one that
// nobody else can write. No folder is made before the first save.
func NewStore(dir safefile.Folder, local func() safefile.Folder, o StoreOptions) *Store {
	s := &Store{dir: dir, local: local, made: o.Make, layout: o.Layout, maxVersions: o.MaxVersions, lockWait: o.LockWait, now: o.Now, redact: o.Redact, before: o.Before, written: o.Written, joinedNow: o.Joined}
	if len(s.layout.Sections) == 0 {
		s.layout = DefaultLayout()
	}
	if s.maxVersions <= 0 {
		s.maxVersions = 50
	}
	if s.lockWait <= 0 {
		s.lockWait = 10 * time.Second
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// At gives a folder that stays where it is to NewStore and Inboxes.
func At(f safefile.Folder) func() safefile.Folder { return func() safefile.Folder { return f } }

func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	if s.made != nil {
		if err := s.made(); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, s.lockWait)
	defer cancel()
	l, err := filelock.Acquire(ctx, s.local().Path("memory.lock"), filelock.Options{})
	if err != nil {
		return nil, err
	}
	return func() { l.Release() }, nil
}

// Save writes a memory if its files are still at rev; else it writes nothing
// and fails with ErrChanged. It returns the new revision. The version before is
// kept. Foreign text in the Markdown stays where it is. Items without an id or
// a state get one; an active item needs a section and a content.
func (s *Store) Save(ctx context.Context, m Memory, rev Revision) (Revision, error) {
	r, err := s.save(ctx, m, rev, nil)
	return r, named(m.Branch, err)
}

// save also appends the lines of more to the Markdown.
func (s *Store) save(ctx context.Context, m Memory, rev Revision, more []string) (Revision, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	st, d, err := s.loadLocked(m.Branch)
	if err != nil {
		return "", err
	}
	if d.revision() != rev {
		return "", ErrChanged
	}
	next, _, err := s.saveLocked(m, st, d, more)
	if err != nil {
		return "", err
	}
	return next.revision(), nil
}

// saveLocked writes a memory in place of what st and d were read from, and
// returns what was written and the memory as it will be loaded.
func (s *Store) saveLocked(m Memory, st state, d onDisk, more []string) (pair, Memory, error) {
	var err error
	if m.Items, err = checkItems(m.Items, st.memory.Items); err != nil {
		return pair{}, m, err
	}
	if st.lines.newer() {
		return pair{}, m, ErrNewer
	}
	next, m, err := s.render(m, st, d, more)
	if err != nil {
		return pair{}, m, err
	}
	_, err = s.write(m.Branch, d, next, st.lines)
	return next, m, err
}

// checkItems returns the items as they can be written.
func checkItems(items, before []Item) ([]Item, error) {
	out := slices.Clone(items)
	ids := make(map[string]bool, len(out))
	for i := range out {
		it := &out[i]
		it.Content, it.Rationale, it.Why = Clean(it.Content), Clean(it.Rationale), Clean(it.Why)
		if it.State == "" {
			it.State = Active
		}
		if it.State == Active && (it.Content == "" || it.Section == "") {
			return nil, fmt.Errorf("item %d has no content or no section", i+1)
		}
		if ids[it.ID] && it.ID != "" {
			return nil, fmt.Errorf("two items have the id %s", it.ID)
		}
		ids[it.ID] = true
	}
	for _, it := range before {
		if !ids[it.ID] {
			return nil, fmt.Errorf("%w: %s", ErrVanished, it.ID)
		}
	}
	for i := range out {
		if out[i].ID == "" {
			out[i].ID = uniqueID(out[i].Section+"\n"+out[i].Content, func(id string) bool { return ids[id] })
			ids[out[i].ID] = true
		}
	}
	return out, nil
}

// render makes both files of a memory from those that are there, and the memory
// as it will be loaded from them.
func (s *Store) render(m Memory, st state, d onDisk, more []string) (pair, Memory, error) {
	doc, ids := st.doc, st.ids
	layout := unionLayout(m.Layout, st.memory.Layout, m.Items)
	if m.Updated.IsZero() {
		m.Updated = s.now()
	}
	switch {
	case len(d.markdown) == 0:
		doc, ids = newDocument(m.Branch, layout), nil
	case !sameSections(layout, doc.layout):
		doc = parseDocument(d.markdown, layout)
		_, ids = bind(doc, st.memory.Items, person(d.edited), d.edited)
		known := map[string]bool{}
		for _, it := range st.memory.Items {
			known[it.ID] = true
		}
		for k := range ids {
			if !known[ids[k]] {
				ids[k] = ""
			}
		}
	}
	next := pair{markdown: doc.edit(ids, m.Items)}
	next.markdown = appendLines(next.markdown, more)
	written, err := checkMarkdown(next.markdown, layout, m.Items)
	if err != nil {
		return pair{}, m, err
	}
	h := header{Branch: m.Branch, Markdown: digest(next.markdown), Updated: m.Updated.UTC(), Layout: layout}
	// In the order of the Markdown: where two branches change what stands side by side,
	// git finds a conflict in both files or in none.
	if next.items, err = st.lines.encode(h, inOrder(m.Items, written)); err != nil {
		return pair{}, m, err
	}
	m = Memory{Branch: m.Branch, Updated: h.Updated, Items: written, Layout: layout}
	next.counted, next.active = true, len(m.Active())
	return next.summed(), m, nil
}

// checkMarkdown makes sure that what is about to be written says what was meant,
// and gives the items in its order.
func checkMarkdown(markdown []byte, layout Layout, items []Item) ([]Item, error) {
	doc := parseDocument(markdown, layout)
	got, _ := bind(doc, items, person(time.Time{}), time.Time{})
	want := make(map[string]*Item, len(items))
	for i := range items {
		want[items[i].ID] = &items[i]
	}
	for i := range got {
		it := &got[i]
		w := want[it.ID]
		if w != nil && (it.State != w.State || it.Section != w.Section || it.Content != w.Content) {
			return nil, fmt.Errorf("the Markdown has no place for item %s", it.ID)
		}
	}
	return got, nil
}

func appendLines(markdown []byte, more []string) []byte {
	if len(more) == 0 {
		return markdown
	}
	text := string(markdown)
	eol := "\n"
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		eol = "\r\n"
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += eol
	}
	return []byte(text + eol + strings.Join(more, eol) + eol)
}

// unionLayout is the layout to write with: the new one, and what the old one has
// for items that the new one has no section for.
func unionLayout(next, old Layout, items []Item) Layout {
	if len(next.Sections) == 0 {
		return withSections(old, items)
	}
	out := next
	for _, sec := range old.Sections {
		used := slices.ContainsFunc(items, func(it Item) bool { return it.State == Active && it.Section == sec.ID })
		has := slices.ContainsFunc(next.Sections, func(n Section) bool { return n.ID == sec.ID })
		if used && !has {
			out.Sections = append(slices.Clip(out.Sections), sec)
		}
	}
	return withSections(out, items)
}

func sameSections(a, b Layout) bool {
	return a.Title == b.Title && slices.EqualFunc(a.Sections, b.Sections, func(x, y Section) bool {
		return x.ID == y.ID && x.Heading == y.Heading
	})
}

// Delete removes the memory of a branch, the memory of what was removed from it
// included. Its last state stays as a version. A branch without a memory is no
// error.
func (s *Store) Delete(ctx context.Context, branch string) (Edited, error) {
	e, err := s.delete(ctx, branch)
	return e, named(branch, err)
}

func (s *Store) delete(ctx context.Context, branch string) (Edited, error) {
	if has, err := s.Has(branch); err != nil || !has {
		return Edited{Standing: s.standing(branch, s.state(branch, onDisk{}).memory, onDisk{})}, err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return Edited{}, err
	}
	defer unlock()
	st, d, err := s.loadLocked(branch)
	if err != nil || !d.exists() {
		return Edited{Standing: s.standing(branch, st.memory, d)}, err
	}
	if st.lines.newer() {
		return Edited{}, ErrNewer
	}
	if _, err := s.write(branch, d, pair{}, st.lines); err != nil {
		return Edited{}, err
	}
	return s.edited(branch, d, pair{}, s.state(branch, onDisk{}).memory)
}
