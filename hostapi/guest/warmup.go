package guest

import (
	"encoding/json"

	"recollect/hostapi"
)

// warmup makes encoding/json know the types of the contract, which takes longer
// than a small call. The host keeps the state after it, and every call begins
// from there. Nothing in it may depend on the plug-in or on a request.
func warmup() {
	warm[ExtractRequest, ExtractResult]()
	warm[EvolveRequest, EvolveResult]()
	warm[SectionsRequest, SectionsResult]()
	warm[CheckRequest, CheckResult]()
	warm[RenderRequest, RenderResult]()
	warm[RenderResult, ParseResult]()
	warm[SelectRequest, SelectResult]()
	warm[answered[TurnsResult], TurnsParams]()
	warm[answered[hostapi.TurnResult], hostapi.TurnParams]()
	warm[answered[hostapi.MemoryGetResult], MemoryGetParams]()
	warm[answered[hostapi.ConfigResult], Error]()
	warm[answered[hostapi.CompleteResult], CompleteParams]()
	warm[answered[BudgetResult], hostapi.Request]()
}

// warm decodes and encodes once, as a verb does.
func warm[In, Out any]() {
	var in In
	var out Out
	_ = json.Unmarshal([]byte("{}"), &in)
	_, _ = json.Marshal(out)
}
