package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"recollect/hostapi/guest"
)

const (
	maxNotes    = 30  // that a reply is asked for
	maxTaken    = 100 // that are taken of a reply
	maxRunes    = 500 // of a note: what still reads as one
	maxEvidence = 8   // messages of a note
)

// reader reads what the model found in one part of a session.
type reader struct {
	sections      []guest.Section
	part          part
	known         []guest.MemoryItem // that were shown
	soFar         int                // notes of earlier parts that were shown
	minConfidence float64
	maxRunes      int

	messages map[string]said
	words    []words         // of the messages, once they are needed
	dropped  []guest.Refusal // what was left out, and why
}

// found is what a reply says of a part.
type found struct {
	notes []noted
	gone  []int // notes of earlier parts that no longer hold
}

// read gives what a reply says. An error is a *replyError; what is beside it was
// whole in a reply that broke off.
func (r *reader) read(reply string) (found, error) {
	r.messages, r.dropped = r.part.byName(), nil
	var lists [][]any
	var gone []int
	part, err := readReply(reply, func(v any) bool {
		list, fits := r.entries(v)
		if fits {
			lists, gone = append(lists, list), append(gone, r.gone(v)...)
		}
		return fits
	})
	if err != nil {
		list, _ := r.entries(part)
		return found{notes: r.notes(list)}, err
	}
	list, clear := only(lists)
	if !clear {
		return found{}, &replyError{why: "it holds several different answers"}
	}
	return found{notes: r.notes(list), gone: gone}, nil
}

// gone gives the places of the earlier notes that a reply takes back.
func (r *reader) gone(v any) []int {
	m, _ := v.(map[string]any)
	var out []int
	for _, name := range names(m["gone"]) {
		if n, ok := place(name, 'n', r.soFar); ok {
			out = append(out, n)
		}
	}
	return out
}

// place gives the place in a list that a handle like "n3" stands for.
func place(handle string, kind byte, count int) (int, bool) {
	handle = strings.ToLower(strings.TrimSpace(handle))
	if len(handle) < 2 || handle[0] != kind {
		return 0, false
	}
	n, err := strconv.Atoi(handle[1:])
	return n - 1, err == nil && n >= 1 && n <= count
}

// only gives the list that a reply means: the only one that holds something.
func only(lists [][]any) ([]any, bool) {
	var list []any
	for _, l := range lists {
		if len(l) == 0 {
			continue
		}
		if list != nil && fmt.Sprint(l) != fmt.Sprint(list) {
			return nil, false
		}
		list = l
	}
	return list, true
}

// entry is one note as the model gave it, with the section that it stood under.
type entry struct {
	section string
	value   any
}

// entries gives the notes of a value that has one of the forms that models give
// them in, and whether it has one: the one that was asked for, the list alone,
// lists by section, or the word that there is nothing.
func (r *reader) entries(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		fits := slices.ContainsFunc(v, func(e any) bool {
			m, _ := e.(map[string]any)
			_, section := m["section"].(string)
			return section
		})
		return wrapped("", v), fits
	case map[string]any:
		if list, ok := v["items"].([]any); ok {
			return wrapped("", list), true
		}
		if inner, ok := v["sections"].(map[string]any); ok {
			v = inner
		}
		list, fits := r.bySection(v)
		if nothing, ok := v["no_content_to_extract"].(bool); ok && nothing {
			fits = true
		}
		return list, fits
	}
	return nil, false
}

func (r *reader) bySection(v map[string]any) (list []any, fits bool) {
	keys := make([]string, 0, len(v))
	for k := range v {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		of, ok := v[k].([]any)
		if !ok {
			continue
		}
		id := r.section(k)
		if id == "" {
			r.drop(k, "there is no section of that name")
			continue
		}
		fits = true
		list = append(list, wrapped(id, of)...)
	}
	return list, fits
}

func wrapped(section string, list []any) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = entry{section, v}
	}
	return out
}

// section gives the id that a name stands for, "" if there is none.
func (r *reader) section(name string) string {
	for _, s := range r.sections {
		if s.ID == name || key(s.ID) == key(name) || s.Heading != "" && key(s.Heading) == key(name) {
			return s.ID
		}
	}
	return ""
}

func (r *reader) notes(list []any) []noted {
	if n := len(list) - maxTaken; n > 0 {
		r.drop(fmt.Sprintf("%d entries", n), fmt.Sprintf("they are beyond the first %d of a reply", maxTaken))
		list = list[:maxTaken]
	}
	var notes []noted
	for _, v := range list {
		e, _ := v.(entry)
		note, why := r.note(e)
		if why != "" {
			r.drop(note.Content, why)
			continue
		}
		notes = append(notes, note)
	}
	return notes
}

// note reads one entry, and says why it is no note.
func (r *reader) note(e entry) (noted, string) {
	item := noted{Item: guest.Item{Section: e.section}}
	fields, ok := e.value.(map[string]any)
	if !ok {
		fields = map[string]any{"content": e.value}
	}
	content, ok := first(fields, "content", "text", "statement").(string)
	if !ok {
		return item, "its content is no text"
	}
	item.Content = oneLine(content)
	if name, ok := first(fields, "section", "category").(string); ok && item.Section == "" {
		if item.Section = r.section(name); item.Section == "" {
			return item, "there is no section " + strconv.Quote(clip(name, 40))
		}
	}
	if item.Confidence, ok = r.confidence(fields["confidence"]); !ok {
		return item, "its confidence is not between 0 and 1"
	}
	item.Importance = importance(fields["importance"])
	if i, again := place(item.Content, 'k', len(r.known)); again {
		item.Content, item.Section = r.known[i].Content, r.known[i].Section
	}
	switch {
	case key(item.Content) == "":
		return item, "it is empty"
	case utf8.RuneCountInString(item.Content) > r.maxRunes:
		return item, "it is too long"
	case item.Section == "":
		return item, "it names no section"
	case item.Confidence < r.minConfidence:
		return item, "the model is not sure enough of it"
	}
	if item.Evidence = r.evidence(item.Content, first(fields, "evidence", "ids", "sources")); len(item.Evidence) == 0 {
		return item, "no message that was shown says it"
	}
	return item, ""
}

func first(fields map[string]any, names ...string) any {
	for _, n := range names {
		if v, ok := fields[n]; ok {
			return v
		}
	}
	return nil
}

// importance reads a number from 1 to 3, also in a string; 2 where there is none.
func importance(v any) int {
	n, ok := v.(float64)
	if s, text := v.(string); text {
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		n, ok = f, err == nil
	}
	if !ok || math.IsNaN(n) {
		return 2
	}
	return int(min(max(n, 1), 3))
}

// confidence reads a number, also one in a string or in percent. One that is not
// there is the least that is kept.
func (r *reader) confidence(v any) (float64, bool) {
	switch v := v.(type) {
	case nil:
		return r.minConfidence, true
	case float64:
		return v, v >= 0 && v <= 1
	case string:
		s := strings.TrimSpace(v)
		number, percent := strings.CutSuffix(s, "%")
		f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if percent {
			f /= 100
		}
		return f, err == nil && !math.IsNaN(f) && f >= 0 && f <= 1
	}
	return 0, false
}

// evidence gives the records of the messages that the model named, as far as it
// was shown them; if it named none of those, of the message that says the note.
func (r *reader) evidence(content string, v any) []string {
	var ids []string
	add := func(name string) {
		s, shown := r.messages[name]
		if shown && len(ids) < maxEvidence && !slices.Contains(ids, s.id) {
			ids = append(ids, s.id)
		}
	}
	for _, name := range names(v) {
		add(name)
	}
	if len(ids) == 0 {
		if r.words == nil {
			for _, s := range r.part.said {
				r.words = append(r.words, wordsOf(s.text))
			}
		}
		if i := support(content, r.words); i >= 0 {
			add(r.part.said[i].handle)
		}
	}
	return ids
}

// names reads ids however they are given: a list, one alone, several in a text,
// with brackets, or as the bare number.
func names(v any) []string {
	switch v := v.(type) {
	case []any:
		var out []string
		for _, e := range v[:min(len(v), 100)] {
			if _, nested := e.([]any); !nested {
				out = append(out, names(e)...)
			}
		}
		return out
	case float64:
		return []string{"m" + strconv.FormatFloat(v, 'f', -1, 64)}
	case string:
		fields := strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune(" ,;[]()#\"'`", r) })
		for i, f := range fields {
			if n, err := strconv.Atoi(f); err == nil {
				fields[i] = "m" + strconv.Itoa(n)
			} else if len(f) > 1 && f[0] == 'M' {
				fields[i] = "m" + f[1:]
			}
		}
		return fields
	}
	return nil
}

func (r *reader) drop(content, why string) {
	r.dropped = append(r.dropped, guest.Refusal{Content: clip(content, 80), Why: why})
}
