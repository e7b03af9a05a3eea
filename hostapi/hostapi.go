// Package hostapi is the plug-in contract rc/1: the words that a plug-in and
// the host exchange. It holds wire types only, imports only the standard
// library and builds for wasip1, so that a plug-in author may import it as it
// is.
//
// A plug-in is core WebAssembly. It exports its memory, the marker
// [ExportMarker], the allocator [ExportAlloc] and one function per verb that it
// plays (ExportExtract and so on), and it may import the functions Call, Read
// and Log of the host module [HostModule]. Every payload is UTF-8 JSON. A verb
// is called with the length of a request that the host has written into the
// buffer that rc_alloc gave, and returns ptr<<32|len of its answer, an
// [Answer]. 0 stands for an empty result.
//
// Rules of growth: unknown fields are ignored on both sides; fields and methods
// are only ever added; a changed signature is rc/2, with a marker of its own.
package hostapi

import "encoding/json"

// ABI names this version of the contract, as a manifest does.
const ABI = "rc/1"

// HostModule is the name of the module that a guest imports the host's
// functions from: call, read, log. "tick" is reserved for the host's meter.
const HostModule = "recollect"

// Names of the host module's functions.
const (
	ImportCall = "call" // (ptr, len i32) -> i32: one host request; returns the reply's length
	ImportRead = "read" // (ptr, len i32) -> i32: copies the kept reply; returns the bytes copied
	ImportLog  = "log"  // (level, ptr, len i32)
	ImportTick = "tick" // reserved: a guest that imports it is refused
)

// Names of a guest's exports.
const (
	ExportMemory     = "memory"
	ExportMarker     = "rc_abi_1"    // () -> ()
	ExportInitialize = "_initialize" // () -> (), optional
	ExportWarmup     = "rc_warmup"   // () -> (), optional: runs once, and every call starts where it ended; the host answers it nothing
	ExportAlloc      = "rc_alloc"    // (size i32) -> i32; 0 = failure
	ExportExtract    = "rc_extract"  // this and the following: (len i32) -> i64
	ExportEvolve     = "rc_evolve"
	ExportSections   = "rc_sections"
	ExportCheck      = "rc_check"
	ExportRender     = "rc_render"
	ExportParse      = "rc_parse"
	ExportSelect     = "rc_select"
)

// Bounds of what a plug-in may send, in an answer or a request, whatever its
// length in bytes: it must not decode to much more than it is. What is beyond one
// of them ends the call. No key may stand in an object twice.
const (
	MaxDepth    = 64      // of objects and lists within each other
	MaxKeys     = 1_000   // of one object
	MaxList     = 20_000  // elements of one list
	MaxValues   = 500_000 // of one message: objects, lists, strings, numbers and so on
	MaxFound    = 2_000   // items of an ExtractResult; Limits.MaxItems of them are kept
	MaxEvidence = 1_000   // ids of one Item
	MaxWarnings = 1_000   // of one result
	MaxRefused  = 500     // refusals of an ExtractResult, of each kind
)

// Log levels of the log import.
const (
	LogDebug int32 = iota
	LogInfo
	LogWarn
	LogError
)

// Host methods, by the capability that grants them.
const (
	MethodHistoryBranches = "history.branches" // history:read
	MethodHistorySessions = "history.sessions"
	MethodHistoryTurns    = "history.turns"
	MethodHistoryTurn     = "history.turn"

	MethodLLMComplete = "llm.complete" // llm:call
	MethodLLMBudget   = "llm.budget"

	MethodStorageGet    = "storage.get" // storage
	MethodStoragePut    = "storage.put"
	MethodStorageDelete = "storage.delete"
	MethodStorageList   = "storage.list"

	MethodMemoryGet = "memory.get" // memory:read

	MethodConfigGet    = "config.get" // none needed
	MethodHostFeatures = "host.features"
)

// Request is one host-API request of a guest.
type Request struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
}

// Answer is what either side answers: a result or an error, never both. A role
// that has nothing to say answers an empty result; that is not an error.
type Answer struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  *Error          `json:"error,omitempty"`
}

// Code says what kind of refusal an Error is.
type Code string

// The codes of rc/1. A guest must treat a code that it does not know like
// CodeUnavailable.
const (
	CodeDenied      Code = "denied"      // the plug-in has no capability for it
	CodeBudget      Code = "budget"      // a limit of this run or day is used up
	CodeNotFound    Code = "not_found"   // no such method, key, turn
	CodeInvalid     Code = "invalid"     // the parameters are not of the method's form
	CodeUnavailable Code = "unavailable" // not configured or not reachable now
	CodeCancelled   Code = "cancelled"   // the person or the host stopped the run
	CodeFailed      Code = "failed"      // it was tried and did not work
)

// Error is a refusal or a failure that the other side can read.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	// Retry says that the same request may succeed later.
	Retry bool `json:"retry,omitempty"`
}

// Error implements error.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }
