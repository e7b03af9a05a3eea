// Package guest is the SDK for plug-ins written in Go. It is the guest's side of
// the contract in package hostapi: it exports the marker and the allocator,
// decodes requests, encodes answers and wraps the host's methods.
//
// A plug-in declares one export for each verb that it plays, so that a verb
// without an export is a verb that it does not support:
//
//	package main
//
//	import "recollect/hostapi/guest"
//
//	//go:wasmexport rc_extract
//	func extract(n int32) int64 { return guest.Extract(n, find) }
//
//	func find(r guest.ExtractRequest) (guest.ExtractResult, error) { … }
//
//	func main() {}
//
// and is built with
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -o plugin.wasm .
//
// Every call sees a new instance: package variables do not outlive a call. The
// clock and the random numbers of the instance are fixed; the time is in the
// request.
//
// Built for another platform the package asks a [Host] that a test has set with
// [SetHost], so that a plug-in is tested with go test and a debugger.
package guest

import (
	"encoding/json"
	"errors"

	"recollect/hostapi"
)

// Wire types of the contract, so that a plug-in needs one import.
type (
	ExtractRequest  = hostapi.ExtractRequest
	ExtractResult   = hostapi.ExtractResult
	Refusal         = hostapi.Refusal
	EvolveRequest   = hostapi.EvolveRequest
	EvolveResult    = hostapi.EvolveResult
	SectionsRequest = hostapi.SectionsRequest
	SectionsResult  = hostapi.SectionsResult
	CheckRequest    = hostapi.CheckRequest
	CheckResult     = hostapi.CheckResult
	RenderRequest   = hostapi.RenderRequest
	RenderResult    = hostapi.RenderResult
	ParseResult     = hostapi.ParseResult
	SelectRequest   = hostapi.SelectRequest
	SelectResult    = hostapi.SelectResult

	Item       = hostapi.Item
	MemoryItem = hostapi.MemoryItem
	Section    = hostapi.Section
	Change     = hostapi.Change
	Reject     = hostapi.Reject
	Selected   = hostapi.Selected
	Turn       = hostapi.Turn
	Message    = hostapi.Message
	Branch     = hostapi.Branch
	Session    = hostapi.Session
	Error      = hostapi.Error

	TurnsParams     = hostapi.TurnsParams
	TurnsResult     = hostapi.TurnsResult
	MemoryGetParams = hostapi.MemoryGetParams
	CompleteParams  = hostapi.CompleteParams
	BudgetResult    = hostapi.BudgetResult
	FeaturesResult  = hostapi.FeaturesResult
)

// Who said a message.
const (
	RoleUser      = hostapi.RoleUser
	RoleAssistant = hostapi.RoleAssistant
)

// Extract plays rc_extract: n is what the host called the export with.
func Extract(n int32, f func(ExtractRequest) (ExtractResult, error)) int64 { return serve(n, f) }

// Evolve plays rc_evolve.
func Evolve(n int32, f func(EvolveRequest) (EvolveResult, error)) int64 { return serve(n, f) }

// Sections plays rc_sections.
func Sections(n int32, f func(SectionsRequest) (SectionsResult, error)) int64 { return serve(n, f) }

// Check plays rc_check.
func Check(n int32, f func(CheckRequest) (CheckResult, error)) int64 { return serve(n, f) }

// Render plays rc_render.
func Render(n int32, f func(RenderRequest) (RenderResult, error)) int64 { return serve(n, f) }

// Parse plays rc_parse.
func Parse(n int32, f func(RenderResult) (ParseResult, error)) int64 { return serve(n, f) }

// Select plays rc_select.
func Select(n int32, f func(SelectRequest) (SelectResult, error)) int64 { return serve(n, f) }

// The buffers that the host writes a request into and reads an answer from.
// They are reachable, so that the collector leaves them where they are.
var request, answer []byte

func serve[In, Out any](n int32, f func(In) (Out, error)) int64 {
	if n < 0 || int(n) > len(request) {
		return give(failure(&Error{Code: hostapi.CodeInvalid, Message: "the request is longer than its buffer"}))
	}
	var in In
	if err := json.Unmarshal(request[:n], &in); err != nil {
		return give(failure(&Error{Code: hostapi.CodeInvalid, Message: "the request is not of the verb's form: " + err.Error()}))
	}
	out, err := f(in)
	if err != nil {
		return give(failure(err))
	}
	data, err := json.Marshal(out)
	if err != nil {
		return give(failure(err))
	}
	return give(wrap(`{"result":`, data, `}`))
}

// give keeps the answer readable and tells where it is.
func give(data []byte) int64 {
	answer = data
	return place(answer)
}

// failure encodes an error. The code of a *Error is kept.
func failure(err error) []byte {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Code: hostapi.CodeFailed, Message: err.Error()}
	}
	data, err := json.Marshal(e)
	if err != nil {
		data = []byte(`{"code":"failed","message":"an error that is no JSON"}`)
	}
	return wrap(`{"error":`, data, `}`)
}

func wrap(before string, data []byte, after string) []byte {
	b := make([]byte, 0, len(before)+len(data)+len(after))
	b = append(b, before...)
	b = append(b, data...)
	return append(b, after...)
}
