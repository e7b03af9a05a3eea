package memory

import (
	"cmp"
	"reflect"
	"slices"
	"time"
)

// MaxSuggestions bounds the suggestions that wait on a branch; the least sure
// ones go.
const MaxSuggestions = 20

// suggestedFor is how long a suggestion waits for a decision.
const suggestedFor = 30 * 24 * time.Hour

// Suggests says whether any suggestion waits; Settle may find that it is over.
func (b Inbox) Suggests() bool { return slices.ContainsFunc(b.Waiting, isSuggestion) }

func isSuggestion(w Waiting) bool { return w.Suggestion }

// expired says that nobody decided about a suggestion for too long.
func (w Waiting) expired(now time.Time) bool { return w.Suggestion && now.Sub(w.Since) >= suggestedFor }

// parted gives the inbox without its suggestions, and those.
func (b Inbox) parted() (Inbox, []Waiting) {
	var rest, suggested []Waiting
	for _, w := range b.Waiting {
		if w.Suggestion {
			suggested = append(suggested, w)
		} else {
			rest = append(rest, w)
		}
	}
	b.Waiting = rest
	return b, suggested
}

// Suggest lets finds wait that are not to go into memory by themselves. It is
// pure; b is settled with m, which is the memory after everything else that was
// found.
//
//   - A find that says what the memory holds in any state, what is proposed for it
//     or what a person refused is dropped, and so is a suggestion that waits once
//     that is so. One that contradicts a person's item or a newer one likewise.
//   - One that says what a suggestion says adds its origin to that; of two that
//     contradict each other, the one that was said later waits. Both are as Merge
//     does it.
//   - The surest MaxSuggestions wait, of those that are as sure the ones that were
//     said first, behind what must be decided.
func (b Inbox) Suggest(m Memory, found []Found, now time.Time) Inbox {
	out, suggested := b.parted()
	if len(found) == 0 && len(suggested) == 0 {
		return b
	}
	held := newMerger(out.said(m), now, false)
	since := map[string]time.Time{}
	var waits Memory
	for _, w := range suggested {
		if !held.holds(saidLast(w.Item)) {
			waits.Items = append(waits.Items, w.Item)
			since[w.Item.ID] = w.Since
		}
	}
	fresh := slices.DeleteFunc(slices.Clone(found), held.holds)
	waits, _, _ = Merge(waits, fresh, now)
	items := waits.Active()
	slices.SortStableFunc(items, func(a, b Item) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), saidFirst(a).Compare(saidFirst(b)))
	})
	items = items[:min(len(items), MaxSuggestions, max(MaxWaiting-len(out.Waiting), 0))]
	taken := func(id string) bool {
		_, is := held.ids[id]
		return is || slices.ContainsFunc(out.Waiting, func(w Waiting) bool { return w.Item.ID == id })
	}
	for _, it := range items {
		w := Waiting{Item: it, Suggestion: true, Since: now.UTC()}
		if t, ok := since[it.ID]; ok {
			w.Since = t
		}
		if taken(it.ID) {
			w.Item.ID = uniqueID(it.Section+"\n"+it.Content, taken)
		}
		out.Waiting = append(out.Waiting, w)
	}
	if !reflect.DeepEqual(out.Waiting, b.Waiting) {
		out.Done = nil
	}
	return out
}

// said is a memory with everything in it that a suggestion would only repeat:
// also what is proposed, and the words that a person refused for an item.
func (b Inbox) said(m Memory) Memory {
	m = b.Over(m)
	for _, r := range b.Refused {
		if r.Content != "" {
			m.Items = append(m.Items, Item{Section: r.Section, Content: r.Content, State: Removed})
		}
	}
	return m
}

// saidFirst is when an item was said first.
func saidFirst(it Item) time.Time {
	if len(it.Origins) == 0 {
		return time.Time{}
	}
	return it.Origins[0].Time
}

// saidLast is an item as it was found last.
func saidLast(it Item) Found {
	f := Found{Section: it.Section, Content: it.Content, Confidence: it.Confidence}
	for _, o := range it.Origins {
		if !o.Time.Before(f.Origin.Time) {
			f.Origin = o
		}
	}
	return f
}

// holds says whether a find would tell nobody anything: an item in some state
// says it, or what Merge would leave out. An item that it replaced counts too.
func (g *merger) holds(f Found) bool {
	if g.look(f) != (Known{}) {
		return true
	}
	_, ok := g.twin(g.index.query(Clean(f.Content)), f.Origin)
	return ok
}
