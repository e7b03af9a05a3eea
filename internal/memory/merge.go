package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	// maxConfidence bounds what repetition can do: only a person is sure.
	maxConfidence = 0.99
	// corroboration is the share of the remaining doubt that a fully confident
	// second find takes away.
	corroboration = 0.3
	// maxOrigins bounds what one item remembers of its origins. Further finds of
	// an item with so many change nothing.
	maxOrigins = 32
)

// Merge brings found items into a memory. It is pure and does not change m.
//
//   - A find that says what an active item says adds its origin and raises the
//     confidence, once for each origin.
//   - A find that contradicts an older active item supersedes it. The other way
//     round, a find older than the item that it contradicts is kept as
//     superseded from the start.
//   - A find that says what a superseded item says brings it back only if it is
//     newer than everything the replacing item was found in.
//   - A find that says what a person removed is dropped.
//   - Pinned items and those that a person wrote are never changed. A find that
//     contradicts one is not taken in; it is returned as a conflict.
//   - Everything else is added, the most confident first, after the items that
//     were there.
//
// Finds are taken in the order of their origins' times. No item leaves the
// memory, and every item that differs afterwards is named in a change; no
// change means that the memory is as before. Merging the same finds again
// changes nothing.
func Merge(m Memory, found []Found, now time.Time) (Memory, []Change, []Conflict) {
	return merge(m, found, now, false)
}

// merge compares by exact content only if exact is set, as an import does that
// must not lose a wording.
func merge(m Memory, found []Found, now time.Time, exact bool) (Memory, []Change, []Conflict) {
	g := newMerger(m, now, exact)
	ordered := slices.Clone(found)
	slices.SortStableFunc(ordered, func(a, b Found) int { return a.Origin.Time.Compare(b.Origin.Time) })
	for _, f := range ordered {
		f.Content = Clean(f.Content)
		f.Rationale = Clean(f.Rationale)
		f.Confidence, f.Importance = bounded(f.Confidence), importance(f.Importance)
		if f.Content != "" && f.Section != "" {
			g.take(f)
		}
	}
	added := g.items[len(m.Items):]
	slices.SortStableFunc(added, func(a, b Item) int {
		switch {
		case a.State == Active && b.State != Active:
			return -1
		case a.State != Active && b.State == Active:
			return 1
		}
		return cmp.Compare(b.Confidence, a.Confidence)
	})
	if len(g.changes) > 0 {
		m.Updated = now
	}
	m.Items = g.items
	return m, g.named(), g.conflicts
}

func bounded(c float64) float64 {
	if !(c > 0) { // also NaN
		return 0
	}
	return min(c, maxConfidence)
}

// maxImportance is that of what must not be missed.
const maxImportance = 3

func importance(n int) int { return max(0, min(n, maxImportance)) }

// merger is the state of one merge.
type merger struct {
	now       time.Time
	exact     bool
	items     []Item
	index     *index
	ids       map[string]int
	changes   []Change
	conflicts []Conflict
}

func newMerger(m Memory, now time.Time, exact bool) *merger {
	g := &merger{now: now, exact: exact, items: slices.Clone(m.Items), ids: make(map[string]int, len(m.Items))}
	g.index = newIndex(len(m.Items))
	for i := range g.items {
		g.items[i].Origins = slices.Clip(g.items[i].Origins)
		g.index.add(g.items[i].Content)
		g.ids[g.items[i].ID] = i
	}
	return g
}

func (g *merger) take(f Found) {
	q := g.index.query(f.Content)
	twin, ok := g.twin(q, f.Origin)
	if ok && g.items[twin].State == Removed {
		return
	}
	if g.exact {
		if !ok {
			g.insert(f, Active, "imported")
		} else {
			g.again(twin, f)
		}
		return
	}
	rivals := g.index.rivals(q, func(i int) bool { return g.items[i].State == Active })
	for _, r := range rivals {
		// This comes before the twin, or a find would be a conflict at first and a
		// corroboration once something similar was added.
		if g.items[r.item].Protected() {
			g.conflict(r.item, f, r.why)
			return
		}
	}
	if ok {
		g.again(twin, f)
		return
	}
	g.enter(f, rivals)
}

// enter adds a find that says something new, and settles which of it and its
// rivals is the newer word.
func (g *merger) enter(f Found, rivals []rival) {
	for _, r := range rivals {
		if e := g.items[r.item]; f.Origin.Time.Before(e.LastSaid()) {
			i := g.insert(f, Superseded, "older than the item that it contradicts")
			g.items[i].SupersededBy = e.ID
			g.last().By = e.ID
			return
		}
	}
	i := g.insert(f, Active, "")
	for _, r := range rivals {
		g.supersede(r.item, g.items[i].ID, r.why)
	}
}

// twin finds the item that says the same. One that has this origin already comes
// first, so that a second merge finds what the first one found; then one with
// the very same content, then what a person removed, so that it does not come
// in by way of something similar; then active ones before superseded ones.
func (g *merger) twin(q *query, o Origin) (int, bool) {
	const none = 5
	best, rank := -1, none
	g.index.twins(q, g.exact, func(i int, like likeness) {
		it, r := g.items[i], none
		switch {
		case like == roughly && it.State != Removed:
			return
		case known(it, o):
			r = 0
		case it.State == Active && like == exactly:
			r = 1
		case it.State == Removed:
			r = 2
		case it.State == Active:
			r = 3
		default:
			r = 4
		}
		if r < rank {
			best, rank = i, r
		}
	})
	return best, best >= 0
}

// again deals with a find of something that is known.
func (g *merger) again(i int, f Found) {
	it := &g.items[i]
	switch it.State {
	case Active:
		if !it.Protected() && addOrigin(it, f.Origin) {
			it.Importance = max(it.Importance, f.Importance)
			it.Confidence = max(it.Confidence, min(maxConfidence, it.Confidence+(1-it.Confidence)*corroboration*f.Confidence))
			g.touch(i, Updated, "found again")
		}
	case Superseded:
		g.revive(i, f)
	}
}

// revive brings a superseded item back if the find is newer than what stands in
// its place. Otherwise the item only remembers where it was found again.
func (g *merger) revive(i int, f Found) {
	it := &g.items[i]
	if it.Protected() || known(*it, f.Origin) {
		return
	}
	by, ok := g.successor(i)
	if ok && f.Origin.Time.After(g.items[by].LastSaid()) {
		if g.items[by].Protected() {
			g.conflict(by, f, "it brings back what this one replaced")
			return
		}
		addOrigin(it, f.Origin)
		it.State, it.SupersededBy = Active, ""
		g.touch(i, Updated, "said again after it had been replaced")
		g.supersede(by, it.ID, "it was taken back")
		return
	}
	if addOrigin(it, f.Origin) {
		g.touch(i, Kept, "found again, but it was replaced since")
	}
}

// successor follows what replaced an item to the active item at the end.
func (g *merger) successor(i int) (int, bool) {
	for range len(g.items) {
		by, ok := g.ids[g.items[i].SupersededBy]
		if !ok {
			return 0, false
		}
		if i = by; g.items[i].State != Superseded {
			break
		}
	}
	return i, g.items[i].State == Active
}

func (g *merger) supersede(i int, by, why string) {
	it := &g.items[i]
	it.State, it.SupersededBy = Superseded, by
	g.touch(i, Replaced, why)
	g.last().By = by
}

func (g *merger) insert(f Found, state State, why string) int {
	it := Item{
		Section: f.Section, Content: f.Content, Confidence: f.Confidence, Importance: f.Importance, Rationale: f.Rationale,
		State: state, Created: g.now, Origins: []Origin{f.Origin},
	}
	it.ID = g.newID(f.Section + "\n" + f.Content)
	i := len(g.items)
	g.items = append(g.items, it)
	g.ids[it.ID] = i
	g.index.add(it.Content)
	g.touch(i, Added, why)
	return i
}

func (g *merger) touch(i int, a Action, why string) {
	it := &g.items[i]
	it.Updated, it.Why = g.now, why
	g.changes = append(g.changes, Change{Action: a, ID: it.ID, Section: it.Section, Content: it.Content, Why: why})
}

func (g *merger) last() *Change { return &g.changes[len(g.changes)-1] }

func (g *merger) conflict(i int, f Found, why string) {
	it := g.items[i]
	g.conflicts = append(g.conflicts, Conflict{ID: it.ID, Section: it.Section, Existing: it.Content, Found: f, Why: why})
}

// named returns one change for each item: what happened to it first says how it
// came in, what happened last how it ended.
func (g *merger) named() []Change {
	at := map[string]int{}
	var out []Change
	for _, c := range g.changes {
		i, ok := at[c.ID]
		switch {
		case !ok:
			at[c.ID] = len(out)
			out = append(out, c)
		case out[i].Action == Added && c.Action != Replaced, c.Action == Kept:
			// The first change says more.
		default:
			out[i] = c
		}
	}
	return out
}

// newID makes an id from what an item says, so that a merge is pure.
func (g *merger) newID(seed string) string {
	return uniqueID(seed, func(id string) bool { _, ok := g.ids[id]; return ok })
}

// uniqueID derives an id of 12 hexadecimal digits from seed.
func uniqueID(seed string, taken func(string) bool) string {
	id, _ := uniqueIDFrom(seed, 0, taken)
	return id
}

// uniqueIDFrom is uniqueID where the first n ids that a seed gives are known to be
// taken. It also gives how many were taken.
func uniqueIDFrom(seed string, n int, taken func(string) bool) (string, int) {
	for ; ; n++ {
		s := seed
		if n > 0 {
			s = fmt.Sprintf("%s\n%d", seed, n)
		}
		sum := sha256.Sum256([]byte(s))
		if id := hex.EncodeToString(sum[:6]); !taken(id) {
			return id, n
		}
	}
}

// addOrigin records where an item was found again, and reports whether that is
// news.
func addOrigin(it *Item, o Origin) bool {
	if len(it.Origins) >= maxOrigins || known(*it, o) {
		return false
	}
	it.Origins = append(slices.Clip(it.Origins), o)
	slices.SortStableFunc(it.Origins, func(a, b Origin) int { return a.Time.Compare(b.Time) })
	return true
}

// known reports whether an origin is one of the item's: the same session and a
// record in common.
func known(it Item, o Origin) bool {
	return slices.ContainsFunc(it.Origins, func(k Origin) bool {
		if k.Extractor != o.Extractor || k.Source != o.Source || k.Session != o.Session {
			return false
		}
		if len(k.Records) == 0 || len(o.Records) == 0 {
			return k.Time.Equal(o.Time)
		}
		return slices.ContainsFunc(o.Records, func(r string) bool { return slices.Contains(k.Records, r) })
	})
}

// exactKey is equal for contents that differ in case and final stop only.
func exactKey(content string) string {
	return strings.TrimRight(strings.ToLower(content), ".!。 ")
}
