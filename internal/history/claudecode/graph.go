package claudecode

import (
	"cmp"
	"slices"
)

// The record graph. Each record names the one before it, so that a session is a
// tree: where a person went back and said something else, one record has two
// followers that lead to prompts. The one that was spoken last is the session;
// the other is an attempt that was abandoned.
//
// Not every fork is one. The results of parallel tool calls hang off different
// lines of one message; progress records hang off whatever ran; a compaction
// begins a new tree that only logicalParentUuid ties to the old one; two
// processes may go on with one session at the same time. Where the graph is
// damaged (a parent that is nowhere, a circle, several roots) nothing is taken
// for abandoned.

// spoken is one record that says something, as a view has it.
type spoken struct {
	file *file
	*words
	at   int64 // time, that of the record before where it has none
	sess int32
	node int32
	seq  int32 // position in the files
	// prompt is the node of the prompt that it belongs to; -1: none; toOutsider: it
	// answers somebody else than the person.
	prompt int32
	scope  bool // belongs to the project
	twice  bool // stands in its session before
	dead   bool // of an abandoned attempt
}

// graph is the records of all files, session by session.
type graph struct {
	names  []string // of sessions
	born   []int64  // per session: the time of what its file begins with; 0: unknown
	said   []spoken
	order  [][]int32 // per session: said, by time
	parent []int32
	edge   []uint8
	out    []bool // per node: an outsider speaks
	sess   []int32
	words  []int32 // per node: said; -1: a link
	ids    []entry // by session, id, node
}

// toOutsider stands for the prompt of what answers one who is not the person.
const toOutsider = -3

const (
	edgeLogical uint8 = 1 << iota
	edgeTool          // from a record that calls a tool
)

// entry finds the node of a record of a session: at is the node, shifted left,
// with toolBit. A long history has millions of these.
type entry struct {
	id   uint64
	sess int32
	at   uint32
}

func (e entry) node() int32 { return int32(e.at >> 1) }

func byEntry(a, b entry) int {
	if c := cmp.Compare(a.sess, b.sess); c != 0 {
		return c
	}
	if c := cmp.Compare(a.id, b.id); c != 0 {
		return c
	}
	return cmp.Compare(a.at, b.at)
}

// buildGraph joins the files; owns says which directories count.
func buildGraph(files []*file, owns func(dir string) bool) *graph {
	g := &graph{}
	nNodes, nIDs, nSaid := 0, 0, 0
	for _, f := range files {
		nNodes, nIDs, nSaid = nNodes+len(f.nodes), nIDs+len(f.ids), nSaid+len(f.words)
	}
	g.said = make([]spoken, 0, nSaid)
	g.parent = make([]int32, nNodes)
	g.edge = make([]uint8, nNodes)
	g.sess = make([]int32, 0, nNodes)
	g.out = make([]bool, 0, nNodes)
	g.words = make([]int32, 0, nNodes)
	g.ids = make([]entry, 0, nIDs)
	numbers := map[string]int32{}
	for _, f := range files {
		g.addFile(f, numbers, owns)
	}
	slices.SortFunc(g.ids, byEntry)
	g.join(files)
	g.breakCircles()
	g.sortSaid()
	g.findAbandoned()
	g.findPrompts()
	return g
}

func (g *graph) addFile(f *file, numbers map[string]int32, owns func(string) bool) {
	sessions := make([]int32, len(f.places))
	scope := make([]bool, len(f.places))
	for i, p := range f.places {
		n, ok := numbers[p.session]
		if !ok {
			n = int32(len(g.names))
			numbers[p.session] = n
			g.names, g.born = append(g.names, p.session), append(g.born, 0)
		}
		// The first place of a session in a file is where it begins there.
		if at := f.said(f.born[i]); at != 0 && !slices.Contains(sessions[:i], n) && (g.born[n] == 0 || at < g.born[n]) {
			g.born[n] = at
		}
		sessions[i], scope[i] = n, owns(p.dir)
	}
	base, first := int32(len(g.words)), int32(len(g.said))
	at := f.firstTime()
	for i := range f.words {
		w := &f.words[i]
		if said := f.said(w.time); said != 0 {
			at = said
		}
		g.said = append(g.said, spoken{
			file: f, words: w, at: at, sess: sessions[w.place], seq: int32(len(g.said)), node: -1, prompt: -1, scope: scope[w.place],
		})
	}
	for i, n := range f.nodes {
		g.sess, g.out = append(g.sess, sessions[n.place]), append(g.out, n.outsider)
		if n.words < 0 {
			g.words = append(g.words, -1)
			continue
		}
		g.words = append(g.words, first+n.words)
		g.said[first+n.words].node = base + int32(i)
	}
	for i, id := range f.ids {
		node := base + int32(f.of[i]>>1)
		g.ids = append(g.ids, entry{id: id, sess: g.sess[node], at: uint32(node)<<1 | f.of[i]&toolBit})
	}
	f.ids, f.of = nil, nil // the entries hold them now
}

// said gives a time of a record if that can be one, else 0.
func (f *file) said(at int64) int64 {
	if at > f.latest {
		return 0
	}
	return at
}

// firstTime is for records before which no other one has a time. Where they name one
// that is still to come, they were said by the first time behind them, or by when the
// file was written last.
func (f *file) firstTime() int64 {
	if len(f.words) == 0 || f.words[0].time <= f.latest {
		return 0
	}
	for _, w := range f.words {
		if w.time != 0 && w.time <= f.latest {
			return w.time
		}
	}
	return f.written
}

// find gives the first record of a session that has an id.
func (g *graph) find(sess int32, id uint64) (entry, bool) {
	i, _ := slices.BinarySearchFunc(g.ids, entry{id: id, sess: sess}, byEntry)
	if i < len(g.ids) && g.ids[i].sess == sess && g.ids[i].id == id {
		return g.ids[i], true
	}
	return entry{}, false
}

// join resolves the parents and marks records that stand twice.
func (g *graph) join(files []*file) {
	at := int32(0)
	for _, f := range files {
		for _, n := range f.nodes {
			g.parent[at] = -1
			if e, ok := g.find(g.sess[at], n.parent); n.parent != 0 && ok && e.node() != at {
				g.parent[at] = e.node()
				if e.at&toolBit != 0 {
					g.edge[at] |= edgeTool
				}
			}
			if n.logical {
				g.edge[at] |= edgeLogical
			}
			if w := g.words[at]; w >= 0 {
				g.said[w].twice = g.saidBefore(at, g.said[w].id)
			}
			at++
		}
	}
}

// saidBefore says whether another record of the session with the same id said
// something before.
func (g *graph) saidBefore(node int32, id uint64) bool {
	i, _ := slices.BinarySearchFunc(g.ids, entry{id: id, sess: g.sess[node]}, byEntry)
	for ; i < len(g.ids) && g.ids[i].id == id && g.ids[i].sess == g.sess[node] && g.ids[i].node() < node; i++ {
		if g.words[g.ids[i].node()] >= 0 {
			return true
		}
	}
	return false
}

// breakCircles takes the parent from one record of each circle.
func (g *graph) breakCircles() {
	const onPath, done = 1, 2
	state := make([]uint8, len(g.parent))
	var path []int32
	for i := range g.parent {
		path = path[:0]
		n := int32(i)
		for n >= 0 && state[n] == 0 {
			state[n] = onPath
			path = append(path, n)
			n = g.parent[n]
		}
		if n >= 0 && state[n] == onPath {
			g.parent[n] = -1
		}
		for _, p := range path {
			state[p] = done
		}
	}
}

// sortSaid puts what each session said in the order of time.
func (g *graph) sortSaid() {
	g.order = make([][]int32, len(g.names))
	for i := range g.said {
		if s := &g.said[i]; !s.twice {
			g.order[s.sess] = append(g.order[s.sess], int32(i))
		}
	}
	for _, order := range g.order {
		slices.SortFunc(order, g.before)
	}
}

func (g *graph) before(a, b int32) int {
	if c := cmp.Compare(g.said[a].at, g.said[b].at); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

// findPrompts gives each answer the nearest prompt above it, and where the graph
// knows none the last one before it in its session. What answers an outsider has
// no prompt.
func (g *graph) findPrompts() {
	nearest := make([]int32, len(g.parent))
	for i := range nearest {
		nearest[i] = -2
	}
	var path []int32
	for i := range nearest {
		path = path[:0]
		n := int32(i)
		for n >= 0 && nearest[n] == -2 {
			path = append(path, n)
			if w := g.words[n]; w >= 0 && g.said[w].flags&wordsPrompt != 0 {
				nearest[n] = n
				break
			}
			if g.out[n] {
				nearest[n] = toOutsider
				break
			}
			n = g.parent[n]
		}
		found := int32(-1)
		if n >= 0 {
			found = nearest[n]
		}
		for _, p := range path {
			nearest[p] = found
		}
	}
	for _, order := range g.order {
		last := int32(-1)
		for _, i := range order {
			s := &g.said[i]
			s.prompt = nearest[s.node]
			if s.flags&wordsPrompt != 0 && !s.dead {
				last = s.node
			} else if s.prompt == -1 {
				s.prompt = last
			}
		}
	}
}
