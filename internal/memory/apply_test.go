package memory

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// five is a memory of five items, "a" to "e", in two sections, and one that was
// removed.
func five() Memory {
	m := Memory{Branch: "main", Layout: DefaultLayout()}
	for _, x := range []struct{ id, section, content string }{
		{"aa1", "facts", "Alpha"}, {"aa2", "facts", "Beta"}, {"bb1", "facts", "Gamma"},
		{"cc1", "conventions", "Delta"}, {"dd1", "conventions", "Epsilon"}, {"ee1", "facts", "Gone"},
	} {
		it := item(x.id, x.section, x.content)
		it.Confidence, it.Origins = 0.6, []Origin{find(1, x.content).Origin}
		m.Items = append(m.Items, it)
	}
	m.Items[5].State, m.Items[5].Why = Removed, "forgotten by a person"
	return m
}

// outline is the active items by section, in order, for comparing.
func outline(m Memory) string {
	var b strings.Builder
	for _, s := range m.Layout.Sections {
		var words []string
		for _, it := range m.Active() {
			if it.Section == s.ID {
				words = append(words, it.Content)
			}
		}
		if words != nil {
			fmt.Fprintf(&b, "%s: %s; ", s.ID, strings.Join(words, ", "))
		}
	}
	return strings.TrimSuffix(b.String(), "; ")
}

const untouched = "facts: Alpha, Beta, Gamma; conventions: Delta, Epsilon"

func TestApply(t *testing.T) {
	t.Parallel()
	now := t0.Add(time.Hour)
	tests := []struct {
		name  string
		edits []Edit
		want  string
		code  string // of an EditError
		is    error
	}{
		{name: "nothing", want: untouched},
		{name: "add", edits: []Edit{{Do: Add, Section: "facts", Content: " New \n words\t"}}, want: "facts: Alpha, Beta, Gamma, New words; conventions: Delta, Epsilon"},
		{name: "add before", edits: []Edit{{Do: Add, Section: "facts", Content: "New", Before: "aa2"}}, want: "facts: Alpha, New, Beta, Gamma; conventions: Delta, Epsilon"},
		{name: "add to an empty section", edits: []Edit{{Do: Add, Section: "Bug patterns", Content: "New"}}, want: untouched + "; bug-patterns: New"},
		{name: "add what was removed", edits: []Edit{{Do: Add, Section: "facts", Content: "Gone"}}, want: "facts: Alpha, Beta, Gamma, Gone; conventions: Delta, Epsilon"},
		{name: "add nothing", edits: []Edit{{Do: Add, Section: "facts", Content: " \u200b\n"}}, code: NoContent},
		{name: "add too much", edits: []Edit{{Do: Add, Section: "facts", Content: strings.Repeat("é", MaxContentRunes+1)}}, code: TooLong},
		{name: "add nowhere", edits: []Edit{{Do: Add, Section: "nowhere", Content: "New"}}, code: UnknownSection},
		{name: "add what is there", edits: []Edit{{Do: Add, Section: "conventions", Content: "alpha."}}, code: Duplicate},
		{name: "add twice at once", edits: []Edit{{Do: Add, Section: "facts", Content: "New"}, {Do: Add, Section: "facts", Content: "New"}}, code: Duplicate},
		{name: "words", edits: []Edit{{Do: Reword, ID: "bb1", Content: "Gamma ray"}}, want: "facts: Alpha, Beta, Gamma ray; conventions: Delta, Epsilon"},
		{name: "words by the beginning of an id", edits: []Edit{{Do: Reword, ID: "b", Content: "Gamma ray"}}, want: "facts: Alpha, Beta, Gamma ray; conventions: Delta, Epsilon"},
		{name: "only the case of words", edits: []Edit{{Do: Reword, ID: "bb1", Content: "gamma."}}, want: "facts: Alpha, Beta, gamma.; conventions: Delta, Epsilon"},
		{name: "the same words", edits: []Edit{{Do: Reword, ID: "bb1", Content: "Gamma "}}, want: untouched},
		{name: "words that another has", edits: []Edit{{Do: Reword, ID: "bb1", Content: "Beta"}}, code: Duplicate},
		{name: "words that another had", edits: []Edit{{Do: Reword, ID: "aa2", Content: "Bee"}, {Do: Reword, ID: "bb1", Content: "Beta"}}, want: "facts: Alpha, Bee, Beta; conventions: Delta, Epsilon"},
		{name: "no words", edits: []Edit{{Do: Reword, ID: "bb1"}}, code: NoContent},
		{name: "words of a stranger", edits: []Edit{{Do: Reword, ID: "zz", Content: "x"}}, is: ErrNoItem},
		{name: "words of one that is gone", edits: []Edit{{Do: Reword, ID: "ee1", Content: "x"}}, is: ErrNoItem},
		{name: "words as they were seen", edits: []Edit{{Do: Reword, ID: "bb1", Content: "G", Was: "Gamma"}}, want: "facts: Alpha, Beta, G; conventions: Delta, Epsilon"},
		{name: "words that were others", edits: []Edit{{Do: Reword, ID: "bb1", Content: "G", Was: "Gamme"}}, is: ErrStale},
		{name: "to the end", edits: []Edit{{Do: Move, ID: "aa1"}}, want: "facts: Beta, Gamma, Alpha; conventions: Delta, Epsilon"},
		{name: "up", edits: []Edit{{Do: Move, ID: "bb1", Section: "facts", Before: "aa1"}}, want: "facts: Gamma, Alpha, Beta; conventions: Delta, Epsilon"},
		{name: "to where it is", edits: []Edit{{Do: Move, ID: "aa1", Before: "aa2"}, {Do: Move, ID: "bb1"}, {Do: Move, ID: "cc1", Before: "cc1"}}, want: untouched},
		{name: "to another section", edits: []Edit{{Do: Move, ID: "aa1", Section: "conventions"}}, want: "facts: Beta, Gamma; conventions: Delta, Epsilon, Alpha"},
		{name: "to another section before one", edits: []Edit{{Do: Move, ID: "aa1", Section: "conventions", Before: "cc1"}}, want: "facts: Beta, Gamma; conventions: Alpha, Delta, Epsilon"},
		{name: "to an empty section", edits: []Edit{{Do: Move, ID: "aa1", Section: "bug-patterns"}}, want: "facts: Beta, Gamma; conventions: Delta, Epsilon; bug-patterns: Alpha"},
		{name: "before one of another section", edits: []Edit{{Do: Move, ID: "aa1", Before: "cc1"}}, code: BadEdit},
		{name: "before a stranger", edits: []Edit{{Do: Move, ID: "aa1", Before: "zz"}}, is: ErrNoItem},
		{name: "move to nowhere", edits: []Edit{{Do: Move, ID: "aa1", Section: "nowhere"}}, code: UnknownSection},
		{name: "remove", edits: []Edit{{Do: Remove, ID: "aa1"}, {Do: Remove, ID: "dd1"}}, want: "facts: Beta, Gamma; conventions: Delta"},
		{name: "remove twice", edits: []Edit{{Do: Remove, ID: "bb1"}, {Do: Remove, ID: "bb1"}}, is: ErrNoItem},
		{name: "remove and add again", edits: []Edit{{Do: Remove, ID: "bb1"}, {Do: Add, Section: "conventions", Content: "Gamma"}}, want: "facts: Alpha, Beta; conventions: Delta, Epsilon, Gamma"},
		{name: "all or none", edits: []Edit{{Do: Remove, ID: "aa1"}, {Do: Remove, ID: "zz"}}, is: ErrNoItem},
		{name: "several ids begin so", edits: []Edit{{Do: Pin, ID: "a"}}, is: errAny},
		{name: "no id", edits: []Edit{{Do: Pin}}, is: ErrNoItem},
		{name: "what is that", edits: []Edit{{Do: "fold", ID: "aa1"}}, code: BadEdit},
		{name: "too many", edits: make([]Edit, MaxEdits+1), code: BadEdit},
	}
	for _, tt := range tests {
		m := five()
		got, changes, err := Apply(m, tt.edits, now)
		if !reflect.DeepEqual(m, five()) {
			t.Fatalf("%s: the memory that was given changed", tt.name)
		}
		var e *EditError
		switch {
		case tt.code != "":
			if !errors.As(err, &e) || e.Code != tt.code || e.Why == "" {
				t.Errorf("%s: %v, want %s", tt.name, err, tt.code)
			}
		case tt.is != nil:
			if err == nil || tt.is != errAny && !errors.Is(err, tt.is) {
				t.Errorf("%s: %v, want %v", tt.name, err, tt.is)
			}
		case err != nil || outline(got) != tt.want:
			t.Errorf("%s: %v\n%s, want\n%s", tt.name, err, outline(got), tt.want)
		case (tt.want == untouched) != (changes == nil) || (changes != nil) != got.Updated.Equal(now):
			t.Errorf("%s: changes %+v, updated %s", tt.name, changes, got.Updated)
		}
		if err != nil && !reflect.DeepEqual(got, five()) {
			t.Errorf("%s: an error, and a memory that is another", tt.name)
		}
	}
}

var errAny = errors.New("any")

// What a person did is theirs, and where an item came from stays known.
func TestApplyMarks(t *testing.T) {
	t.Parallel()
	now := t0.Add(time.Hour)
	byID := func(m Memory, id string) Item {
		return m.Items[slices.IndexFunc(m.Items, func(it Item) bool { return it.ID == id })]
	}
	origins := func(it Item) string {
		var names []string
		for _, o := range it.Origins {
			names = append(names, o.Extractor)
		}
		return strings.Join(names, " ")
	}
	m, changes, err := Apply(five(), []Edit{
		{Do: Reword, ID: "aa1", Content: "Alpha male"}, {Do: Reword, ID: "aa1", Content: "Alpha wolf"},
		{Do: Move, ID: "aa2", Section: "conventions"}, {Do: Pin, ID: "bb1"}, {Do: Pin, ID: "bb1"},
		{Do: Move, ID: "cc1"}, {Do: Remove, ID: "dd1", Why: "a person said no"}, {Do: Add, Section: "facts", Content: "Gone"},
		{Do: Add, Section: "facts", Content: "Mine"},
	}, now)
	if err != nil || len(changes) != 8 {
		t.Fatalf("%v %+v", err, changes)
	}
	for id, want := range map[string]string{
		"aa1": "active 1.00 false true offline person edited by a person",
		"aa2": "active 1.00 false true offline person moved by a person",
		"bb1": "active 0.60 true true offline pinned by a person",
		"cc1": "active 0.60 false false offline ",
		"dd1": "removed 0.60 false false offline a person said no",
		"ee1": "active 1.00 false true offline person put back by a person",
	} {
		it := byID(m, id)
		if got := fmt.Sprintf("%s %.2f %v %v %s %s", it.State, it.Confidence, it.Pinned, it.Protected(), origins(it), it.Why); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
	mine := byID(m, changes[7].ID)
	if mine.Content != "Mine" || origins(mine) != "person" || mine.Confidence != 1 || !mine.Created.Equal(now) || changes[7].Action != Added {
		t.Errorf("%+v", mine)
	}
	again, _, _ := Merge(m, []Found{{Section: "conventions", Content: "Epsilon", Confidence: 0.9, Origin: find(9, "").Origin}}, now)
	if byID(again, "dd1").State != Removed || len(again.Active()) != len(m.Active()) {
		t.Error("what was removed came back")
	}
	unpinned, _, _ := Apply(m, []Edit{{Do: Unpin, ID: "bb1"}}, now)
	if it := byID(unpinned, "bb1"); it.Pinned || it.Why != "no longer pinned by a person" {
		t.Errorf("%+v", it)
	}
}

// FuzzApply makes edits from any text: there is no panic, what comes out can be
// saved, and it is read back as it is.
func FuzzApply(f *testing.F) {
	f.Add(messy, "add facts # x\nmove 0 conventions 1\nremove 2\npin 1")
	f.Add("## Facts\n- a\n- b\n- c\n", "move 2 facts 0\nedit 0 _No entries yet._\nadd facts - [x] y")
	f.Add("## Facts\r\n\r\n* a\r\n  b\r\n* c\r\n\r\n  d", "move 0 facts\nremove 0")
	f.Fuzz(func(t *testing.T, text, script string) {
		if len(text) > 8000 || len(script) > 2000 {
			return
		}
		doc := parseDocument([]byte(text), DefaultLayout())
		items, ids := bind(doc, nil, person(t0), t0)
		m := Memory{Branch: "main", Layout: DefaultLayout(), Items: items}
		var edits []Edit
		for line := range strings.Lines(script) {
			edits = append(edits, scripted(strings.TrimSuffix(line, "\n"), items))
		}
		got, changes, err := Apply(m, edits, t0)
		if err != nil {
			if !reflect.DeepEqual(got, m) {
				t.Fatal("an error, and another memory")
			}
			return
		}
		if _, err := checkItems(got.Items, m.Items); err != nil {
			t.Fatal(err)
		}
		if changes == nil && !reflect.DeepEqual(got, m) {
			t.Fatal("no change, and another memory")
		}
		out := doc.edit(ids, got.Items)
		read, err := checkMarkdown(out, DefaultLayout(), got.Items)
		if err != nil {
			return // it is refused, and nothing is written
		}
		if a, b := outline(Memory{Items: read, Layout: m.Layout}), outline(got); a != b {
			t.Fatalf("%q\nbecame %q\nread as %s, want %s", text, out, a, b)
		}
	})
}

// scripted reads "do ID-or-section ..." where items are named by their numbers.
func scripted(line string, items []Item) Edit {
	word := func() string {
		w, rest, _ := strings.Cut(line, " ")
		line = rest
		return w
	}
	id := func() string {
		w := word()
		var n int
		if _, err := fmt.Sscan(w, &n); err != nil || n < 0 || n >= len(items) {
			return w
		}
		return items[n].ID
	}
	e := Edit{Do: Doing(word())}
	switch e.Do {
	case Add:
		e.Section, e.Content = word(), line
	case Reword:
		e.ID, e.Content = id(), line
	default:
		e.ID, e.Section, e.Before = id(), word(), id()
	}
	return e
}
