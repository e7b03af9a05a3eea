package maintain

import (
	"hash/fnv"
	"time"

	"github.com/robfig/cron/v3"
)

// maxSpread is the most by which runs of different machines are spread.
const maxSpread = 15 * time.Minute

// Schedule says when something is due, in the local time of the moments that it
// is asked with. It holds these rules, whatever the clock does:
//
//   - A time that was slept through is due at once, once, however many times were
//     missed.
//   - A local time that daylight saving leaves out is due when the clock has
//     jumped; one that comes twice is due the first time.
//   - A clock that is set back a little does not make something due again. If it
//     is set back so far that the thing would wait for two of its times, it is due
//     once.
//   - A change of the time zone neither doubles nor drops a day's run by more than
//     the change itself.
type Schedule struct {
	times cron.Schedule
	// spread is by how much each run is later, so that many machines do not call
	// anyone in the same second.
	spread time.Duration
}

// NewSchedule makes a schedule whose runs are spread by name, which names the
// machine and what is done there: the same each time, at most 15 minutes and a
// quarter of the time between two runs. times is asked in UTC about the wall
// clock.
func NewSchedule(times cron.Schedule, name string) Schedule {
	h := fnv.New64a()
	h.Write([]byte(name))
	first := times.Next(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	least := maxSpread
	for range 8 { // the shortest of some distances: "0,5 * * * *" has two
		second := times.Next(first)
		if second.IsZero() {
			break
		}
		least, first = min(least, second.Sub(first)/4), second
	}
	var spread time.Duration
	if n := int64(least / time.Second); n > 0 {
		spread = time.Duration(int64(h.Sum64()>>1)%n) * time.Second
	}
	return Schedule{times: times, spread: spread}
}

// Due says when a thing that was done last at last is due: at now or before, if
// it is due already. A zero last is of what was never done, which is due now.
func (s Schedule) Due(now, last time.Time) time.Time {
	if last.IsZero() {
		return now
	}
	due := s.after(last.In(now.Location())).Add(s.spread)
	if last.After(now) {
		second := s.after(s.after(now))
		if due.After(second.Add(s.spread)) {
			return now
		}
	}
	return due
}

// never is later than anything that is waited for.
var never = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// after is the first moment of the schedule after t, in t's location.
func (s Schedule) after(t time.Time) time.Time {
	// A day's clock may have been turned back since: start before that.
	wall := wallOf(t).Add(-time.Minute)
	for {
		wall = s.times.Next(wall)
		if wall.IsZero() {
			return never
		}
		if at := moment(wall, t.Location()); at.After(t) {
			return at
		}
	}
}

// wallOf is what the local clock shows, as if it were in UTC.
func wallOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// moment is when a local clock shows wall first; for a time that it leaves out,
// when it has jumped over it.
func moment(wall time.Time, where *time.Location) time.Time {
	t := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, where)
	start, end := t.ZoneBounds()
	switch shown := wallOf(t); {
	case shown.After(wall) && !start.IsZero():
		return start
	case shown.Before(wall) && !end.IsZero():
		return end
	}
	if start.IsZero() {
		return t
	}
	_, before := start.Add(-time.Nanosecond).Zone()
	_, now := t.Zone()
	if earlier := t.Add(time.Duration(now-before) * time.Second); earlier.Before(start) && wallOf(earlier).Equal(wall) {
		return earlier
	}
	return t
}
