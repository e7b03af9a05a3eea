package engine

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"recollect/internal/memory"
)

// MemoryView is the memory of a branch as a person looks at it and edits it.
type MemoryView struct {
	Branch   string           `json:"branch"`
	Exists   bool             `json:"exists"`
	File     string           `json:"file,omitempty"` // path of the Markdown
	Updated  time.Time        `json:"updated,omitzero"`
	Sections []memory.Section `json:"sections"`         // in order
	Items    []ShownItem      `json:"items"`            // active ones, in the Markdown's order
	Unseen   int              `json:"unseen,omitempty"` // of them, came with the repository and nobody here looked at them
	Markdown string           `json:"markdown,omitempty"`
	Damage   []memory.Damage  `json:"damage,omitempty"`
}

// Edited is what came of a person's edits, or of taking them back.
type Edited struct {
	Memory  MemoryView      `json:"memory"` // without its Markdown
	Changes []memory.Change `json:"changes,omitempty"`
	// Undo is for UndoEdit; "" if nothing changed. That of an undo makes the edit
	// again.
	Undo     string   `json:"undo"`
	Warnings []string `json:"warnings,omitempty"` // in words
	Following
}

// viewOf shows a memory; from are the authors of unseen items by digest.
func viewOf(s memory.Standing, k known, from map[string]string) MemoryView {
	v := MemoryView{
		Branch: s.Branch, Exists: s.Markdown != nil, File: s.File, Updated: s.Updated,
		Sections: s.Layout.Sections, Items: shownItems(s.Memory, k, from), Markdown: string(s.Markdown), Damage: s.Damage,
	}
	if v.Sections == nil {
		v.Sections = []memory.Section{}
	}
	for _, it := range v.Items {
		if it.Unseen {
			v.Unseen++
		}
	}
	return v
}

// Memory gives the memory of a branch with its sections: its own, else those of
// the schema that the settings name.
func (e *Engine) Memory(ctx context.Context, branch string) (MemoryView, error) {
	name, err := e.branchName(&branch)
	if err != nil {
		return MemoryView{}, err
	}
	s, err := e.memories().Stand(name)
	if err != nil {
		return MemoryView{}, err
	}
	if s.Revision == "" {
		if s.Layout, err = e.layout(ctx); err != nil {
			return MemoryView{}, err
		}
	}
	l := e.lookNow()
	k, _ := l.at(s.Memory)
	return viewOf(s, k, e.authorsOf(ctx, l.now, s.Memory, k)), nil
}

// BranchName gives the exact name of the branch that a person asked for: of the
// current git branch if they named none.
func (e *Engine) BranchName(asked *string) (string, error) { return e.branchName(asked) }

// layout asks the schema.
func (e *Engine) layout(ctx context.Context) (memory.Layout, error) {
	schema, err := e.schema(nil)
	if err != nil {
		return memory.Layout{}, err
	}
	return schema.Layout(ctx)
}

// onlySecret is the code of an EditError: nothing is left without the secret.
const onlySecret = "secret"

// Edit makes a person's edits in the memory of a branch, all of them or none, as
// memory.Apply does. Secrets in what they wrote are taken out, which a warning
// says. Items that others changed by hand in between are not written over.
//
// The project's lock is not taken: a memorize holds it for as long as a model
// takes, and brings what it found into the memory as it is at the end.
func (e *Engine) Edit(ctx context.Context, branch string, edits ...memory.Edit) (Edited, error) {
	if err := e.mayWrite(); err != nil {
		return Edited{}, err
	}
	name, err := e.branchName(&branch)
	if err != nil {
		return Edited{}, err
	}
	edits, warnings, err := e.withoutSecrets(edits)
	if err != nil {
		return Edited{}, err
	}
	store, err := e.storeFor(ctx, name, edits)
	if err != nil {
		return Edited{}, err
	}
	done, err := e.asEdited(ctx)(store.Edit(ctx, name, edits...))
	done.Warnings = warnings
	return done, err
}

// storeFor gives the store for edits: a branch without a memory gets one with
// the schema's layout.
func (e *Engine) storeFor(ctx context.Context, branch string, edits []memory.Edit) (*memory.Store, error) {
	store := e.memories()
	adds := false
	for _, x := range edits {
		adds = adds || x.Do == memory.Add
	}
	if !adds {
		return store, nil
	}
	if has, err := store.Has(branch); err != nil || has {
		return store, err
	}
	if from, err := e.followRename(ctx, branch); err != nil || from != "" {
		return store, err
	}
	layout, err := e.layout(ctx)
	if err != nil {
		return nil, err
	}
	// What can't be done makes no folder.
	if _, _, err := memory.Apply(memory.Memory{Branch: branch, Layout: layout}, edits, e.options.Now()); err != nil {
		return nil, err
	}
	if err := e.settle(ctx); err != nil {
		return nil, err
	}
	return e.memoriesLaidOut(layout), nil
}

// withoutSecrets takes secrets out of what a person wrote.
func (e *Engine) withoutSecrets(edits []memory.Edit) ([]memory.Edit, []string, error) {
	red, err := e.redactor()
	if err != nil {
		return nil, nil, err
	}
	out := make([]memory.Edit, len(edits))
	n := 0
	for i, x := range edits {
		out[i] = x
		text := memory.Clean(x.Content)
		if utf8.RuneCountInString(text) > memory.MaxContentRunes {
			continue // it is refused
		}
		clean, secrets := red.Redact(text)
		if secrets == 0 {
			continue
		}
		if red.OnlySecret(text, clean) {
			return nil, nil, &memory.EditError{Code: onlySecret, Why: "that is nothing but a secret"}
		}
		out[i].Content = clean
		n += secrets
	}
	switch {
	case n == 0:
		return out, nil, nil
	case n == 1:
		return out, []string{"a secret was taken out before it was saved"}, nil
	}
	return out, []string{fmt.Sprintf("%d secrets were taken out before it was saved", n)}, nil
}

// asEdited translates what a store gives.
func (e *Engine) asEdited(ctx context.Context) func(memory.Edited, error) (Edited, error) {
	return func(m memory.Edited, err error) (Edited, error) {
		if err != nil {
			return Edited{}, err
		}
		l := e.lookNow()
		k, _ := l.at(m.Memory)
		v := viewOf(m.Standing, k, e.authorsOf(ctx, l.now, m.Memory, k))
		v.Markdown = "" // of a large memory it is a fifth of what crosses the bridge
		return Edited{Memory: v, Changes: m.Changes, Undo: m.Undo, Following: e.follow(ctx)}, nil
	}
}

// UndoEdit takes back the change that gave the token: the memory's files become
// what they were, byte for byte. If the memory changed since, the error wraps
// memory.ErrStale; of several edits the newest goes first. A conflict that was
// decided by the change waits again.
func (e *Engine) UndoEdit(ctx context.Context, branch, token string) (Edited, error) {
	if err := e.mayWrite(); err != nil {
		return Edited{}, err
	}
	name, err := e.branchName(&branch)
	if err != nil {
		return Edited{}, err
	}
	if memory.NamesConflict(token) {
		return e.reopen(ctx, name, token)
	}
	before, _, err := e.memories().Load(name)
	if err != nil {
		return Edited{}, err
	}
	moved, err := e.memories().Undo(ctx, name, token)
	if err == nil {
		err = e.conflictsFile().Follow(name, before, moved.Memory, e.options.Now())
	}
	done, err := e.asEdited(ctx)(moved, err)
	return e.laidOut(ctx, done, err)
}

// laidOut gives a memory that is no more the sections that a new one would have.
func (e *Engine) laidOut(ctx context.Context, done Edited, err error) (Edited, error) {
	if err != nil || done.Memory.Exists {
		return done, err
	}
	// The change is made; sections that can't be had are no reason to say otherwise.
	if l, err := e.layout(ctx); err == nil {
		done.Memory.Sections = l.Sections
	}
	return done, nil
}

// LastChange gives the token that takes back the last change of a branch's
// memory, whatever made it. Where that is not known, after an edit by hand, the
// error wraps memory.ErrNoVersion.
func (e *Engine) LastChange(branch string) (string, error) {
	name, err := e.branchName(&branch)
	if err != nil {
		return "", err
	}
	return e.memories().LastChange(name)
}

// ClearMemory deletes the memory of a branch, as ForgetBranch does; its last
// version is kept, and UndoEdit brings it back.
func (e *Engine) ClearMemory(ctx context.Context, branch string) (Edited, error) {
	if err := e.mayWrite(); err != nil {
		return Edited{}, err
	}
	name, err := e.branchName(&branch)
	if err != nil {
		return Edited{}, err
	}
	gone, err := e.memories().Delete(ctx, name)
	if err == nil && gone.Undo == "" {
		err = aboutBranch(name, errNoMemory)
	}
	done, err := e.asEdited(ctx)(gone, err)
	return e.laidOut(ctx, done, err)
}

// RestoreVersion is Restore with the memory as it is then, and the token that
// takes it back.
func (e *Engine) RestoreVersion(ctx context.Context, branch, version string) (Edited, error) {
	if err := e.mayWrite(); err != nil {
		return Edited{}, err
	}
	name, err := e.branchName(&branch)
	if err != nil {
		return Edited{}, err
	}
	return e.asEdited(ctx)(e.memories().Restore(ctx, name, version))
}
