package secrets

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// view is a text as it is scanned, and where its bytes stand in the one that is
// redacted.
type view struct {
	text   string
	points []point
}

// point is a place of a view and of the text below it. From a straight point on,
// byte follows byte up to the next one; what follows another point stands for
// all bytes up to there.
type point struct {
	view, below int
	straight    bool
}

// viewer builds a view from left to right.
type viewer struct {
	out    strings.Builder
	points []point
}

func (v *viewer) keep(at int, piece string) {
	v.points = append(v.points, point{v.out.Len(), at, true})
	v.out.WriteString(piece)
}

func (v *viewer) replace(at int, by string) {
	v.points = append(v.points, point{v.out.Len(), at, false})
	v.out.WriteString(by)
}

func (v *viewer) done(end int) view {
	v.points = append(v.points, point{v.out.Len(), end, true})
	return view{v.out.String(), v.points}
}

// below gives the place in the text below of a span's begin or end.
func (v view) below(at int, end bool) int {
	i, found := slices.BinarySearchFunc(v.points, at, func(p point, at int) int { return p.view - at })
	if end {
		i-- // what was left out behind the span stays
	} else if found {
		for i+1 < len(v.points) && v.points[i+1].view == at {
			i++ // what was left out before it, too
		}
	} else {
		i--
	}
	p := v.points[max(i, 0)]
	switch {
	case p.straight:
		return p.below + at - p.view
	case end:
		return v.points[i+1].below
	}
	return p.below
}

func (v view) span(s span) span { return span{v.below(s.from, false), v.below(s.to, true)} }

// normal gives the view of a text in compatibility form (NFKC) and without
// characters that are not seen; ok is false if that is the text itself. Only
// lines that hold something to change are gone through.
func normal(text string) (v view, ok bool) {
	var b viewer
	first := unusual(text)
	if first < 0 {
		return view{}, false
	}
	b.out.Grow(len(text))
	kept, from := 0, 0
	for {
		n := unusual(text[from:])
		if n < 0 {
			break
		}
		at := from + n
		line := strings.LastIndexByte(text[:at], '\n') + 1
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n
		}
		line = max(line, kept)
		if kept < line {
			b.keep(kept, text[kept:line])
		}
		normalLine(&b, line, text[line:end])
		kept, from, ok = end, end, true
	}
	if !ok {
		return view{}, false
	}
	if kept < len(text) {
		b.keep(kept, text[kept:])
	}
	return b.done(len(text)), true
}

func normalLine(b *viewer, at int, line string) {
	var it norm.Iter
	it.InitString(norm.NFKC, line)
	from := 0
	for !it.Done() {
		segment := it.Next()
		to := it.Pos()
		switch was := line[from:to]; {
		case unseen(was):
			b.replace(at+from, "")
		case was == "…" || was == string(segment):
			if n := len(b.points); n > 0 && b.points[n-1].straight && b.points[n-1].below+b.out.Len()-b.points[n-1].view == at+from {
				b.out.WriteString(was)
			} else {
				b.keep(at+from, was)
			}
		default:
			b.replace(at+from, strings.Map(seen, string(segment)))
		}
		from = to
	}
}

func unseen(segment string) bool {
	return strings.IndexFunc(segment, func(c rune) bool { return seen(c) >= 0 }) < 0
}

// seen drops what has no form of its own: format characters, joiners, selectors
// of a form.
func seen(c rune) rune {
	if c >= utf8.RuneSelf && (unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Variation_Selector, c) || c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0x034F) {
		return -1
	}
	return c
}

// unusual gives the first place that may look otherwise in a view, -1 if there is
// none.
func unusual(text string) int {
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			for i++; i+8 <= len(text); i += 8 {
				if t := text[i : i+8]; t[0]|t[1]|t[2]|t[3]|t[4]|t[5]|t[6]|t[7] >= utf8.RuneSelf {
					break
				}
			}
			continue
		}
		c, n := utf8.DecodeRuneInString(text[i:])
		if !usual(c) {
			return i
		}
		i += n
	}
	return -1
}

// usual says of the characters that most texts beyond ASCII are made of that they
// are their own compatibility form and can be seen.
func usual(c rune) bool {
	switch {
	case 0xC0 <= c && c < 0x132, 0x14A <= c && c < 0x17F: // Latin
	case 0x391 <= c && c < 0x3CF, 0x400 <= c && c < 0x483: // Greek, Cyrillic
	case 0x2012 <= c && c < 0x2024, c == 0x2026, 0x2190 <= c && c < 0x222C, 0x2500 <= c && c < 0x2A0C: // punctuation, arrows, boxes, signs
	case 0x3001 <= c && c < 0x3036, 0x3041 <= c && c < 0x3097, 0x30A1 <= c && c < 0x30FF: // kana
	case 0x3400 <= c && c < 0xA000, 0xAC00 <= c && c < 0xD7A4: // Han, Hangul
	case 0x1F300 <= c && c < 0x1FB00: // pictures
	case c == 0xA1, c == 0xA3, c == 0xA7, c == 0xA9, c == 0xAB, c == 0xAE, c == 0xB0, c == 0xB1, c == 0xB6, c == 0xB7, c == 0xBB, c == 0xBF:
	case c == utf8.RuneError:
	default:
		return false
	}
	return true
}
