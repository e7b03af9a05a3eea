package config

import (
	"bytes"
	"encoding/json"
	cmdline "flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = cmdline.Bool("update", false, "write the golden files anew")

// tried are values of every setting, of each kind of what they could do: less and
// more than what is built in, on and off, the program's and a stranger's.
var tried = map[string][]string{
	"extractors":                        {`["dev.recollect.offline"]`, `["dev.recollect.model-notes"]`, `["dev.recollect.offline","org.example.theirs"]`},
	"schema":                            {`"dev.recollect.notes"`, `"org.example.theirs"`},
	"policy":                            {`"dev.recollect.ranked"`, `"org.example.theirs"`},
	"sources":                           {`["claude-code","puffin"]`, `["puffin"]`, `[]`},
	"inject.enabled":                    {`true`, `false`},
	"inject.auto":                       {`false`, `true`},
	"inject.targets":                    {`["CLAUDE.md"]`, `["AGENTS.md"]`, `["CLAUDE.md","docs/\u001b[31mx.md"]`},
	"inject.budget":                     {`50`, `1000`, `1001`, `8000`},
	"inject.unseen":                     {`"show"`, `"ask"`, `"hold"`},
	"safe.folders":                      {`["/"]`, `["/work"]`},
	"review.enabled":                    {`true`, `false`},
	"ui.theme":                          {`"dark"`},
	"ui.notify":                         {`true`, `false`},
	"watch.memorize":                    {`true`, `false`},
	"watch.idle":                        {`1`, `10`, `1440`},
	"archive.enabled":                   {`true`, `false`},
	"archive.redact":                    {`true`, `false`},
	"archive.limit":                     {`1`, `512`, `1000000`},
	"model.provider":                    {`"none"`, `"claude-cli"`, `"anthropic"`, `"openai"`},
	"model.name":                        {`""`, `"m"`},
	"model.base_url":                    {`""`, `"https://models.example/v1"`, `"http://127.0.0.1:8080/v1"`},
	"budget.run_calls":                  {`0`, `500`, `501`, `-1`},
	"budget.run_tokens":                 {`0`, `2500000`, `2500001`, `-1`},
	"budget.run_dollars":                {`0`, `0.5`, `0.51`, `-1`},
	"budget.day_calls":                  {`0`, `1000`, `1001`, `-1`},
	"budget.day_tokens":                 {`0`, `5000000`, `5000001`, `-1`},
	"budget.day_dollars":                {`0`, `1`, `1.01`, `-1`},
	"budget.plugin_day_calls":           {`0`, `9`, `-1`},
	"budget.plugin_day_tokens":          {`0`, `9`, `-1`},
	"budget.plugin_day_dollars":         {`0`, `9.5`, `-1`},
	"maintenance.enabled":               {`true`, `false`},
	"maintenance.nightly":               {`"0 2 * * *"`, `"* * * * *"`, `""`},
	"maintenance.weekly":                {`"0 3 * * 0"`, `"* * * * *"`, `""`},
	"maintenance.monthly":               {`"0 4 1 * *"`, `"* * * * *"`, `""`},
	"plugins.dev.recollect.notes":       {`{}`, `{"x":1}`},
	"plugins.dev.recollect.ranked":      {`{"sections":["facts"]}`},
	"plugins.dev.recollect.offline":     {`{}`, `{"x":1}`},
	"plugins.dev.recollect.model-notes": {`{ "model":"dear" }`},
	"plugins.org.example.theirs":        {`{"url":"https://models.example","text":"` + strings.Repeat("long ", 60) + `"}`},
}

// persons are what the person may have set, over which a project's value comes.
var persons = []struct{ name, text string }{
	{"the person has set nothing", `{"version":1}`},
	{"the person has set everything", `{"version":1,"extractors":["dev.recollect.model-notes"],"schema":"org.example.theirs","policy":"org.example.theirs",` +
		`"sources":["puffin"],"inject":{"enabled":false,"targets":["AGENTS.md"],"budget":1001,"unseen":"show"},"review":{"enabled":true},` +
		`"watch":{"memorize":true,"idle":1},"archive":{"enabled":false,"redact":false},` +
		`"model":{"provider":"openai","name":"m","base_url":"https://models.example/v1"},` +
		`"budget":{"run_calls":-1,"run_tokens":0,"run_dollars":0.5,"day_calls":1001,"day_tokens":-1,"day_dollars":-1,"plugin_day_calls":9,"plugin_day_tokens":8,"plugin_day_dollars":9.5},` +
		`"maintenance":{"enabled":false,"nightly":""},"plugins":{"dev.recollect.offline":{"x":1}}}`},
}

// What of a project's settings counts by itself, and the words of a yes to the
// rest: every setting with values of every kind. The table is for reading.
func TestWhatAProjectMaySet(t *testing.T) {
	t.Parallel()
	names := append(Keys(), "plugins.dev.recollect.notes", "plugins.dev.recollect.ranked", "plugins.dev.recollect.offline",
		"plugins.dev.recollect.model-notes", "plugins.org.example.theirs")
	if len(tried) != len(names) {
		t.Errorf("%d settings are tried, there are %d", len(tried), len(names))
	}
	var table bytes.Buffer
	for _, p := range persons {
		person := PersonFile(write(t, p.text))
		fmt.Fprintf(&table, "# Where %s\n", p.name)
		for _, name := range names {
			if len(tried[name]) == 0 {
				t.Errorf("%s: say in tried which values it can have, and in its definition what a project may do by itself", name)
			}
			for _, value := range tried[name] {
				fmt.Fprintf(&table, "%s = %s\n    %s\n", name, clip(value), outcome(t, person, name, value))
			}
		}
	}
	golden := filepath.Join("testdata", "project.golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, table.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if d := cmp.Diff(string(want), table.String()); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
}

// outcome is what becomes of one value of a project, and holds it against what
// LoadProject gives with and without a yes.
func outcome(t *testing.T, person File, name, value string) string {
	t.Helper()
	text := json.RawMessage(value)
	empty, err := LoadProject(person, ofProject(t, `{"version":1}`), saying(true))
	if err != nil {
		t.Fatal(err)
	}
	_, after, err := Encode(ofProject(t, `{"version":1}`), name, text)
	if err != nil {
		t.Fatalf("%s = %s: %v", name, value, err)
	}
	get := func(yes bool) (InForce, any) {
		f, err := LoadProject(person, ofProject(t, string(after)), saying(yes))
		if err != nil {
			t.Fatal(err)
		}
		v, err := f.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		return f, v
	}
	without, _ := empty.Get(name)
	f, alone := get(false)
	_, with := get(true)
	switch {
	case len(f.Requests) == 1:
		if !same(alone, without) || same(with, without) {
			t.Errorf("%s = %s: %v without a yes, %v with one, %v without the project", name, value, alone, with, without)
		}
		return "waits: " + f.Requests[0].Words
	case !same(alone, with):
		t.Errorf("%s = %s: %v without a yes, %v with one, and nothing waits for one", name, value, alone, with)
	case !same(alone, without):
		return "counts"
	case !same(json.RawMessage(value), without):
		if !PersonOnly(name) {
			t.Errorf("%s = %s: it does not count, and nobody is asked", name, value)
		}
		return neverWords
	}
	return "is so already"
}

// A setting whose definition says nothing about projects waits.
func TestANewSettingWaits(t *testing.T) {
	t.Parallel()
	k := silent()
	if k.Project != waitsWords || k.rule.counts != nil || k.rule.never {
		t.Errorf("%+v", k.Key)
	}
	if r, _ := ruleOf("later.on"); r.counts != nil {
		t.Error("what is not known counts")
	}
}

// silent is a setting that says nothing.
func silent() key {
	return at(Key{Name: "later.on", Kind: Bool, Doc: "Whether."}, "true or false", func(s *Settings) *bool { return &s.UI.Notify }, func(bool) bool { return true })
}

// Whatever a project's file holds, without a yes no setting gets further than the
// person's word: no budget is higher, no address and no plug-in is another.
func FuzzProject(f *testing.F) {
	for name, values := range tried {
		for _, v := range values {
			f.Add(name, v)
		}
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		_, text, err := Encode(ofProject(t, `{"version":1}`), name, json.RawMessage(value))
		if err != nil {
			t.Skip()
		}
		got, err := LoadProject(PersonFile(filepath.Join(t.TempDir(), "none")), ofProject(t, string(text)), saying(false))
		if err != nil {
			t.Skip()
		}
		is, want := got.Settings, Default()
		if is.Model != want.Model || is.UI != want.UI || is.Watch != want.Watch || is.Archive != want.Archive || is.Maintenance != want.Maintenance {
			t.Errorf("%s = %s counts", name, value)
		}
		if d := cmp.Diff([]any{want.Extractors, want.Schema, want.Policy, want.Sources, want.Inject.Targets},
			[]any{is.Extractors, is.Schema, is.Policy, is.Sources, is.Inject.Targets}); d != "" {
			t.Errorf("%s = %s counts: %s", name, value, d)
		}
		for _, b := range [][2]Spend{{is.Budget.Run, want.Budget.Run}, {is.Budget.Day, want.Budget.Day}, {is.Budget.Plugin, want.Budget.Plugin}} {
			if more(float64(b[0].Calls), float64(b[1].Calls)) || more(float64(b[0].Tokens), float64(b[1].Tokens)) || more(b[0].Dollars, b[1].Dollars) {
				t.Errorf("%s = %s: %+v", name, value, b)
			}
		}
		for _, r := range got.Requests {
			if strings.ContainsAny(r.Words, "\n\r\x1b") || len([]rune(r.Words)) > 3*maxWords {
				t.Errorf("%s = %s: %q", name, value, r.Words)
			}
		}
	})
}

func more(is, than float64) bool { return than != NoLimit && (is == NoLimit || is > than) }
