package memory

import (
	"context"
	"fmt"
	"strings"
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

// find gives the active item whose id is, or begins with, id.
func (m *Memory) find(id string) (int, error) {
	at := -1
	for i, it := range m.Items {
		switch {
		case it.State != Active || id == "" || !strings.HasPrefix(it.ID, id):
		case it.ID == id:
			return i, nil
		case at >= 0:
			return 0, fmt.Errorf("%q begins the ids of several items: give more of it", id)
		default:
			at = i
		}
	}
	if at < 0 {
		return 0, fmt.Errorf("%w: %q", ErrNoItem, id)
	}
	return at, nil
}

// Find gives the item with an id, in any state, or the active one whose id
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
