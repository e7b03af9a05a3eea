package printable

import "time"

// Time is a time for people: the date and the minute where they are, with the zone.
func Time(t time.Time) string { return t.Local().Format("2006-01-02 15:04 MST") }

// Second is Time to the second, as a log has it.
func Second(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05 MST") }

// Clock is the minute of a time of today.
func Clock(t time.Time) string { return t.Local().Format("15:04 MST") }
