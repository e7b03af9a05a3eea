package memorize

import (
	"slices"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// What a person does not want of a preview is kept nowhere, and what it would have
// replaced holds.
func TestUnwantedIsNotKept(t *testing.T) {
	items := []memory.Item{
		{ID: "old", Section: "facts", Content: "Old", State: memory.Superseded, SupersededBy: "new", Why: "a newer one"},
		{ID: "new", Section: "facts", Content: "New", State: memory.Active},
		{ID: "other", Section: "facts", Content: "Other", State: memory.Active},
		{ID: "known", Section: "facts", Content: "Known", State: memory.Active},
	}
	changes := []memory.Change{
		{Action: memory.Added, ID: "new"}, {Action: memory.Replaced, ID: "old", By: "new"},
		{Action: memory.Added, ID: "other"}, {Action: memory.Updated, ID: "known"},
	}
	r := run{Input: Input{Unwanted: []string{"new", "known", "nobody"}}}
	m, left := r.wanted(memory.Memory{Items: items}, slices.Clone(changes))
	var got []string
	for _, it := range m.Items {
		got = append(got, it.ID+" "+string(it.State))
	}
	if want := "old active, other active, known active"; strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(left) != 2 || left[0].ID != "other" || left[1].ID != "known" {
		t.Errorf("changes %+v", left)
	}
	if len(items) != 4 || items[1].ID != "new" {
		t.Error("the memory that was merged was changed")
	}
}

func TestUnwantedOfARun(t *testing.T) {
	t.Parallel()
	p, store := parts(&lines{})
	in := Input{Branch: "main", Now: now, DryRun: true, History: told{turn("1", "keep prices in cents\nkeep depots closed on Sunday", long)}}
	seen, err := Run(t.Context(), p, in)
	if err != nil || len(seen.Changes) != 2 {
		t.Fatalf("%+v, %v", seen, err)
	}
	in.DryRun, in.Unwanted = false, []string{seen.Changes[1].ID}
	done, err := Run(t.Context(), p, in)
	if err != nil || len(done.Changes) != 1 || done.Changes[0].ID != seen.Changes[0].ID {
		t.Errorf("%+v, %v", done, err)
	}
	if len(store.m.Items) != 1 || store.m.Items[0].ID != seen.Changes[0].ID {
		t.Errorf("kept: %+v", store.m.Items)
	}
}
