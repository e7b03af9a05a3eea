// Command notes is the schema of a branch's memory: four sections, and what may
// go into them. The sections stand in the manifest; here is the check.
//
// An item of a memory is one line of text: whitespace is collapsed, list and
// heading markers and the emphasis of a whole line are taken off, and a full
// stop ends it if it is more than one sentence, else not. Left out are items
// that are empty, longer than 500 characters, questions, code blocks, or no more
// than the place of a redacted secret; items of a section that the schema does
// not have; items whose confidence is not between 0 and 1, because nobody knows
// what scale it is on; and items that repeat one before them, whose evidence is
// added to that one.
package main

import "recollect/hostapi/guest"

//go:wasmexport rc_check
func rcCheck(n int32) int64 { return guest.Check(n, check) }

func main() {}
