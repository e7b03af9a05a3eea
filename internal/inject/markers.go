package inject

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// The markers are HTML comments that stand alone on a line, from its first
// column on: Claude Code takes such comments out before a model reads the file.
// Everything that looks for our blocks knows them by these beginnings.
const (
	BeginMarker = "<!-- recollect:begin"
	EndMarker   = "<!-- recollect:end"
)

const (
	endLine   = EndMarker + " -->"
	beginNote = "; written by Recollect: changes between these lines are replaced -->"
)

// attributes are what the begin marker remembers about the moment when the
// block was first put into the file, for its removal.
type attributes struct {
	gap     int  // line endings that were added before the block: 0, 1 or 2
	created bool // the file was not there before
}

func (a attributes) line() string {
	s := BeginMarker + " gap=" + strconv.Itoa(a.gap)
	if a.created {
		s += " new"
	}
	return s + beginNote
}

// parseAttributes reads the begin marker in line. What it doesn't know it
// ignores; a marker without attributes has none to act on.
func parseAttributes(line []byte) attributes {
	list, _, _ := strings.Cut(strings.TrimPrefix(string(line), BeginMarker), ";")
	var a attributes
	for _, word := range strings.Fields(list) {
		switch word {
		case "gap=1":
			a.gap = 1
		case "gap=2":
			a.gap = 2
		case "new":
			a.created = true
		}
	}
	return a
}

// A span is a line of a file: the bytes from start up to end, its line ending
// included, and its number from 1 on.
type span struct {
	start, end, line int
}

// pair is our block in a file: its two marker lines and the parts between them
// that a person keeps by hand.
type pair struct {
	begin, end span
	manual     []region
}

// region is a run of whole lines.
type region struct{ start, end int }

var (
	markerLike = regexp.MustCompile(`^[ \t]*<!--[ \t]*(?i:recollect:(begin|end))(?:[^0-9A-Za-z_-]|-->|$)`)
	manualLine = regexp.MustCompile(`(?i)^[ \t]*<!--[ \t]*(END[ \t]+)?MANUAL[ \t]*-->[ \t]*\r?\n?$`)
)

// isMarker reports whether a line that looks like a marker is one: from the
// first column on, in lower case, closed on the same line, with nothing but
// blanks after it.
func isMarker(line []byte) bool {
	if !bytes.HasPrefix(line, []byte(BeginMarker)) && !bytes.HasPrefix(line, []byte(EndMarker)) {
		return false
	}
	_, rest, closed := bytes.Cut(line, []byte("-->"))
	return closed && len(bytes.TrimSpace(rest)) == 0
}

// scan is what a look at a Markdown text found.
type scan struct {
	begins, ends []span
	malformed    []span // lines that are almost a marker
	manuals      []manual
	lastBlock    int // number of the line on which the last code or HTML block starts
}

// manual is a line that opens or closes a part that a person keeps.
type manual struct {
	span
	closes bool
}

// blocks parses block structure only: which lines are code and which are HTML.
var blocks = parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))

// look finds the markers in src, which must not begin with a byte order mark. A
// line is a marker only where Markdown sees an HTML comment of its own: not in
// code, not within another comment or raw text, and not amid a paragraph.
func look(src []byte) scan {
	var s scan
	lines := lineCounter{src: src}
	_ = ast.Walk(blocks.Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.HTMLBlock:
			s.lastBlock = lines.at(n.Lines().At(0).Start).line
			s.html(src, n, &lines)
		case *ast.FencedCodeBlock:
			s.lastBlock = lines.at(n.Pos()).line
		}
		return ast.WalkContinue, nil
	})
	return s
}

// html looks at the lines of an HTML block on which a comment may begin. A
// block of another tag goes on until a blank line, and comments in it are
// comments; scripts, <pre> and the like are raw text.
func (s *scan) html(src []byte, n *ast.HTMLBlock, lines *lineCounter) {
	last := 0
	switch n.HTMLBlockType {
	case ast.HTMLBlockType2:
	case ast.HTMLBlockType6, ast.HTMLBlockType7:
		last = n.Lines().Len() - 1
	default:
		return
	}
	for i := range last + 1 {
		at := lines.at(n.Lines().At(i).Start)
		line := src[at.start:at.end]
		seen := n.Lines().At(i)
		m := markerLike.FindSubmatch(seen.Value(src))
		switch {
		case m == nil:
			if m := manualLine.FindSubmatch(seen.Value(src)); m != nil {
				s.manuals = append(s.manuals, manual{at, m[1] != nil})
			}
		case !isMarker(line):
			s.malformed = append(s.malformed, at)
		case string(m[1]) == "begin":
			s.begins = append(s.begins, at)
		default:
			s.ends = append(s.ends, at)
		}
	}
}

// pairOf returns our block, nil if there is none, or a refusal: one begin
// marker before one end marker is a block, and everything else could make us
// take away a person's text.
func (s scan) pair() (*pair, error) {
	begins, ends := numbers(s.begins), numbers(s.ends)
	switch {
	case len(s.malformed) > 0:
		return nil, refuse(BrokenMarkers, numbers(s.malformed),
			"a marker must stand alone at the very start of a line, exactly as it was written")
	case len(begins) == 0 && len(ends) == 0:
		return nil, nil
	case len(ends) == 0 && len(begins) == 1:
		return nil, refuse(BrokenMarkers, begins, "a begin marker without an end marker")
	case len(begins) == 0 && len(ends) == 1:
		return nil, refuse(BrokenMarkers, ends, "an end marker without a begin marker")
	case len(begins) != 1 || len(ends) != 1:
		return nil, refuse(BrokenMarkers, merged(begins, ends), "more than one begin and one end marker")
	case s.begins[0].start > s.ends[0].start:
		return nil, refuse(BrokenMarkers, merged(begins, ends), "the end marker stands before the begin marker")
	}
	p := &pair{begin: s.begins[0], end: s.ends[0]}
	return p, p.findManual(s.manuals)
}

// findManual collects the parts between "MANUAL" and "END MANUAL" comments
// inside the block.
func (p *pair) findManual(marks []manual) error {
	var open *manual
	for _, m := range marks {
		if m.start < p.begin.end || m.end > p.end.start {
			continue
		}
		switch {
		case m.closes != (open != nil):
			return refuse(BrokenMarkers, []int{m.line}, "MANUAL comments inside the block that are not in pairs")
		case m.closes:
			p.manual = append(p.manual, region{open.start, m.end})
			open = nil
		default:
			open = &m
		}
	}
	if open != nil {
		return refuse(BrokenMarkers, []int{open.line}, "a MANUAL comment inside the block that is not closed")
	}
	return nil
}

func numbers(spans []span) []int {
	var n []int
	for _, s := range spans {
		n = append(n, s.line)
	}
	return n
}

// lineCounter finds the line of an offset; offsets must not go down by much,
// since it counts on from the last one.
type lineCounter struct {
	src  []byte
	pos  int // start of a line
	line int // lines before pos
}

func (c *lineCounter) at(offset int) span {
	start := bytes.LastIndexByte(c.src[:offset], '\n') + 1
	if start < c.pos {
		c.pos, c.line = 0, 0
	}
	c.line += bytes.Count(c.src[c.pos:start], []byte{'\n'})
	c.pos = start
	end := len(c.src)
	if i := bytes.IndexByte(c.src[offset:], '\n'); i >= 0 {
		end = offset + i + 1
	}
	return span{start: start, end: end, line: c.line + 1}
}
