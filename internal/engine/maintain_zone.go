package engine

import (
	"io"
	"os"
	"runtime"
	"time"
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
	f, err := os.Open(file)
	if err != nil {
		return now
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxZone))
	if err != nil {
		return now
	}
	zone, err := time.LoadLocationFromTZData("Local", data)
	if err != nil {
		return now
	}
	return now.In(zone)
}
