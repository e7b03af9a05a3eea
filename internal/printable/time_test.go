package printable

import (
	"testing"
	"time"
)

// Not parallel: the zone where people are is the process's.
func TestTimesNameTheirZone(t *testing.T) {
	was := time.Local
	t.Cleanup(func() { time.Local = was })
	at := time.Date(2026, 3, 29, 0, 30, 5, 0, time.UTC)
	for _, tt := range []struct {
		zone                 *time.Location
		minute, second, hour string
	}{
		{time.UTC, "2026-03-29 00:30 UTC", "2026-03-29 00:30:05 UTC", "00:30 UTC"},
		{time.FixedZone("CET", 3600), "2026-03-29 01:30 CET", "2026-03-29 01:30:05 CET", "01:30 CET"},
		{time.FixedZone("", -12600), "2026-03-28 21:00 -0330", "2026-03-28 21:00:05 -0330", "21:00 -0330"},
	} {
		time.Local = tt.zone
		if m, s, c := Time(at), Second(at), Clock(at); m != tt.minute || s != tt.second || c != tt.hour {
			t.Errorf("%v: %q %q %q", tt.zone, m, s, c)
		}
	}
}
