package plugin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// There is one way for what a plug-in sends and one for what is said of it. The
// rest of the package must not find another.
func TestOneWay(t *testing.T) {
	for word, rule := range map[string]struct {
		why string
		in  []string // the only files that may have it
	}{
		"&Error{": {"newError makes its texts fit to be shown", []string{"errors.go", filepath.Join("meter", "limits.go")}},
		"%q":      {"printable.Quote also clips, and shows letters as they are", nil},
		"json.Unmarshal(": {"what a plug-in sends passes scan before it is decoded", []string{
			"decode.go", "dispatch.go", "params.go", "plugin.go", "scan.go", // after scan
			"config.go", "configschema.go", "manifest.go", // after scan, in decodeStrict
			"activity.go", "child.go", "journal.go", "library.go", "state.go", "storage.go", // files and processes of our own
		}},
		"json.NewDecoder(": {"what a plug-in sends passes scan before it is decoded", []string{"configschema.go", "manifest.go"}},
		"unicode.Is":       {"package printable says what may be shown", nil},
	} {
		for _, dir := range []string{".", "meter"} {
			files, err := filepath.Glob(filepath.Join(dir, "*.go"))
			must(t, err)
			for _, name := range files {
				data, err := os.ReadFile(name)
				must(t, err)
				if strings.HasSuffix(name, "_test.go") || !strings.Contains(string(data), word) {
					continue
				}
				allowed := false
				for _, in := range rule.in {
					allowed = allowed || name == in
				}
				if !allowed {
					t.Errorf("%s has %q: %s", name, word, rule.why)
				}
			}
		}
	}
}
