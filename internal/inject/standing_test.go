package inject

import (
	"slices"
	"strings"
	"testing"

	"recollect/internal/memory"
)

func TestStanding(t *testing.T) {
	items := []memory.Item{
		{ID: "a", Section: "facts", Content: "The port is 8080"},
		{ID: "b", Section: "facts", Content: "# Not a heading"},
		{ID: "c", Section: "facts", Content: "Told by nobody"},
		{ID: "d", Section: "facts", Content: "\u200b"},
	}
	written, err := Splice([]byte("# Mine\n\n- Told by nobody\n"), Render(memory.Layout{}, items[:2]))
	if err != nil {
		t.Fatal(err)
	}
	text := string(written)
	for _, x := range []struct {
		name, text string
		want       []string
	}{
		{"no file", "", nil},
		{"no block", "- The port is 8080\n", nil},
		{"the block's lines, and no others", text, []string{"a", "b"}},
		{"other line endings", strings.ReplaceAll(text, "\n", "\r\n"), []string{"a", "b"}},
		{"a line that a person changed", strings.Replace(text, "8080", "9090", 1), []string{"b"}},
		{"two blocks", text + text, nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := Standing(x.text, items); !slices.Equal(got, x.want) {
				t.Errorf("got %q, want %q", got, x.want)
			}
		})
	}
}
