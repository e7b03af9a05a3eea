package history

import (
	"testing"
	"time"
)

func TestEpoch(t *testing.T) {
	t.Parallel()
	want := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, n := range []float64{float64(want.Unix()), float64(want.UnixMilli()), float64(want.UnixMicro()), float64(want.UnixNano())} {
		if got := Epoch(n); !got.Equal(want) {
			t.Errorf("%v gives %v", n, got)
		}
	}
	if got := Epoch(float64(want.Unix()) + 0.25); !got.Equal(want.Add(250 * time.Millisecond)) {
		t.Errorf("a part of a second: %v", got)
	}
	for _, n := range []float64{0, -1, 5, 946_684_799, 3e11, 1e30} {
		if got := Epoch(n); !got.IsZero() {
			t.Errorf("%v gives %v", n, got)
		}
	}
}

func TestLatest(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if got := Latest(now.Add(-72*time.Hour), now); !got.Equal(now.Add(-48 * time.Hour)) {
		t.Errorf("an old file: %v", got)
	}
	if got := Latest(now.Add(time.Hour), now); !got.Equal(now.Add(5 * time.Minute)) {
		t.Errorf("a file of tomorrow: %v", got)
	}
}
