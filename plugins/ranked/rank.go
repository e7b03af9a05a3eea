package main

import (
	"cmp"
	"slices"
	"strconv"

	"recollect/hostapi/guest"
)

// rank gives the items to show in the order in which they are packed: pinned
// ones first, whatever their section, then section by section. Within both, the most
// important first, of these the surest, then what was found most often, then what was
// said last: a first run finds the whole history at once, and its newest state is the
// one that holds. Equal items keep their order, which is a person's to change. What a
// person wrote is as sure as can be.
func rank(items []guest.MemoryItem, c config) guest.SelectResult {
	at := make(map[string]int, len(c.Sections))
	for i := len(c.Sections) - 1; i >= 0; i-- {
		at[c.Sections[i]] = i
	}
	result := guest.SelectResult{Shares: shares(c.Sections)}
	least := strconv.FormatFloat(c.LeastConfidence, 'f', -1, 64)
	shown := make([]guest.MemoryItem, 0, len(items))
	for _, it := range items {
		_, wanted := at[it.Section]
		switch {
		case it.Pinned, wanted && sure(it) >= c.LeastConfidence:
			shown = append(shown, it)
		case wanted:
			result.Left = append(result.Left, guest.Selected{ID: it.ID, Why: "its confidence is below " + least})
		default:
			result.Left = append(result.Left, guest.Selected{ID: it.ID, Why: "its section is not asked for"})
		}
	}
	place := func(it guest.MemoryItem) int {
		if i, wanted := at[it.Section]; wanted {
			return i
		}
		return len(c.Sections)
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
			-cmp.Compare(importance(a), importance(b)),
			-cmp.Compare(sure(a), sure(b)),
			-cmp.Compare(a.Seen, b.Seen),
			b.Said.Compare(a.Said),
			b.Updated.Compare(a.Updated),
		)
	})
	result.Selected = make([]guest.Selected, len(shown))
	for i, it := range shown {
		result.Selected[i] = guest.Selected{ID: it.ID, Why: why(it)}
	}
	return result
}

// shares gives each section its part of the budget by its place: of four the first
// has four tenths, the last one tenth.
func shares(sections []string) map[string]float64 {
	n := len(sections)
	out := make(map[string]float64, n)
	for i, id := range sections {
		out[id] = float64(2*(n-i)) / float64(n*(n+1))
	}
	return out
}

// importance is that of an item, which is a fact that takes some finding out where
// nobody said, and must not be missed where a person wrote it.
func importance(it guest.MemoryItem) int {
	switch {
	case it.ByPerson:
		return 3
	case it.Importance == 0:
		return 2
	}
	return it.Importance
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
	if it.Importance > 0 && !it.ByPerson {
		s += ", importance " + strconv.Itoa(it.Importance)
	}
	if it.Seen > 1 {
		s += ", found " + strconv.Itoa(it.Seen) + " times"
	}
	return s
}
