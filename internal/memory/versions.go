package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/safefile"
)

// Version is one kept state of a memory.
type Version struct {
	ID      string    `json:"id"`
	Saved   time.Time `json:"saved"`
	Items   int       `json:"items"`   // active ones
	Current bool      `json:"current"` // what is on disk now
}

// versionHead is the first line of a version's file. The bytes of the Markdown
// and of the item lines follow.
type versionHead struct {
	Format   string    `json:"format"`
	Branch   string    `json:"branch"`
	Saved    time.Time `json:"saved"`
	Active   int       `json:"active"`
	Markdown int       `json:"markdown"` // bytes; -1 if there was no such file
	Items    int       `json:"items"`    // the same
	// Of an announced save: the digests of what it replaces.
	OldMarkdown string `json:"old_markdown,omitempty"`
	OldItems    string `json:"old_items,omitempty"`
	// Parent is the number of the version that it replaces, 0 if there was no
	// memory; nil in what older programs wrote.
	Parent *int `json:"parent,omitempty"`
	// Position is set if the announced write moves along the line of versions and
	// makes no new one.
	Position *position `json:"position,omitempty"`
}

const (
	versionFormat = "recollect/version/1"
	versionExt    = ".version"
	announcedName = "saving"
	positionName  = "position"
)

func (s *Store) historyDir(branch string) safefile.Folder {
	return s.local().Sub("history", FileStem(branch))
}

func (s *Store) announced(branch string) file { return file{s.historyDir(branch), announcedName} }

func (s *Store) interrupted(branch string) bool { return s.announced(branch).there() }

func size(data []byte) int {
	if data == nil {
		return -1
	}
	return len(data)
}

func encodeVersion(h versionHead, p pair) ([]byte, error) {
	h.Format = versionFormat
	h.Markdown, h.Items = size(p.markdown), size(p.items)
	head, err := marshal(h)
	if err != nil {
		return nil, err
	}
	return slices.Concat(head, []byte("\n"), p.markdown, p.items), nil
}

var errVersion = errors.New("the version's file is damaged")

func decodeVersion(data []byte) (versionHead, pair, error) {
	var h versionHead
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	if err := json.Unmarshal(head, &h); err != nil || h.Format != versionFormat || h.Markdown < -1 || h.Items < -1 ||
		max(h.Markdown, 0) > len(rest) || max(h.Markdown, 0)+max(h.Items, 0) != len(rest) {
		return h, pair{}, errVersion
	}
	var p pair
	n := max(h.Markdown, 0)
	if h.Markdown >= 0 {
		p.markdown = rest[:n:n]
	}
	if h.Items >= 0 {
		p.items = rest[n:]
	}
	return h, p, nil
}

// numbers returns the numbers of a branch's versions, ascending.
func (s *Store) numbers(branch string) ([]int, error) {
	return versionNumbers(s.historyDir(branch), versionExt)
}

// maxVersionFiles bounds a folder of versions.
const maxVersionFiles = 100_000

func versionNumbers(dir safefile.Folder, ext string) ([]int, error) {
	entries, err := dir.ReadDir(maxVersionFiles)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []int
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.Name(), ext); ok {
			if n, err := strconv.Atoi(stem); err == nil && n > 0 {
				out = append(out, n)
			}
		}
	}
	slices.Sort(out)
	return out, nil
}

func (s *Store) versionFile(branch string, n int) file {
	return file{s.historyDir(branch), fmt.Sprintf("%06d%s", n, versionExt)}
}

func (s *Store) readVersion(branch string, n int) (versionHead, pair, error) {
	data, _, err := readFile(s.versionFile(branch, n))
	if err != nil {
		return versionHead{}, pair{}, err
	}
	if data == nil {
		data, err = s.archivedVersion(branch, n)
	}
	if err != nil {
		return versionHead{}, pair{}, err
	}
	return decodeVersion(data)
}

// keep makes p a version unless the newest version is just that, and gives its
// number.
func (s *Store) keep(branch string, p pair) (int, error) {
	ns, err := s.numbers(branch)
	if err != nil {
		return 0, err
	}
	if len(ns) > 0 {
		newest := ns[len(ns)-1]
		if _, last, err := s.readVersion(branch, newest); err == nil && last.equal(p) {
			return newest, nil
		}
	}
	return s.addVersion(branch, p)
}

func (s *Store) addVersion(branch string, p pair) (int, error) {
	ns, err := s.numbers(branch)
	if err != nil {
		return 0, err
	}
	data, err := encodeVersion(s.head(branch, p), p)
	if err != nil {
		return 0, err
	}
	if err := s.historyDir(branch).Make(0o700); err != nil {
		return 0, err
	}
	return next(ns), s.replace(s.versionFile(branch, next(ns)), data, nil)
}

func (s *Store) head(branch string, p pair) versionHead {
	if !p.counted {
		p.active = len(s.state(branch, onDisk{pair: p}).memory.Active())
	}
	return versionHead{Branch: writeName(branch), Saved: s.now().UTC(), Active: p.active}
}

func next(ns []int) int {
	if len(ns) == 0 {
		return 1
	}
	return ns[len(ns)-1] + 1
}

// announce writes down what a save is about to do: to make a version whose parent
// has that number, or to move to a position.
func (s *Store) announce(branch string, old, new pair, parent int, to *position) error {
	h := s.head(branch, new)
	h.OldMarkdown, h.OldItems = old.digests()
	h.Position = to
	if to == nil {
		h.Parent = &parent
	}
	data, err := encodeVersion(h, new)
	if err != nil {
		return err
	}
	if err := s.historyDir(branch).Make(0o700); err != nil {
		return err
	}
	f := s.announced(branch)
	before, _, err := readFile(f)
	if err != nil {
		return err
	}
	return s.replace(f, data, before)
}

// finish ends the announced save: it becomes a version, for which the oldest ones
// are dropped, or the position.
func (s *Store) finish(branch string, to *position) error {
	if to != nil {
		return s.settle(branch)
	}
	ns, err := s.numbers(branch)
	if err != nil {
		return err
	}
	if s.before != nil {
		if err := s.before(announcedName, atomicfile.StepRename); err != nil {
			return err
		}
	}
	if err := s.historyDir(branch).Rename(announcedName, s.versionFile(branch, next(ns)).name); err != nil {
		return err
	}
	if err := atomicfile.SyncFolderIn(s.historyDir(branch)); err != nil {
		return err
	}
	for len(ns) >= s.maxVersions {
		if err := s.versionFile(branch, ns[0]).remove(); err != nil {
			return err
		}
		ns = ns[1:]
	}
	return nil
}

// Versions returns the kept states of a memory, the newest first. The first one
// is usually the current state; after an edit by hand it is not.
func (s *Store) Versions(branch string) ([]Version, error) {
	_, d, err := s.load(branch)
	if err != nil {
		return nil, named(branch, err)
	}
	all, err := s.versions(branch) // LoadVersion says what is wrong with one that is left out
	if err != nil {
		return nil, named(branch, err)
	}
	var out []Version
	for _, v := range slices.Backward(all) {
		if !v.pair.exists() {
			continue // the memory was deleted: that is for undo
		}
		current := v.pair.equal(d.pair) && !slices.ContainsFunc(out, func(v Version) bool { return v.Current })
		out = append(out, Version{ID: strconv.Itoa(v.n), Saved: v.head.Saved, Items: v.head.Active, Current: current})
	}
	return out, nil
}

// LoadVersion reads a kept state of a memory.
func (s *Store) LoadVersion(branch, id string) (Memory, error) {
	p, err := s.version(branch, id)
	if err != nil {
		return Memory{}, named(branch, err)
	}
	return s.state(branch, onDisk{pair: p}).memory, nil
}

func (s *Store) version(branch, id string) (pair, error) {
	n, err := strconv.Atoi(id)
	if err != nil || n <= 0 {
		return pair{}, fmt.Errorf("%w: %q", ErrNoVersion, id)
	}
	h, p, err := s.readVersion(branch, n)
	if errors.Is(err, ErrNoVersion) {
		more, perr := s.pending(branch)
		for _, v := range more {
			if v.n == n {
				h, p, err = v.head, v.pair, perr
			}
		}
	}
	if err == nil && !p.exists() {
		err = ErrNoVersion // a deletion, which is for undo
	}
	if err != nil {
		return pair{}, fmt.Errorf("version %d: %w", n, err)
	}
	p.counted, p.active = true, h.Active
	return p, nil
}

// Restore makes a kept state the current one, its Markdown byte for byte. Items
// that the state does not have are kept as removed. The state before the restore
// is a version, too.
func (s *Store) Restore(ctx context.Context, branch, id string) (Edited, error) {
	e, err := s.restore(ctx, branch, id)
	return e, named(branch, err)
}

func (s *Store) restore(ctx context.Context, branch, id string) (Edited, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return Edited{}, err
	}
	defer unlock()
	now, d, err := s.loadLocked(branch)
	if err != nil {
		return Edited{}, err
	}
	if now.lines.newer() {
		return Edited{}, ErrNewer
	}
	p, err := s.version(branch, id)
	if err != nil {
		return Edited{}, err
	}
	then := s.state(branch, onDisk{pair: p, edited: s.now().UTC()})
	items := then.memory.Items
	has := map[string]bool{}
	for _, it := range items {
		has[it.ID] = true
	}
	for _, it := range now.memory.Items {
		if has[it.ID] {
			continue
		}
		if it.State == Active {
			it.State, it.Updated, it.Why = Removed, s.now().UTC(), "not in the restored version"
		}
		items = append(items, it)
	}
	if p.markdown == nil {
		p.markdown = []byte{} // of a state whose Markdown somebody had removed
	}
	next := pair{markdown: p.markdown}
	h := header{Branch: branch, Markdown: digest(p.markdown), Updated: s.now().UTC(), Layout: then.memory.Layout}
	if next.items, err = now.lines.encode(h, items); err != nil {
		return Edited{}, err
	}
	if _, err := s.write(branch, d, next, now.lines); err != nil {
		return Edited{}, err
	}
	return s.edited(branch, d, next, s.state(branch, onDisk{pair: next}).memory)
}
