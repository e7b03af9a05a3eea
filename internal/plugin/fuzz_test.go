package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"recollect/hostapi"
	"recollect/internal/memory"
)

// The decoders of what is read from disk or comes from another process. Those of
// packages, manifests, answers and host requests are fuzzed in pack_test.go, the
// reader of modules in package meter.

func FuzzState(f *testing.F) {
	record := `{"sha256":"` + strings.Repeat("0", 64) + `","manifest":` + minimal + `}`
	for _, s := range []string{
		`{"version":1,"plugins":{"org.example.x":{"approved":` + record + `}}}`,
		`{"version":1,"plugins":{"org.example.x":{"pending":` + record + `,"disabled":true}}}`,
		`{"version":1,"plugins":{"org.example.x":{"approved":` + record + `,"pending":` + record + `}}}`,
		`{"version":1,"plugins":{"org.example.y":{"approved":` + record + `}}}`,
		`{"version":1,"plugins":{"":{"disabled":true}}}`, `{"version":2}`, `{"version":1,"plugins":null}`, `{}`, `null`, `[`, "",
	} {
		f.Add([]byte(s))
	}
	dir := f.TempDir()
	l := NewLibrary(dir, nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		must(t, os.WriteFile(filepath.Join(dir, stateName), data, 0o600))
		st, err := l.read()
		if st.Plugins == nil || err != nil && len(st.Plugins) > 0 {
			t.Errorf("%v, %v", st, err)
		}
		for id, r := range st.Plugins {
			e, ok := r.entry(id)
			if ok && (e.Manifest.ID != id || !digestForm.MatchString(e.SHA256)) {
				t.Errorf("%q: %+v", id, e)
			}
		}
		l.List()
	})
}

func FuzzStoredValue(f *testing.F) {
	for _, s := range []string{"\"k\"\nvalue", "\"\"\n", "\"k\"", "\n", "", "1\nx", "\"\\u0000\"\n\xff", "null\nx"} {
		f.Add([]byte(s), "k")
	}
	st := store{f.TempDir()}
	f.Fuzz(func(t *testing.T, data []byte, key string) {
		if len(key) > maxKeyBytes || !utf8.ValidString(key) {
			return
		}
		name := st.file(key)
		must(t, os.WriteFile(name, data, 0o600))
		defer os.Remove(name)
		if v, err := st.get(key); err == nil && (!utf8.ValidString(v) || !strings.HasSuffix(string(data), v)) {
			t.Errorf("%q gave %q", data, v)
		}
		if list, err := st.list(""); err != nil || len(list) > 1 {
			t.Errorf("list = %q, %v", list, err)
		}
		must(t, st.put(t.Context(), key, "new"))
		if v, err := st.get(key); err != nil || v != "new" {
			t.Errorf("%q, %v", v, err)
		}
	})
}

func FuzzConfig(f *testing.F) {
	for _, s := range [][2]string{
		{`{"type":"object","properties":{"a":{"type":"integer","default":3}}}`, `{"a":4}`},
		{`{"type":"object","properties":{"a":{"type":"string","pattern":"^(a+)+$"}}}`, `{"a":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}`},
		{`{"$defs":{"x":{"$ref":"#/$defs/x"}},"$ref":"#/$defs/x"}`, `{}`},
		{`{"$ref":"https://example.org/x"}`, `{}`},
		{`{"properties":{"a":{"default":"x","type":"integer"}}}`, ``}, {`{"enum":[]}`, `{"a":1e999}`}, {`[]`, `[]`}, {``, `{"a":1}`}, {`{`, `{`},
	} {
		f.Add([]byte(s[0]), []byte(s[1]))
	}
	f.Fuzz(func(t *testing.T, schema, config []byte) {
		got, err := ResolveConfig(hostapi.Manifest{ID: "org.example.x", Config: schema}, config)
		if err == nil && (!json.Valid(got) || got[0] != '{') {
			t.Errorf("%s with %s gave %s", schema, config, got)
		}
	})
}

// FuzzResults hands what a plug-in may answer to all that reads it.
func FuzzResults(f *testing.F) {
	for _, s := range []string{
		`{"items":[{"section":"facts","content":"c","confidence":0.5,"evidence":["m"]}],"rejects":[{"index":0,"reason":"r"}]}`,
		`{"subject":"branch","title":"T","sections":[{"id":"a","heading":"A","order":2},{"id":"b","heading":"B","order":-1}]}`,
		`{"selected":[{"id":"1","why":"w"},{"id":"1"},{}]}`,
		`{"items":[{"id":"1","content":"c"}],"changes":[{"action":"superseded","id":"1","by":"2","why":"w"}]}`,
		`{"rejects":[{"index":-1},{"index":9223372036854775807}]}`, `{"items":null}`, `{"items":[null]}`, `null`, `[]`, `{`,
	} {
		f.Add([]byte(s))
	}
	items := []memory.Found{{Section: "facts", Content: "one"}, {Section: "facts", Content: "two"}}
	f.Fuzz(func(t *testing.T, data []byte) {
		var extracted hostapi.ExtractResult
		if json.Unmarshal(data, &extracted) == nil && len(found("org.example.x", extracted.Items)) != len(extracted.Items) {
			t.Error("items were lost")
		}
		var sections hostapi.SectionsResult
		if json.Unmarshal(data, &sections) == nil && checkSections(sections) == nil && len(layout(sections).Sections) == 0 {
			t.Errorf("%s is a schema without sections", data)
		}
		var check hostapi.CheckResult
		if json.Unmarshal(data, &check) == nil {
			if good, bad, err := checked(items, check); err == nil && len(good)+len(bad) < len(items) {
				t.Errorf("%s: %d and %d of %d items", data, len(good), len(bad), len(items))
			}
		}
		var selected hostapi.SelectResult
		if json.Unmarshal(data, &selected) == nil {
			ranking(selected)
		}
		var evolved hostapi.EvolveResult
		if json.Unmarshal(data, &evolved) == nil {
			proposal(evolved)
		}
	})
}

// FuzzReport reads what a compiler's process says that a module has taken over.
func FuzzReport(f *testing.F) {
	for _, s := range []string{`{}`, `{"refused":"its module is refused"}`, `{"refused":"\u0000"}`, "", "null", "[", `{"refused":1}`} {
		f.Add([]byte(s), []byte("fatal error: out of memory"))
	}
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, said, errs []byte) {
		out, stderr := tail{}, tail{}
		_, _ = out.Write(said)
		_, _ = stderr.Write(errs)
		err := outcome(context.Background(), cmd, nil, &out, &stderr, CompileLimits{}.of(1))
		var r report
		if err == nil && (json.Unmarshal(said, &r) != nil || r.Refused != "") {
			t.Errorf("%q is taken for a success", said)
		}
		var e *Error
		if errors.As(err, &e) && e.Kind != KindInvalid && e.Kind != KindLimit {
			t.Errorf("%q: %v", said, err)
		}
	})
}
