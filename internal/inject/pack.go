package inject

import (
	"unicode/utf16"

	"recollect/internal/memory"
	"recollect/internal/tokens"
)

// DefaultBudget is the budget of a block in tokens, markers and headings
// included.
const DefaultBudget = 1000

// MaxHookChars is the most that a hook may hand to Claude Code, in UTF-16
// units: of a longer text the model sees only a preview.
const MaxHookChars = 10_000

// Kind says how a block reaches the assistant.
type Kind string

// The kinds.
const (
	File Kind = "file" // in a context file, between markers that remember its place
	Hook Kind = "hook" // as the output of a hook, between bare markers
)

// Reason says why an item is not in a block.
type Reason string

// The reasons.
const (
	OverBudget  Reason = "budget"       // it would have taken the block over its budget
	NotSelected Reason = "not selected" // the policy did not choose it
	UnknownID   Reason = "unknown id"   // the policy chose what is not in the memory
	Superseded  Reason = "superseded"   // a newer item replaced it
	Removed     Reason = "removed"      // a person took it out
	Repeated    Reason = "repeated"     // the policy chose it more than once
	Blank       Reason = "blank"        // nothing visible is left of its content
)

// Shown is an item in a block.
type Shown struct {
	ID      string `json:"id"`
	Section string `json:"section"`
	Why     string `json:"why,omitempty"` // the policy's
}

// Left is an item, or a choice of the policy, that is not in a block.
type Left struct {
	ID     string `json:"id"`
	Reason Reason `json:"reason"`
}

// Block is a packed and rendered block.
type Block struct {
	Kind   Kind    `json:"kind"`
	Text   string  `json:"text"` // without markers, "\n" as line ending; empty: nothing to say
	Tokens int     `json:"tokens"`
	Shown  []Shown `json:"shown"` // in the order of the block's lines
	Left   []Left  `json:"left"`
}

// Pack takes the items that the policy chose, in its order, as long as the whole
// block costs no more than budget tokens, and renders them. Items are taken
// whole or not at all: one that does not fit is passed over and later, smaller
// ones may still fit. What the policy chose twice, what is not active and what
// does not exist is left out whatever the policy says. A block for a hook also
// keeps to MaxHookChars.
func Pack(m memory.Memory, layout memory.Layout, choices []Choice, kind Kind, budget int) Block {
	p := packer{layout: layout, kind: kind, budget: budget, sections: map[string]bool{}, left: []Left{}}
	p.used = tokens.Count(Wrap(kind, title(layout)))
	p.chars = chars(Wrap(kind, title(layout)))
	byID := make(map[string]memory.Item, len(m.Items))
	for _, it := range m.Items {
		byID[it.ID] = it
	}
	chosen := make(map[string]bool, len(choices))
	for _, c := range choices {
		it, known := byID[c.ID]
		switch {
		case !known:
			p.leave(c.ID, UnknownID)
		case chosen[c.ID]:
			p.leave(c.ID, Repeated)
		case it.State == memory.Superseded:
			p.leave(c.ID, Superseded)
		case it.State == memory.Removed:
			p.leave(c.ID, Removed)
		default:
			p.take(it, c.Why)
		}
		chosen[c.ID] = true
	}
	for _, it := range m.Items {
		if !chosen[it.ID] && it.State == memory.Active {
			p.leave(it.ID, NotSelected)
		}
	}
	return p.block()
}

type packer struct {
	layout      memory.Layout
	kind        Kind
	budget      int
	used, chars int // of the block so far
	sections    map[string]bool
	items       []memory.Item
	why         []string
	left        []Left
}

func (p *packer) leave(id string, r Reason) { p.left = append(p.left, Left{id, r}) }

// take adds an item if it fits. The cost of the parts is counted apart; their
// sum is close to that of the whole, and block counts the whole in the end.
func (p *packer) take(it memory.Item, why string) {
	text := clean(it.Content)
	if text == "" {
		p.leave(it.ID, Blank)
		return
	}
	added := bullet(text)
	if !p.sections[it.Section] {
		added = heading(p.layout, it.Section) + added
	}
	if p.used+leastCost(added) > p.budget {
		p.leave(it.ID, OverBudget)
		return
	}
	cost, length := tokens.Count(added), chars(added)
	if p.used+cost > p.budget || p.kind == Hook && p.chars+length > MaxHookChars {
		p.leave(it.ID, OverBudget)
		return
	}
	p.used += cost
	p.chars += length
	p.sections[it.Section] = true
	p.items = append(p.items, it)
	p.why = append(p.why, why)
}

// leastCost is what added takes at least, so that most of a large memory need
// not be counted: no token is longer than maxToken, none reaches from one word
// of a line into the next, and no line takes fewer than minLine of them. Words
// that begin with a letter beyond ASCII are not counted: it may be a space.
func leastCost(added string) int {
	words, before := 0, byte(' ')
	for i := range len(added) {
		if before == ' ' && '!' <= added[i] && added[i] <= '~' {
			words++
		}
		before = added[i]
	}
	return max(minLine, len(added)/maxToken, words*tokens.Margin/100)
}

const (
	minLine  = 3
	maxToken = 128 // bytes
)

// block renders what was taken and drops the last ones until the whole keeps
// to the budget.
func (p *packer) block() Block {
	b := Block{Kind: p.kind, Left: p.left}
	for ; len(p.items) > 0; p.items = p.items[:len(p.items)-1] {
		text := Render(p.layout, p.items)
		whole := Wrap(p.kind, text)
		if n := tokens.Count(whole); n <= p.budget && (p.kind != Hook || chars(whole) <= MaxHookChars) {
			b.Text, b.Tokens = text, n
			break
		}
		b.Left = append(b.Left, Left{p.items[len(p.items)-1].ID, OverBudget})
	}
	b.Shown = inBlockOrder(p.items, p.why)
	return b
}

// inBlockOrder lists items as Render lays them out: by section, in the order of
// the sections' first items.
func inBlockOrder(items []memory.Item, why []string) []Shown {
	var order []string
	by := map[string][]Shown{}
	for i, it := range items {
		if by[it.Section] == nil {
			order = append(order, it.Section)
		}
		by[it.Section] = append(by[it.Section], Shown{it.ID, it.Section, why[i]})
	}
	out := []Shown{}
	for _, id := range order {
		out = append(out, by[id]...)
	}
	return out
}

// Wrap puts a block's text between markers, as it is counted and as a hook
// prints it. In a file, [Splice] writes a marker that may be a few bytes longer
// or shorter in its attributes, at the same cost in tokens.
func Wrap(k Kind, text string) string {
	switch {
	case text == "":
		return ""
	case k == Hook:
		return BeginMarker + " -->\n" + text + endLine + "\n"
	}
	return string(frame(attributes{gap: 2, created: true}, text, "\n"))
}

// chars is the length of s in UTF-16 units, which is how JavaScript counts.
func chars(s string) int {
	n := 0
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}
