package main

import "slices"

// part is what of a transcript is shown in one request: whole turns.
type part struct {
	number int // from 1, oldest first
	left   int // earlier turns that no part has; in the first part only
	said   []said
	turns  []string // ids
}

// parts cuts a transcript at the borders of turns, into parts of about the same
// length, none longer than limit runes unless a turn is.
func (t transcript) parts(limit int) []part {
	total := 0
	for _, k := range t.talks {
		total += k.runes
	}
	if len(t.talks) == 0 {
		return nil
	}
	count := (total + limit - 1) / limit
	even := (total + count - 1) / count
	var parts []part
	var now []talk
	size := 0
	closePart := func() {
		slices.Reverse(now)
		var p part
		for _, k := range now {
			p.said, p.turns = append(p.said, k.said...), append(p.turns, k.turn)
		}
		parts, now, size = append(parts, p), nil, 0
	}
	for _, k := range slices.Backward(t.talks) { // the newest part is a full one
		if len(now) > 0 && (size >= even || size+k.runes > limit) {
			closePart()
		}
		now, size = append(now, k), size+k.runes
	}
	closePart()
	slices.Reverse(parts)
	for i := range parts {
		parts[i].number = i + 1
	}
	parts[0].left = t.left
	return parts
}

// messages gives a part's messages by their handles, and by their records' ids:
// a model may name either.
func (p part) messages() map[string]said {
	by := make(map[string]said, 2*len(p.said))
	for _, s := range p.said {
		by[s.id] = s
	}
	for _, s := range p.said {
		by[s.handle] = s
	}
	return by
}
