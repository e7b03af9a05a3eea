package lookup

import (
	"slices"
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	t.Parallel()
	keys := []string{"inject.budget", "inject.enabled", "review.enabled", "model.name", "budget.day_dollars", "facts"}
	for _, tt := range []struct {
		word string
		want []string
	}{
		{"inject.budegt", []string{"inject.budget"}},
		{"Inject.Budget", []string{"inject.budget"}},
		{"budget", []string{"budget.day_dollars", "inject.budget"}},
		{"budjet", []string{"inject.budget"}},
		{"reviews.enabled", []string{"review.enabled", "inject.enabled"}},
		{"inject.", []string{"inject.budget", "inject.enabled"}},
		{"fact", []string{"facts"}},
		{"zebra", nil},
		{"", nil},
		{strings.Repeat("x", 1<<20), nil},
	} {
		if got := Near(tt.word, keys); !slices.Equal(got, tt.want) {
			t.Errorf("Near(%.40q) = %q, want %q", tt.word, got, tt.want)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"main", "mian", 1}, {"über", "uber", 1}, {"kitten", "sitting", 3}} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
