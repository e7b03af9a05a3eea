package memory

import "cmp"

// Rivals finds which items of a memory cannot stand beside others, by the rules
// of Merge in either direction. It reads nothing before it is asked, and is for
// one goroutine.
type Rivals struct {
	items   []Item // the active ones
	at      map[string]int
	lex     *lexicon
	shapes  []shape
	decided map[string]map[string]string // by id and id: why they contradict; "" for two that a person keeps
}

// NewRivals looks at the active items of a memory. Of the conflicts of its branch
// an open one between two items that are as they were makes them rivals, whatever
// they say, and one of which a person kept both does not.
func NewRivals(m Memory, conflicts []ConflictRecord) *Rivals {
	r := &Rivals{items: m.Active(), decided: map[string]map[string]string{}}
	r.at = make(map[string]int, len(r.items))
	for i, it := range r.items {
		r.at[it.ID] = i
	}
	for _, c := range conflicts {
		switch a, b := c.Items[0], c.Items[1]; {
		case c.Branch != m.Branch:
		case c.Status == KeptBoth:
			r.decide(a.ItemID, b.ItemID, "")
		case c.Open() && r.says(a) && r.says(b):
			r.decide(a.ItemID, b.ItemID, cmp.Or(c.Why, "they contradict each other"))
		}
	}
	return r
}

func (r *Rivals) decide(a, b, why string) {
	for _, ids := range [][2]string{{a, b}, {b, a}} {
		if r.decided[ids[0]] == nil {
			r.decided[ids[0]] = map[string]string{}
		}
		r.decided[ids[0]][ids[1]] = why
	}
}

func (r *Rivals) says(s Side) bool {
	i, ok := r.at[s.ItemID]
	return ok && r.items[i].Content == s.Content
}

// Over gives the item that holds instead of one, with why: of two that contradict
// each other, what a person wrote or pinned holds, else what was said later. Of two
// such items exactly one is over the other, in whatever order they stand. It is ""
// if nothing is over the item.
func (r *Rivals) Over(id string) (by, why string) {
	i, ok := r.at[id]
	if !ok {
		return "", ""
	}
	r.read()
	best := -1
	for _, j := range r.near(i) {
		w, over := r.against(j, i)
		if w != "" && over && (best < 0 || r.order(j, best, 0) > 0) {
			best, why = j, w
		}
	}
	if best < 0 {
		return "", ""
	}
	return r.items[best].ID, why
}

func (r *Rivals) read() {
	if r.lex != nil {
		return
	}
	r.lex, r.shapes = newLexicon(), make([]shape, len(r.items))
	for i, it := range r.items {
		r.shapes[i] = r.lex.shape(it.Content)
	}
}

// near gives the items to compare item i with. Few are asked about and each once,
// so to count words in common costs less than an index.
func (r *Rivals) near(i int) []int {
	ours := &r.shapes[i]
	asked := make([]bool, 2*len(r.lex.names)) // by base token
	for _, t := range ours.bases {
		asked[t] = true
	}
	var out []int
	for j := range r.shapes {
		theirs, n := &r.shapes[j], 0
		for _, t := range theirs.bases {
			if asked[t] {
				n++
			}
		}
		switch {
		case j == i:
		case likely(n, ours, theirs), likely(n, theirs, ours), r.isDecided(i, j):
			out = append(out, j)
		}
	}
	return out
}

func (r *Rivals) isDecided(i, j int) bool {
	_, known := r.decided[r.items[i].ID][r.items[j].ID]
	return known
}

// against says why item j and item i cannot both hold, "" if they can, and whether
// j is the one that holds.
func (r *Rivals) against(j, i int) (why string, over bool) {
	x, y := &r.shapes[j], &r.shapes[i]
	there := r.lex.contradicts(x, y)
	back := there
	if x.shift || x.strong || y.shift || y.strong { // else it does not matter which is the newer one
		back = r.lex.contradicts(y, x)
	}
	said, known := r.decided[r.items[i].ID][r.items[j].ID]
	if there == "" && back == "" && said == "" {
		return "", false
	}
	words := 0
	switch {
	case back == "":
		words = 1
	case there == "":
		words = -1
	}
	over = r.order(j, i, words) > 0
	switch {
	case known:
		why = said
	case over:
		why = cmp.Or(there, back)
	default:
		why = cmp.Or(back, there)
	}
	return why, over
}

// order says which of two items holds if they contradict each other. Of two that
// were said at the same time it is the one that names the other as the past, if
// words is not 0.
func (r *Rivals) order(a, b, words int) int {
	x, y := r.items[a], r.items[b]
	switch {
	case x.Protected() && !y.Protected():
		return 1
	case y.Protected() && !x.Protected():
		return -1
	}
	return cmp.Or(
		x.LastSaid().Compare(y.LastSaid()), x.Updated.Compare(y.Updated), words,
		cmp.Compare(x.Confidence, y.Confidence), cmp.Compare(x.ID, y.ID),
	)
}
