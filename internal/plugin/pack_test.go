package plugin

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/hostapi"
)

const minimal = `{"manifest":1,"id":"org.example.x","version":"1.0.0","name":"X","description":"d","abi":"rc/1","roles":["extractor"]}`

// edited gives the minimal manifest with one key replaced; "" removes it.
func edited(t testing.TB, key, value string) []byte {
	t.Helper()
	m := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(minimal), &m); err != nil {
		t.Fatal(err)
	}
	delete(m, key)
	if value != "" {
		m[key] = json.RawMessage(value)
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// manifestTests are values of one key and what must be said of them; "": nothing.
var manifestTests = []struct{ key, value, want string }{
	{"name", `"Y"`, ""},
	{"homepage", `"https://example.org"`, ""},
	{"version", `"1.2.3-beta.1+build"`, ""},
	{"capabilities", `{"history:read":{"reason":"r","scope":"project"},"memory:read":{"reason":"r","sections":["facts"]}}`, ""},
	{"limits", `{"memory_bytes":1048576}`, ""},
	{"config", `{"type":"object","properties":{"a":{"type":"string","pattern":"^x"}}}`, ""},

	{"manifest", `2`, "needs a newer Recollect"},
	{"manifest", ``, `"manifest" must be 1`},
	{"abi", `"rc/2"`, "needs a newer Recollect"},
	{"abi", `"other"`, `"abi" must be`},
	{"id", `"x"`, "reversed domain name"},
	{"id", `"Org.Example"`, "reversed domain name"},
	{"id", `"org..x"`, "reversed domain name"},
	{"id", `"../org.x"`, "reversed domain name"},
	{"id", `"org.-x"`, "reversed domain name"},
	{"id", `"` + strings.Repeat("a.", 80) + `a"`, "reversed domain name"},
	{"version", `"1.0"`, "semantic version"},
	{"version", `"v1.0.0"`, "semantic version"},
	{"version", ``, "semantic version"},
	{"name", `" "`, `"name" is missing`},
	{"name", `"a\u001b[31m"`, "control characters"},
	{"description", `"\u202eevil"`, "control characters"},
	{"description", `"` + strings.Repeat("x", 501) + `"`, "longer than 500"},
	{"homepage", `"javascript:alert(1)"`, "web address"},
	{"roles", `[]`, `"roles" is empty`},
	{"roles", `["extractor","extractor"]`, "twice"},
	{"roles", `["oracle"]`, "needs a newer Recollect"},
	{"capabilities", `{"network":{"reason":"r"}}`, "needs a newer Recollect"},
	{"capabilities", `{"storage":{}}`, `"reason" is missing`},
	{"capabilities", `{"history:read":{"reason":"r","scope":"all"}}`, "scope"},
	{"capabilities", `{"storage":{"reason":"r","scope":"branch"}}`, "scope"},
	{"capabilities", `{"storage":{"reason":"r","sections":["x"]}}`, "sections"},
	{"limits", `{"host_calls":-1}`, "negative"},
	{"config", `{"type":"nonsense"}`, "not a JSON Schema"},
	{"config", `[]`, "must be a JSON Schema object"},
	{"config", `{"$ref":"https://example.org/x.json"}`, "not a JSON Schema"},
	{"config", `{"$ref":"file:///etc/passwd"}`, "not a JSON Schema"},
	{"schema", `{"subject":"branch","title":"T","sections":[{"id":"a","heading":"A"}]}`, `"roles" does not name`},
	{"unknown", `1`, "unknown"},
	{"Capabilities", `{}`, `the key "Capabilities" is unknown`},
	{"capabilitie\u017f", `{}`, "is unknown"}, // which Go takes for an s
	{"config", `{"type":"object","properties":{"a":{"type":"string"},"A":{"type":"string"}}}`, ""},
	{"config", `{"type":"object","type":"array"}`, `the key "type" is there twice`},
	{"capabilities", `{"storage":{"reason":"r"},"storage":{"reason":"s"}}`, `the key "storage" is there twice`},
	{"name", `"a\u200bb"`, "can't be seen"},
	{"description", `"a\u0085b"`, "can't be seen"},
	{"description", `"می\u200cخواهم \ud83d\udc68\u200d\ud83d\udcbb"`, ""}, // joiners that writing needs
	{"config", `{"a":` + nested(100, "[", "]") + `}`, "nested deeper"},
}

func TestParseManifest(t *testing.T) {
	for _, tt := range manifestTests {
		_, err := ParseManifest(edited(t, tt.key, tt.value))
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s = %s: %v, want %q", tt.key, tt.value, err, tt.want)
		}
	}
	for _, data := range []string{"", "null", "[]", minimal + "{}", "\xff", strings.Repeat(" ", maxManifest+1)} {
		if _, err := ParseManifest([]byte(data)); err == nil {
			t.Errorf("%.20q was accepted", data)
		}
	}
}

func TestStaticSchemaIsChecked(t *testing.T) {
	for schema, want := range map[string]string{
		`{"subject":"branch","title":"T","sections":[{"id":"a","heading":"A"}]}`:                          "",
		`{"subject":"planet","title":"T","sections":[{"id":"a","heading":"A"}]}`:                          "newer Recollect",
		`{"subject":"branch","title":"","sections":[{"id":"a","heading":"A"}]}`:                           "title",
		`{"subject":"branch","title":"T","sections":[]}`:                                                  "1 to 64",
		`{"subject":"branch","title":"T","sections":[{"id":"A b","heading":"A"}]}`:                        "kebab",
		`{"subject":"branch","title":"T","sections":[{"id":"a","heading":"A\nB"}]}`:                       "control",
		`{"subject":"branch","title":"T","sections":[{"id":"a","heading":"A"},{"id":"b","heading":"a"}]}`: "twice",
		`{"subject":"branch","title":"T","sections":[{"id":"a","heading":"A","guidance":1}]}`:             "not a manifest",
		`{"subject":"branch","title":"T","sections":[{"id":"a","heading":"A"}],"more":1}`:                 "unknown",
		`{"subject":"branch","title":"T","sections":[{"id":"aaaaaaaaaa-","heading":"A"}]}`:                "kebab",
		`{"subject":"branch","title":"T","sections":[{"id":"a","heading":"A"}],"title":"second"}`:         `"title" is there twice`,
		`{"subject":"branch","title":"T","sections":[{"id":"a","heading":"A","guidance":"\u202ea"}]}`:     "can't be seen",
	} {
		m := strings.Replace(minimal, `["extractor"]`, `["schema"],"schema":`+schema, 1)
		_, err := ParseManifest([]byte(m))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", schema, err, want)
		}
	}
}

func TestResolveConfig(t *testing.T) {
	m := hostapi.Manifest{ID: "org.example.x", Config: json.RawMessage(
		`{"type":"object","additionalProperties":false,"required":["b"],"properties":{"a":{"type":"integer","default":3},"b":{"type":"string","default":"x"}}}`)}
	for _, tt := range []struct{ in, want string }{
		{"", `{"a":3,"b":"x"}`}, {`{"a":5}`, `{"a":5,"b":"x"}`}, {`{"a":"five"}`, ""}, {`{"c":1}`, ""}, {`[]`, ""}, {`null`, ""}, {`{`, ""},
	} {
		got, err := ResolveConfig(m, json.RawMessage(tt.in))
		if tt.want == "" && err == nil || tt.want != "" && string(got) != tt.want {
			t.Errorf("%s: %s, %v", tt.in, got, err)
		}
	}
	if _, err := ResolveConfig(hostapi.Manifest{}, json.RawMessage(`{"a":1}`)); err == nil {
		t.Error("a plug-in without a configuration took one")
	}
}

// zipped makes a zip file of name and content pairs, in order.
func zipped(t testing.TB, pairs ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		w, err := z.Create(pairs[i])
		if err == nil {
			_, err = w.Write([]byte(pairs[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestZipPackages(t *testing.T) {
	var many []string
	for i := range maxEntries {
		many = append(many, fmt.Sprint("f", i), "x")
	}
	base := []string{"plugin.json", minimal, "plugin.wasm", "x"}
	big := strings.Repeat("\x00", maxEntryBytes)
	with := func(pairs ...string) []byte { return zipped(t, append(pairs, base...)...) }
	var link bytes.Buffer
	z := zip.NewWriter(&link)
	h := &zip.FileHeader{Name: "plugin.json"}
	h.SetMode(fs.ModeSymlink | 0o777)
	if w, err := z.CreateHeader(h); err == nil {
		fmt.Fprint(w, "/etc/passwd")
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	lying := with("big", strings.Repeat("\x00", maxEntryBytes+1))
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"good", with("README.md", "hello", "prompts/a.txt", "x"), ""},
		{"folders", with("prompts/", ""), ""},
		{"not a zip", []byte("hello"), "not a zip"},
		{"empty", nil, "not a zip"},
		{"no manifest", zipped(t, "plugin.wasm", "x"), "no plugin.json"},
		{"no module", zipped(t, "plugin.json", minimal), "no plugin.wasm"},
		{"slip", with("../evil", "x"), "not a name"},
		{"absolute", with("/evil", "x"), "not a name"},
		{"backslash", with(`a\b`, "x"), "not a name"},
		{"drive", with("C:evil", "x"), "not a name"},
		{"device", with("aux.txt", "x"), "not a name"},
		{"hidden", with(".git/config", "x"), "not a name"},
		{"trailing dot", with("a.", "x"), "not a name"},
		{"newline", with("a\nb", "x"), "not a name"},
		{"not UTF-8", with("a\xffb", "x"), "not a name"},
		{"twice", with("plugin.wasm", "y"), "twice"},
		{"twice by case", with("Plugin.json", minimal), "twice"},
		{"too many", with(many...), "more than 64"},
		{"one too large", lying, "larger than 16 MB"},
		{"too large together", with("a", big, "b", big, "c", "x"), "larger than 32 MB"},
		{"a link", link.Bytes(), "not a regular file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "x.rplug")
			write(t, name, tt.data)
			_, err := ReadPackage(name)
			if tt.want == "" && err != nil || tt.want != "" && (!IsKind(err, KindInvalid) || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestFolderAndZipAreOnePackage(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "plugin.json"), []byte(minimal))
	write(t, filepath.Join(dir, "plugin.wasm"), []byte("x"))
	write(t, filepath.Join(dir, ".DS_Store"), []byte("ignored"))
	name := filepath.Join(t.TempDir(), "x.rplug")
	write(t, name, zipped(t, "plugin.wasm", "x", "plugin.json", minimal))
	a, err := ReadPackage(dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := ReadPackage(name)
	if err != nil {
		t.Fatal(err)
	}
	if a.SHA256 != b.SHA256 || len(a.SHA256) != 64 {
		t.Errorf("%s and %s", a.SHA256, b.SHA256)
	}
	write(t, filepath.Join(dir, "README"), nil)
	if c, err := ReadPackage(dir); err != nil || c.SHA256 == a.SHA256 {
		t.Errorf("a new file did not change the digest: %v", err)
	}
}

func TestFolderWithLinkIsRefused(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "plugin.json"), []byte(minimal))
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "plugin.wasm")); err != nil {
		t.Skip(err)
	}
	if _, err := ReadPackage(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("error = %v", err)
	}
	if _, err := ReadPackage(filepath.Join(dir, "nowhere")); !IsKind(err, KindInvalid) {
		t.Errorf("error = %v", err)
	}
}

func FuzzParseManifest(f *testing.F) {
	f.Add([]byte(minimal))
	f.Add([]byte(strings.Replace(minimal, `["extractor"]`, `["schema"],"schema":{"subject":"branch","title":"T","sections":[{"id":"a","heading":"A"}]}`, 1)))
	f.Add(edited(f, "config", `{"type":"object","properties":{"a":{"default":1}},"$defs":{"x":{"$ref":"#/$defs/x"}},"allOf":[{"$ref":"#/$defs/x"}]}`))
	f.Add(edited(f, "capabilities", `{"history:read":{"reason":"r","scope":"project"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseManifest(data)
		if err != nil {
			return
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseManifest(again); err != nil {
			t.Errorf("accepted, but not as it was written again: %v\n%s", err, again)
		}
		if m.ID == "" || len(m.Roles) == 0 || m.Version == "" {
			t.Errorf("accepted %+v", m)
		}
		_, _ = ResolveConfig(m, nil)
	})
}

func FuzzZipPackage(f *testing.F) {
	f.Add(zipped(f, "plugin.json", minimal, "plugin.wasm", "x"))
	f.Add(zipped(f, "plugin.json", minimal, "../x", "x"))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := readZip(data)
		if err != nil {
			return
		}
		if len(p.files) > maxEntries || p.Manifest.ID == "" {
			t.Errorf("accepted %d files of %q", len(p.files), p.Manifest.ID)
		}
		for name := range p.files {
			if !filepath.IsLocal(name) || strings.ContainsAny(name, "\\:") {
				t.Errorf("accepted the name %q", name)
			}
		}
	})
}
