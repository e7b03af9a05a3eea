package inject

import (
	"cmp"
	"maps"
	"slices"
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
	OverBudget   Reason = "budget"       // there is no room left for it within the budget
	OverLength   Reason = "length"       // a hook may not hand over that much, whatever the budget
	NotSelected  Reason = "not selected" // the policy did not choose it; Why may say why
	Contradicted Reason = "contradicted" // the item By says otherwise and holds; Why says in what way
	Unseen       Reason = "unseen"       // it came with the repository, and nobody here looked at it
	UnknownID    Reason = "unknown id"   // the policy chose what is not in the memory
	Superseded   Reason = "superseded"   // a newer item replaced it
	Removed      Reason = "removed"      // a person took it out
	Repeated     Reason = "repeated"     // the policy chose it more than once
	Blank        Reason = "blank"        // nothing visible is left of its content
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
	By     string `json:"by,omitempty"`  // the item that holds instead
	Why    string `json:"why,omitempty"` // more of the reason, as part of a sentence
	// Needs is how many tokens it would take, of what lacks room; 0: not counted, as
	// of most of a very large memory.
	Needs int `json:"needs,omitempty"`
}

// Block is a packed and rendered block.
type Block struct {
	Kind   Kind    `json:"kind"`
	Text   string  `json:"text"` // without markers, "\n" as line ending; empty: nothing to say
	Tokens int     `json:"tokens"`
	Shown  []Shown `json:"shown"` // in the order of the block's lines
	Left   []Left  `json:"left"`
	// Order are the sections of what the policy chose, in the order in which they
	// get room, and Shares what each gets before the others, in tokens. Full is what
	// the block would take with all that lacks room; 0: nothing does, or that was not
	// counted.
	Order  []string       `json:"order,omitempty"`
	Shares map[string]int `json:"shares,omitempty"`
	Full   int            `json:"full,omitempty"`
}

// Pack takes of the active items of a memory what the policy ranked, as long as
// the whole block costs no more than budget tokens, and renders it. Whatever the
// policy says, nothing else is taken, nothing twice, and nothing that another item
// of the memory contradicts and is over, by rivals: so no two items of a block
// contradict each other. Items are taken whole or not at all: one that does not
// fit is passed over and later, smaller ones may still fit. A block for a hook also
// keeps to MaxHookChars.
//
// Where sections have shares, items are taken in two rounds, each in the policy's
// order: first those that keep to the share of their section, and pinned ones,
// then what else fits. So without pinned items a section shows at least what would
// fit into its share alone, whatever the others hold, and what it leaves of it is
// the others'.
func Pack(m memory.Memory, layout memory.Layout, ranking Ranking, rivals *memory.Rivals, kind Kind, budget int) Block {
	p := packer{layout: layout, kind: kind, budget: budget, rivals: rivals, spent: map[string]int{}, headings: map[string]int{}}
	p.used = tokens.Count(Wrap(kind, title(layout)))
	p.chars = chars(Wrap(kind, title(layout)))
	waiting := p.candidates(m, ranking)
	order := sectionsOf(waiting)
	shares := inTokens(ranking.Shares, budget-p.used)
	if len(shares) > 0 {
		waiting = slices.DeleteFunc(waiting, func(c *candidate) bool {
			limit := shares[c.item.Section] - p.spent[c.item.Section]
			if c.item.Pinned {
				limit = budget
			}
			return p.take(c, limit)
		})
	}
	for _, c := range waiting {
		if !p.take(c, budget) {
			p.out = append(p.out, c)
		}
	}
	b := p.block()
	if b.Order = order; len(shares) > 0 {
		b.Shares = shares
	}
	return b
}

// sectionsOf are those of candidates in their order. Pinned ones come before all,
// whatever their section.
func sectionsOf(candidates []*candidate) []string {
	var order []string
	for _, c := range candidates {
		if !c.item.Pinned && !slices.Contains(order, c.item.Section) {
			order = append(order, c.item.Section)
		}
	}
	return order
}

// inTokens gives the shares of sections in tokens, together no more than room.
func inTokens(shares map[string]float64, room int) map[string]int {
	sum := max(total(shares), 1)
	out := make(map[string]int, len(shares))
	for id, s := range shares {
		out[id] = int(max(s, 0) / sum * float64(max(room, 0)))
	}
	return out
}

func total(shares map[string]float64) float64 {
	sum := 0.0
	for _, id := range slices.Sorted(maps.Keys(shares)) {
		sum += max(shares[id], 0)
	}
	return sum
}

type packer struct {
	layout      memory.Layout
	kind        Kind
	budget      int
	rivals      *memory.Rivals
	used, chars int            // of the block so far
	spent       map[string]int // tokens by section, of those of which an item is taken
	headings    map[string]int // what they cost, by section
	taken       []*candidate
	out         []*candidate // for want of room
	left        []placed
}

// candidate is an item that may be in the block.
type candidate struct {
	item  *memory.Item
	why   string
	place int    // in the policy's order
	line  string // once it was needed
	cost  int    // of the line, once it was counted
	lacks Reason // for want of what it was not taken
}

// placed is what is left out, with its place among all.
type placed struct {
	place int
	left  Left
}

func (p *packer) leave(place int, l Left) { p.left = append(p.left, placed{place, l}) }

// candidates gives what of the policy's choice may be shown, and leaves the rest.
func (p *packer) candidates(m memory.Memory, ranking Ranking) []*candidate {
	byID := make(map[string]int, len(m.Items))
	for i := range m.Items {
		byID[m.Items[i].ID] = i
	}
	chosen := make(map[string]bool, len(ranking.Choices))
	var out []*candidate
	for place, c := range ranking.Choices {
		i, known := byID[c.ID]
		switch {
		case !known:
			p.leave(place, Left{ID: c.ID, Reason: UnknownID})
		case chosen[c.ID]:
			p.leave(place, Left{ID: c.ID, Reason: Repeated})
		case m.Items[i].State == memory.Superseded:
			p.leave(place, Left{ID: c.ID, Reason: Superseded, By: m.Items[i].SupersededBy})
		case m.Items[i].State == memory.Removed:
			p.leave(place, Left{ID: c.ID, Reason: Removed})
		case !visible(m.Items[i].Content):
			p.leave(place, Left{ID: c.ID, Reason: Blank})
		default:
			out = append(out, &candidate{item: &m.Items[i], why: c.Why, place: place})
		}
		chosen[c.ID] = true
	}
	for _, it := range m.Items {
		if !chosen[it.ID] && it.State == memory.Active {
			p.leave(len(ranking.Choices), Left{ID: it.ID, Reason: NotSelected, Why: ranking.Left[it.ID]})
		}
	}
	return out
}

// take adds an item if it fits into limit and what is left of the budget, and says
// whether it is settled: taken, or left for good. The cost of the parts is counted
// apart; their sum is close to that of the whole, and block counts the whole in the
// end.
func (p *packer) take(c *candidate, limit int) bool {
	c.lacks = OverBudget
	if limit = min(limit, p.budget-p.used); limit < minLine {
		return false
	}
	if c.line == "" {
		c.line = bullet(clean(c.item.Content))
	}
	begin, cost := p.beginning(c.item.Section)
	if cost+max(c.cost, leastCost(c.line)) > limit {
		return false
	}
	if c.cost == 0 {
		c.cost = tokens.Count(c.line)
	}
	if cost += c.cost; cost > limit {
		return false
	}
	length := chars(begin) + chars(c.line)
	if p.kind == Hook && p.chars+length > MaxHookChars {
		c.lacks = OverLength
		return false
	}
	if by, why := p.rivals.Over(c.item.ID); by != "" {
		p.leave(c.place, Left{ID: c.item.ID, Reason: Contradicted, By: by, Why: why})
		return true
	}
	p.used += cost
	p.chars += length
	p.spent[c.item.Section] += cost
	p.taken = append(p.taken, c)
	return true
}

// maxCounted is how many of those that lack room are told what they need.
const maxCounted = 500

// leaveOut leaves what lacks room, and gives what the block would take with it; 0
// where that was not counted.
func (p *packer) leaveOut(b Block) int {
	full := max(b.Tokens, tokens.Count(Wrap(p.kind, title(p.layout))))
	begun := map[string]bool{}
	for _, s := range b.Shown {
		begun[s.Section] = true
	}
	for i, c := range p.out {
		l := Left{ID: c.item.ID, Reason: c.lacks}
		if i < maxCounted {
			l.Needs = tokens.Count(bullet(clean(c.item.Content)))
			if !begun[c.item.Section] {
				begun[c.item.Section] = true
				l.Needs += tokens.Count(heading(p.layout, c.item.Section))
			}
			full += l.Needs
		}
		p.leave(c.place, l)
	}
	if len(p.out) == 0 || len(p.out) > maxCounted {
		return 0
	}
	return full
}

// beginning is the heading of a section of which nothing is taken yet, and its cost.
func (p *packer) beginning(section string) (string, int) {
	if _, begun := p.spent[section]; begun {
		return "", 0
	}
	text := heading(p.layout, section)
	if _, counted := p.headings[section]; !counted {
		p.headings[section] = tokens.Count(text)
	}
	return text, p.headings[section]
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

// block renders what was taken, in the policy's order, and drops what was taken
// last until the whole keeps to the budget.
func (p *packer) block() Block {
	b := Block{Kind: p.kind, Shown: []Shown{}, Left: []Left{}}
	for ; len(p.taken) > 0; p.taken = p.taken[:len(p.taken)-1] {
		ordered := slices.SortedFunc(slices.Values(p.taken), func(x, y *candidate) int { return cmp.Compare(x.place, y.place) })
		text := Render(p.layout, items(ordered))
		whole := Wrap(p.kind, text)
		if n := tokens.Count(whole); n <= p.budget && (p.kind != Hook || chars(whole) <= MaxHookChars) {
			b.Text, b.Tokens, b.Shown = text, n, inBlockOrder(ordered)
			break
		}
		last := p.taken[len(p.taken)-1]
		last.lacks = OverBudget
		p.out = append(p.out, last)
	}
	b.Full = p.leaveOut(b)
	slices.SortStableFunc(p.left, func(x, y placed) int { return cmp.Compare(x.place, y.place) })
	for _, l := range p.left {
		b.Left = append(b.Left, l.left)
	}
	return b
}

func items(list []*candidate) []memory.Item {
	out := make([]memory.Item, 0, len(list))
	for _, c := range list {
		out = append(out, *c.item)
	}
	return out
}

// inBlockOrder lists items as Render lays them out: by section, in the order of
// the sections' first items.
func inBlockOrder(list []*candidate) []Shown {
	var order []string
	by := map[string][]Shown{}
	for _, c := range list {
		if by[c.item.Section] == nil {
			order = append(order, c.item.Section)
		}
		by[c.item.Section] = append(by[c.item.Section], Shown{c.item.ID, c.item.Section, c.why})
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
