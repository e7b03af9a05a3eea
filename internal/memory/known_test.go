package memory

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Look foretells what Merge does with a find alone.
func TestLookForetellsMerge(t *testing.T) {
	t.Parallel()
	says := []string{
		"Use tabs for indentation in Go files.", "Use tabs for indentation in every Go file.", "Never use tabs for indentation in Go files.",
		"Use pnpm instead of npm for all scripts.", "Use npm for all scripts.", "The service listens on port 8080.", "The service listens on port 9090.",
		"The service no longer listens on port 8080.", "Retries wait 3 seconds.", "Retries wait 3 seconds!", "Switched from npm to yarn for all scripts.", "", "Deploys happen on Fridays only.",
	}
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	seen := map[string]int{}
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 9))
		find := func() Found {
			n := r.IntN(20)
			return Found{Section: "facts", Content: says[r.IntN(len(says))], Confidence: 0.6, Origin: Origin{
				Extractor: "x", Source: "s", Session: fmt.Sprint(n), Records: []string{fmt.Sprint(n)}, Time: start.Add(time.Duration(n) * time.Hour)}}
		}
		var m Memory
		for range r.IntN(6) {
			m, _, _ = Merge(m, []Found{find()}, start)
		}
		for i := range m.Items {
			switch r.IntN(6) {
			case 0:
				m.Items[i].Pinned = true
			case 1:
				m.Items[i].State = Removed
			}
		}
		f := find()
		before := slices.Clone(m.Items)
		k := Look(m, []Found{f})[0]
		if d := cmp.Diff(before, m.Items); d != "" {
			t.Fatal(d)
		}
		merged, changes, conflicts := Merge(m, []Found{f}, start)
		ids := func(m Memory) (out []string) {
			for _, it := range m.Active() {
				out = append(out, it.ID)
			}
			slices.Sort(out)
			return out
		}
		same := slices.Equal(ids(m), ids(merged))
		bad := ""
		switch {
		case k.ID != "":
			seen["same"]++
			if !same || len(conflicts) > 0 || len(changes) > 1 || len(changes) == 1 && (changes[0].ID != k.ID || changes[0].Action != Updated) {
				bad = "says the same"
			}
		case k.Why != "":
			seen[k.Why]++
			if !same {
				bad = "is left out"
			}
		default:
			seen["new"]++
			if same || len(conflicts) > 0 {
				bad = "goes in"
			}
		}
		if bad != "" {
			t.Fatalf("seed %d: %q %s: %+v; changes %+v, conflicts %+v\n%+v", seed, f.Content, bad, k, changes, conflicts, m.Items)
		}
	}
	if len(seen) < 7 {
		t.Errorf("seen only %v", seen)
	}
}
