package config

import (
	"errors"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// Maintenance says when memory is kept up by itself. The times are cron
// expressions of five fields in local time; an empty one: never.
type Maintenance struct {
	Enabled bool // false: only when a person says so
	Nightly string
	Weekly  string
	Monthly string
}

// DefaultMaintenance is at hours when hardly anyone works.
func DefaultMaintenance() Maintenance {
	return Maintenance{Enabled: true, Nightly: "0 2 * * *", Weekly: "0 3 * * 0", Monthly: "0 4 1 * *"}
}

var (
	errZone     = errors.New("schedules are in local time and name no time zone")
	errNever    = errors.New("such a time never comes")
	errTooLong  = errors.New("more than 200 characters are too many for a schedule")
	cronFields  = cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)
	aLeapYear   = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).Add(-time.Second)
	maxSchedule = 200
)

// ParseSchedule reads a cron expression: minute, hour, day of the month, month,
// day of the week. The schedule must be asked with times in UTC, whose wall clock
// stands for the local one: what daylight saving does to it is the caller's to
// say.
func ParseSchedule(text string) (cron.Schedule, error) {
	switch {
	case len(text) > maxSchedule:
		return nil, errTooLong
	case strings.Contains(text, "="):
		return nil, errZone
	}
	s, err := cronFields.Parse(text)
	if err != nil {
		return nil, err
	}
	if s.Next(aLeapYear).IsZero() {
		return nil, errNever
	}
	return s, nil
}

func validSchedule(text string) bool {
	if text == "" {
		return true
	}
	_, err := ParseSchedule(text)
	return err == nil
}

func maintenanceKeys() []key {
	keys := []key{flag("maintenance.enabled", "Whether the background service keeps memories up by itself.",
		func(s *Settings) *bool { return &s.Maintenance.Enabled }).by(rule{personal: true}).
		asks("Keeping memories up in the background would be {new} instead of {old}.")}
	for _, k := range []struct {
		name, doc string
		field     func(*Settings) *string
	}{
		{"nightly", "When what is said twice is brought together and contradictions are looked for.", func(s *Settings) *string { return &s.Maintenance.Nightly }},
		{"weekly", "When what is new is memorized, and what is old is packed.", func(s *Settings) *string { return &s.Maintenance.Weekly }},
		{"monthly", "When indexes are made anew and everything stored is checked.", func(s *Settings) *string { return &s.Maintenance.Monthly }},
	} {
		keys = append(keys, text("maintenance."+k.name, k.doc+" A cron expression in local time; empty: never.",
			"a cron expression (minute, hour, day, month, day of the week), or an empty text for never", k.field, validSchedule).by(rule{personal: true}).
			asks("The times of the "+k.name+" maintenance of this project would be {new} instead of {old}."))
	}
	return keys
}
