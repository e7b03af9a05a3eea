// Command notes-to-self is a plug-in that remembers what people mark in their
// own words: "note to self: …", "remember: …", "gotcha: …" and rules about
// TODOs; "maybe: …" is only suggested.
package main

import (
	"strings"

	"recollect/hostapi/guest"
)

//go:wasmexport rc_extract
func extract(n int32) int64 { return guest.Extract(n, find) }

func main() {}

// marks says which section a marked line belongs to, and how sure that is.
var marks = []struct {
	prefix     string
	section    string
	confidence float64
	suggestion bool // for a person to look at before it is remembered
}{
	{"note to self:", "facts", 0.9, false},
	{"remember:", "facts", 0.8, false},
	{"gotcha:", "bug-patterns", 0.9, false},
	{"rule:", "conventions", 0.9, false},
	{"todo policy:", "conventions", 0.9, false},
	{"maybe:", "facts", 0.4, true},
}

// config is the plug-in's configuration; its schema stands in plugin.json.
type config struct {
	Assistant bool `json:"assistant"` // also read what the assistant said
}

func find(r guest.ExtractRequest) (guest.ExtractResult, error) {
	var got guest.ExtractResult
	var c config
	if err := guest.Config(&c); err != nil {
		return got, err
	}
	wanted := map[string]bool{}
	for _, s := range r.Sections {
		wanted[s.ID] = true
	}
	seen := map[string]bool{}
	for turn, err := range guest.Turns(guest.TurnsParams{New: true}) {
		if err != nil {
			return got, err
		}
		for _, m := range turn.Messages {
			if m.Role != guest.RoleUser && !c.Assistant {
				continue
			}
			for _, item := range marked(m) {
				key := item.Section + "\n" + strings.ToLower(item.Content)
				if wanted[item.Section] && !seen[key] {
					seen[key] = true
					got.Items = append(got.Items, item)
				}
			}
		}
	}
	return got, nil
}

// marked gives an item for each line of a message that carries a mark.
func marked(m guest.Message) []guest.Item {
	var items []guest.Item
	fenced := false
	for line := range strings.SplitSeq(m.Text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		line = strings.TrimLeft(line, "-*> ")
		for _, mark := range marks {
			if len(line) < len(mark.prefix) || !strings.EqualFold(line[:len(mark.prefix)], mark.prefix) {
				continue
			}
			if text := strings.TrimSpace(line[len(mark.prefix):]); text != "" {
				items = append(items, guest.Item{
					Section: mark.section, Content: text, Confidence: mark.confidence,
					Rationale: "marked with “" + mark.prefix + "”", Evidence: []string{m.ID},
					Suggestion: mark.suggestion,
				})
			}
		}
	}
	return items
}
