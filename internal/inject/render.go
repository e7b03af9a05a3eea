package inject

import (
	"strings"

	"recollect/internal/memory"
)

// DefaultTitle heads a block when the schema gives the document no title.
const DefaultTitle = "Branch Memory"

// Render gives the text of a block, without markers: a heading, and for each
// section a heading and one line for each item. Lines end in "\n", and so does
// the text. Sections come in the order in which items first name them, and
// items in theirs. Whatever the contents hold, each stays one line of plain
// text; an item of which nothing is left is left out. Without items the block
// is empty.
func Render(layout memory.Layout, items []memory.Item) string {
	var order []string
	lines := map[string][]string{}
	for _, it := range items {
		text := clean(it.Content)
		if text == "" {
			continue
		}
		if lines[it.Section] == nil {
			order = append(order, it.Section)
		}
		lines[it.Section] = append(lines[it.Section], bullet(text))
	}
	if len(order) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(title(layout))
	for _, id := range order {
		b.WriteString(heading(layout, id))
		for _, l := range lines[id] {
			b.WriteString(l)
		}
	}
	return b.String()
}

func bullet(text string) string { return "- " + text + "\n" }

func title(l memory.Layout) string {
	t := clean(l.Title)
	if t == "" {
		t = DefaultTitle
	}
	return "## " + t + " (auto-extracted)\n"
}

// heading is that of a section with the lines around it. A section that the
// schema does not know goes by its id.
func heading(l memory.Layout, id string) string {
	text := ""
	for _, s := range l.Sections {
		if s.ID == id {
			text = clean(s.Heading)
		}
	}
	if text == "" {
		text = clean(id)
	}
	if text == "" {
		text = "Other"
	}
	return "\n### " + text + "\n\n"
}
