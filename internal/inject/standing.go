package inject

import (
	"strings"

	"recollect/internal/memory"
)

// Standing gives the ids of those items whose lines stand in our block of a file's
// text, in the order of the items: what an assistant that reads the file is shown
// now, whatever would be written. Of a text without one well-formed block it gives
// none, and a line that a person changed there is no item's.
func Standing(src string, items []memory.Item) []string {
	f, err := read([]byte(src))
	if err != nil || f.pair == nil {
		return nil
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(f.text[f.pair.begin.end:f.pair.end.start])) {
		lines[strings.TrimRight(line, "\r\n")] = true
	}
	var ids []string
	for _, it := range items {
		if text := clean(it.Content); text != "" && lines["- "+text] {
			ids = append(ids, it.ID)
		}
	}
	return ids
}
