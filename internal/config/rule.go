package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"recollect/internal/printable"
)

// rule says what a project's value of a setting may do without the person's yes:
// count where it can't act against the person, and wait everywhere else. The zero
// rule waits, so that a new setting does.
type rule struct {
	words string // for people: which values count by themselves; "": none
	// counts says whether a value counts by itself, given the one in force without
	// the project. nil: none does.
	counts func(value, without any) bool
	// never: no value counts but by itself, not even with a yes. It is about the
	// person and all that they have.
	never bool
	// personal: who changes the setting means all their projects, unless they say
	// otherwise.
	personal bool
}

// Words of Key.Project that are not about values.
const (
	waitsWords = "waits for your yes"
	neverWords = "never counts"
)

func (r rule) describe() string {
	switch {
	case r.words != "":
		return r.words
	case r.never:
		return neverWords
	}
	return waitsWords
}

// free is for what can't act against anybody.
func free() rule {
	return rule{words: "counts", counts: func(any, any) bool { return true }}
}

// lower lets a project ask for less. NoLimit is the most.
func lower() rule {
	return rule{words: "a lower one counts", counts: func(value, without any) bool {
		v, w := quantity(value), quantity(without)
		return v != NoLimit && (w == NoLimit || v <= w)
	}}
}

// quantity is the number of a setting of the kinds Int and Number.
func quantity(v any) float64 {
	r := reflect.ValueOf(v)
	if r.CanInt() {
		return float64(r.Int())
	}
	return r.Float()
}

// only lets one value through.
func only(value any) rule {
	return rule{words: fmt.Sprintf("%v counts", value), counts: func(v, _ any) bool { return v == value }}
}

// among lets through what the person has or the program brings: each element of
// the value is in force without the project, or one of harmless.
func among(harmless ...string) rule {
	words := "what is in force without it counts"
	if len(harmless) > 0 {
		words += ", and " + strings.Join(harmless, ", ")
	}
	return rule{words: words, counts: func(value, without any) bool {
		known := append(texts(without), harmless...)
		return !slices.ContainsFunc(texts(value), func(s string) bool { return !slices.Contains(known, s) })
	}}
}

// texts are the elements of a text or a list.
func texts(v any) []string {
	if list, ok := v.([]string); ok {
		return slices.Clone(list)
	}
	return []string{v.(string)}
}

// ofPerson is r, and who changes the setting means all their projects.
func (r rule) ofPerson() rule {
	r.personal = true
	return r
}

// stricter lets a project be more careful than the person, and nothing else: the
// later of the values is the stricter one.
func stricter(values []string) rule {
	return rule{words: "a stricter one counts", never: true, personal: true, counts: func(value, without any) bool {
		return slices.Index(values, value.(string)) >= slices.Index(values, without.(string))
	}}
}

// never is for what is about the person and not about a project.
func never() rule { return rule{never: true, personal: true} }

// ErrPersonOnly says that a setting counts only in the person's own settings.
var ErrPersonOnly = errors.New("it counts only in your own settings, for all projects")

// PersonOnly says whether what a project sets under this name never counts.
func PersonOnly(name string) bool {
	r, _ := ruleOf(name)
	return r.never
}

// by gives a setting its rule.
func (k key) by(r rule) key {
	k.rule, k.Project = r, r.describe()
	return k
}

// asks gives a setting the sentence of what a yes would do: {new} stands for what
// the project asks for, {old} for what is in force without it.
func (k key) asks(sentence string) key {
	k.sentence = sentence
	return k
}

// Request is something that a project's settings ask for and that does not count
// by itself.
type Request struct {
	Key   string
	Value json.RawMessage // as it stands in the file, without spaces
	Words string          // one sentence: what a yes would do
	Whole bool            // the sentence holds all of the value
}

// Group is what a request is about in one word: "model", "budget", "extractors".
func (r Request) Group() string {
	group, _, _ := strings.Cut(r.Key, ".")
	return group
}

// harmlessPlugins are the built-in plug-ins whose own configuration only says
// which sections are shown, in which order and how.
var harmlessPlugins = []string{Notes, Ranked}

// ruleOf gives the rule of a setting and the sentence of what a yes would do.
func ruleOf(name string) (rule, string) {
	for _, k := range keys {
		if k.Name == name {
			return k.rule, k.sentence
		}
	}
	if slices.Contains(harmlessPlugins, strings.TrimPrefix(name, pluginsPrefix)) {
		return free(), ""
	}
	return rule{}, "The plug-in " + strings.TrimPrefix(name, pluginsPrefix) + " would work with {new} instead of {old}."
}

// alone says whether a project's value counts by itself over the settings without
// the project, and if it does not, what is asked for; nil: it is not asked for
// either. The value is one that the setting can have.
func alone(without Settings, name string, value json.RawMessage) (counts bool, asked *Request) {
	with := without.clone()
	if applyOne(&with, name, value) != nil {
		return false, nil
	}
	old, _ := without.Get(name)
	asks, _ := with.Get(name)
	r, sentence := ruleOf(name)
	switch {
	case r.never && r.counts == nil:
		return false, nil
	case same(old, asks), r.counts != nil && r.counts(asks, old):
		return true, nil
	case r.never:
		return false, nil
	}
	if sentence == "" {
		sentence = name + " would be {new} instead of {old}."
	}
	says := inWords(name, asks)
	words := strings.NewReplacer("{new}", says, "{old}", inWords(name, old)).Replace(sentence)
	return false, &Request{Key: name, Value: Canonical(value), Words: words, Whole: !strings.HasSuffix(says, "…")}
}

func same(a, b any) bool {
	one, err := json.Marshal(a)
	other, err2 := json.Marshal(b)
	return err == nil && err2 == nil && string(Canonical(one)) == string(Canonical(other))
}

// Canonical is a value as two that mean the same are written alike.
func Canonical(value json.RawMessage) json.RawMessage {
	var v any
	d := json.NewDecoder(strings.NewReader(string(value)))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return value
	}
	out, err := json.Marshal(v)
	if err != nil {
		return value
	}
	return out
}

// maxWords is what of a value is shown in a sentence, in runes.
const maxWords = 200

// emptyWords say what an empty text means.
var emptyWords = map[string]string{"model.name": "the provider's default", "model.base_url": "the provider's own address"}

// inWords is a value in a sentence. What a file says is shown as one quoted line;
// an address in ASCII, so that none looks like another.
func inWords(name string, v any) string {
	switch v := v.(type) {
	case bool:
		return map[bool]string{true: "on", false: "off"}[v]
	case string:
		if v == "" {
			return cmp.Or(emptyWords[name], "never")
		}
		return clip(strconv.QuoteToASCII(v))
	case []string:
		if len(v) == 0 {
			return "nothing"
		}
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = strconv.Quote(s)
		}
		return clip(strings.Join(quoted, ", "))
	case json.RawMessage:
		return clip(string(printable.JSON(Canonical(v))))
	}
	if quantity(v) == NoLimit {
		return "any number of"
	}
	return fmt.Sprint(v)
}

func clip(s string) string {
	if r := []rune(s); len(r) > maxWords {
		return string(r[:maxWords-1]) + "…"
	}
	return s
}
