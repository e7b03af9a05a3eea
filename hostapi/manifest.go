package hostapi

import "encoding/json"

// ManifestName and ModuleName are the names of a package's two required files.
const (
	ManifestName = "plugin.json"
	ModuleName   = "plugin.wasm"
	PackageExt   = ".rplug" // of a package that is a zip file
)

// ManifestVersion is the only version of the manifest so far.
const ManifestVersion = 1

// Role is a part that a plug-in plays.
type Role string

// The roles of rc/1.
const (
	RoleExtractor Role = "extractor"
	RoleSchema    Role = "schema"
	RolePolicy    Role = "policy"
)

// Capability is something that a plug-in may ask the host for.
type Capability string

// The capabilities of rc/1. There is none for network, files, environment or
// processes.
const (
	CapHistoryRead Capability = "history:read"
	CapLLMCall     Capability = "llm:call"
	CapStorage     Capability = "storage"
	CapMemoryRead  Capability = "memory:read"
)

// Manifest is plugin.json. It is read strictly: an unknown key is an error.
type Manifest struct {
	Manifest     int                  `json:"manifest"`
	ID           string               `json:"id"`      // reverse DNS, immutable
	Version      string               `json:"version"` // semantic version
	Name         string               `json:"name"`
	Description  string               `json:"description"`
	License      string               `json:"license,omitempty"`
	Homepage     string               `json:"homepage,omitempty"`
	ABI          string               `json:"abi"`
	Roles        []Role               `json:"roles"`
	Capabilities map[Capability]Grant `json:"capabilities,omitempty"`
	Limits       *ManifestLimits      `json:"limits,omitempty"`
	Config       json.RawMessage      `json:"config,omitempty"` // JSON Schema of the configuration
	Schema       *SectionsResult      `json:"schema,omitempty"` // a schema that is a list needs no rc_sections
}

// Grant is what a capability is asked for with.
type Grant struct {
	Reason   string   `json:"reason"`             // for the person who approves; required
	Scope    string   `json:"scope,omitempty"`    // history:read: "branch" (default) or "project"
	Sections []string `json:"sections,omitempty"` // memory:read: only these; empty = all
}

// ManifestLimits asks for other limits than the default; the host's ceiling
// decides. Zero: the default.
type ManifestLimits struct {
	MemoryBytes  int64 `json:"memory_bytes,omitempty"`
	WallMS       int64 `json:"wall_ms,omitempty"` // of one call; host calls are counted, waiting for a model is not
	Fuel         int64 `json:"fuel,omitempty"`    // of one call; about an instruction each
	HostCalls    int   `json:"host_calls,omitempty"`
	ModelCalls   int   `json:"model_calls,omitempty"`
	RequestBytes int64 `json:"request_bytes,omitempty"`
	ReplyBytes   int64 `json:"reply_bytes,omitempty"`
	LogBytes     int64 `json:"log_bytes,omitempty"`
}
