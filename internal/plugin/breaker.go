package plugin

import (
	"slices"
	"time"

	"recollect/internal/printable"
)

// A plug-in is paused by this many faults within this time.
const (
	pauseFaults = 3
	pauseWithin = 10 * time.Minute
)

// breaker counts the faults of a plug-in, so that one that is broken is not
// tried, and waited for, again and again.
type breaker struct {
	Faults []time.Time `json:"faults,omitempty"`
	Reason string      `json:"reason,omitempty"` // why it is paused; empty if it is not
}

// breaks says whether errors of this kind are the plug-in's fault and not a
// plain answer.
func (k Kind) breaks() bool {
	return slices.Contains([]Kind{KindTrap, KindDeadline, KindMemory, KindLimit, KindInvalid}, k)
}

// add counts a fault. Faults of a clock that has been set back are dropped.
func (b *breaker) add(at time.Time, reason string) {
	b.Faults = slices.DeleteFunc(b.Faults, func(t time.Time) bool { return at.Sub(t) > pauseWithin || t.After(at) })
	b.Faults = append(b.Faults, at.UTC().Round(0))
	if len(b.Faults) >= pauseFaults {
		b.Reason = printable.Line(reason, 500)
	}
}
