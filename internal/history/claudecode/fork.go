package claudecode

// branchInfo is what a part of the tree, from one node down, holds.
type branchInfo struct {
	prompts   int32
	low, high int32 // ranks of the first and the last record that says something
}

// tree is the children of each node of the graph, and what hangs below it.
type tree struct {
	*graph
	first, next []int32 // child, sibling; -1: none
	info        []branchInfo
	rank        []int32 // of said: position in its session's order
}

// findAbandoned marks what belongs to abandoned attempts.
func (g *graph) findAbandoned() {
	t := &tree{graph: g, rank: make([]int32, len(g.said))}
	for _, order := range g.order {
		for r, i := range order {
			t.rank[i] = int32(r)
		}
	}
	n := len(g.parent)
	t.first, t.next = make([]int32, n), make([]int32, n)
	for i := range t.first {
		t.first[i], t.next[i] = -1, -1
	}
	for i := n - 1; i >= 0; i-- {
		if p := g.parent[i]; p >= 0 {
			t.next[i], t.first[p] = t.first[p], int32(i)
		}
	}
	order := t.topDown()
	t.info = make([]branchInfo, n)
	for i := len(order) - 1; i >= 0; i-- {
		t.sum(order[i])
	}
	for _, i := range order {
		if f := t.first[i]; f >= 0 && t.next[f] >= 0 {
			t.judge(i)
		}
	}
}

// topDown lists the nodes, parents before children.
func (t *tree) topDown() []int32 {
	order := make([]int32, 0, len(t.parent))
	for i, p := range t.parent {
		if p < 0 {
			order = append(order, int32(i))
		}
	}
	for at := 0; at < len(order); at++ {
		for c := t.first[order[at]]; c >= 0; c = t.next[c] {
			order = append(order, c)
		}
	}
	return order
}

// says gives what a node says, or nil if it is a link or stands twice.
func (t *tree) says(n int32) *spoken {
	if w := t.words[n]; w >= 0 && !t.said[w].twice {
		return &t.said[w]
	}
	return nil
}

func (t *tree) isPrompt(n int32) bool {
	s := t.says(n)
	return s != nil && s.flags&wordsPrompt != 0
}

func (t *tree) sum(n int32) {
	b := branchInfo{low: -1, high: -1}
	if t.says(n) != nil {
		r := t.rank[t.words[n]]
		b.low, b.high = r, r
		if t.isPrompt(n) {
			b.prompts = 1
		}
	}
	for c := t.first[n]; c >= 0; c = t.next[c] {
		x := t.info[c]
		b.prompts += x.prompts
		if x.low >= 0 && (b.low < 0 || x.low < b.low) {
			b.low = x.low
		}
		b.high = max(b.high, x.high)
	}
	t.info[n] = b
}

// judge decides at a node with several followers which of them were abandoned.
func (t *tree) judge(n int32) {
	live := int32(-1)
	count := 0
	for c := t.first[n]; c >= 0; c = t.next[c] {
		if !t.alternative(c) {
			continue
		}
		count++
		if live < 0 || t.info[c].high > t.info[live].high {
			live = c
		}
	}
	if count < 2 {
		return
	}
	for c := t.first[n]; c >= 0; c = t.next[c] {
		if c != live && t.alternative(c) && t.abandoned(c, live) {
			t.bury(c, false)
		}
	}
}

// alternative says whether a follower can be one of the ways that a session
// took: it leads to a prompt, and not by way of a tool's result or of a
// compaction.
func (t *tree) alternative(c int32) bool {
	return t.edge[c] == 0 && t.info[c].prompts > 0
}

// abandoned says whether the session left c for live. If live began after c had
// ended, it did. If both begin with a prompt it also did when it went back to
// live; but where the two were spoken by turns, two processes went on with the
// session at once, and both count.
func (t *tree) abandoned(c, live int32) bool {
	a, b := t.info[c], t.info[live]
	if b.low > a.high {
		return true
	}
	if !t.beginsWithPrompt(c) || !t.beginsWithPrompt(live) {
		return false
	}
	return !t.speaksWithin(live, a.low, a.high)
}

// beginsWithPrompt says whether the first thing said from n down is a prompt.
func (t *tree) beginsWithPrompt(n int32) bool {
	for n >= 0 {
		if t.says(n) != nil {
			return t.isPrompt(n)
		}
		best := int32(-1)
		for c := t.first[n]; c >= 0; c = t.next[c] {
			if t.info[c].low >= 0 && (best < 0 || t.info[c].low < t.info[best].low) {
				best = c
			}
		}
		n = best
	}
	return false
}

// speaksWithin says whether something below n was said between two ranks.
func (t *tree) speaksWithin(n, low, high int32) bool {
	stack := []int32{n}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x := t.info[n]; x.high <= low || x.low >= high {
			continue
		}
		if t.says(n) != nil {
			if r := t.rank[t.words[n]]; r > low && r < high {
				return true
			}
		}
		for c := t.first[n]; c >= 0; c = t.next[c] {
			stack = append(stack, c)
		}
	}
	return false
}

// bury marks the prompts below n and all that follows them. What answers an
// earlier prompt stays.
func (t *tree) bury(n int32, below bool) {
	type step struct {
		node  int32
		below bool
	}
	stack := []step{{n, below}}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		dead := s.below || t.isPrompt(s.node)
		if w := t.words[s.node]; dead && w >= 0 {
			t.said[w].dead = true
		}
		for c := t.first[s.node]; c >= 0; c = t.next[c] {
			stack = append(stack, step{c, dead})
		}
	}
}
