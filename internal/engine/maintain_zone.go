package engine

import (
	"context"
	"runtime"
	"time"

	"recollect/internal/safefile"
)

// maxZone bounds a file of a time zone; a real one has a few thousand bytes.
const maxZone = 1 << 20

// here gives a moment of this machine in the zone that it is in now: a process
// that runs for weeks otherwise keeps the zone that it started in. tz is the
// environment's TZ, which does not change; file tells the zone.
func here(now time.Time, tz, file string) time.Time {
	if tz != "" || runtime.GOOS == "windows" || now.Location() != time.Local {
		return now
	}
	data, _, err := safefile.Read(context.Background(), file, maxZone)
	if err != nil {
		return now
	}
	zone, err := time.LoadLocationFromTZData("Local", data)
	if err != nil {
		return now
	}
	return now.In(zone)
}
