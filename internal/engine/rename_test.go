package engine

import (
	"slices"
	"testing"
	"time"

	"recollect/internal/memory"
)

func TestRenameGivesNobodysYes(t *testing.T) {
	t.Parallel()
	e, _ := came(t)
	if err := e.Rename(t.Context(), "main", "next"); err != nil {
		t.Fatal(err)
	}
	m, _, err := e.memories().Load("next")
	if err != nil || len(m.Active()) != 1 {
		t.Fatalf("%+v %v", m, err)
	}
	k, _ := e.lookNow().at(m)
	if got := unseenOf(m, k); len(got) != 1 {
		t.Errorf("what came counts as looked at: %+v", k)
	}
	if _, err := e.Edit(t.Context(), "next", memory.Edit{Do: memory.Add, Section: "conventions", Content: "Made here."}); err != nil {
		t.Fatal(err)
	}
	m, _, _ = e.memories().Load("next")
	k, _ = e.lookNow().at(m)
	if got := unseenOf(m, k); len(got) != 1 || len(m.Active()) != 2 {
		t.Errorf("%+v of %+v", got, m.Active())
	}
}

func TestContinues(t *testing.T) {
	t.Parallel()
	at := func(h int) time.Time { return time.Date(2026, 3, 1, h, 0, 0, 0, time.UTC) }
	list := []renamed{{"a", "b", at(2)}, {"b", "c", at(4)}, {"a", "d", at(6)}}
	var got []string
	for _, said := range []struct {
		branch string
		hour   int
	}{{"a", 1}, {"a", 3}, {"a", 7}, {"b", 3}, {"b", 5}, {"c", 1}, {"x", 1}} {
		got = append(got, continues(list, said.branch, at(said.hour)))
	}
	if want := []string{"c", "d", "a", "c", "b", "c", "x"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
