package secrets

import (
	"cmp"
	"slices"
	"strings"
)

// seam is a place where one string goes on behind another: what joins them is
// read as by.
type seam struct {
	from, to int
	by       string
}

// How much before and behind a seam is read joined, in bytes.
const seamReach = 160

// joined finds the secrets that go across seams: quoted strings that are added
// up, soft line breaks of quoted-printable, signs with a space behind each.
func (r *Redactor) joined(text string) []span {
	seams := added(text, lineEnds(text))
	seams = spelled(text, seams)
	if len(seams) == 0 {
		return nil
	}
	slices.SortFunc(seams, func(a, b seam) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	var spans []span
	for i := 0; i < len(seams); {
		var b viewer
		from := max(0, seams[i].from-seamReach)
		if i > 0 {
			from = max(from, seams[i-1].to)
		}
		at := from
		var cuts []int
		for {
			b.keep(at, text[at:seams[i].from])
			b.replace(seams[i].from, seams[i].by)
			cuts = append(cuts, b.out.Len())
			at = seams[i].to
			for i++; i < len(seams) && seams[i].from < at; i++ {
				continue // it overlaps
			}
			if i == len(seams) || seams[i].from-at > seamReach {
				break
			}
		}
		end := min(len(text), at+seamReach)
		b.keep(at, text[at:end])
		v := b.done(end)
		for _, s := range r.scan(v.text) {
			if n, _ := slices.BinarySearch(cuts, s.from+1); n < len(cuts) && cuts[n] < s.to {
				spans = append(spans, v.span(s))
			}
		}
	}
	return spans
}

// lineEnds finds soft line breaks of quoted-printable, its equals signs if there
// are some, and strings that go on in the next line.
func lineEnds(text string) []seam {
	var seams []seam
	soft := false
	for at := 0; ; at++ {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		at += n
		from := at
		if from > 0 && text[from-1] == '\r' {
			from--
		}
		if from == 0 {
			continue
		}
		switch text[from-1] {
		case '=':
			if from > 1 && at+1 < len(text) && isRunByte(text[from-2]) && isTokenByte(text[at+1]) && telling(text, from-1, at+1) {
				seams, soft = append(seams, seam{from - 1, at + 1, ""}), true
			}
		case '"', '\'', '\\':
			seams = operator(text, from, from, seams)
		}
	}
	for at := 0; soft; at += 3 {
		n := strings.Index(text[at:], "=3D")
		if n < 0 {
			break
		}
		at += n
		seams = append(seams, seam{at, at + 3, "="})
	}
	return seams
}

// added finds the signs that add strings up.
func added(text string, seams []seam) []seam {
	for at := 0; ; at++ {
		n := strings.IndexByte(text[at:], '+')
		if n < 0 {
			break
		}
		at += n
		seams = operator(text, at, at+1, seams)
	}
	for at := 0; ; at += 3 {
		n := strings.Index(text[at:], " . ")
		if n < 0 {
			return seams
		}
		at += n
		if at > 0 && at+3 < len(text) && (text[at-1] == '"' || text[at-1] == '\'') {
			seams = operator(text, at+1, at+2, seams)
		}
	}
}

// telling says that what stands around a seam without a space may be a secret.
func telling(text string, from, to int) bool {
	begin, end := from, to
	for least := max(0, from-80); begin > least && isRunByte(text[begin-1]); {
		begin--
	}
	for most := min(len(text), to+80); end < most && isRunByte(text[end]); {
		end++
	}
	return from-begin+end-to >= 12 && (strings.ContainsAny(text[begin:from], "0123456789") || strings.ContainsAny(text[to:end], "0123456789"))
}

// operator adds the seam around text[from:to] if strings end and begin beside it.
func operator(text string, from, to int, seams []seam) []seam {
	const blank = " \t\r\n\\"
	least, most := max(0, from-40), min(len(text), to+40)
	for from > least && strings.IndexByte(blank, text[from-1]) >= 0 {
		from--
	}
	for to < most && strings.IndexByte(blank, text[to]) >= 0 {
		to++
	}
	if from < 2 || to+1 >= len(text) {
		return seams
	}
	q := text[from-1]
	switch {
	case (q == '"' || q == '\'' || q == '`') && text[to] == q:
		from, to = from-1, to+1
		if from > 0 && text[from-1] == '\\' { // in a string that is quoted itself
			from--
		}
	case text[to] == '\\' && to+1 < len(text) && text[to+1] == q && text[from-2] == '\\':
		from, to = from-2, to+2
	case !strings.Contains(text[from:to], "+") || from == to || text[from] == '+' || !isTokenByte(q) || !isTokenByte(text[to]):
		return seams
	}
	if from == 0 || to >= len(text) || !isRunByte(text[from-1]) && text[from-1] != ' ' || !isRunByte(text[to]) || !telling(text, from, to) {
		return seams
	}
	return append(seams, seam{from, to, ""})
}

// leastSpelled is how many signs a secret has at least that is spelled out.
const leastSpelled = 16

// spelled finds runs of single signs with a space between each two.
func spelled(text string, seams []seam) []seam {
	single := func(i int) bool { // a sign between spaces
		return text[i] > ' ' && text[i] < 0x7f && text[i+1] == ' ' && text[i+2] > ' '
	}
	for i := 0; i+8 < len(text); i += 16 { // a run is longer
		at := i
		if text[at] == ' ' {
			at++
		}
		if !single(at) || !single(at+2) {
			continue
		}
		from := at
		for from >= 2 && text[from-1] == ' ' && text[from-2] > ' ' && (from == 2 || text[from-3] == ' ') {
			from -= 2
		}
		to := at
		for to+3 < len(text) && single(to) && (to+3 >= len(text) || text[to+3] == ' ' || to+4 >= len(text)) {
			to += 2
		}
		if (to-from)/2 < leastSpelled-1 || !strings.ContainsAny(text[from:to], "0123456789") {
			continue
		}
		for j := from + 1; j < to; j += 2 {
			seams = append(seams, seam{j, j + 1, ""})
		}
		i = to
	}
	return seams
}
