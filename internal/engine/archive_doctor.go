package engine

import (
	"fmt"
	"math"
	"time"

	"recollect/internal/history"
	"recollect/internal/printable"
)

// sweeper is a source whose assistant removes its transcripts.
type sweeper interface {
	// Sweep says how long after its last change one is removed, and whether the
	// assistant's settings say so.
	Sweep() (after time.Duration, set bool)
}

// soon is how long before a transcript is removed Doctor warns.
const soon = 7 * 24 * time.Hour

// diagnoseSweep says when transcripts are removed, what of them would be lost, and
// what is kept.
func (e *Engine) diagnoseSweep(h *joined, d *Diagnosis) error {
	for _, s := range e.sources() {
		if sweeps, ok := s.(sweeper); ok && len(e.options.Transcripts) == 0 {
			after, set := sweeps.Sweep()
			if err := e.diagnoseLoss(h, s.Name(), after, set, d); err != nil {
				return err
			}
		}
	}
	how := e.archiving()
	store := e.archive()
	here, err := store.Size()
	if err != nil {
		return err
	}
	total, err := store.Total()
	if err != nil {
		return err
	}
	value := fmt.Sprintf("%s of this project, %s; all projects: %s of at most %d MB",
		number(here.Sessions, "session", "sessions"), sized(here.Bytes), sized(total.Bytes), how.Limit)
	if !how.Enabled {
		value += "; nothing more is kept (archive.enabled)"
	}
	d.fact("archived sessions", value)
	_, damaged, err := store.Sessions()
	for _, file := range damaged {
		d.find(Finding{Where: file, What: "the archived session is damaged; it is set aside when something is archived next"})
	}
	if here.Damaged > 0 {
		d.fact("archived sessions set aside", fmt.Sprint(here.Damaged))
	}
	return err
}

func sized(bytes int64) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%.0f KB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

// diagnoseLoss says what of a source would be lost within days.
func (e *Engine) diagnoseLoss(h *joined, source string, after time.Duration, set bool, d *Diagnosis) error {
	days := int(math.Round(after.Hours() / 24))
	why := "as it does by itself"
	if set {
		why = "as its settings say"
	}
	d.fact(source+" removes transcripts", fmt.Sprintf("%s after their last change, %s", number(days, "day", "days"), why))
	fresh := map[string]int{}
	byBranch := map[string][]history.Ref{}
	for _, r := range h.refs {
		if r.Source == source {
			byBranch[r.Branch] = append(byBranch[r.Branch], r)
		}
	}
	for name, refs := range byBranch {
		turns, err := e.freshRefs(name, refs)
		if err != nil {
			return err
		}
		for _, r := range turns {
			fresh[r.Session]++
		}
	}
	now := e.options.Now()
	sessions, turns, first := 0, 0, time.Time{}
	for _, s := range h.Sessions() {
		if s.Source != source || fresh[s.ID] == 0 {
			continue
		}
		gone := newestOf(s.Files).Add(after)
		if gone.Sub(now) > soon {
			continue
		}
		sessions++
		turns += fresh[s.ID]
		if first.IsZero() || gone.Before(first) {
			first = gone
		}
	}
	if sessions == 0 {
		return nil
	}
	when := "from " + printable.Time(first) + " on"
	if first.Before(now) {
		when = "any time"
	}
	d.find(Finding{Where: source, What: fmt.Sprintf("%s with %s not memorized may be removed %s: recollect memorize --all reads what is still there",
		number(sessions, "session", "sessions"), number(turns, "turn that is", "turns that are"), when)})
	return nil
}
