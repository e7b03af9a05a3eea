package app

import (
	"context"

	"recollect/internal/engine"
	"recollect/internal/memory"
)

// Memory gives the memory of a branch; one that has none is no error.
func (b *Bridge) Memory(root, branch string) (engine.MemoryView, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) (engine.MemoryView, error) { return e.Memory(ctx, branch) })
}

func (b *Bridge) edit(root, branch string, edits ...memory.Edit) (engine.Edited, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) (engine.Edited, error) {
		return e.Edit(ctx, branch, edits...)
	})
}

// AddItem adds an item of the person's own at the end of a section.
func (b *Bridge) AddItem(root, branch, section, content string) (engine.Edited, error) {
	return b.edit(root, branch, memory.Edit{Do: memory.Add, Section: section, Content: content})
}

// EditItem gives an item other words. was is what the person saw: an item that
// says something else by now stays as it is.
func (b *Bridge) EditItem(root, branch, id, content, was string) (engine.Edited, error) {
	return b.edit(root, branch, memory.Edit{Do: memory.Reword, ID: id, Content: content, Was: was})
}

// MoveItem puts an item into a section, before another one or at the end.
func (b *Bridge) MoveItem(root, branch, id, section, before string) (engine.Edited, error) {
	return b.edit(root, branch, memory.Edit{Do: memory.Move, ID: id, Section: section, Before: before})
}

// RemoveItems takes items out for good: extraction does not bring them back.
func (b *Bridge) RemoveItems(root, branch string, ids []string) (engine.Edited, error) {
	var edits []memory.Edit
	for _, id := range ids {
		edits = append(edits, memory.Edit{Do: memory.Remove, ID: id})
	}
	return b.edit(root, branch, edits...)
}

// PinItem keeps extraction from changing an item, or lets it again.
func (b *Bridge) PinItem(root, branch, id string, pinned bool) (engine.Edited, error) {
	do := memory.Unpin
	if pinned {
		do = memory.Pin
	}
	return b.edit(root, branch, memory.Edit{Do: do, ID: id})
}

// UndoEdit puts back what was before an edit, or before a conflict was decided.
func (b *Bridge) UndoEdit(root, branch, undo string) (engine.Edited, error) {
	return change(b, root, []string{"conflicts"}, func(ctx context.Context, e *engine.Engine) (engine.Edited, error) {
		return e.UndoEdit(ctx, branch, undo)
	})
}

// ClearMemory deletes the memory of a branch; its last version is kept.
func (b *Bridge) ClearMemory(root, branch string) (engine.Edited, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) (engine.Edited, error) {
		return e.ClearMemory(ctx, branch)
	})
}

// Restore makes an earlier version the memory again.
func (b *Bridge) Restore(root, branch, version string) (engine.Edited, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) (engine.Edited, error) {
		return e.RestoreVersion(ctx, branch, version)
	})
}

// Versions lists those that are kept, newest first.
func (b *Bridge) Versions(root, branch string) ([]memory.Version, error) {
	return ask(b, root, func(_ context.Context, e *engine.Engine) ([]memory.Version, error) { return e.Versions(&branch) })
}

// VersionText gives the Markdown of a version.
func (b *Bridge) VersionText(root, branch, version string) (string, error) {
	return ask(b, root, func(_ context.Context, e *engine.Engine) (string, error) {
		s, err := e.Show(&branch, version)
		return s.Markdown, err
	})
}

// SourceOf gives the turns that an item came from.
func (b *Bridge) SourceOf(root, branch, id string) (engine.SourceOf, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) (engine.SourceOf, error) {
		return e.SourceOf(ctx, branch, id)
	})
}

// SessionTurns gives some turns of a session, from an index on.
func (b *Bridge) SessionTurns(root, session string, from, count int) (engine.SessionTurns, error) {
	return ask(b, root, func(ctx context.Context, e *engine.Engine) (engine.SessionTurns, error) {
		return e.SessionTurns(ctx, session, from, count)
	})
}
