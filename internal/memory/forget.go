package memory

import (
	"context"
	"slices"

	"recollect/internal/lookup"
)

// Forget removes items from the memory of a branch, all of them or none. Each is
// named by its id or by the beginning of it. They do not come back by
// themselves; the item lines keep them.
func (s *Store) Forget(ctx context.Context, branch string, ids ...string) (gone []Item, err error) {
	edits := make([]Edit, len(ids))
	for i, id := range ids {
		edits[i] = Edit{Do: Remove, ID: id, Why: "forgotten by a person"}
	}
	e, err := s.Edit(ctx, branch, edits...)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]Item, len(e.Items))
	for _, it := range e.Items {
		byID[it.ID] = it
	}
	for _, c := range e.Changes {
		gone = append(gone, byID[c.ID])
	}
	return gone, nil
}

// find gives the active item whose id is, or alone begins with, id.
func (m *Memory) find(id string) (int, error) {
	var ids []string
	for i, it := range m.Items {
		if it.State != Active {
			continue
		}
		if it.ID == id && id != "" {
			return i, nil
		}
		ids = append(ids, it.ID)
	}
	whole, err := lookup.Find(id, ids, ErrNoItem)
	if err != nil {
		return 0, err
	}
	return slices.IndexFunc(m.Items, func(it Item) bool { return it.State == Active && it.ID == whole }), nil
}

// Find gives the item with an id, in any state, or the active one whose id alone
// begins with it.
func (m Memory) Find(id string) (Item, error) {
	for _, it := range m.Items {
		if it.ID == id && id != "" {
			return it, nil
		}
	}
	i, err := m.find(id)
	if err != nil {
		return Item{}, err
	}
	return m.Items[i], nil
}
