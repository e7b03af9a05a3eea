package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/hostapi/guest"
)

// evolveChars bounds what is shown of the notes in one request, memory and finds
// half each, in runes.
const evolveChars = 20000

// evolve lets the model bring found items into a memory. An error of the host is
// answered as one: the host merges by itself then. A reply that can't be read
// changes nothing: the memory comes back as it is, with all that was found.
func evolve(r guest.EvolveRequest) (guest.EvolveResult, error) {
	c, err := loadConfig()
	if err != nil {
		return guest.EvolveResult{}, err
	}
	e := newEvolution(r, min(c.MaxPartChars, evolveChars))
	if !c.Evolve || len(e.memory) == 0 || len(e.finds) == 0 {
		return e.untouched(), nil
	}
	v, err := e.verdict(c)
	var bad *replyError
	switch {
	case errors.As(err, &bad):
		warning := "the model's word on the memory is not used: " + clip(bad.why, 300) + "; the new items are added as they were found"
		guest.Warn(warning)
		answer := e.untouched()
		answer.Warnings = []string{warning}
		return answer, nil
	case err != nil:
		return guest.EvolveResult{}, named("the model was not asked what becomes of the memory", err)
	}
	return e.answer(v), nil
}

// tidy lets the model find what several parts of a first run say alike. With a
// memory, evolve does that. If it can't be had, all notes stay.
func (x *extraction) tidy() {
	if !x.config.Evolve || x.asked < 2 || len(x.memory) > 0 {
		return
	}
	x.notes = joined(x.notes)
	slices.SortStableFunc(x.notes, func(a, b noted) int { return a.said.Compare(b.said) })
	r := guest.EvolveRequest{Project: x.Project, Branch: x.Branch, Sections: x.Sections, Now: x.Now}
	for _, n := range x.notes {
		r.Found = append(r.Found, n.Item)
	}
	e := newEvolution(r, min(x.config.MaxPartChars, evolveChars))
	e.ordered = true
	if len(e.finds) < 2 {
		return
	}
	v, err := e.verdict(x.config)
	if err != nil {
		guest.Info("what was found is not tidied: " + clip(err.Error(), 300))
		return
	}
	out := map[int]bool{}
	for i := range e.finds {
		if !v.merged[i] {
			continue
		}
		out[e.place[i]] = true
		if by := v.standing(note{true, i}); !v.stale[i] {
			x.notes[e.place[by.i]].join(x.notes[e.place[i]])
		}
	}
	var stay []noted
	for i, n := range x.notes {
		if !out[i] {
			stay = append(stay, n)
		}
	}
	x.notes = stay
}

// evolution is one question about a memory and what was found. The model calls
// the notes of the memory a1, a2 … and what was found n1, n2 …: the place in
// these lists.
type evolution struct {
	guest.EvolveRequest
	memory []guest.MemoryItem // those that are shown
	finds  []guest.Item       // those that are shown
	place  []int              // of each of them among those that were found
	// plain are finds that need no judgement: they say what the memory says word
	// for word, or there is no room to show them.
	plain   []guest.Item
	ordered bool // the finds stand in the order in which they were said
}

// newEvolution shows at most limit runes of finds and as many of the memory:
// what has most in common with the finds. What is not shown stays as it is.
func newEvolution(r guest.EvolveRequest, limit int) *evolution {
	e := &evolution{EvolveRequest: r}
	known := map[string]bool{}
	for _, it := range r.Memory {
		known[key(it.Content)] = true
	}
	room := limit / 2
	all := words{}
	for i, f := range r.Found {
		size := utf8.RuneCountInString(f.Content)
		if known[key(f.Content)] || size > room {
			e.plain = append(e.plain, f)
			continue
		}
		room -= size
		e.finds, e.place = append(e.finds, f), append(e.place, i)
		for w, number := range wordsOf(f.Content) {
			all[w] = number
		}
	}
	e.memory = closest(r.Memory, all, limit/2)
	return e
}

// closest gives the items that fit the room, those with most words in common
// first to be taken, in their order.
func closest(items []guest.MemoryItem, to words, room int) []guest.MemoryItem {
	type near struct {
		i     int
		share float64
	}
	order := make([]near, len(items))
	for i, it := range items {
		order[i] = near{i, wordsOf(it.Content).within(to)}
	}
	slices.SortStableFunc(order, func(a, b near) int { return cmp.Compare(b.share, a.share) })
	shown := make([]bool, len(items))
	for _, n := range order {
		if room -= utf8.RuneCountInString(items[n.i].Content); room < 0 {
			break
		}
		shown[n.i] = true
	}
	var out []guest.MemoryItem
	for i, it := range items {
		if shown[i] {
			out = append(out, it)
		}
	}
	return out
}

// verdict asks the model.
func (e *evolution) verdict(c config) (v verdict, err error) {
	err = ask(e.params(c), func(reply string) (err error) {
		v, err = e.read(reply)
		return err
	})
	for _, why := range v.refused {
		guest.Info("not done: " + why)
	}
	return v, err
}

// params is the request.
func (e *evolution) params(c config) guest.CompleteParams {
	texts := []string{e.Project.Name, e.Branch}
	var list, found strings.Builder
	for i, it := range e.memory {
		fixed := ""
		if fixedItem(it) {
			fixed = ", fixed"
		}
		texts = append(texts, it.Content)
		fmt.Fprintf(&list, "a%d (%s%s): %s\n", i+1, it.Section, fixed, oneLine(it.Content))
	}
	for i, f := range e.finds {
		texts = append(texts, f.Content)
		fmt.Fprintf(&found, "n%d (%s): %s\n", i+1, f.Section, oneLine(f.Content))
	}
	order := ""
	if e.ordered {
		order = ", oldest first; a later one may be the newer word (\"superseded\")"
	}
	return guest.CompleteParams{
		Purpose: "evolve the memory",
		System:  evolveSystem,
		Prompt: fill(evolvePrompt, "project", label(e.Project.Name), "branch", label(e.Branch), "order", order,
			"code", fence(texts), "memory", list.String(), "found", found.String()),
		Schema:    []byte(evolveSchema),
		MaxTokens: min(1024+40*(len(e.memory)+len(e.finds)), 8192),
		Model:     c.Model,
	}
}

// fixedItem says that the item is a person's.
func fixedItem(it guest.MemoryItem) bool { return it.Pinned || it.ByPerson }

// untouched is the answer that can lose nothing.
func (e *evolution) untouched() guest.EvolveResult {
	out := guest.EvolveResult{Items: slices.Clone(e.Memory), Changes: []guest.Change{}}
	for _, f := range e.Found {
		out.Items = append(out.Items, newItem(f))
	}
	return out
}

func newItem(f guest.Item) guest.MemoryItem {
	return guest.MemoryItem{Section: f.Section, Content: f.Content, Confidence: f.Confidence}
}

// answer is the whole memory as the verdict wants it.
func (e *evolution) answer(v verdict) guest.EvolveResult {
	out := guest.EvolveResult{Changes: []guest.Change{}}
	place := map[string]int{}
	for i, it := range e.memory {
		place[it.ID] = i
	}
	for _, it := range e.Memory {
		i, shown := place[it.ID]
		if change, changed := v.change[i]; shown && changed {
			out.Changes = append(out.Changes, change)
		}
		if shown && v.gone[i] {
			continue
		}
		if words, reworded := v.words[i]; shown && reworded {
			it.Content = words
		}
		out.Items = append(out.Items, it)
	}
	for i, f := range e.finds {
		if !v.merged[i] {
			out.Items = append(out.Items, newItem(f))
		}
	}
	for _, f := range e.plain {
		out.Items = append(out.Items, newItem(f))
	}
	return out
}

// note is what a handle stands for: a note of the memory or a find.
type note struct {
	found bool
	i     int
}

// note resolves a handle, or the id of an item.
func (e *evolution) note(ref string) (note, bool) {
	ref = strings.ToLower(strings.Trim(ref, " []()#."))
	if i, ok := place(ref, 'a', len(e.memory)); ok {
		return note{i: i}, true
	}
	if i, ok := place(ref, 'n', len(e.finds)); ok {
		return note{found: true, i: i}, true
	}
	i := slices.IndexFunc(e.memory, func(it guest.MemoryItem) bool { return ref != "" && strings.ToLower(it.ID) == ref })
	return note{i: i}, i >= 0
}

// content gives the words of a note as they are.
func (e *evolution) content(n note) string {
	if n.found {
		return e.finds[n.i].Content
	}
	return e.memory[n.i].Content
}
