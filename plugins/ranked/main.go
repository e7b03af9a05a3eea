// Command ranked is the policy that shows conventions, architectural decisions
// and bug patterns, in that order, and no facts: they help a reader, but seldom
// change what an assistant does. The sections and their order are the
// configuration's.
package main

import (
	"recollect/hostapi"
	"recollect/hostapi/guest"
)

//go:wasmexport rc_select
func rcSelect(n int32) int64 { return guest.Select(n, choose) }

func main() {}

func choose(r guest.SelectRequest) (guest.SelectResult, error) {
	var config struct {
		Sections []string `json:"sections"`
	}
	if err := guest.Config(&config); err != nil && !guest.IsCode(err, hostapi.CodeUnavailable) {
		return guest.SelectResult{}, err
	}
	if config.Sections == nil {
		config.Sections = []string{"conventions", "architectural-decisions", "bug-patterns"}
	}
	return guest.SelectResult{Selected: rank(r.Items, config.Sections)}, nil
}
