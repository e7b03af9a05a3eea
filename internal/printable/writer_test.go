package printable_test

import (
	"strings"
	"testing"

	"recollect/internal/printable"
)

func TestWriterLetsNothingMove(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, text, json string }{
		{"plain", "Zwölf\tBoxkämpfer\r\n\ufeff👩‍🔬 \u200e", "Zwölf\tBoxkämpfer\r\n\ufeff👩‍🔬 \u200e", "Zwölf\tBoxkämpfer\r\n\ufeff👩‍🔬 \u200e"},
		{"escape", "a\x1b[2Jb", "a\ufffd[2Jb", `a\u001b[2Jb`},
		{"C1", "a\u009b2Jb\x7f", "a\ufffd2Jb\ufffd", `a\u009b2Jb\u007f`},
		{"direction", "a\u202eb\u2066c", "a\ufffdb\ufffdc", `a\u202eb\u2066c`},
		{"no UTF-8", "a\x9bb\xff", "a\ufffdb\ufffd", "a\ufffdb\ufffd"},
		{"half a character", "a\xe2\x80", "a\ufffd", "a\ufffd"},
		{"backspace and bell", "ab\b\x07", "ab\ufffd\ufffd", `ab\u0008\u0007`},
	}
	for _, tt := range tests {
		for _, json := range []bool{false, true} {
			for piece := 1; piece <= len(tt.in); piece++ {
				var b strings.Builder
				w := &printable.Writer{To: &b, JSON: json}
				for at := 0; at < len(tt.in); at += piece {
					part := tt.in[at:min(at+piece, len(tt.in))]
					if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
						t.Fatalf("%s: %d, %v", tt.name, n, err)
					}
				}
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
				want := tt.text
				if json {
					want = tt.json
				}
				if got := b.String(); got != want {
					t.Errorf("%s, JSON %v, in pieces of %d: %q, want %q", tt.name, json, piece, got, want)
				}
			}
		}
	}
}
