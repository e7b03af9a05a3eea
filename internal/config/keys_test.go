package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a key says of itself is what it takes.
func TestDescribeTellsWhatIsTaken(t *testing.T) {
	t.Parallel()
	takes := func(name, value string) bool { return new(layer).set(name, json.RawMessage(value)) == nil }
	if len(Describe()) != len(Keys()) {
		t.Fatal("not every key is described")
	}
	for i, k := range Describe() {
		if k.Name != Keys()[i] {
			t.Errorf("%s stands in the place of %s", k.Name, Keys()[i])
		}
		if !strings.HasSuffix(k.Doc, ".") || len(k.Doc) < 10 {
			t.Errorf("%s: %q is no sentence", k.Name, k.Doc)
		}
		value, err := Default().Get(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(value)
		if err != nil || !takes(k.Name, string(raw)) {
			t.Errorf("%s does not take its default %s", k.Name, raw)
		}
		kinds := map[Kind]string{Bool: "true", Int: "200", Number: "2.5", Text: `"a.b"`, Choice: `"` + strings.Join(append(k.Choices, "")[:1], "") + `"`, List: `["` + strings.Join(append(k.Choices, "a.b")[:1], "") + `"]`}
		for kind, sample := range kinds {
			same := kind == k.Kind || kind == Int && k.Kind == Number || kind == Text && k.Kind == Choice || kind == Choice && k.Kind == Text
			if takes(k.Name, sample) && !same {
				t.Errorf("%s is a %s and takes %s", k.Name, k.Kind, sample)
			}
		}
		for _, c := range k.Choices {
			if sample := map[Kind]string{Choice: fmt.Sprintf("%q", c), List: fmt.Sprintf("[%q]", c)}[k.Kind]; !takes(k.Name, sample) {
				t.Errorf("%s does not take %s", k.Name, sample)
			}
		}
		for _, b := range []struct {
			bound *float64
			by    float64
		}{{k.Min, -1}, {k.Max, 1}} {
			if b.bound == nil {
				continue
			}
			if !takes(k.Name, fmt.Sprintf("%.0f", *b.bound)) || takes(k.Name, fmt.Sprintf("%.0f", *b.bound+b.by)) {
				t.Errorf("%s: its bound %v does not hold", k.Name, *b.bound)
			}
		}
	}
	Describe()[0].Name = "x"
	for _, k := range Describe() {
		if len(k.Choices) > 0 {
			k.Choices[0] = "x"
		}
	}
	if Describe()[0].Name == "x" || slices.Contains(Themes, "x") || slices.Contains(KnownSources, "x") {
		t.Error("a caller can change the settings' description")
	}
}

// The list of a file that sets less does not write into that of another.
func TestListsAreNotShared(t *testing.T) {
	t.Parallel()
	user := PersonFile(write(t, `{"version":1,"extractors":["a.b","c.d"]}`))
	both, err := LoadProject(user, ofProject(t, `{"version":1,"extractors":["e.f"],"plugins":{"a.b":{}}}`), saying(true))
	if err != nil || !slices.Equal(both.Extractors, []string{"e.f"}) || !slices.Equal(both.Without.Extractors, []string{"a.b", "c.d"}) || len(both.Without.Plugins) > 0 {
		t.Errorf("%v, %v, %v", both.Without, both.Extractors, err)
	}
}

func TestEncodeKeepsTheFormOfTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config.json")
	text := "\ufeff{\r\n  \"version\": 1,\r\n  \"schema\": \"a.b\"\r\n}\r\n"
	save(t, path, text)
	before, after, err := Encode(PersonFile(path), "inject.budget", json.RawMessage("700"))
	if err != nil || string(before) != text {
		t.Fatalf("%q, %v", before, err)
	}
	if !bytes.HasPrefix(after, byteOrderMark) || bytes.Count(after, []byte("\n")) != bytes.Count(after, []byte("\r\n")) {
		t.Errorf("%q", after)
	}
	save(t, path, string(after))
	if s, err := Load(path); err != nil || s.Inject.Budget != 700 || s.Schema != "a.b" {
		t.Errorf("%+v, %v", s, err)
	}
	if before, _, err := Encode(PersonFile(path+".none"), "schema", json.RawMessage(`"a.b"`)); before != nil || err != nil {
		t.Errorf("%q, %v", before, err)
	}
}

func save(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A project may be more careful with memory that nobody looked at, never less, and
// not with a yes either.
func TestAProjectCanOnlyHoldMoreBack(t *testing.T) {
	t.Parallel()
	for person, counts := range map[string]string{ShowUnseen: "show ask hold", AskUnseen: "ask hold", HoldUnseen: "hold"} {
		user := PersonFile(write(t, `{"version":1,"inject":{"unseen":"`+person+`"}}`))
		for _, asked := range Unseens {
			for _, yes := range []bool{false, true} {
				got, err := LoadProject(user, ofProject(t, `{"version":1,"inject":{"unseen":"`+asked+`"}}`), saying(yes))
				want := person
				if strings.Contains(counts, asked) {
					want = asked
				}
				if err != nil || got.Inject.Unseen != want || len(got.Requests) != 0 {
					t.Errorf("person %s, project %s, a yes %v: %s, %v, %v", person, asked, yes, got.Inject.Unseen, got.Requests, err)
				}
			}
		}
	}
}
