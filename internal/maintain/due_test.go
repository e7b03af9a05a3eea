package maintain

import (
	"fmt"
	"testing"
	"time"
	_ "time/tzdata"

	"recollect/internal/config"
)

func schedule(t testing.TB, text string) Schedule {
	t.Helper()
	times, err := config.ParseSchedule(text)
	if err != nil {
		t.Fatal(err)
	}
	return Schedule{times: times}
}

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	where, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return where
}

func at(t testing.TB, text string, where *time.Location) time.Time {
	t.Helper()
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04", "2006-01-02 15:04:05"} {
		if when, err := time.ParseInLocation(layout, text, where); err == nil {
			return when
		}
	}
	t.Fatalf("%q is no time", text)
	return time.Time{}
}

func TestDue(t *testing.T) {
	t.Parallel()
	const daily, weekly, monthly = "30 2 * * *", "0 3 * * 0", "0 4 1 * *"
	for _, tt := range []struct {
		name, zone, schedule string
		now, last, want      string // want "now": due at once
	}{
		{"never done", "Europe/Berlin", daily, "2026-06-10 12:00", "", "now"},
		{"done today", "Europe/Berlin", daily, "2026-06-10 12:00", "2026-06-10 02:31", "2026-06-11 02:30"},
		{"done by hand before its time", "Europe/Berlin", daily, "2026-06-10 02:10", "2026-06-10 02:00", "2026-06-10 02:30"},
		{"at the very moment", "Europe/Berlin", daily, "2026-06-10 12:00", "2026-06-10 02:30", "2026-06-11 02:30"},
		{"slept over three", "Europe/Berlin", daily, "2026-06-13 09:00", "2026-06-10 02:31", "2026-06-11 02:30"},
		{"after that run", "Europe/Berlin", daily, "2026-06-13 09:01", "2026-06-13 09:00", "2026-06-14 02:30"},
		{"weekly", "Europe/Berlin", weekly, "2026-06-10 12:00", "2026-06-07 03:01", "2026-06-14 03:00"},
		{"monthly", "Europe/Berlin", monthly, "2026-01-31 12:00", "2026-01-01 04:05", "2026-02-01 04:00"},
		{"day 31", "Europe/Berlin", "0 4 31 * *", "2026-02-10 12:00", "2026-01-31 04:05", "2026-03-31 04:00"},
		{"leap day", "Europe/Berlin", "0 4 29 2 *", "2026-06-01 12:00", "2024-02-29 04:01", "2028-02-29 04:00"},
		{"leap day of a month", "Europe/Berlin", "0 4 29 * *", "2028-02-01 12:00", "2028-01-29 04:01", "2028-02-29 04:00"},

		// 2026-03-29, 02:00 CET: the clock jumps to 03:00.
		{"left out by daylight saving", "Europe/Berlin", daily, "2026-03-28 12:00", "2026-03-28 02:31", "2026-03-29T03:00:00+02:00"},
		{"the day after that", "Europe/Berlin", daily, "2026-03-29 12:00", "2026-03-29T03:00:10+02:00", "2026-03-30 02:30"},
		{"not twice on that day", "Europe/Berlin", daily, "2026-03-29 12:00", "2026-03-29T03:00:00+02:00", "2026-03-30 02:30"},
		{"nightly in New York", "America/New_York", daily, "2026-03-07 12:00", "2026-03-07 02:31", "2026-03-08T03:00:00-04:00"},
		// 2026-10-25, 03:00 CEST: the clock is set back to 02:00.
		{"comes twice", "Europe/Berlin", daily, "2026-10-24 12:00", "2026-10-24 02:31", "2026-10-25T02:30:00+02:00"},
		{"the second time", "Europe/Berlin", daily, "2026-10-25T02:30:00+01:00", "2026-10-25T02:30:10+02:00", "2026-10-26 02:30"},
		{"between the two", "Europe/Berlin", daily, "2026-10-25T02:10:00+01:00", "2026-10-25T02:45:00+02:00", "2026-10-26 02:30"},
		{"begun after the first one", "Europe/Berlin", daily, "2026-10-25T02:10:00+01:00", "2026-10-25T02:05:00+01:00", "2026-10-26 02:30"},
		{"half an hour on Lord Howe", "Australia/Lord_Howe", "15 2 * * *", "2026-10-03 12:00", "2026-10-03 02:16", "2026-10-04T02:30:00+11:00"},
		// Samoa had no 30 December 2011.
		{"a day that is left out", "Pacific/Apia", daily, "2011-12-29 12:00", "2011-12-29 02:31", "2011-12-31T00:00:00+14:00"},
		{"after the day that is left out", "Pacific/Apia", daily, "2011-12-31T00:01:00+14:00", "2011-12-31T00:00:10+14:00", "2011-12-31T02:30:00+14:00"},

		{"set back by minutes", "Europe/Berlin", daily, "2026-06-10 02:20", "2026-06-10 02:31", "2026-06-11 02:30"},
		{"set back by a day", "Europe/Berlin", daily, "2026-06-09 02:20", "2026-06-10 02:31", "now"},
		{"set back by a year", "Europe/Berlin", daily, "2025-06-10 12:00", "2026-06-10 02:31", "now"},
		{"set back by a year, weekly", "Europe/Berlin", weekly, "2025-06-10 12:00", "2026-06-10 02:31", "now"},
		{"once after that", "Europe/Berlin", daily, "2025-06-10 12:01", "2025-06-10 12:00", "2025-06-11 02:30"},
		{"set forward by ten years", "Europe/Berlin", daily, "2036-06-10 12:00", "2026-06-10 02:31", "2026-06-11 02:30"},

		{"flown west", "America/Los_Angeles", daily, "2026-06-10 12:00", "2026-06-10T02:31:00+09:00", "2026-06-10 02:30"},
		{"flown east", "Asia/Tokyo", daily, "2026-06-10 12:00", "2026-06-09T02:31:00-07:00", "2026-06-10 02:30"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			where := zone(t, tt.zone)
			now, last := at(t, tt.now, where), time.Time{}
			if tt.last != "" {
				last = at(t, tt.last, where).UTC() // as the log gives it
			}
			want := now
			if tt.want != "now" {
				want = at(t, tt.want, where)
			}
			if due := schedule(t, tt.schedule).Due(now, last); !due.Equal(want) {
				t.Errorf("due %v, want %v", due, want)
			}
		})
	}
}

// Somebody looks every minute of two years, through all changes of the clock:
// there is one run a day.
func TestDueOncePerDay(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "America/Santiago", "Africa/Casablanca"} {
		for _, hour := range []int{0, 2, 23} {
			where := zone(t, name)
			s := NewSchedule(schedule(t, fmt.Sprintf("30 %d * * *", hour)).times, name)
			start := time.Date(2026, 1, 1, 12, 0, 0, 0, where)
			last, runs := start, 0
			for now := start; now.Before(start.AddDate(2, 0, 0)); {
				due := s.Due(now, last)
				if due.After(now) {
					now = due // as a timer does; nothing is due in between
					continue
				}
				last, runs = now, runs+1
			}
			if runs < 729 || runs > 731 {
				t.Errorf("%s at %d: %d runs in 730 days", name, hour, runs)
			}
		}
	}
}

func TestDueIsLaterThanItsLastRun(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"* * * * *", "*/7 1-3 * * *", "0 0 29 2 *", "59 23 31 12 *"} {
		for _, name := range []string{"Europe/Berlin", "Pacific/Apia", "America/St_Johns"} {
			s := NewSchedule(schedule(t, text).times, name)
			for last := at(t, "2026-03-01 00:00", zone(t, name)); last.Year() < 2027; last = last.Add(5*time.Hour + 13*time.Minute + 7*time.Second) {
				if due := s.Due(last, last); !due.After(last) {
					t.Fatalf("%s in %s: done %v, due %v", text, name, last, due)
				}
			}
		}
	}
}

func TestSpread(t *testing.T) {
	t.Parallel()
	times := schedule(t, "30 2 * * *").times
	seen := map[time.Duration]bool{}
	for i := range 200 {
		name := fmt.Sprintf("machine %d", i)
		s := NewSchedule(times, name)
		if s.spread < 0 || s.spread >= maxSpread || s.spread != NewSchedule(times, name).spread {
			t.Fatalf("spread %v", s.spread)
		}
		seen[s.spread] = true
	}
	if len(seen) < 150 {
		t.Errorf("200 machines call at %d different times", len(seen))
	}
	for text, most := range map[string]time.Duration{"* * * * *": 15 * time.Second, "*/5 * * * *": 75 * time.Second, "0,4 3 * * *": time.Minute} {
		for i := range 50 {
			if s := NewSchedule(schedule(t, text).times, fmt.Sprint(i)); s.spread >= most {
				t.Errorf("%s: spread %v", text, s.spread)
			}
		}
	}
}
