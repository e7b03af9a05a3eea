package history

import (
	"math"
	"time"
)

// In seconds since 1970: 2000, before which nobody spoke to an assistant, and the year
// 10000, which is no date any more.
const (
	year2000  = 946_684_800
	year10000 = 253_402_300_800
)

// Epoch gives the time that a number since 1970 names, in seconds, milliseconds,
// microseconds or nanoseconds: only one of them is in this age. Zero if none is.
func Epoch(n float64) time.Time {
	for _, unit := range []float64{1, 1e3, 1e6, 1e9} {
		if n >= year2000*unit && n < year10000*unit {
			return time.UnixMicro(int64(math.Round(n / unit * 1e6))).UTC()
		}
	}
	return time.Time{}
}

// Tolerance for the clocks of two machines, and for file systems that keep the time of
// the day and not its zone.
const (
	maxSkew = 5 * time.Minute
	maxZone = 24 * time.Hour
)

// Latest gives the latest time that something in a file can have been said: no record
// is written before its time, nor read before it. Of the times that a file names, those
// after that are none.
func Latest(written, now time.Time) time.Time {
	if at := written.Add(maxZone); at.Before(now.Add(maxSkew)) {
		return at
	}
	return now.Add(maxSkew)
}
