// Command model-notes is the extractor that asks the person's language model.
//
// To extract, the new turns are read and shortened (transcript.go), cut into
// parts that a model can read at once (parts.go), and shown to it, newest part
// first, fenced as data (prompts.go, prompts/*.md). What comes back is read with
// patience (reply.go, items.go), asked again at most twice with what was wrong
// (ask.go), and nothing is taken that no message supports (support.go). A part
// that can't be had does not cost the items of the others (extract.go).
//
// To evolve, the model sees the memory and the found items and says by their ids
// what stays, what comes in and what replaces what (evolve.go). Its word is
// checked note by note (judge.go); a reply that would lose something is refused,
// and the memory and the found items are handed back as they are.
//
// It writes no text of the model's into the memory but as the content of an
// item.
package main

import "recollect/hostapi/guest"

//go:wasmexport rc_extract
func rcExtract(n int32) int64 { return guest.Extract(n, extract) }

//go:wasmexport rc_evolve
func rcEvolve(n int32) int64 { return guest.Evolve(n, evolve) }

func main() {}
