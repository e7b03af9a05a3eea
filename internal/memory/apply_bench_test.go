package memory

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// tenThousand is a store with a memory of 10,000 items in four sections.
func tenThousand(b testing.TB) *Store {
	s := newPlace(b).store(StoreOptions{LockWait: time.Minute})
	m := Memory{Branch: "main", Layout: DefaultLayout()}
	for i := range 10_000 {
		section := m.Layout.Sections[i%4].ID
		m.Items = append(m.Items, Item{
			ID: fmt.Sprintf("%012x", i), Section: section, State: Active, Confidence: 0.7, Created: t0, Updated: t0,
			Content: fmt.Sprintf("Item number %d says something about the %s that takes a line to tell", i, unique(i, i%7)),
			Origins: []Origin{{Extractor: "dev.recollect.offline", Source: "claude-code", Session: "0b9d2c1e-5f1a-4f0e-9f1d-0a1b2c3d4e5f", Records: []string{fmt.Sprint("record-", i)}, Time: t0}},
		})
	}
	if _, err := s.Save(context.Background(), m, ""); err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkEditTenThousand is what a person waits for who changes one of 10,000
// items.
func BenchmarkEditTenThousand(b *testing.B) {
	id := func(i int) string { return fmt.Sprintf("%012x", i*37%10_000) }
	for name, edit := range map[string]func(int) Edit{
		"words": func(i int) Edit { return Edit{Do: Reword, ID: id(i), Content: fmt.Sprint("Other words number ", i)} },
		"add":   func(i int) Edit { return Edit{Do: Add, Section: "facts", Content: fmt.Sprint("New words number ", i)} },
		"move":  func(i int) Edit { return Edit{Do: Move, ID: id(4*i + 4), Section: "facts", Before: id(0)} },
		"pin":   func(i int) Edit { return Edit{Do: []Doing{Pin, Unpin}[i%2], ID: id(0)} },
	} {
		b.Run(name, func(b *testing.B) {
			s := tenThousand(b)
			for i := 0; b.Loop(); i++ {
				if e, err := s.Edit(b.Context(), "main", edit(i)); err != nil || e.Undo == "" {
					b.Fatalf("%+v %v", e.Changes, err)
				}
			}
		})
	}
	b.Run("undo", func(b *testing.B) {
		s := tenThousand(b)
		e, err := s.Edit(b.Context(), "main", Edit{Do: Pin, ID: id(0)})
		for b.Loop() {
			if err != nil {
				b.Fatal(err)
			}
			e, err = s.Undo(b.Context(), "main", e.Undo)
		}
	})
}

func BenchmarkApplyTenThousandRemovals(b *testing.B) {
	s := tenThousand(b)
	m, _ := mustLoad(b, s, "main")
	var edits []Edit
	for _, it := range m.Items {
		edits = append(edits, Edit{Do: Remove, ID: it.ID})
	}
	for b.Loop() {
		if _, _, err := Apply(m, edits, t0); err != nil {
			b.Fatal(err)
		}
	}
}
