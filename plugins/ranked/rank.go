package main

import (
	"cmp"
	"slices"
	"strconv"

	"recollect/hostapi/guest"
)

// rank gives the items to show in the order in which they are packed: pinned
// ones first, whatever their section, then section by section. Within both, the
// surest first, then what was found most often, then what was confirmed last;
// equal items keep their order. What a person wrote is as sure as can be.
func rank(items []guest.MemoryItem, sections []string) []guest.Selected {
	at := make(map[string]int, len(sections))
	for i := len(sections) - 1; i >= 0; i-- {
		at[sections[i]] = i
	}
	shown := make([]guest.MemoryItem, 0, len(items))
	for _, it := range items {
		if _, wanted := at[it.Section]; wanted || it.Pinned {
			shown = append(shown, it)
		}
	}
	place := func(it guest.MemoryItem) int {
		if i, wanted := at[it.Section]; wanted {
			return i
		}
		return len(sections)
	}
	slices.SortStableFunc(shown, func(a, b guest.MemoryItem) int {
		if a.Pinned != b.Pinned {
			if a.Pinned {
				return -1
			}
			return 1
		}
		return cmp.Or(
			cmp.Compare(place(a), place(b)),
			-cmp.Compare(sure(a), sure(b)),
			-cmp.Compare(a.Seen, b.Seen),
			b.Updated.Compare(a.Updated),
		)
	})
	out := make([]guest.Selected, len(shown))
	for i, it := range shown {
		out[i] = guest.Selected{ID: it.ID, Why: why(it)}
	}
	return out
}

func sure(it guest.MemoryItem) float64 {
	if it.ByPerson {
		return 1
	}
	return it.Confidence
}

// why says in a few words what an item's place comes from.
func why(it guest.MemoryItem) string {
	s := it.Section
	if it.Pinned {
		s = "pinned, " + s
	}
	if it.ByPerson {
		s += ", written by a person"
	} else {
		s += ", confidence " + strconv.FormatFloat(it.Confidence, 'f', 2, 64)
	}
	if it.Seen > 1 {
		s += ", found " + strconv.Itoa(it.Seen) + " times"
	}
	return s
}
