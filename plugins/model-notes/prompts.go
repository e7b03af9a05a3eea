package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"recollect/hostapi/guest"
)

var (
	//go:embed prompts/extract-system.md
	extractSystem string
	//go:embed prompts/extract.md
	extractPrompt string
	//go:embed prompts/extract.schema.json
	extractSchema string
	//go:embed prompts/known.md
	knownPrompt string
	//go:embed prompts/evolve-system.md
	evolveSystem string
	//go:embed prompts/evolve.md
	evolvePrompt string
	//go:embed prompts/evolve.schema.json
	evolveSchema string
	//go:embed prompts/again.md
	againPrompt string
)

// fill puts values for the names in double braces. What is in a value is left as
// it is, whatever it looks like.
func fill(template string, pairs ...string) string {
	size := len(template)
	for _, s := range pairs {
		size += len(s) // a value that stands twice is a short one
	}
	var b strings.Builder
	b.Grow(size)
	for {
		text, rest, found := strings.Cut(template, "{{")
		b.WriteString(text)
		if !found {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}}")
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				b.WriteString(pairs[i+1])
			}
		}
		template = after
	}
}

// fence gives the code that marks where data begins and ends: nine digits that
// follow from the texts, so that who wrote them could not know them, and that
// are in none of the texts, so that none can end its fence.
func fence(texts []string) string {
	h := uint64(14695981039346656037) // FNV-1a
	add := func(c byte) { h = (h ^ uint64(c)) * 1099511628211 }
	for _, s := range texts {
		for i := range len(s) {
			add(s[i])
		}
		add(0xff) // not in UTF-8: the borders between texts count
	}
	for {
		add(0xfe)
		code := strconv.FormatUint(100_000_000+(h>>16)%900_000_000, 10)
		if !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, code) }) {
			return code
		}
	}
}

// extractParams is the request for one part.
func extractParams(r guest.ExtractRequest, c config, known []guest.MemoryItem, p part, parts int) guest.CompleteParams {
	texts := []string{r.Project.Name, r.Branch}
	for _, s := range p.said {
		texts = append(texts, s.text)
	}
	for _, it := range known {
		texts = append(texts, it.Content)
	}
	code := fence(texts)
	var talk strings.Builder
	size := 0
	for _, s := range p.said {
		size += len(s.text) + 64
	}
	talk.Grow(size)
	for _, s := range p.said {
		fmt.Fprintf(&talk, "=== %s %s %s ===\n%s\n", code, s.handle, speaker(s.role), s.text)
	}
	left := ""
	if p.left > 0 {
		left = fmt.Sprintf("[...%d earlier turns left out for length]\n", p.left)
	}
	return guest.CompleteParams{
		Purpose: fmt.Sprintf("extract, part %d of %d", p.number, parts),
		System:  extractSystem,
		Prompt: fill(extractPrompt, "project", label(r.Project.Name), "branch", label(r.Branch), "sections", sectionList(r.Sections),
			"known", knownList(known, code), "part", strconv.Itoa(p.number), "parts", strconv.Itoa(parts),
			"code", code, "left", left, "conversation", talk.String(), "max", strconv.Itoa(maxNotes)),
		Schema:    json.RawMessage(fill(extractSchema, "sections", sectionEnum(r.Sections))),
		MaxTokens: 4096,
		Model:     c.Model,
	}
}

func speaker(role string) string {
	if role == guest.RoleUser {
		return "developer"
	}
	return "assistant"
}

// label makes one short line of a name, for a line of its own.
func label(s string) string {
	return strconv.Quote(clip(oneLine(s), 120))
}

func sectionList(sections []guest.Section) string {
	var b strings.Builder
	for i, s := range sections {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + s.ID)
		if s.Heading != "" {
			b.WriteString(" (" + oneLine(s.Heading) + ")")
		}
		if s.Guidance != "" {
			b.WriteString(": " + oneLine(s.Guidance))
		}
	}
	return b.String()
}

func sectionEnum(sections []guest.Section) string {
	ids := make([]string, len(sections))
	for i, s := range sections {
		ids[i] = s.ID
	}
	data, err := json.Marshal(ids)
	if err != nil {
		return `[]`
	}
	return string(data)
}

// knownList shows remembered items, one a line, or nothing if there are none.
func knownList(known []guest.MemoryItem, code string) string {
	if len(known) == 0 {
		return ""
	}
	var b strings.Builder
	for _, it := range known {
		b.WriteString("- " + it.Section + ": " + oneLine(it.Content) + "\n")
	}
	return fill(knownPrompt, "code", code, "items", b.String())
}
