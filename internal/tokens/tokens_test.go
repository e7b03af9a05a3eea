package tokens

import (
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

const sentence = "Database writes go through immediateTransaction(), never through db.exec() in a handler."

func TestCount(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       int
	}{
		{"empty", "", 0},
		{"one token is rounded up", "a", 2},
		{"newline", "\n", 2},
		{"two words", "hello world", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Count(tt.text); got != tt.want {
				t.Errorf("Count(%q) = %d, want %d", tt.text, got, tt.want)
			}
		})
	}
}

// A text without overlong runs is counted in one piece, exactly as the
// vocabulary says.
func TestCountIsMarginTimesVocabulary(t *testing.T) {
	t.Parallel()
	c := codec.NewO200kBase()
	for _, text := range []string{sentence, strings.Repeat(sentence+"\n", 50), "日本語のテキスト", "x\r\ny"} {
		n, err := c.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := Count(text), (n*Margin+99)/100; got != want {
			t.Errorf("Count(%.20q…) = %d, want %d", text, got, want)
		}
	}
}

// Long runs would take minutes if they were given to the tokenizer whole.
func TestCountLongRuns(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"a", " ", "\n", "ab", "é", "字", "=", "\x00", "\xff"} {
		text := strings.Repeat(unit, 50_000/len(unit))
		if n := Count(text); n < len(text)/1000 || n > 2*len(text) {
			t.Errorf("Count of %d bytes of %q = %d", len(text), unit, n)
		}
	}
}

func TestCountConcurrently(t *testing.T) {
	t.Parallel()
	want := Count(sentence)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if got := Count(sentence); got != want {
				t.Errorf("got %d, want %d", got, want)
			}
		})
	}
	wg.Wait()
}

func FuzzCount(f *testing.F) {
	for _, s := range []string{"", sentence, "\x00\xff", strings.Repeat("a", 1000), " \u2003\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := Count(s)
		if (n == 0) != (s == "") {
			t.Fatalf("Count(%q) = %d", s, n)
		}
		if most := (3*utf8.RuneCountInString(s) + 3*len(s)) * Margin / 100; n > most+1 {
			t.Fatalf("Count(%q) = %d, more than %d", s, n, most)
		}
	})
}

func BenchmarkCount(b *testing.B) {
	text := strings.Repeat("- "+sentence+"\n", 45) // about 4 KB
	Count(text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Count(text)
	}
}
