package memory

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func markdownOf(n int, words func(i int) string) string {
	var b strings.Builder
	b.WriteString("# Branch Memory: main\n\n## Facts\n\n")
	for i := range n {
		b.WriteString("- " + words(i) + "\n")
	}
	return b.String()
}

// A memory of absurd size is refused with the file, the count and the limit, and
// the other branches stay readable.
func TestAMemoryOfAbsurdSizeIsRefused(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.store(StoreOptions{})
	put(t, p.markdown("main"), markdownOf(200_000, func(i int) string { return fmt.Sprint("fact ", i) }))
	put(t, p.markdown("side"), "# Branch Memory: side\n\n## Facts\n\n- It is fine.\n")
	_, _, err := s.Load("main")
	if !errors.Is(err, ErrTooMuch) || !strings.Contains(err.Error(), "main.md") || !strings.Contains(err.Error(), "200000") || !strings.Contains(err.Error(), fmt.Sprint(maxBullets)) {
		t.Errorf("%v", err)
	}
	if _, err := s.Edit(t.Context(), "main", Edit{Do: Add, Section: "facts", Content: "x"}); !errors.Is(err, ErrTooMuch) {
		t.Errorf("an edit: %v", err)
	}
	m, _ := mustLoad(t, s, "side")
	wantActive(t, m, "It is fine.")
	put(t, p.markdown("lines"), "# Branch Memory: lines\n\n- a\n"+strings.Repeat("\n", maxText+1))
	if _, _, err := s.Load("lines"); !errors.Is(err, ErrTooMuch) {
		t.Errorf("too many lines: %v", err)
	}
	put(t, p.markdown("items"), "# Branch Memory: items\n\n## Facts\n\n- a\n")
	put(t, p.items("items"), strings.Repeat("{\"id\":\"a\"}\n", maxLines+1))
	if _, _, err := s.Load("items"); !errors.Is(err, ErrTooMuch) {
		t.Errorf("too many items: %v", err)
	}
}

// The largest memories that are taken, in the shapes that would be slow if every
// item were compared with every other.
func BenchmarkLargestMemories(b *testing.B) {
	for name, words := range map[string]func(i int) string{
		"different": func(i int) string { return fmt.Sprintf("fact %d of the harbour %d", i, i*7919%1009) },
		"alike":     func(i int) string { return fmt.Sprintf("the depot price in cents is always kept as %d", i) },
		"the same":  func(int) string { return "the same words again and again" },
	} {
		for _, n := range []int{10_000, maxBullets} {
			b.Run(fmt.Sprintf("%s %d", name, n), func(b *testing.B) {
				p := newPlace(b)
				s := p.store(StoreOptions{})
				put(b, p.markdown("main"), markdownOf(n, words))
				for b.Loop() {
					mustLoad(b, s, "main")
				}
			})
		}
	}
}

// Item lines that all say the same, or have one id.
func BenchmarkLargestItemLines(b *testing.B) {
	for name, line := range map[string]func(i int) string{
		"one id": func(i int) string {
			return fmt.Sprintf(`{"id":"a","state":"active","section":"facts","content":"c %d"}`, i)
		},
		"one content": func(i int) string { return fmt.Sprintf(`{"id":"a%d","state":"active","section":"x","content":"c"}`, i) },
	} {
		b.Run(name, func(b *testing.B) {
			p := newPlace(b)
			var lines strings.Builder
			lines.WriteString(`{"format":"recollect/memory/1","branch":"main","markdown":"x"}` + "\n")
			for i := range maxLines - 1 {
				lines.WriteString(line(i) + "\n")
			}
			put(b, p.items("main"), lines.String())
			put(b, p.markdown("main"), markdownOf(maxBullets, func(int) string { return "c" }))
			for b.Loop() {
				mustLoad(b, p.store(StoreOptions{}), "main")
			}
		})
	}
}

// What an edit of a large memory takes.
func BenchmarkEditOfLargestMemory(b *testing.B) {
	p := newPlace(b)
	s := p.store(StoreOptions{})
	put(b, p.markdown("main"), markdownOf(10_000, func(i int) string { return fmt.Sprintf("fact %d of the harbour", i) }))
	for i := 0; b.Loop(); i++ {
		if _, err := s.Edit(b.Context(), "main", Edit{Do: Add, Section: "facts", Content: fmt.Sprint("one more thing ", i)}); err != nil {
			b.Fatal(err)
		}
	}
}
