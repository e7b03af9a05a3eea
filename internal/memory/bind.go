package memory

import (
	"cmp"
	"slices"
	"time"
)

// Unknown is the Extractor of an origin that got lost with the item lines.
const Unknown = "unknown"

// newcomer is what a bullet becomes that belongs to no item.
type newcomer struct {
	origin     Origin
	confidence float64
}

// person is the newcomer that a person wrote.
func person(at time.Time) newcomer {
	return newcomer{Origin{Extractor: Person, Time: at}, 1}
}

// bind finds the item of each bullet: by its exact words, first in its section
// and then in the others; then by likeness within the section, which is a
// person's edit of the item; else the bullet is a new item. An active item
// without a bullet was taken out by a person. It returns the items as the
// Markdown has them, the active ones in its order and the others behind, and the
// id of each bullet. The result depends on nothing but the arguments.
func bind(d *document, items []Item, other newcomer, at time.Time) ([]Item, []string) {
	b := newBinder(d, items, at)
	b.exact(true, true, nil)
	b.exact(true, false, b.moved)
	b.similar()
	b.exact(false, true, b.returned)
	b.rest(other)
	b.notes()
	return b.result(func(string) bool { return false })
}

type binder struct {
	doc   *document
	items []Item
	owner []int  // of bullet k: index of its item
	used  []bool // by item
	at    time.Time
}

func newBinder(d *document, items []Item, at time.Time) *binder {
	b := &binder{doc: d, items: slices.Clone(items), owner: make([]int, len(d.bullets)), used: make([]bool, len(items)), at: at}
	for k := range b.owner {
		b.owner[k] = nobody
	}
	return b
}

const (
	nobody = -1 // owns a bullet whose item is not found yet
	leaves = -2 // stands for a bullet that goes, whose item is shown elsewhere or not at all
)

// gone is the id of a bullet that leaves.
const gone = "-"

func (b *binder) claim(k, i int) { b.owner[k], b.used[i] = i, true }

// exact gives bullets the unclaimed items with the same content, active ones or
// others, within the section or in any.
func (b *binder) exact(active, within bool, then func(i int, u bullet)) {
	type words struct{ section, content string }
	key := func(section, content string) words {
		if !within {
			section = ""
		}
		return words{section, content}
	}
	open := map[words][]int{}
	for i, it := range b.items {
		if !b.used[i] && (it.State == Active) == active {
			k := key(it.Section, it.Content)
			open[k] = append(open[k], i)
		}
	}
	if len(open) == 0 {
		return
	}
	for k, u := range b.doc.bullets {
		if b.owner[k] != nobody {
			continue
		}
		w := key(u.section, u.content)
		if len(open[w]) == 0 {
			continue
		}
		i := open[w][0]
		open[w] = open[w][1:]
		b.claim(k, i)
		if then != nil {
			then(i, u)
		}
	}
}

func (b *binder) moved(i int, u bullet) {
	b.items[i].Section = u.section
	b.byPerson(i, "moved by a person")
}

func (b *binder) returned(i int, u bullet) {
	b.items[i].State, b.items[i].SupersededBy = Active, ""
	b.byPerson(i, "put back by a person")
}

// byPerson marks an item as one that a person stands for.
func (b *binder) byPerson(i int, why string) {
	it := &b.items[i]
	it.Confidence, it.Updated, it.Why = 1, b.at, why
	it.Origins = append(slices.Clip(it.Origins), Origin{Extractor: Person, Time: b.at})
}

const (
	// editShare is how alike two contents are of which a person made one from the
	// other.
	editShare = 0.5
	// maxEdits bounds the comparison of every open bullet with every open item.
	maxEdits = 250_000
)

// similar gives open bullets the open items of their section that are most
// like them.
func (b *binder) similar() {
	var bullets, items []int
	for k := range b.doc.bullets {
		if b.owner[k] == nobody {
			bullets = append(bullets, k)
		}
	}
	for i, it := range b.items {
		if !b.used[i] && it.State == Active {
			items = append(items, i)
		}
	}
	if len(bullets) == 0 || len(items) == 0 || len(bullets)*len(items) > maxEdits {
		return
	}
	lex := newLexicon()
	theirs := make([]shape, len(items))
	for n, i := range items {
		theirs[n] = lex.shape(b.items[i].Content)
	}
	type pair struct {
		k, i  int
		share float64
	}
	var pairs []pair
	for _, k := range bullets {
		u := b.doc.bullets[k]
		ours := lex.shape(u.content)
		for n, i := range items {
			if b.items[i].Section != u.section {
				continue
			}
			if share := likeShare(&ours, &theirs[n]); share >= editShare {
				pairs = append(pairs, pair{k, i, share})
			}
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(y.share, x.share) })
	for _, p := range pairs {
		if b.owner[p.k] == nobody && !b.used[p.i] {
			b.claim(p.k, p.i)
			b.items[p.i].Content = b.doc.bullets[p.k].content
			b.byPerson(p.i, "edited by a person")
		}
	}
}

func likeShare(a, b *shape) float64 {
	all := len(a.bases) + len(b.bases) + len(a.pairs) + len(b.pairs)
	if all == 0 {
		return 0
	}
	return 2 * float64(overlap(a.bases, b.bases)+overlap(a.pairs, b.pairs)) / float64(all)
}

// rest makes new items of the bullets that are still open.
func (b *binder) rest(other newcomer) {
	var taken map[string]bool
	tried := map[string]int{} // by seed: how many ids are taken
	for k, u := range b.doc.bullets {
		if b.owner[k] != nobody {
			continue
		}
		if taken == nil {
			taken = make(map[string]bool, len(b.items))
			for _, it := range b.items {
				taken[it.ID] = true
			}
		}
		seed := u.section + "\n" + u.content
		id, n := uniqueIDFrom(seed, tried[seed], func(id string) bool { return taken[id] })
		taken[id], tried[seed] = true, n+1
		b.items = append(b.items, Item{
			ID: id, Section: u.section, Content: u.content, Confidence: other.confidence, State: Active,
			Created: other.origin.Time, Updated: other.origin.Time, Origins: []Origin{other.origin},
		})
		b.used = append(b.used, true)
		b.owner[k] = len(b.items) - 1
	}
}

// notes protects items below whose bullet a person wrote something.
func (b *binder) notes() {
	for k, u := range b.doc.bullets {
		if i := b.owner[k]; u.text < u.end && !b.items[i].Protected() {
			b.byPerson(i, "a person added notes")
		}
	}
}

// result gives the items and the ids of the bullets. An active item that has no bullet
// was taken out, unless it stays all the same.
func (b *binder) result(stays func(id string) bool) ([]Item, []string) {
	out := make([]Item, 0, len(b.items))
	ids := make([]string, len(b.owner))
	for k, i := range b.owner {
		if i == leaves {
			ids[k] = gone
			continue
		}
		ids[k] = b.items[i].ID
		out = append(out, b.items[i])
	}
	for i, it := range b.items {
		if b.used[i] {
			continue
		}
		if it.State == Active && !stays(it.ID) {
			it.State, it.Updated, it.Why = Removed, b.at, "taken out by a person"
		}
		out = append(out, it)
	}
	return out, ids
}
