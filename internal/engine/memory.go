package engine

import (
	"context"
	"time"

	"recollect/internal/memory"
)

// Shown is a memory as people look at it.
type Shown struct {
	Branch   string          `json:"branch"`
	Exists   bool            `json:"exists"`
	File     string          `json:"file,omitempty"` // the Markdown's path
	Updated  time.Time       `json:"updated,omitzero"`
	Version  string          `json:"version,omitempty"` // of an earlier one
	Items    []ShownItem     `json:"items"`
	Markdown string          `json:"markdown,omitempty"`
	Damage   []memory.Damage `json:"damage,omitempty"`
}

// ShownItem is an item, and whether it came with the repository and nobody here
// looked at it.
type ShownItem struct {
	memory.Item
	Unseen bool   `json:"unseen,omitempty"`
	From   string `json:"from,omitempty"` // of an unseen one: whom git names as its authors, in one line; "": not known
}

// Unseen counts the items that nobody here looked at.
func (s Shown) Unseen() int {
	n := 0
	for _, it := range s.Items {
		if it.Unseen {
			n++
		}
	}
	return n
}

// From says of whom the items are that nobody here looked at: "A (12) and B (3)";
// "" if git does not know.
func (s Shown) From() string {
	var from []string
	for _, it := range s.Items {
		from = append(from, it.From)
	}
	return countAuthors(from)
}

// memories is where the project's memories are.
func (e *Engine) memories() *memory.Store { return e.memoriesLaidOut(memory.Layout{}) }

// memoriesLaidOut is memories, where new ones get a layout.
func (e *Engine) memoriesLaidOut(l memory.Layout) *memory.Store {
	return memory.NewStore(e.folder().Sub("branches"), e.state, memory.StoreOptions{
		Layout: l, Make: e.makeState, Now: e.options.Now, LockWait: e.options.LockWait, Redact: e.redacted, Written: e.written, Joined: e.joined,
	})
}

// Show gives the memory of a branch, or an earlier version of it. No memory is
// no error: Exists is false.
func (e *Engine) Show(branch *string, version string) (Shown, error) {
	name, err := e.branchName(branch)
	if err != nil {
		return Shown{}, err
	}
	s := e.memories()
	shown := Shown{Branch: name, Version: version, Items: []ShownItem{}}
	var m memory.Memory
	if version == "" {
		var now memory.Standing
		now, err = s.Stand(name)
		m, shown.File, shown.Exists, shown.Markdown = now.Memory, now.File, now.Markdown != nil, string(now.Markdown)
	} else if m, err = s.LoadVersion(name, version); err == nil {
		var text []byte
		_, text, err = s.Markdown(name, version)
		shown.Exists, shown.Markdown = text != nil, string(text)
	}
	if err != nil {
		return Shown{}, err
	}
	shown.Updated, shown.Damage = m.Updated, m.Damage
	var k known
	var from map[string]string
	if version == "" {
		l := e.lookNow()
		k, _ = l.at(m)
		from = e.authorsOf(context.Background(), l.now, m, k)
	}
	shown.Items = shownItems(m, k, from)
	return shown, nil
}

// shownItems are the active items of a memory with what is known of them; from are
// authors by digest.
func shownItems(m memory.Memory, k known, from map[string]string) []ShownItem {
	unseen, out := set(k.Unseen), []ShownItem{}
	for _, it := range m.Active() {
		d := itemDigest(it.Section, it.Content)
		shown := ShownItem{Item: it, Unseen: unseen[d]}
		if shown.Unseen {
			shown.From = from[d]
		}
		out = append(out, shown)
	}
	return out
}

// Versions lists the versions of a branch's memory that are kept, newest
// first.
func (e *Engine) Versions(branch *string) ([]memory.Version, error) {
	name, err := e.branchName(branch)
	if err != nil {
		return nil, err
	}
	return e.memories().Versions(name)
}

// Restore makes an earlier version the memory again. The one that it replaces
// becomes a version itself.
func (e *Engine) Restore(ctx context.Context, branch *string, version string) (string, error) {
	if err := e.mayWrite(); err != nil {
		return "", err
	}
	name, err := e.branchName(branch)
	if err != nil {
		return "", err
	}
	_, err = e.memories().Restore(ctx, name, version)
	e.follow(ctx)
	return name, err
}

// Forget takes items out of a branch's memory for good: extraction does not
// bring them back. An item is named by its id or by the beginning of it.
func (e *Engine) Forget(ctx context.Context, branch *string, ids []string) (string, []memory.Item, error) {
	if err := e.mayWrite(); err != nil {
		return "", nil, err
	}
	name, err := e.branchName(branch)
	if err != nil {
		return "", nil, err
	}
	gone, err := e.memories().Forget(ctx, name, ids...)
	e.follow(ctx)
	return name, gone, err
}

// ForgetBranch deletes the memory of a branch; its last version is kept.
func (e *Engine) ForgetBranch(ctx context.Context, branch *string) (string, error) {
	if err := e.mayWrite(); err != nil {
		return "", err
	}
	name, err := e.branchName(branch)
	if err != nil {
		return "", err
	}
	_, rev, err := e.memories().Load(name)
	if err == nil && rev == "" {
		err = aboutBranch(name, errNoMemory)
	}
	if err != nil {
		return name, err
	}
	_, err = e.memories().Delete(ctx, name)
	e.follow(ctx)
	return name, err
}
