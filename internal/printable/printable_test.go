package printable

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"plugin.wasm":               `"plugin.wasm"`,
		"cl\x1b[2J\nApproved.":      `"cl\x1b[2J\nApproved."`,
		"a\u202eb":                  `"a\u202eb"`,
		"a\u200bb\ufeff":            `"a\u200bb\ufeff"`,
		`say "hi" \n`:               `"say \"hi\" \\n"`,
		"\xff\x80":                  `"\xff\x80"`,
		"naïve 日本 \U0001f468\u200d": "\"naïve 日本 \U0001f468\u200d\"",
		"\u00a0\u3000":              `"\u00a0\u3000"`,
		"\u0085\u2028":              `"\u0085\u2028"`,
		"0123456789abcdefghijklm":   `"0123456789abcdefghij…"`,
	} {
		if got := Quote(in, 20); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"one\ntwo\tthree":              "one two three",
		"cl\x1b[2J\rApproved":          "cl[2J Approved",
		"a\u202eb\u2066c\u200bd\u009b": "abcd",
		"\xff":                         "\uFFFD",
		strings.Repeat("é", 30):        strings.Repeat("é", 20) + "…",
	} {
		if got := Line(in, 20); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Lines("a\n\tb\r\x1b", 20); got != "a\n\tb " {
		t.Errorf("Lines = %q", got)
	}
}

func FuzzPrintable(f *testing.F) {
	for _, s := range []string{"plain", "cl\x1b[2J\nApproved.", "a\u202eb", "\xff", `"\`, "\U000e0041", "é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for how, got := range map[string]string{"Quote": Quote(s, 50), "Line": Line(s, 50)} {
			if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool {
				return unicode.IsControl(r) || !unicode.IsGraphic(r) && r != '\u200c' && r != '\u200d'
			}) {
				t.Errorf("%s(%q) = %q", how, s, got)
			}
		}
		if q := Quote(s, len(s)); s != mustUnquote(t, q) {
			t.Errorf("Quote(%q) = %s", s, q)
		}
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		shown := JSON(raw)
		var a, b any
		if json.Unmarshal(raw, &a) != nil || json.Unmarshal(shown, &b) != nil || !reflect.DeepEqual(a, b) || Line(string(shown), len(shown)) != string(shown) {
			t.Errorf("JSON(%s) = %s", raw, shown)
		}
	})
}

func mustUnquote(t *testing.T, s string) string {
	t.Helper()
	got, err := strconv.Unquote(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return got
}
