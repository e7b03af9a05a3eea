package httpapi

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestEvents(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100_000)
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "event: a\ndata: 1\n\ndata: 2\n\n", "event: a\ndata: 1\n\ndata: 2\n\n"},
		{"comments", ": hello\n\ndata: 1\n: in between\ndata: 2\n\n: bye\n\n", "data: 1\ndata: 2\n\n"},
		{"CRLF", ": x\r\n\r\ndata: 1\r\n\r\n\r\n", "data: 1\r\n\r\n"},
		{"long lines", "data: " + long + "\n\n:" + long + "\n\ndata: 1\n\n", "data: " + long + "\n\ndata: 1\n\n"},
		{"no end", "data: 1", "data: 1"},
		{"empty", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, r := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in)), iotest.DataErrReader(strings.NewReader(tt.in))} {
				got, err := io.ReadAll(newEvents(io.NopCloser(r), 1<<20))
				if err != nil || string(got) != tt.want {
					t.Errorf("got %.200q, %v; want %.200q", got, err, tt.want)
				}
			}
		})
	}
}

func TestEventsLimit(t *testing.T) {
	t.Parallel()
	for _, in := range []string{strings.Repeat("data: 1\n\n", 1000), strings.Repeat(":", 9000), strings.Repeat("\n", 9000)} {
		got, err := io.ReadAll(newEvents(io.NopCloser(strings.NewReader(in)), 5000))
		if !errors.Is(err, errTooLong) || len(got) > 5000 {
			t.Errorf("%.10q: %d bytes, %v", in, len(got), err)
		}
	}
}

// Whatever comes: nothing is made up, no data is lost, no comment is kept.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{"data: 1\n\n", ": x\n\ndata: 2\r\n\r\n", "\n\n:\n:", "a\rb\n\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, err := io.ReadAll(newEvents(io.NopCloser(strings.NewReader(in)), 1<<20))
		if err != nil {
			t.Skip()
		}
		var want strings.Builder
		field := false
		for line := range strings.Lines(in) {
			switch blank := line == "\n" || line == "\r\n"; {
			case strings.HasPrefix(line, ":"), blank && !field:
			default:
				field = !blank
				want.WriteString(line)
			}
		}
		if string(got) != want.String() {
			t.Errorf("got %q, want %q", got, want.String())
		}
	})
}
