package engine

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"path/filepath"
	"slices"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/history"
	"recollect/internal/memory"
)

// known is what this machine knows of the items of one memory: which of them were
// made here or looked at by the person, and which came with the repository and were
// not. Items go by a digest of their section and content.
type known struct {
	Version int    `json:"version"`
	Branch  string `json:"branch"`
	Head    string `json:"head"` // history.Checkout.ID of the last look
	// Seen were made or changed here, oldest first; Given are those that the person
	// said yes to. Both also hold items that are not in the memory now: it changes
	// with each git branch that is checked out.
	Seen   []string `json:"seen,omitempty"`
	Given  []string `json:"given,omitempty"`
	Unseen []string `json:"unseen,omitempty"` // in the memory at the last look
}

// knownProject is what this machine knows of the memories of a project, so that one
// that comes is told from one that a person makes.
type knownProject struct {
	Version  int      `json:"version"`
	Head     string   `json:"head"`
	Branches []string `json:"branches"` // that were there when Head was
	// Mine are memories that were there when the project was used by a version that
	// did not tell what came from what was made here.
	Mine []string `json:"mine,omitempty"`
}

const (
	knownVersion = 1
	maxKnown     = 8 << 20
	maxSeenItems = 50_000 // of each list: the newest stay
	knownFolder  = "known"
	knownName    = "known.json"
)

// itemDigest names an item by what it says and where. It is long enough that
// nobody makes an item with the digest of another one.
func itemDigest(section, content string) string {
	sum := sha256.Sum256([]byte(section + "\n" + content))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// digestsOf gives the digests of the active items, in order.
func digestsOf(m memory.Memory) []string {
	var out []string
	for _, it := range m.Items {
		if it.State == memory.Active {
			out = append(out, itemDigest(it.Section, it.Content))
		}
	}
	return out
}

func set(lists ...[]string) map[string]bool {
	all := map[string]bool{}
	for _, l := range lists {
		for _, s := range l {
			all[s] = true
		}
	}
	return all
}

// without gives the elements of a list that are not in out.
func without(list []string, out map[string]bool) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return out[s] })
}

// see takes digests in as seen.
func (k *known) see(digests []string) {
	k.Seen = newest(append(k.Seen, without(digests, set(k.Seen, k.Given))...))
	k.Unseen = without(k.Unseen, set(digests))
}

// give takes digests in that the person said yes to.
func (k *known) give(digests []string) {
	k.Given = newest(append(k.Given, without(digests, set(k.Seen, k.Given))...))
	k.Unseen = without(k.Unseen, set(digests))
}

func newest(list []string) []string { return list[max(0, len(list)-maxSeenItems):] }

func (e *Engine) loadKnown(branch string) (known, bool) {
	var k known
	data, _, err := e.state().Sub(knownFolder).Read(context.Background(), memory.FileStem(branch)+".json", maxKnown)
	if err != nil || json.Unmarshal(data, &k) != nil || k.Version != knownVersion || k.Branch != branch {
		return known{Version: knownVersion, Branch: branch}, false
	}
	return k, true
}

func (e *Engine) saveKnown(k known) error {
	return e.keepState(filepath.Join(knownFolder, memory.FileStem(k.Branch)+".json"), k)
}

// keepState writes a file of what this machine says of the project.
func (e *Engine) keepState(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := e.makeState(); err != nil {
		return err
	}
	folder := e.state().Sub(filepath.Dir(name))
	if err := folder.Make(0o700); err != nil {
		return err
	}
	return atomicfile.ReplaceIn(folder, filepath.Base(name), append(data, '\n'), atomicfile.Expect{}, atomicfile.Options{Mode: 0o600})
}

// look is one look at what is known of a project, with what git has checked out.
type look struct {
	e       *Engine
	now     history.Checkout
	project knownProject
	met     bool // this machine has state of the project
}

// lookNow looks and writes nothing. A project that this machine has no state of is
// one that came: a clone, or an archive. One that it used before it kept such state
// is the person's, as it stands.
func (e *Engine) lookNow() look {
	l := look{e: e, now: history.CheckoutOf(e.project.Root)}
	data, _, err := e.state().Read(context.Background(), knownName, maxKnown)
	if err == nil && json.Unmarshal(data, &l.project) == nil && l.project.Version == knownVersion {
		l.met = true
		return l
	}
	l.project = knownProject{Version: knownVersion, Head: l.now.ID}
	names, err := e.memories().Branches()
	if err == nil && e.usedBefore() {
		l.project.Mine = names
	} else {
		l.project.Branches = names
	}
	return l
}

// meet keeps that this machine has state of the project from now on.
func (l *look) meet() error {
	if l.met {
		return nil
	}
	if err := l.e.keepState(knownName, l.project); err != nil {
		return err
	}
	l.met = true
	return l.e.noteKnows()
}

// at says what is known of a memory as it stands now. With sure it may be kept; else
// git may be at work on it, and what is new counts as unseen until the next look.
//
// What is new since the last look is the person's edit if git surely brought
// nothing meanwhile: nobody else writes the work tree. Otherwise it came.
func (l look) at(m memory.Memory) (k known, sure bool) {
	k, had := l.e.loadKnown(m.Branch)
	now := digestsOf(m)
	k.Unseen = slices.DeleteFunc(k.Unseen, func(d string) bool { return !slices.Contains(now, d) })
	fresh := without(now, set(k.Seen, k.Given, k.Unseen))
	mine := had && l.now.Same(k.Head)
	if !had {
		mine = slices.Contains(l.project.Mine, m.Branch) ||
			l.met && l.now.Same(l.project.Head) && !slices.Contains(l.project.Branches, m.Branch)
	}
	k.Head = l.now.ID
	if !l.now.Known {
		k.Head = ""
	}
	switch {
	case len(fresh) == 0:
	case mine && l.unsettled(m.Branch):
		k.Unseen = append(k.Unseen, fresh...)
		return k, false
	case mine:
		k.see(fresh)
	default:
		k.Unseen = append(k.Unseen, fresh...)
	}
	return k, true
}

// name names what is known of a branch's memory, so that equal names and equal files
// mean an equal at.
func (l look) name(branch string) string {
	k, had := l.e.loadKnown(branch)
	b, _ := json.Marshal([]any{l.now.ID, l.now.Known, l.met, l.project, had, k})
	return itemDigest("", string(b))
}

// gitLag is how long after noting what the files are git may set the commit.
const gitLag = 2 * time.Second

// unsettled says that git may just have written a memory's file and not yet have
// set the commit that it comes with.
func (l look) unsettled(branch string) bool {
	if l.now.Busy {
		return true
	}
	if l.now.Index.IsZero() || time.Since(l.now.Index).Abs() > gitLag {
		return false
	}
	info, err := l.e.folder().Sub("branches").Stat(memory.FileStem(branch) + ".md")
	return err == nil && !info.ModTime().After(l.now.Index)
}

// keepsKnown says that there is a place for what is known: commands that only look,
// as a hook's does, make no state for a project that came.
func (e *Engine) keepsKnown() bool { return e.hasState() || e.usedBefore() }

// lookAt takes in what is new in a memory.
func (e *Engine) lookAt(m memory.Memory) (known, error) {
	l := e.lookNow()
	k, sure := l.at(m)
	if !sure || !e.keepsKnown() {
		return k, nil
	}
	if err := l.meet(); err != nil {
		return k, err
	}
	if old, had := e.loadKnown(m.Branch); had && sameKnown(old, k) {
		return k, nil
	}
	return k, e.saveKnown(k)
}

func sameKnown(a, b known) bool {
	return a.Head == b.Head && slices.Equal(a.Seen, b.Seen) && slices.Equal(a.Given, b.Given) && slices.Equal(a.Unseen, b.Unseen)
}

// lookAround takes in what is new in all memories, so that what a person wrote by
// hand is known to be theirs before they commit it.
func (e *Engine) lookAround(ctx context.Context) error {
	l := e.lookNow()
	store := e.memories()
	names, err := store.Branches()
	if err != nil || !e.keepsKnown() {
		return err
	}
	if err := l.meet(); err != nil {
		return err
	}
	whole := l.now.Known
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, _, err := store.Load(name)
		if err != nil {
			whole = false // doctor tells
			continue
		}
		k, sure := l.at(m)
		if whole = whole && sure; !sure {
			continue
		}
		if old, had := e.loadKnown(name); !had || !sameKnown(old, k) {
			if err := e.saveKnown(k); err != nil {
				return err
			}
		}
	}
	next := knownProject{Version: knownVersion, Head: l.now.ID, Branches: names}
	if !whole || next.Head == l.project.Head && slices.Equal(names, l.project.Branches) && len(l.project.Mine) == 0 {
		return nil
	}
	return e.keepState(knownName, next)
}

// keepMade keeps that what a change brought was made here. What can't be kept counts
// as unseen, which is safe.
func (e *Engine) keepMade(before, after memory.Memory) {
	l := e.lookNow()
	if l.meet() != nil {
		return
	}
	k, _ := l.at(before)
	was, pinned := set(digestsOf(before)), map[string]bool{}
	for _, it := range before.Items {
		pinned[it.ID] = it.Pinned
	}
	var made []string
	for _, it := range after.Items {
		if it.State != memory.Active {
			continue
		}
		if d := itemDigest(it.Section, it.Content); !was[d] || it.Pinned && !pinned[it.ID] {
			made = append(made, d)
		}
	}
	k.see(made)
	_ = e.saveKnown(k)
}
