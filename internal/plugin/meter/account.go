package meter

import "math"

// Quantum is how many units of fuel pass between two ticks, and what a new
// instance starts with.
const Quantum = 200_000

// An Account keeps the books of one instance's fuel, for the host. The zero
// value is that of a new instance without a budget. It is not safe for
// concurrent use; neither is an instance.
type Account struct {
	// Budget is the fuel that may be used; 0 or less: as much as it takes.
	Budget int64

	granted int64 // fuel that was put in, if begun; else Quantum was
	begun   bool
}

// Begin starts a new budget before the host enters the guest again. It gives
// what to set the fuel global to.
func (a *Account) Begin(budget int64) (fuel int64) {
	a.Budget, a.begun = budget, true
	a.granted = min(Quantum, a.budget())
	return a.granted
}

// Tick is called by the host's tick function with the value of the fuel
// global. It gives what to set the global to, or false when the budget is
// used up: then the host must stop the guest and discard the instance.
func (a *Account) Tick(fuel int64) (refill int64, ok bool) {
	spent := a.Spent(fuel)
	if spent > a.budget() {
		return fuel, false
	}
	refill = min(Quantum, a.budget()-spent)
	a.granted, a.begun = spent+refill, true
	return refill, true
}

// Spent is how much fuel was used since Begin, or since the instance was made,
// by the value of the fuel global.
func (a *Account) Spent(fuel int64) int64 {
	if !a.begun {
		return Quantum - fuel
	}
	return a.granted - fuel
}

func (a *Account) budget() int64 {
	if a.Budget <= 0 {
		return math.MaxInt64
	}
	return a.Budget
}
