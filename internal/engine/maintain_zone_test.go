package engine

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestHereFollowsTheZone(t *testing.T) {
	t.Parallel()
	const zones = "/usr/share/zoneinfo"
	data, err := os.ReadFile(filepath.Join(zones, "Asia", "Tokyo"))
	if err != nil {
		t.Skip("no time zones on this machine")
	}
	file := filepath.Join(t.TempDir(), "localtime")
	write(t, file, data)
	now := time.Now()
	if got := here(now, "", file); !got.Equal(now) || got.Format("-0700") != "+0900" {
		t.Errorf("in Tokyo it is %v", got)
	}
	write(t, file, []byte("no zone"))
	for _, got := range []time.Time{here(now, "", file), here(now, "", file+".none"), here(now, "UTC", file)} {
		if !got.Equal(now) || got.Location() != now.Location() {
			t.Errorf("it is %v, want %v", got, now)
		}
	}
	if at := now.UTC(); here(at, "", file).Location() != time.UTC {
		t.Error("a test's own zone was changed")
	}
}
