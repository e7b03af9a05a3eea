package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/history"
)

// What there is to do in a project is counted as Status counts it, and nothing is
// said of one of which nothing is known.
func TestCountProjects(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	orchard, mill := h.path("orchard"), h.path("mill")
	h.git(t, orchard)
	h.git(t, mill)
	if err := os.Mkdir(filepath.Join(orchard, history.MemoryDir), 0o755); err != nil {
		t.Fatal(err)
	}
	h.session(t, "a", "s1", orchard, 1, "We always prune in winter.")
	h.session(t, "b", "s2", mill, 2, "P")
	h.session(t, "c", "s3", h.path("gone"), 3, "P")
	count := func() map[string]*ProjectCounts {
		t.Helper()
		all, err := Projects(t.Context(), h.o)
		if err != nil {
			t.Fatal(err)
		}
		CountProjects(t.Context(), h.o, all)
		got := map[string]*ProjectCounts{}
		for _, p := range all {
			got[p.Name] = p.Counts
		}
		return got
	}
	if diff := cmp.Diff(map[string]*ProjectCounts{"orchard": {}, "mill": nil, "gone": nil}, count()); diff != "" {
		t.Errorf("before anybody looked (-want +got):\n%s", diff)
	}

	o := h.o
	for _, o.Dir = range []string{orchard, mill} {
		e, err := Open(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Branches(t.Context()); err != nil {
			t.Fatal(err)
		}
		if o.Dir == orchard {
			remember(t, e, "Apples are picked in September.")
			remember(t, e, "Pears are picked in October.")
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]*ProjectCounts{"orchard": {NewTurns: 1, Items: 2}, "mill": {NewTurns: 1}, "gone": nil}
	if diff := cmp.Diff(want, count()); diff != "" {
		t.Errorf("after a look (-want +got):\n%s", diff)
	}
}
