package memory

import (
	"regexp"
	"strings"
	"time"
)

// DefaultLayout is the layout of seed memories: what a memory has whose schema
// says nothing else.
func DefaultLayout() Layout {
	return Layout{Title: "Branch Memory", Sections: []Section{
		{ID: "facts", Heading: "Facts"},
		{ID: "architectural-decisions", Heading: "Architectural Decisions"},
		{ID: "conventions", Heading: "Conventions"},
		{ID: "bug-patterns", Heading: "Bug Patterns"},
	}}
}

// document is a memory's Markdown. Every byte belongs to exactly one line, so
// that what nobody touches is written again as it was.
type document struct {
	layout  Layout
	lines   []line
	bullets []bullet
	title   string    // the name that the title gives
	titled  bool      // whether there is such a title
	updated time.Time // of the "Last updated" line, zero if it has none
	stamp   int       // that line, -1 if there is none
}

// line is one line with its ending.
type line struct {
	text    string // with the ending
	kind    kind
	section string // id of the section it is in, "" outside
}

type kind uint8

const (
	foreign     kind = iota // whatever we do not understand, kept as it is
	heading                 // of a known section
	placeholder             // "_No entries yet._"
	entry                   // belongs to a bullet that is an item
)

// bullet is an item as it stands in the Markdown.
type bullet struct {
	first, end int // lines [first, end)
	text       int // lines [first, text) are its paragraph; the rest hangs below it
	section    string
	content    string // as it was meant
	prefix     string // what stands before the text: "- ", "* [x] "
}

const noEntries = "_No entries yet._"

var (
	stampLine  = regexp.MustCompile(`^ {0,3}>.*Last updated:[ \t]*(\S+)`)
	anyHeading = regexp.MustCompile(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$`)
	fenceStart = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})([^\r\n]*)")
	listItem   = regexp.MustCompile(`^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)`)
	nested     = regexp.MustCompile(`^[-*+](?:[ \t]|$)`)
	thematic   = regexp.MustCompile(`^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$`)
	setext     = regexp.MustCompile(`^ {0,3}(?:=+|-+)[ \t]*$`)
)

const bom = "\uFEFF"

// parseDocument reads any bytes; there is no error.
func parseDocument(data []byte, layout Layout) *document {
	d := &document{layout: layout, stamp: -1}
	for text := range strings.Lines(string(data)) {
		d.lines = append(d.lines, line{text: text})
	}
	d.read()
	return d
}

// bytes returns the document as it is written.
func (d *document) bytes() []byte {
	var b strings.Builder
	for _, l := range d.lines {
		b.WriteString(l.text)
	}
	return []byte(b.String())
}

// at returns line i without its ending and without a byte order mark.
func (d *document) at(i int) string {
	s := strings.TrimSuffix(strings.TrimSuffix(d.lines[i].text, "\n"), "\r")
	if i == 0 {
		s = strings.TrimPrefix(s, bom)
	}
	return s
}

func (d *document) read() {
	known := sectionsByHeading(d.layout)
	closers := d.closers()
	section := ""
	for i := d.skipFrontMatter(); i < len(d.lines); {
		s := d.at(i)
		first := firstByte(s)
		if first == '`' || first == '~' || first == '<' {
			if end := d.opaque(i, s, closers); end > i {
				d.assign(i, end, section)
				i = end
				continue
			}
		}
		if h := headingOf(s, first); h != nil {
			switch {
			case len(h[1]) == 2:
				if section = known[headingKey(h[2])]; section != "" {
					d.lines[i].kind = heading
				}
			case len(h[1]) == 1:
				section = ""
				d.readTitle(h[2])
			}
		} else if d.stamp < 0 && section == "" {
			d.readStamp(i, s)
		}
		d.lines[i].section = section
		if section == "" {
			i++
			continue
		}
		i = d.readEntry(i, s, section)
	}
}

// firstByte is the first byte behind the indentation, 0 if there is none.
func firstByte(s string) byte {
	if s = strings.TrimLeft(s, " "); s != "" {
		return s[0]
	}
	return 0
}

// headingOf splits a heading line; nearly all lines are none.
func headingOf(s string, first byte) []string {
	if first != '#' {
		return nil
	}
	return anyHeading.FindStringSubmatch(s)
}

func (d *document) assign(from, to int, section string) {
	for i := from; i < to; i++ {
		d.lines[i].section = section
	}
}

func sectionsByHeading(l Layout) map[string]string {
	known := make(map[string]string, 2*len(l.Sections))
	for _, s := range l.Sections {
		known[headingKey(s.Heading)] = s.ID
	}
	return known
}

func headingKey(heading string) string { return strings.ToLower(strings.TrimSpace(heading)) }

func (d *document) readTitle(text string) {
	name, ok := strings.CutPrefix(text, d.layout.Title+":")
	if ok && !d.titled {
		d.title, d.titled = readName(strings.TrimSpace(name)), true
	}
}

func (d *document) readStamp(i int, s string) {
	if m := stampLine.FindStringSubmatch(s); m != nil {
		d.stamp = i
		d.updated, _ = time.Parse(time.RFC3339, m[1])
	}
}

// skipFrontMatter returns the line behind a front matter, 0 if there is none.
func (d *document) skipFrontMatter() int {
	if len(d.lines) == 0 || strings.TrimRight(d.at(0), " \t") != "---" {
		return 0
	}
	for i := 1; i < len(d.lines); i++ {
		if s := strings.TrimRight(d.at(i), " \t"); s == "---" || s == "..." {
			return i + 1
		}
	}
	return 0
}

// closers keeps the search for the end of a fence or a comment from reading the
// rest of the document each time.
type closers struct {
	comments int          // the last line that can end one, -1 if there is none
	open     map[byte]int // marks of at least that length are not closed any more
}

func (d *document) closers() closers {
	c := closers{-1, map[byte]int{}}
	for i := range d.lines {
		if strings.Contains(d.lines[i].text, "-->") {
			c.comments = i
		}
	}
	return c
}

// opaque returns the end of the fenced code or the comment that starts at line
// i, or i if none does. One that is never closed is plain text here: it must not
// hide all that follows.
func (d *document) opaque(i int, s string, c closers) int {
	if f := fenceStart.FindStringSubmatch(s); f != nil {
		mark := f[1]
		if open, ok := c.open[mark[0]]; mark[0] == '`' && strings.Contains(f[2], "`") || ok && len(mark) >= open {
			return i
		}
		for j := i + 1; j < len(d.lines); j++ {
			t := strings.TrimRight(strings.TrimLeft(d.at(j), " "), " \t")
			if len(t) >= len(mark) && strings.Trim(t, mark[:1]) == "" {
				return j + 1
			}
		}
		c.open[mark[0]] = len(mark)
		return i
	}
	if t := strings.TrimLeft(s, " "); len(s)-len(t) <= 3 && strings.HasPrefix(t, "<!--") {
		if strings.Contains(t[4:], "-->") {
			return i + 1
		}
		for j := i + 1; j <= c.comments; j++ {
			if strings.Contains(d.at(j), "-->") {
				return j + 1
			}
		}
	}
	return i
}

// readEntry reads what stands at line i of a section and returns the line
// behind it.
func (d *document) readEntry(i int, s, section string) int {
	if strings.TrimSpace(s) == noEntries {
		d.lines[i].kind = placeholder
		return i + 1
	}
	prefix, indent, ok := bulletPrefix(s)
	if !ok || isRule(s) {
		return i + 1
	}
	text, end := d.extent(i, indent+2)
	d.assign(i, end, section)
	body := s[len(prefix):]
	if opensBlock(body) {
		return end // code, a comment, a list: not one sentence
	}
	parts := []string{body}
	for j := i + 1; j < text; j++ {
		parts = append(parts, d.at(j))
	}
	content := unescape(Clean(strings.Join(parts, " ")))
	if content == "" {
		return end
	}
	for j := i; j < end; j++ {
		d.lines[j].kind = entry
	}
	d.bullets = append(d.bullets, bullet{
		first: i, end: end, text: text, section: section, content: content,
		prefix: prefix,
	})
	return end
}

// isRule reports "- - -", which only looks like a bullet.
func isRule(s string) bool {
	return strings.Trim(s, "-*+ ") == "" && thematic.MatchString(s)
}

// opensBlock reports a bullet's text that opens code, a comment or a list.
func opensBlock(body string) bool {
	switch body[0] {
	case '`', '~':
		return fenceStart.MatchString(body)
	case '<':
		return strings.HasPrefix(body, "<!--")
	}
	return nested.MatchString(body)
}

// bulletPrefix splits "- [x] text" before the text, and says how far the marker
// is indented. A bullet without text is none.
func bulletPrefix(s string) (prefix string, indent int, ok bool) {
	for indent < len(s) && s[indent] == ' ' {
		indent++
	}
	n := indent
	if n > 3 || n+1 >= len(s) || strings.IndexByte("-*+", s[n]) < 0 || !isBlank(s[n+1]) {
		return "", 0, false
	}
	n = skipBlanks(s, n+1)
	if n+3 < len(s) && s[n] == '[' && strings.IndexByte(" xX", s[n+1]) >= 0 && s[n+2] == ']' && isBlank(s[n+3]) {
		if after := skipBlanks(s, n+3); after < len(s) {
			n = after
		}
	}
	return s[:n], indent, n < len(s)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func skipBlanks(s string, n int) int {
	for n < len(s) && isBlank(s[n]) {
		n++
	}
	return n
}

// extent returns where the paragraph of the bullet at line i ends and where all
// that belongs to the bullet ends. indent is how far its text is indented.
func (d *document) extent(i, indent int) (text, end int) {
	text, end = i+1, i+1
	paragraph := true
	for j := i + 1; j < len(d.lines); j++ {
		s := d.at(j)
		if strings.TrimSpace(s) == "" {
			paragraph = false
			continue
		}
		deep := indentation(s) >= indent
		if !deep && (!paragraph || startsBlock(s)) {
			break
		}
		paragraph = paragraph && end == j && !startsBlock(strings.TrimLeft(s, " \t"))
		end = j + 1
		if paragraph {
			text = end
		}
	}
	return text, end
}

func indentation(s string) int {
	n := 0
	for _, c := range s {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// startsBlock reports lines that cannot continue a paragraph.
func startsBlock(s string) bool {
	switch first := firstByte(strings.TrimLeft(s, "\t ")); {
	case first == '>' || first == '<' || first == '|':
		return firstByte(s) == first
	case first == '#':
		return anyHeading.MatchString(s)
	case first == '`' || first == '~':
		return fenceStart.MatchString(s)
	case first == '_':
		return thematic.MatchString(s) || strings.TrimLeft(s, " ") == noEntries
	case first == '=':
		return setext.MatchString(s)
	case first == '-' || first == '*' || first == '+':
		return listItem.MatchString(s) || thematic.MatchString(s) || setext.MatchString(s)
	case first >= '0' && first <= '9':
		return listItem.MatchString(s)
	}
	return false
}
