// Command offline is the extractor that needs no model: it finds the sentences
// of a conversation that are worth keeping by how they are said.
package main

import "recollect/hostapi/guest"

//go:wasmexport rc_extract
func rcExtract(n int32) int64 { return guest.Extract(n, extract) }

func extract(r guest.ExtractRequest) (guest.ExtractResult, error) {
	c := newCollector(r.Sections)
	for t, err := range guest.Turns(guest.TurnsParams{New: r.NewTurns > 0}) {
		if err != nil {
			return guest.ExtractResult{}, err
		}
		c.turn(t)
	}
	return guest.ExtractResult{Items: c.items(r.Limits.MaxItems)}, nil
}

func main() {}
