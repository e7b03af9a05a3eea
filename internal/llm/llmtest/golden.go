package llmtest

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

// told are the headers that a recorded request keeps: those that change what the
// vendor answers. The rest tells of the machine and of versions.
var told = []string{"Anthropic-Beta", "Anthropic-Version", "Authorization", "Content-Type", "X-Api-Key"}

// Record writes the request down as a text that is the same each time: the
// request line, the headers that matter with keys taken out, and the body as
// indented JSON.
func (r Request) Record() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", r.Method, r.Path)
	for _, name := range told {
		value := r.Header.Get(name)
		switch {
		case value == "":
			continue
		case name == "X-Api-Key":
			value = "[key]"
		case name == "Authorization":
			scheme, _, _ := strings.Cut(value, " ")
			value = scheme + " [key]"
		}
		fmt.Fprintf(&b, "%s: %s\n", name, value)
	}
	var body any
	if json.Unmarshal(r.Body, &body) != nil {
		return b.String() + "\n" + string(r.Body)
	}
	b.WriteByte('\n')
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return b.String() + err.Error()
	}
	return b.String()
}

// Golden compares all requests that the server got with testdata/NAME.txt, which
// it first rewrites if update says so.
func (s *Server) Golden(t *testing.T, name string, update bool) {
	t.Helper()
	var parts []string
	for _, r := range s.Requests() {
		if strings.Contains(string(r.Body), Key) {
			t.Errorf("the key is in the body of a request")
		}
		parts = append(parts, r.Record())
	}
	got := strings.Join(parts, "\n")
	path := filepath.Join("testdata", name+".txt")
	if update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run the test with -update", err)
	}
	want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
	if got != string(want) {
		t.Errorf("the requests differ from %s\n%s", path, differences(got, string(want)))
	}
}

// differences are the lines of one text that the other has not.
func differences(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	var b strings.Builder
	for _, line := range w {
		if !slices.Contains(g, line) {
			fmt.Fprintf(&b, "- %s\n", line)
		}
	}
	for _, line := range g {
		if !slices.Contains(w, line) {
			fmt.Fprintf(&b, "+ %s\n", line)
		}
	}
	return b.String()
}
