package claudecode

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestSweep(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for text, want := range map[string]struct {
		after time.Duration
		set   bool
	}{
		"":                             {30 * day, false},
		`{"cleanupPeriodDays":90}`:     {90 * day, true},
		`{"cleanupPeriodDays":1}`:      {day, true},
		`{"cleanupPeriodDays":0}`:      {30 * day, false},
		`{"cleanupPeriodDays":1e300}`:  {30 * day, false},
		`{"cleanupPeriodDays":"many"}`: {30 * day, false},
		`{"cleanupPeriodDays":null}`:   {30 * day, false},
		`{"model":"opus"}`:             {30 * day, false},
		`{`:                            {30 * day, false},
	} {
		dir := t.TempDir()
		if text != "" {
			if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if after, set := New(Options{ConfigDir: dir}).Sweep(); after != want.after || set != want.set {
			t.Errorf("%s: %v, %t", text, after, set)
		}
	}
}
