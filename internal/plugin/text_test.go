package plugin

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"recollect/hostapi"
	"recollect/internal/memory"
	"recollect/internal/printable"
)

// evil are texts that say something of their own where they are printed as they
// are, or hide it.
var evil = []string{
	"cl\x1b[2J\nApproved.", "a\rApproved.", "\x1b]0;title\x07", "a\u202eb", "a\u2066b\u2069", "a\u200bb", "a\u0085b", "a\u009b2Jb", "\u2028a",
	"a\u00adb", "\ufeff", "\U000e0041\U000e0042", "a\x00b", "a\tb", `"a" \n`, strings.Repeat("long ", 50_000), strings.Repeat("\n", 50_000),
}

// oneLine holds a text of ours against what it must be.
func oneLine(t *testing.T, what, text string) {
	t.Helper()
	if printable.Line(text, 1000) != text {
		t.Errorf("%s is not one short printable line: %.300q", what, text)
	}
}

// inFields puts a text in the place of every string of a JSON value, and of every
// key, one at a time.
func inFields(v any, text string, use func(path string)) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range keysOf(v) {
			old := v[key]
			if _, is := old.(string); is {
				v[key] = text
				use(key)
				v[key] = old
			} else {
				inFields(old, text, func(path string) { use(key + "." + path) })
			}
			delete(v, key)
			v[text] = old
			use("the key " + key)
			delete(v, text)
			v[key] = old
		}
	case []any:
		for i, old := range v {
			if _, is := old.(string); is {
				v[i] = text
				use(fmt.Sprint(i))
				v[i] = old
			} else {
				inFields(old, text, func(path string) { use(fmt.Sprint(i, ".", path)) })
			}
		}
	}
}

func keysOf(m map[string]any) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

// Every text of a manifest is either refused, in one line, or may be shown as it
// is.
func TestTextsOfAManifest(t *testing.T) {
	const whole = `{"manifest":1,"id":"org.example.x","version":"1.0.0","name":"X","description":"d","license":"MIT","homepage":"https://example.org",
		"abi":"rc/1","roles":["extractor","schema"],
		"capabilities":{"history:read":{"reason":"r","scope":"project"},"memory:read":{"reason":"r","sections":["facts"]}},
		"config":{"type":"object","title":"T","description":"d","properties":{"a":{"type":"string","title":"A","description":"b","pattern":"^x","default":"x"}},"$defs":{"d":{"type":"string"}}},
		"schema":{"subject":"branch","title":"T","sections":[{"id":"a","heading":"A","guidance":"g"}]}}`
	var m map[string]any
	must(t, json.Unmarshal([]byte(whole), &m))
	l := NewLibrary(t.TempDir(), nil)
	tried := 0
	for _, text := range evil {
		inFields(m, text, func(path string) {
			tried++
			data, err := json.Marshal(m)
			must(t, err)
			p, err := readZip(zipped(t, "plugin.json", string(data), "plugin.wasm", "x"))
			if err != nil {
				oneLine(t, path, err.Error())
				return
			}
			for what, text := range map[string]string{
				"id": p.Manifest.ID, "version": p.Manifest.Version, "name": p.Manifest.Name, "description": p.Manifest.Description,
				"license": p.Manifest.License, "homepage": p.Manifest.Homepage,
			} {
				oneLine(t, path+": "+what, text)
			}
			for _, power := range Powers(p.Manifest) {
				oneLine(t, path+": power", power.Words+power.Reason)
			}
		})
		name := filepath.Join(t.TempDir(), strings.NewReplacer("\x00", "", "/", "").Replace(text[:min(len(text), 200)])+".rplug")
		_, err := l.Add(name) // which is not there
		oneLine(t, "the name of a package", err.Error())
		_, err = l.Get(text)
		oneLine(t, "an id", err.Error())
		oneLine(t, "an id", l.Approve(text, "x").Error())
	}
	if tried < 500 {
		t.Errorf("tried %d", tried)
	}
}

// What a plug-in says in a call is shown in one line each.
func TestTextsOfACall(t *testing.T) {
	for i, text := range evil {
		quotedText, err := json.Marshal(text)
		must(t, err)
		q := string(quotedText)
		run := func(answer string, logged []byte) (*Plugin, bench) {
			b := newBench(t, Limits{})
			m := manifest(fmt.Sprint("org.example.says", i))
			m.Roles = []hostapi.Role{hostapi.RoleExtractor}
			pages := uint32((len(answer)+len(logged))/pageBytes + 2)
			logs := cat(constI32(3), constI32(int64(len(answer))), constI32(int64(len(logged))), callFn(0))
			return b.add(t, m, tiny{imports: [][]byte{function(hostapi.HostModule, "log", tLog)}, memory: cat([]byte{0}, uleb(pages)),
				data: append([]byte(answer), logged...), alloc: constI32(int64(pages-1) * pageBytes),
				extract: cat(logs, answerAt(0, uint32(len(answer))))}.build()), b
		}
		p, b := run(`{"result":{"items":[{"section":`+q+`,"content":`+q+`,"rationale":`+q+`}],"warnings":[`+q+`]}}`, []byte(text))
		var log []LogLine
		set := Setting{Watch: func(_ string, o Outcome, _ error) { log = o.Log }}
		got, err := Extractor{Plugin: p, Setting: set}.Extract(t.Context(), extraction("b", nil))
		must(t, err)
		for _, w := range got.Warnings {
			oneLine(t, "a warning", w)
		}
		for _, f := range got.Found {
			oneLine(t, "a section", f.Section)
		}
		_, rejects := bySection([]memory.Section{{ID: "a"}}, got.Found)
		oneLine(t, "a reject", rejects[0].Reason)
		if len(log) != 1 || printable.Line(log[0].Text, maxLogLine+1) != log[0].Text {
			t.Errorf("log = %.300q", log)
		}
		for _, l := range b.host.LogOf(p.Manifest.ID) {
			if printable.Line(l.Text, maxLogLine+1) != l.Text {
				t.Errorf("kept of the log: %.300q", l.Text)
			}
		}
		p, b = run(`{"error":{"code":`+q+`,"message":`+q+`}}`, nil)
		_, err = Extractor{Plugin: p}.Extract(t.Context(), extraction("b", nil))
		oneLine(t, "an error", err.Error())
		for _, l := range b.host.LogOf(p.Manifest.ID) {
			oneLine(t, "kept of an error", l.Text)
		}
		oneLine(t, "the last fault", p.Metrics().LastFault)
	}
	for _, text := range evil {
		picked := []hostapi.Selected{{ID: "a", Why: text}}
		ranked := ranking(hostapi.SelectResult{Selected: picked, Left: picked})
		oneLine(t, "why an item is shown", ranked.Choices[0].Why)
		oneLine(t, "why an item is left out", ranked.Left["a"])
		r := hostapi.EvolveResult{Changes: []hostapi.Change{{Why: text}}, Warnings: []string{text}}
		oneLine(t, "why an item is changed", proposal(r).Changes[0].Why)
		_, bad, err := checked([]memory.Found{{}}, hostapi.CheckResult{Rejects: []hostapi.Reject{{Reason: text}}})
		must(t, err)
		oneLine(t, "why an item is refused", bad[0].Reason)
	}
}
