// Command ranked is the policy that shows conventions, architectural decisions,
// bug patterns and facts, in that order: rules change most what an assistant does,
// and what room they leave is better filled than empty. The sections, their order
// and the least confidence are the configuration's.
package main

import (
	"recollect/hostapi"
	"recollect/hostapi/guest"
)

//go:wasmexport rc_select
func rcSelect(n int32) int64 { return guest.Select(n, choose) }

func main() {}

// config is what a person may set.
type config struct {
	Sections        []string `json:"sections"`
	LeastConfidence float64  `json:"least_confidence"`
}

func choose(r guest.SelectRequest) (guest.SelectResult, error) {
	var c config
	if err := guest.Config(&c); err != nil && !guest.IsCode(err, hostapi.CodeUnavailable) {
		return guest.SelectResult{}, err
	}
	if c.Sections == nil {
		c.Sections = []string{"conventions", "architectural-decisions", "bug-patterns", "facts"}
	}
	return rank(r.Items, c), nil
}
