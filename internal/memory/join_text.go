package memory

import (
	"slices"
	"strings"
)

// joinText gives a document's text with both sides of each merge in it: for each
// heading the blocks of the first side, and then those that only the other one has.
// A block is a bullet with all that hangs below it, a fence, a paragraph.
func joinText(d *document) []byte {
	hunks := hunksIn(d)
	if len(hunks) == 0 {
		return d.bytes()
	}
	lines := make([]string, len(d.lines))
	for i, l := range d.lines {
		lines[i] = l.text
	}
	var out []string
	at := 0
	for n, h := range hunks {
		out = append(out, lines[min(at, h.From):h.From]...)
		ours, theirs := h.Ours(lines), h.Theirs(lines)
		at = h.To
		if next := len(lines); open(ours) && open(theirs) {
			if n+1 < len(hunks) {
				next = hunks[n+1].From
			}
			more := continuation(lines[at:next])
			ours, theirs = append(slices.Clip(ours), more...), append(slices.Clip(theirs), more...)
			at += len(more)
		}
		out = append(out, joinSides(ours, theirs)...)
	}
	return []byte(strings.Join(ended(append(out, lines[at:]...)), ""))
}

// ended gives lines each but the last of which has an ending: what stood last in a
// file may stand in the middle now.
func ended(lines []string) []string {
	for i := range lines[:max(len(lines)-1, 0)] {
		if !strings.HasSuffix(lines[i], "\n") {
			lines[i] += "\n"
		}
	}
	return lines
}

// open says that what follows the lines may go on with the last one.
func open(lines []string) bool { return len(lines) > 0 && !blank(lines[len(lines)-1]) }

func blank(line string) bool { return strings.TrimSpace(line) == "" }

func plain(line string) string { return strings.TrimRight(line, "\r\n") }

// continuation gives the lines that go on with a paragraph or a bullet before them.
func continuation(lines []string) []string {
	n := 0
	for n < len(lines) && !blank(lines[n]) && !startsBlock(plain(lines[n])) {
		n++
	}
	return lines[:n]
}

// part is a heading of the upper two levels with what follows it; the first one of a
// side may have none.
type part struct {
	heading string
	blocks  [][]string
}

func joinSides(ours, theirs []string) []string {
	a, b := parts(ours), parts(theirs)
	var out []string
	for i, p := range a {
		j := slices.IndexFunc(b, func(q part) bool { return partKey(q) == partKey(p) })
		if j < 0 || (i == 0) != (j == 0) {
			out = p.lines(out)
			continue
		}
		p.blocks = joinBlocks(p.blocks, b[j].blocks)
		b[j].blocks, b[j].heading = nil, ""
		out = p.lines(out)
	}
	for _, p := range b {
		out = p.lines(out)
	}
	return out
}

func partKey(p part) string { return headingKey(plain(p.heading)) }

func (p part) lines(out []string) []string {
	if p.heading != "" {
		out = append(out, p.heading)
	}
	return append(out, slices.Concat(p.blocks...)...)
}

// parts gives the parts of a side, always at least one.
func parts(lines []string) []part {
	out := []part{{}}
	for i := 0; i < len(lines); {
		if h := anyHeading.FindStringSubmatch(plain(lines[i])); h != nil && len(h[1]) <= 2 {
			out = append(out, part{heading: lines[i]})
			i++
			continue
		}
		end := blockEnd(lines, i)
		last := &out[len(out)-1]
		last.blocks = append(last.blocks, lines[i:end])
		i = end
	}
	return out
}

// blockEnd gives the end of the block that begins at line i.
func blockEnd(lines []string, i int) int {
	if f := fenceStart.FindStringSubmatch(plain(lines[i])); f != nil {
		for j := i + 1; j < len(lines); j++ {
			if t := strings.TrimSpace(lines[j]); len(t) >= len(f[1]) && strings.Trim(t, f[1][:1]) == "" {
				return j + 1
			}
		}
		return i + 1
	}
	if blank(lines[i]) {
		return i + 1
	}
	_, _, bullet := bulletPrefix(plain(lines[i]))
	end := i + 1
	for j := i + 1; j < len(lines); j++ {
		s := plain(lines[j])
		deep := indentation(s) >= 2
		switch {
		case blank(s):
			if !bullet {
				return end
			}
			continue
		case bullet && deep:
		case j > end, startsBlock(s):
			return end
		}
		end = j + 1
	}
	return end
}

// joinBlocks gives the blocks of one part, and those that only another has behind
// them. There is one line that says what made the document, and the one that says
// that there are no entries goes where there are some.
func joinBlocks(a, b [][]string) [][]string {
	has := map[string]bool{}
	made := false
	for _, block := range a {
		has[blockKey(block)] = true
		made = made || isStamp(block)
	}
	out, fresh := a, [][]string(nil)
	for _, block := range b {
		key := blockKey(block)
		if key == "" || has[key] || isStamp(block) && made {
			continue
		}
		has[key] = true
		fresh = append(fresh, block)
	}
	if len(fresh) == 0 {
		return a
	}
	// Blank lines that end the part stay at its end.
	tail := len(a)
	for tail > 0 && blockKey(a[tail-1]) == "" {
		tail--
	}
	out = slices.Clone(a[:tail])
	for _, block := range fresh {
		text := !isBullet(block) && blockKey(block) != noEntries
		if n := len(out); n > 0 && text && blockKey(out[n-1]) != "" {
			out = append(out, []string{"\n"})
		}
		out = append(out, block)
	}
	out = append(out, a[tail:]...)
	if slices.ContainsFunc(out, isBullet) {
		out = slices.DeleteFunc(out, func(block []string) bool { return blockKey(block) == noEntries })
	}
	return out
}

func isBullet(block []string) bool {
	_, _, ok := bulletPrefix(plain(block[0]))
	return ok
}

func isStamp(block []string) bool {
	return len(block) == 1 && (generated.MatchString(plain(block[0])) || stampLine.MatchString(plain(block[0])))
}

// blockKey is what two blocks have in common that say the same; "" for a blank line.
func blockKey(block []string) string {
	var b strings.Builder
	for _, l := range block {
		b.WriteString(strings.TrimRight(l, " \t\r\n"))
		b.WriteByte('\n')
	}
	return strings.TrimSpace(b.String())
}
