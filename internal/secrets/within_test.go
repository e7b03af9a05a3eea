package secrets

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// A text that is looked through within a context is the same as without one, and
// is not there when the context has ended.
func TestRedactWithin(t *testing.T) {
	r := redactor(t)
	text := strings.Repeat("plain words, and the password is "+rnd+"\n", 300)
	want, _ := r.Redact(text)
	if got, err := r.RedactWithin(t.Context(), text); err != nil || got != want || want == text {
		t.Errorf("%v, %.200q, want %.200q", err, got, want)
	}
	why := errors.New("time is up")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if got, err := r.RedactWithin(ctx, text); got != "" || !errors.Is(err, why) {
		t.Errorf("after the end: %q, %v", got, err)
	}
	if again, _ := r.Redact(text); again != want {
		t.Error("the end of one call changed the next")
	}
}

// BenchmarkOneLine has what a stranger could write to keep it busy: words that
// are looked at closely, in one line. The time for a byte does not grow.
func BenchmarkOneLine(b *testing.B) {
	for name, n := range map[string]int{"16 KB": 500, "1 MB": 32 << 10} {
		text := strings.Repeat("the password is secret token=abc ", n)
		b.Run(name, func(b *testing.B) {
			r := redactor(b)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r.Redact(text)
			}
		})
	}
}
