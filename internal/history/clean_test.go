package history

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	t.Parallel()
	const begin, end = "<!-- recollect:begin v1 -->", "<!-- recollect:end -->"
	tests := []struct{ name, in, want string }{
		{"plain", "a\nb", "a\nb"},
		{"nul", "a\x00b\x00", "ab"},
		{"bytes", "a\xff\xfeb", "a\uFFFDb"},
		{"surrogate in bytes", "a\xed\xa0\x80b", "a\uFFFDb"},
		{"block", "a\n" + begin + "\n- x\n" + end + "\nb", "a\nb"},
		{"crlf", "a\r\n" + begin + "\r\n- x\r\n" + end + "\r\nb", "a\r\nb"},
		{"whole", begin + "\n- x\n" + end, ""},
		{"inline", "a " + begin + "x" + end + "\nb", "a \nb"},
		{"two", begin + "x" + end + "a" + begin + "y" + end, "a"},
		{"nested", "a" + begin + "x" + begin + "y" + end + "z" + end + "b", "ab"},
		{"orphan begin", "a " + begin + " b", "a " + begin + " b"},
		{"orphan end", "a " + end + " b", "a " + end + " b"},
		{"reversed", end + "a" + begin, end + "a" + begin},
		{"orphan before a block", begin + "keep" + begin + "x" + end, begin + "keep"},
		{"open end", "a" + begin + "x<!-- recollect:end\nb", "a\nb"},
		{"nul in marker", "a<!-- recol\x00lect:begin -->x" + end + "b", "ab"},
		{"other comment", "<!-- recollect:other -->", "<!-- recollect:other -->"},
	}
	for _, tt := range tests {
		if got := Clean(tt.in); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a<!-- recollect:begin -->x<!-- recollect:end -->\nb")
	f.Add("<!-- recollect:begin<!-- recollect:begin<!-- recollect:end\n")
	f.Add("\xed\xa0\x80\x00<!-- recollect:")
	f.Fuzz(func(t *testing.T, text string) {
		got := Clean(text)
		if !utf8.ValidString(got) || strings.Contains(got, "\x00") {
			t.Fatalf("%q is not clean", got)
		}
		if len(blocks(text)) == 0 && utf8.ValidString(text) && !strings.Contains(text, "\x00") && got != text {
			t.Fatalf("%q became %q", text, got)
		}
	})
}
