package plugin

import (
	"fmt"
	"time"

	"recollect/hostapi"
)

// Limits bound one call of a plug-in. Zero fields stand for the default.
type Limits struct {
	Memory     int64         `json:"memory_bytes"` // of linear memory
	Wall       time.Duration `json:"wall_ns"`      // what the host does for it is counted, waiting for a model is not
	Fuel       int64         `json:"fuel"`         // about one instruction each
	HostCalls  int           `json:"host_calls"`
	ModelCalls int           `json:"model_calls"`
	Request    int64         `json:"request_bytes"` // in either direction
	Reply      int64         `json:"reply_bytes"`   // of the plug-in's answer
	Log        int64         `json:"log_bytes"`     // what is beyond is dropped

	waits time.Duration // for models, in all
}

// DefaultLimits hold where neither manifest nor caller says otherwise.
var DefaultLimits = Limits{
	Memory: 64 << 20, Wall: 30 * time.Second, Fuel: 50e9, HostCalls: 256, ModelCalls: 4,
	Request: 8 << 20, Reply: 1 << 20, Log: 64 << 10, waits: 30 * time.Minute,
}

// Ceiling is the most that a manifest can ask for.
var Ceiling = Limits{
	Memory: 256 << 20, Wall: 2 * time.Minute, Fuel: 200e9, HostCalls: 4096, ModelCalls: 32,
	Request: 32 << 20, Reply: 8 << 20, Log: 1 << 20,
}

// asked gives the limits that a manifest's wishes come to.
func asked(m *hostapi.ManifestLimits) Limits {
	l := DefaultLimits
	if m == nil {
		return l
	}
	return Limits{
		Memory:     within(m.MemoryBytes, l.Memory, Ceiling.Memory),
		Wall:       time.Duration(within(m.WallMS, l.Wall.Milliseconds(), Ceiling.Wall.Milliseconds())) * time.Millisecond,
		Fuel:       within(m.Fuel, l.Fuel, Ceiling.Fuel),
		HostCalls:  within(m.HostCalls, l.HostCalls, Ceiling.HostCalls),
		ModelCalls: within(m.ModelCalls, l.ModelCalls, Ceiling.ModelCalls),
		Request:    within(m.RequestBytes, l.Request, Ceiling.Request),
		Reply:      within(m.ReplyBytes, l.Reply, Ceiling.Reply),
		Log:        within(m.LogBytes, l.Log, Ceiling.Log),
		waits:      l.waits,
	}
}

// atMost gives l with every field that top sets lowered to it.
func (l Limits) atMost(top Limits) Limits {
	return Limits{
		Memory:     lower(l.Memory, top.Memory),
		Wall:       lower(l.Wall, top.Wall),
		Fuel:       lower(l.Fuel, top.Fuel),
		HostCalls:  lower(l.HostCalls, top.HostCalls),
		ModelCalls: lower(l.ModelCalls, top.ModelCalls),
		Request:    lower(l.Request, top.Request),
		Reply:      lower(l.Reply, top.Reply),
		Log:        lower(l.Log, top.Log),
		waits:      lower(l.waits, top.waits),
	}
}

// count writes a number of units so that a person can read it.
func count(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.4g billion", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.4g million", float64(n)/1e6)
	}
	return fmt.Sprint(n)
}

func within[T ~int | ~int64](want, standard, ceiling T) T {
	if want <= 0 {
		return standard
	}
	return min(want, ceiling)
}

func lower[T ~int | ~int64](v, top T) T {
	if top <= 0 {
		return v
	}
	return min(v, top)
}
