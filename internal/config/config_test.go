package config

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/safefile"
)

func write(t *testing.T, text string) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// ofProject is the file with a text, as a project's.
func ofProject(t *testing.T, text string) File {
	t.Helper()
	return ProjectFile(safefile.Beneath(filepath.Dir(write(t, text))))
}

// saying answers whether the person said yes to what a project asks for.
func saying(yes bool) func([]Request, map[string]json.RawMessage) bool {
	return func([]Request, map[string]json.RawMessage) bool { return yes }
}

func TestLayersWinKeyByKey(t *testing.T) {
	t.Parallel()
	user := PersonFile(write(t, `{"version":1,"inject":{"budget":900,"enabled":false},"plugins":{"a.b":{"x":1}}}`))
	project := ofProject(t, "\ufeff"+`{"version":1,"inject":{"budget":700},"extractors":["c.d","a.b"],"ui":{"theme":"dark"}}`)
	for _, yes := range []bool{true, false} {
		got, err := LoadProject(user, project, saying(yes))
		if err != nil {
			t.Fatal(err)
		}
		want := Default()
		want.Inject.Budget, want.Inject.Enabled = 700, false
		want.Plugins = map[string]json.RawMessage{"a.b": json.RawMessage(`{"x":1}`)}
		from := map[string]Origin{"inject.budget": Project, "inject.enabled": User, "plugins.a.b": User}
		if yes {
			want.Extractors = []string{"c.d", "a.b"}
			from["extractors"] = Project
		}
		if d := cmp.Diff(want, got.Settings); d != "" {
			t.Errorf("a yes: %t: %s", yes, d)
		}
		if d := cmp.Diff(from, got.From); d != "" {
			t.Errorf("a yes: %t: %s", yes, d)
		}
		if len(got.Requests) != 1 || got.Requests[0].Key != "extractors" || got.Given != yes || got.Waits("schema") == yes || got.Waits("extractors") {
			t.Errorf("a yes: %t: %+v, given: %t", yes, got.Requests, got.Given)
		}
	}
	absent, err := LoadProject(PersonFile(filepath.Join(t.TempDir(), "absent.json")), ProjectFile(safefile.Beneath(t.TempDir())), saying(true))
	if d := cmp.Diff(Default(), absent.Settings); err != nil || d != "" || absent.Given {
		t.Errorf("%v, %s", err, d)
	}
}

func TestUnknownKeysAndValuesAreErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"version":1,"injekt":{"budget":1}}`:                              "no such setting",
		`{"version":1,"inject":{"mode":"replaced"}}`:                       "no such setting",
		`{"version":1,"inject":{"budget":"many"}}`:                         "inject.budget can't be",
		`{"version":1,"inject":{"budget":1}}`:                              "from 50 to 8000",
		`{"version":1,"inject":{"enabled":null}}`:                          "true or false",
		`{"version":1,"inject":{"targets":["../x"]}}`:                      "inject.targets",
		`{"version":1,"inject":{"targets":["/etc/x"]}}`:                    "inject.targets",
		`{"version":1,"inject":{"targets":[]}}`:                            "at least one",
		`{"version":1,"model":{"provider":"gpt"}}`:                         "claude-cli",
		`{"version":1,"model":{"base_url":"http://example.com"}}`:          "https",
		`{"version":1,"model":{"base_url":"http://127.evil.example"}}`:     "https",
		`{"version":1,"model":{"base_url":"https://user:pw@example.com"}}`: "https",
		`{"version":1,"model":{"name":"--dangerous"}}`:                     "name of a model",
		`{"version":1,"budget":{"day_dollars":-2}}`:                        "no limit",
		`{"version":1,"budget":{"day_calls":1.5}}`:                         "a number of calls",
		`{"version":1,"inject":7}`:                                         "want an object",
		`{"version":1,"sources":["cursor"]}`:                               "claude-code, puffin",
		`{"version":1,"extractors":["a.b","a.b"]}`:                         "extractors",
		`{"version":1,"schema":"nodots"}`:                                  "a plug-in id",
		`{"version":1,"plugins":{"a.b":[1]}}`:                              "a JSON object",
		`{"version":2}`:                                                    "needs a newer Recollect",
		`{}`:                                                               `"version" must be`,
		`{"version":1`:                                                     "not readable as JSON",
		``:                                                                 "not readable as JSON",
		`[]`:                                                               "not readable as JSON",
		`{"version":1,"pad":"` + strings.Repeat("x", maxFile) + `"}`:       "too many",
	} {
		path := write(t, text)
		_, err := Load(path)
		var fe *FileError
		if !errors.As(err, &fe) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
		if _, _, err := Encode(PersonFile(path), "inject.budget", json.RawMessage("900")); err == nil {
			t.Errorf("%.60s: a damaged file was about to be written over", text)
		}
	}
}

func TestEncodeChangesOneKeyAndLoadsBack(t *testing.T) {
	t.Parallel()
	path := write(t, `{"version":1,"plugins":{"a.b":{"deep":{"x":[1,2]}}},"inject":{"budget":700}}`)
	for _, name := range append(Keys(), "plugins.c.d") {
		s := Default()
		v, err := s.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		_, after, err := Encode(PersonFile(path), name, raw)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := os.WriteFile(path, after, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		back, _ := got.Get(name)
		if d := cmp.Diff(v, back); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		var deep map[string]map[string][]int
		if json.Unmarshal(got.Plugins["a.b"], &deep) != nil || !slices.Equal(deep["deep"]["x"], []int{1, 2}) {
			t.Errorf("%s: the other key is gone: %s", name, got.Plugins["a.b"])
		}
	}
	_, after, err := Encode(PersonFile(path), "inject.budget", nil)
	var file struct{ Inject map[string]json.RawMessage }
	if err == nil {
		err = json.Unmarshal(after, &file)
	}
	if _, there := file.Inject["budget"]; err != nil || there || len(file.Inject) == 0 {
		t.Errorf("unset: %v\n%s", err, after)
	}
}

func TestParseReadsWhatPeopleType(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ key, text, want string }{
		{"inject.budget", "1500", "1500"},
		{"inject.enabled", "false", "false"},
		{"schema", "x.notes", `"x.notes"`},
		{"extractors", "a.b, c.d", `["a.b","c.d"]`},
		{"extractors", `["a.b"]`, `["a.b"]`},
		{"inject.targets", "CLAUDE.md", `["CLAUDE.md"]`},
		{"plugins.a.b", `{"k":true}`, `{"k":true}`},
		{"model.provider", "claude-cli", `"claude-cli"`},
		{"model.base_url", "http://127.0.0.1:11434/v1", `"http://127.0.0.1:11434/v1"`},
		{"model.name", "", `""`},
		{"budget.day_dollars", "2.5", "2.5"},
		{"budget.run_calls", "-1", "-1"},
	} {
		got, err := Parse(tt.key, tt.text)
		if err != nil || string(got) != tt.want {
			t.Errorf("Parse(%s, %s) = %s, %v", tt.key, tt.text, got, err)
		}
	}
	for _, tt := range [][2]string{{"inject.budget", "lots"}, {"inject.enabled", "yes"}, {"nothing", "1"}, {"plugins.a.b", "x"}} {
		if got, err := Parse(tt[0], tt[1]); err == nil {
			t.Errorf("Parse(%s, %s) = %s", tt[0], tt[1], got)
		}
	}
}

func TestUserDirsFollowRecollectHome(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	d, err := UserDirs(func(k string) string { return map[string]string{EnvHome: home}[k] })
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{d.File(), d.Plugins(), d.Compiled(), d.Index("x")} {
		if rel, err := filepath.Rel(home, p); err != nil || !filepath.IsLocal(rel) {
			t.Errorf("%s is outside %s", p, home)
		}
	}
	if _, err := UserDirs(func(string) string { return "relative/home" }); err == nil {
		t.Error("a relative home was taken")
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"version":1,"inject":{"budget":700},"plugins":{"a.b":{}}}`))
	f.Add([]byte(`{"version":1,"inject":{"":1}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := &layer{values: map[string]json.RawMessage{}}
		if l.decode(data) != nil {
			return
		}
		out, err := l.encode()
		if err != nil {
			t.Fatal(err)
		}
		back := &layer{values: map[string]json.RawMessage{}}
		if err := back.decode(out); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		a, b := Default(), Default()
		if l.apply(&a) != nil || back.apply(&b) != nil {
			t.Fatal("a checked value was refused")
		}
	})
}
