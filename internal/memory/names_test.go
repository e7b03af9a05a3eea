package memory

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// oddNames are branch names that collide or cannot be file names.
var oddNames = []string{
	"feature/auth", "feature_auth", "feature-auth", "feature.auth", "Feature/Auth", "feature/auth/", "CON", "nul", "aux.txt", "com1",
	"com¹", "HEAD", "", "main", "Main", "日本語/認証", "مرحبا", "a/../../etc/passwd", "..", ".", ".hidden", "trailing.", "trailing ",
	" leading", strings.Repeat("x", 300), strings.Repeat("認", 100), "emoji-🍎", "tab\tname", "quote\"name", "\"quoted\"", "colon:name",
	"back\\slash", "-rf", "%2e%2e%2f", "feature/auth\u200b", "e\u0301clair", "\u00e9clair", "a.items", "a", "a.md", "a~b", "x#", "# x", "\xff\xfe", "new\nline",
	"con.", "lpt9.x.y", "a*b?c", "a|b", "~", "project", "branch", "İstanbul", "straße", "STRASSE",
}

// sharedBranches are the names of the corpus, if it is there.
func sharedBranches(t *testing.T) []string {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(root) == root {
			t.Fatal("no go.mod above")
		}
		root = filepath.Dir(root)
	}
	data, err := os.ReadFile(filepath.Join(root, "..", "shared", "corpus", "cases", "14-branch-names", "branches.json"))
	if err != nil {
		t.Log("the corpus is not there:", err)
		return nil
	}
	var names []string
	if err := json.Unmarshal(data, &names); err != nil {
		t.Fatal(err)
	}
	return names
}

func allNames(t *testing.T) []string {
	seen := map[string]bool{}
	var out []string
	for _, n := range append(sharedBranches(t), oddNames...) {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

func TestFileStem(t *testing.T) {
	t.Parallel()
	owner := map[string]string{}
	for _, name := range allNames(t) {
		stem := FileStem(name)
		folded := strings.ToLower(norm.NFC.String(stem))
		if other, ok := owner[folded]; ok {
			t.Errorf("%q and %q share %q", name, other, stem)
		}
		owner[folded] = name
		longest := stem + itemsExt + damagedExt
		switch {
		case len(longest) > 120:
			t.Errorf("%q: %d bytes", name, len(longest))
		case strings.ContainsAny(stem, "/\\:*?\"<>|% \t\n\x00"), strings.HasPrefix(stem, "."), strings.HasPrefix(stem, "-"), strings.HasSuffix(stem, "."):
			t.Errorf("%q: unsafe stem %q", name, stem)
		case isDevice(strings.ToLower(stem)):
			t.Errorf("%q: device %q", name, stem)
		case stem != norm.NFC.String(stem):
			t.Errorf("%q: %q is not normalised", name, stem)
		}
		if got := readName(writeName(name)); got != name {
			t.Errorf("%q is read back as %q", name, got)
		}
	}
	for name, want := range map[string]string{
		"main": "main", "feature_auth": "feature_auth", "feature.auth": "feature.auth",
		"feature/auth": "feature-auth~fc659bd735", "": "project~e3b0c44298",
	} {
		if got := FileStem(name); got != want {
			t.Errorf("FileStem(%q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzFileStem(f *testing.F) {
	for _, n := range oddNames {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, name string) {
		stem := FileStem(name)
		if len(stem) == 0 || len(stem+itemsExt+damagedExt) > 120 || strings.ContainsAny(stem, "/\\:*?\"<>| \t\r\n\x00") || stem[0] == '.' || stem[0] == '-' {
			t.Fatalf("%q: %q", name, stem)
		}
		if readName(writeName(name)) != name {
			t.Fatalf("%q is read back as %q", name, readName(writeName(name)))
		}
		d := newDocument(name, DefaultLayout())
		if !d.titled || d.title != name {
			t.Fatalf("the title of %q says %q", name, d.title)
		}
	})
}
