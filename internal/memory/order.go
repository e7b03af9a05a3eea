package memory

import "slices"

// leaving says which bullets have to leave their place so that those of each
// section stand in the order of items: as few as possible.
func (d *document) leaving(ids []string, active map[string]Item, items []Item) map[int]bool {
	rank := make(map[string]int, len(items))
	for i, it := range items {
		rank[it.ID] = i
	}
	inSection := map[string][]int{} // bullets, in the document's order
	for k, b := range d.bullets {
		if it, ok := active[ids[k]]; ok && it.Section == b.section {
			inSection[b.section] = append(inSection[b.section], k)
		}
	}
	var out map[int]bool
	for _, bullets := range inSection {
		ranks := make([]int, len(bullets))
		for i, k := range bullets {
			ranks[i] = rank[ids[k]]
		}
		if slices.IsSorted(ranks) {
			continue
		}
		stays := rising(ranks)
		for i, k := range bullets {
			if !stays[i] {
				if out == nil {
					out = map[int]bool{}
				}
				out[k] = true
			}
		}
	}
	return out
}

// rising marks a longest subsequence of ns that rises.
func rising(ns []int) []bool {
	ends := make([]int, 0, len(ns)) // ends[l]: where the lowest one of length l+1 ends
	before := make([]int, len(ns))
	for i, n := range ns {
		l, _ := slices.BinarySearchFunc(ends, n, func(at, n int) int { return ns[at] - n })
		before[i] = -1
		if l > 0 {
			before[i] = ends[l-1]
		}
		if l == len(ends) {
			ends = append(ends, i)
		} else {
			ends[l] = i
		}
	}
	out := make([]bool, len(ns))
	if len(ends) == 0 {
		return out
	}
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		out[i] = true
	}
	return out
}

// inOrderOf gives items with those that have a bullet in the bullets' order, so
// that an edit moves none of them. The others stay behind what they followed.
func inOrderOf(ids []string, items []Item) []Item {
	at := make(map[string]int, len(ids))
	for k, id := range ids {
		if _, twice := at[id]; !twice && id != "" {
			at[id] = k
		}
	}
	var bound []Item
	for _, it := range items {
		if _, ok := at[it.ID]; ok {
			bound = append(bound, it)
		}
	}
	slices.SortStableFunc(bound, func(a, b Item) int { return at[a.ID] - at[b.ID] })
	out := slices.Clone(items)
	n := 0
	for i, it := range items {
		if _, ok := at[it.ID]; ok {
			out[i] = bound[n]
			n++
		}
	}
	return out
}

// inOrder gives items in the order of others, which are the same ones.
func inOrder(items, others []Item) []Item {
	at := make(map[string]int, len(others))
	for i, it := range others {
		at[it.ID] = i
	}
	out := slices.Clone(items)
	slices.SortStableFunc(out, func(a, b Item) int { return at[a.ID] - at[b.ID] })
	return out
}
