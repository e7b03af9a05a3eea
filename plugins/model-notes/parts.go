package main

import "slices"

// part is what of a session is shown in one request.
type part struct {
	number, of int // from 1, oldest first
	left       int // earlier turns that no part has; in the first part only
	messages   int // before they were shortened
	said       []said
	turns      []string // ids
}

// piece is a turn, or as much of a long one as fits a part.
type piece struct {
	talk
	turn string
}

// parts cuts a session into parts of about the same length, none longer than limit
// runes unless a message is: between turns, and within a turn that is longer.
func (s *session) parts(limit int) []part {
	pieces := s.pieces(limit)
	if len(pieces) == 0 {
		return nil
	}
	count := (s.runes + limit - 1) / limit
	even := (s.runes + count - 1) / count
	var parts []part
	size := 0
	for i, k := range pieces {
		if i == 0 || size >= even || size+k.runes > limit {
			parts, size = append(parts, part{number: len(parts) + 1}), 0
		}
		p := &parts[len(parts)-1]
		p.said, p.messages, size = append(p.said, k.said...), p.messages+k.messages, size+k.runes
		if !slices.Contains(p.turns, k.turn) {
			p.turns = append(p.turns, k.turn)
		}
	}
	for i := range parts {
		parts[i].of = len(parts)
	}
	parts[0].left = s.left
	return parts
}

func (s *session) pieces(limit int) []piece {
	var out []piece
	for _, k := range s.talks {
		if k.runes <= limit {
			out = append(out, piece{k, k.turn})
			continue
		}
		share := float64(k.messages) / float64(len(k.said))
		for i, m := range k.said {
			n := len([]rune(m.text))
			last := len(out) - 1
			if i == 0 || out[last].runes+n > limit {
				out, last = append(out, piece{turn: k.turn}), last+1
			}
			out[last].said, out[last].runes = append(out[last].said, m), out[last].runes+n
			out[last].messages = int(float64(len(out[last].said))*share + 0.5)
		}
	}
	return out
}

// byName gives a part's messages by their handles, and by their records' ids: a
// model may name either.
func (p part) byName() map[string]said {
	by := make(map[string]said, 2*len(p.said))
	for _, s := range p.said {
		by[s.id] = s
	}
	for _, s := range p.said {
		by[s.handle] = s
	}
	return by
}
