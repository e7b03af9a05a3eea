package plugin

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestManifestsAgree holds the published JSON Schema, the strict reader, the
// manual and the manifests of the repository against each other.
func TestManifestsAgree(t *testing.T) {
	root := filepath.Join("..", "..")
	raw, err := os.ReadFile(filepath.Join(root, "docs", "plugin.schema.json"))
	must(t, err)
	published, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	must(t, err)
	c := jsonschema.NewCompiler()
	must(t, c.AddResource("plugin.schema.json", published))
	schema, err := c.Compile("plugin.schema.json")
	must(t, err)
	fits := func(data []byte) error {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			return err
		}
		return schema.Validate(doc)
	}
	files, err := filepath.Glob(filepath.Join(root, "plugins", "*", "plugin.json"))
	must(t, err)
	files = append(files, filepath.Join(root, "examples", "extractor-go", "plugin.json"))
	manifests := map[string][]byte{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		must(t, err)
		manifests[name] = data
	}
	manual, err := os.ReadFile(filepath.Join(root, "docs", "plugins.md"))
	must(t, err)
	_, block, ok := strings.Cut(string(manual), "```json\n")
	block, _, _ = strings.Cut(block, "```")
	if !ok {
		t.Error("the manual shows no manifest")
	}
	manifests["docs/plugins.md"] = []byte(block)
	for name, data := range manifests {
		if _, err := ParseManifest(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := fits(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, tt := range manifestTests {
		data := edited(t, tt.key, tt.value)
		_, err := ParseManifest(data)
		if wrong := fits(data); err == nil && wrong != nil {
			t.Errorf("%s = %s is read, but does not fit the schema: %v", tt.key, tt.value, wrong)
		}
	}
}
