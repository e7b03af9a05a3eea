package main

import (
	"strings"
	"unicode/utf8"
)

// kind says what a unit was in the Markdown of its message.
type kind uint8

const (
	paragraph kind = iota
	bullet
	numbered
)

// unit is one paragraph or list entry of a message, inline Markdown stripped.
// Code blocks, tables, quotes and drawings are never units.
type unit struct {
	text    string
	kind    kind
	heading string   // of the part it stands in, lower case
	intro   string   // the line before its list, lower case
	strong  bool     // begins with bold text
	mark    mark     // the tick or cross that it began with
	under   labelled // what heading and intro announce
}

// mark is a symbol in front of a list entry.
type mark uint8

const (
	noMark mark = iota
	tick
	cross
)

// Bounds on what is read of one message. A longer one is a pasted document,
// whose tail says nothing about the project that its head does not.
const (
	maxMessageBytes = 64 << 10
	maxUnits        = 1200
)

// units cuts a message into its paragraphs and list entries in one pass.
func units(text string) []unit {
	text = strings.ToValidUTF8(head(text, maxMessageBytes), "\uFFFD")
	p := parser{}
	for len(text) > 0 && len(p.out) < maxUnits {
		line := text
		if i := strings.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = ""
		}
		p.line(strings.TrimRight(line, " \t\r"))
	}
	p.flush()
	return p.out
}

// head gives the beginning of a text, at most n bytes, cut between characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

type parser struct {
	out     []unit
	open    strings.Builder // the paragraph or entry being read
	unit    unit            // its other fields
	last    string          // the last line of open
	fence   string          // the marker that opened the code block that we are in
	heading string
	intro   string
	listing bool // the last line belonged to a list
}

func (p *parser) line(raw string) {
	s := strings.TrimLeft(raw, " \t")
	indent := len(raw) - len(s)
	if p.fence != "" {
		if strings.HasPrefix(s, p.fence) {
			p.fence = ""
		}
		return
	}
	switch {
	case strings.HasPrefix(s, "```"), strings.HasPrefix(s, "~~~"):
		p.flush()
		p.fence = s[:3]
	case s == "":
		p.flush()
	case s[0] == '#':
		p.title(s)
	case s[0] == '>', s[0] == '|', s[0] == '<', drawing(s):
		p.flush()
	case rule(s):
		p.flush()
		p.heading, p.intro = "", ""
	default:
		p.text(s, indent)
	}
}

func (p *parser) title(s string) {
	n := 0
	for n < len(s) && s[n] == '#' {
		n++
	}
	if n > 6 || n == len(s) || s[n] != ' ' {
		p.text(s, 0)
		return
	}
	p.flush()
	p.heading, p.intro = lower(inline(s[n:])), ""
}

func (p *parser) text(s string, indent int) {
	rest, k := marker(s)
	if k == paragraph {
		if indent >= 4 && !p.listing && p.open.Len() == 0 {
			return // an indented code block
		}
		if p.open.Len() > 0 && continues(p.last, s) {
			p.open.WriteByte(' ')
			p.open.WriteString(s)
			p.last = s
			return
		}
		p.flush()
		p.listing = indent > 0 && p.listing
	} else {
		p.flush()
		p.listing = true
	}
	rest, m := symbol(rest)
	p.unit = unit{kind: k, heading: p.heading, intro: p.intro, mark: m, strong: strings.HasPrefix(rest, "**")}
	p.open.WriteString(rest)
	p.last = s
}

// continues tells a hard-wrapped paragraph from a list of short lines: the line
// before is long and does not end a sentence.
func continues(last, next string) bool {
	if len(last) < 60 {
		return false
	}
	switch last[len(last)-1] {
	case '.', '!', '?', ':', ';':
		return false
	}
	return next[0] >= 'a' && next[0] <= 'z' || next[0] == '`' || next[0] == '('
}

func (p *parser) flush() {
	if p.open.Len() == 0 {
		return
	}
	u := p.unit
	u.text = inline(p.open.String())
	p.open.Reset()
	if u.text == "" {
		return
	}
	if strings.HasSuffix(u.text, ":") {
		p.intro = lower(strings.TrimSuffix(u.text, ":"))
		if u.kind == paragraph && u.strong && len(u.text) < 80 {
			p.heading = p.intro // a bold line with a colon is a heading in all but name
		}
	} else if u.kind == paragraph {
		p.intro = ""
		if u.strong && len(u.text) < 60 && heading(u.text) {
			p.heading = lower(u.text)
		}
	}
	u.under = headingKind(u.heading + " " + u.intro)
	p.out = append(p.out, u)
}

// heading says that a bold line is a title, not a sentence.
func heading(s string) bool {
	switch s[len(s)-1] {
	case '.', '!', '?', ';', ',':
		return false
	}
	return strings.Count(s, " ") < 6
}

// marker takes the list marker off a line.
func marker(s string) (string, kind) {
	if len(s) > 2 && (s[0] == '-' || s[0] == '*' || s[0] == '+') && s[1] == ' ' {
		rest := strings.TrimLeft(s[2:], " ")
		if len(rest) > 3 && rest[0] == '[' && rest[2] == ']' {
			rest = strings.TrimLeft(rest[3:], " ")
		}
		return rest, bullet
	}
	for _, b := range [...]string{"•", "·", "–", "—", "◦", "▪", "→"} {
		if strings.HasPrefix(s, b) {
			return strings.TrimLeft(s[len(b):], " "), bullet
		}
	}
	n := 0
	for n < len(s) && n < 3 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n > 0 && n+1 < len(s) && (s[n] == '.' || s[n] == ')') && s[n+1] == ' ' {
		return strings.TrimLeft(s[n+2:], " "), numbered
	}
	return s, paragraph
}

// symbol takes emoji and ticks off the start of a line.
func symbol(s string) (string, mark) {
	m := noMark
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '✅' || r == '✓' || r == '✔' || r == '☑':
			m = tick
		case r == '❌' || r == '✗' || r == '✘' || r == '×':
			m = cross
		case emoji(r) || r == ' ':
		default:
			return s, m
		}
		s = s[n:]
	}
	return s, m
}

func emoji(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF || r == 0xFE0F || r == 0x200D ||
		r >= 0x2B00 && r <= 0x2BFF || r >= 0x2300 && r <= 0x23FF
}

// drawing says that a line is part of a picture made of characters.
func drawing(s string) bool {
	for _, r := range s {
		if r >= 0x2500 && r <= 0x259F {
			return true
		}
	}
	return false
}

func rule(s string) bool {
	if len(s) < 3 || s[0] != '-' && s[0] != '*' && s[0] != '_' && s[0] != '=' {
		return false
	}
	return strings.Trim(s, s[:1]) == ""
}

// inline strips emphasis, links, images and stray symbols, and keeps code spans:
// they are what protects an identifier's underscores in Markdown.
func inline(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := true // nothing written yet, or a space last
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '`':
			n := span(s[i:])
			code(&b, s[i:i+n])
			i += n
			space = false
		case c == '*' && (i+1 < len(s) && s[i+1] == '*' || emphasis(s, i)):
			i++
			if i < len(s) && s[i] == '*' {
				i++
			}
		case c == '_' && emphasis(s, i):
			i++
		case c == '!' && strings.HasPrefix(s[i:], "!["):
			i++
		case c == '[':
			text, n := link(s[i:])
			if n == 0 {
				b.WriteByte(c)
				i++
			} else {
				b.WriteString(text)
				i += n
			}
			space = false
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if !space {
				b.WriteByte(' ')
			}
			space = true
			i++
		case c < 0x20 || c == 0x7f:
			i++
		case c < utf8.RuneSelf:
			b.WriteByte(c)
			space = false
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError && !emoji(r) && r != 0x200B && r != 0xFEFF {
				b.WriteString(s[i : i+n])
				space = false
			}
			i += n
		}
	}
	return strings.TrimSpace(b.String())
}

// code writes a code span in single backticks, without control characters.
func code(b *strings.Builder, s string) {
	s = strings.ReplaceAll(s, "``", "`")
	from := 0
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] == 0x7f {
			b.WriteString(s[from:i])
			from = i + 1
		}
	}
	b.WriteString(s[from:])
}

// emphasis says that the single * or _ at i opens or closes emphasis rather than
// standing in a word or between two numbers.
func emphasis(s string, i int) bool {
	before := i > 0 && wordByte(s[i-1])
	after := i+1 < len(s) && wordByte(s[i+1])
	return before != after
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
}

// span is the length of the code span that s begins with, or 1.
func span(s string) int {
	if n := strings.IndexByte(s[1:], '`'); n > 0 {
		return n + 2
	}
	if strings.HasPrefix(s, "``") {
		if n := strings.Index(s[2:], "``"); n > 0 {
			return n + 4
		}
	}
	return 1
}

// maxLink bounds the search for the end of a link, so that a text of opening
// brackets is still read in linear time.
const maxLink = 500

// link reads [text](target) and gives its text; 0 = no link.
func link(s string) (string, int) {
	head := s[:min(len(s), maxLink)]
	end := strings.Index(head, "](")
	if end < 0 || strings.IndexByte(head[1:end], '[') >= 0 {
		return "", 0
	}
	stop := strings.IndexByte(head[end:], ')')
	if stop < 0 {
		return "", 0
	}
	return s[1:end], end + stop + 1
}

// lower is strings.ToLower for the letters that cues are written in.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf || s[i] >= 'A' && s[i] <= 'Z' {
			return strings.ToLower(s)
		}
	}
	return s
}
