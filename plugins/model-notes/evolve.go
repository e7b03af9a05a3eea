package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"recollect/hostapi/guest"
)

// evolve lets the model bring found items into a memory. An error of the host is
// answered as one: the host merges by itself then. A model whose replies would
// lose something, or can't be read, changes nothing: the memory comes back as it
// is, with all that was found.
func evolve(r guest.EvolveRequest) (guest.EvolveResult, error) {
	c, err := loadConfig()
	if err != nil {
		return guest.EvolveResult{}, err
	}
	e := newEvolution(r, c.MaxPartChars)
	if !c.Evolve || len(e.memory) == 0 || len(e.finds) == 0 {
		return e.untouched(), nil
	}
	var v verdict
	err = ask(e.params(c), func(reply string) (err error) {
		v, err = e.read(reply)
		return err
	})
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

// evolution is one call of evolve. The model calls the notes of the memory a1,
// a2 … and what was found n1, n2 …: the place in these lists.
type evolution struct {
	guest.EvolveRequest
	memory []guest.MemoryItem // those that are shown
	finds  []guest.Item       // those that are shown
	// plain are finds that need no judgement: they say what the memory says word
	// for word, or there is no room to show them.
	plain []guest.Item
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
	for _, f := range r.Found {
		size := utf8.RuneCountInString(f.Content)
		if known[key(f.Content)] || size > room {
			e.plain = append(e.plain, f)
			continue
		}
		room -= size
		e.finds = append(e.finds, f)
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
	slices.SortStableFunc(order, func(a, b near) int {
		switch {
		case a.share > b.share:
			return -1
		case a.share < b.share:
			return 1
		}
		return 0
	})
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
	return guest.CompleteParams{
		Purpose: "evolve the memory",
		System:  evolveSystem,
		Prompt: fill(evolvePrompt, "project", label(e.Project.Name), "branch", label(e.Branch),
			"code", fence(texts), "memory", list.String(), "found", found.String()),
		Schema:    []byte(evolveSchema),
		MaxTokens: min(1024+40*(len(e.memory)+len(e.finds)), 8192),
		Model:     c.Model,
	}
}

// fixedItem says that the item is a person's.
func fixedItem(it guest.MemoryItem) bool { return it.Pinned || it.ByPerson }

// verdict is what the model says of the notes, checked.
type verdict struct {
	words  map[int]string       // new words of a note of the memory, by its place in evolution.memory
	change map[int]guest.Change // of a note that is reworded or goes
	merged map[int]bool         // finds that a note of the memory or another find says as well
}

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
		change, changed := v.change[i]
		if !shown || !changed {
			out.Items = append(out.Items, it)
			continue
		}
		out.Changes = append(out.Changes, change)
		if words, stays := v.words[i]; stays {
			it.Content = words
			out.Items = append(out.Items, it)
		}
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

// note resolves a handle, the id of an item, or the very words of a note.
func (e *evolution) note(ref, content string) (note, bool) {
	ref = strings.ToLower(strings.Trim(ref, " []()#."))
	if len(ref) > 1 {
		n, err := strconv.Atoi(ref[1:])
		switch {
		case err != nil:
		case ref[0] == 'a' && n >= 1 && n <= len(e.memory):
			return note{i: n - 1}, true
		case ref[0] == 'n' && n >= 1 && n <= len(e.finds):
			return note{found: true, i: n - 1}, true
		}
	}
	if i := slices.IndexFunc(e.memory, func(it guest.MemoryItem) bool { return ref != "" && strings.ToLower(it.ID) == ref }); i >= 0 {
		return note{i: i}, true
	}
	if k := key(content); ref == "" && k != "" {
		if i := slices.IndexFunc(e.memory, func(it guest.MemoryItem) bool { return key(it.Content) == k }); i >= 0 {
			return note{i: i}, true
		}
		if i := slices.IndexFunc(e.finds, func(f guest.Item) bool { return key(f.Content) == k }); i >= 0 {
			return note{found: true, i: i}, true
		}
	}
	return note{}, false
}

// handle is the inverse of note.
func (n note) handle() string {
	if n.found {
		return "n" + strconv.Itoa(n.i+1)
	}
	return "a" + strconv.Itoa(n.i+1)
}

// content gives the words of a note as they are.
func (e *evolution) content(n note) string {
	if n.found {
		return e.finds[n.i].Content
	}
	return e.memory[n.i].Content
}
