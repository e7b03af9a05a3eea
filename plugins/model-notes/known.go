package main

import (
	"strings"

	"recollect/hostapi/guest"
)

// remembered gives the branch's memory, or none if the host has none to give.
func remembered(c config) []guest.MemoryItem {
	if c.KnownChars <= 0 {
		return nil
	}
	items, err := guest.Memory(guest.MemoryGetParams{})
	if err != nil {
		return nil
	}
	return items
}

// known gives what a part is shown of the memory, and of what later sessions
// brought: what has most in common with the part, as much as there is room for.
func (x *extraction) known(p part) []guest.MemoryItem {
	all := x.memory
	said := map[string]bool{}
	for _, it := range all {
		said[key(it.Content)] = true
	}
	for _, n := range x.notes {
		if k := key(n.Content); !said[k] {
			said[k] = true
			all = append(all[:len(all):len(all)], guest.MemoryItem{Section: n.Section, Content: n.Content, Confidence: n.Confidence})
		}
	}
	if len(all) == 0 || x.config.KnownChars <= 0 {
		return nil
	}
	var b strings.Builder
	for _, s := range p.said {
		b.WriteString(s.text)
		b.WriteByte('\n')
	}
	return closest(all, wordsOf(b.String()), x.config.KnownChars)
}
