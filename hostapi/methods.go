package hostapi

import (
	"encoding/json"
	"time"
)

// Message is what one side said: the text of one record of a transcript. Tool
// calls, tool results and thinking are not among it.
type Message struct {
	ID   string    `json:"id"`   // the record's id: what evidence refers to
	Role string    `json:"role"` // "user" or "assistant"
	Time time.Time `json:"time"`
	Text string    `json:"text"`
}

// Roles of a Message.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// Turn is one prompt of the user and what the assistant answered until the
// next.
type Turn struct {
	ID       string    `json:"id"`
	Session  string    `json:"session"`
	Source   string    `json:"source"`
	Branch   string    `json:"branch"`
	Time     time.Time `json:"time"`
	New      bool      `json:"new"` // not memorized before
	Messages []Message `json:"messages"`
	// Cut says that text was left out to keep the page within its limit;
	// history.turn gives the whole.
	Cut bool `json:"cut,omitempty"`
}

// TurnsParams are the parameters of history.turns. Turns come oldest first.
type TurnsParams struct {
	Branch  string `json:"branch,omitempty"`  // default: the branch of the call
	Session string `json:"session,omitempty"` // only of this session
	New     bool   `json:"new,omitempty"`     // only what is new since the last run
	Cursor  string `json:"cursor,omitempty"`  // Next of the page before
	Limit   int    `json:"limit,omitempty"`   // turns a page; the host caps pages at 64 KB
}

// TurnsResult is one page of turns.
type TurnsResult struct {
	Turns []Turn `json:"turns"`
	Next  string `json:"next,omitempty"` // empty on the last page
}

// TurnParams are the parameters of history.turn.
type TurnParams struct {
	ID     string `json:"id"`
	Cursor string `json:"cursor,omitempty"` // Next of the page before
}

// TurnResult is one turn, or the next part of a turn too long for one page: a
// message that was cut goes on in the next part under the same id.
type TurnResult struct {
	Turn Turn   `json:"turn"`
	Next string `json:"next,omitempty"`
}

// Branch describes one branch of the project.
type Branch struct {
	Name       string    `json:"name"`
	Sessions   int       `json:"sessions"`
	Turns      int       `json:"turns"`
	LastActive time.Time `json:"last_active"`
}

// BranchesResult is the reply of history.branches.
type BranchesResult struct {
	Branches []Branch `json:"branches"`
}

// Session describes one session.
type Session struct {
	ID         string    `json:"id"`
	Source     string    `json:"source"`
	Title      string    `json:"title,omitempty"`
	Turns      int       `json:"turns"`
	Started    time.Time `json:"started"`
	LastActive time.Time `json:"last_active"`
	// Files are those of the project that its tools wrote, relative, with "/" between
	// the parts; the last one that was written comes last; at most 40. Files and Commit
	// are data, as what was said is, and are there only where one session is asked for.
	Files []string `json:"files,omitempty"`
	// Commit is the last commit that it made: the short hash, and of its first line
	// 100 characters. Both are empty where the history does not tell, or the host is
	// older than they are.
	Commit string `json:"commit,omitempty"`
}

// SessionsParams are the parameters of history.sessions.
type SessionsParams struct {
	Branch  string `json:"branch,omitempty"`  // default: the branch of the call
	Session string `json:"session,omitempty"` // only this one; an older host lists all
}

// SessionsResult is the reply of history.sessions.
type SessionsResult struct {
	Sessions []Session `json:"sessions"`
}

// StorageKey is the parameter of storage.get and storage.delete.
type StorageKey struct {
	Key string `json:"key"` // 1 to 256 bytes of UTF-8
}

// StoragePut is the parameter of storage.put.
type StoragePut struct {
	Key   string `json:"key"`
	Value string `json:"value"` // at most 1 MB
}

// StorageValue is the reply of storage.get; an absent key is not_found.
type StorageValue struct {
	Value string `json:"value"`
}

// StorageListParams are the parameters of storage.list.
type StorageListParams struct {
	Prefix string `json:"prefix,omitempty"`
}

// StorageListResult is the reply of storage.list, sorted.
type StorageListResult struct {
	Keys []string `json:"keys"`
}

// MemoryGetParams are the parameters of memory.get.
type MemoryGetParams struct {
	Branch   string   `json:"branch,omitempty"`   // default: the branch of the call
	Sections []string `json:"sections,omitempty"` // default: all that were granted
}

// MemoryGetResult is the reply of memory.get.
type MemoryGetResult struct {
	Items []MemoryItem `json:"items"`
}

// CompleteParams are the parameters of llm.complete.
type CompleteParams struct {
	Purpose   string          `json:"purpose"` // a few words for the ledger
	System    string          `json:"system,omitempty"`
	Prompt    string          `json:"prompt"`           // with System at most 4 MB
	Schema    json.RawMessage `json:"schema,omitempty"` // JSON Schema of the reply
	MaxTokens int             `json:"max_tokens,omitempty"`
	Model     string          `json:"model,omitempty"` // a wish for one of the person's models; the host decides
}

// CompleteResult is the reply of llm.complete.
type CompleteResult struct {
	Text string `json:"text"`
}

// BudgetResult is the reply of llm.budget: what is left to this call.
type BudgetResult struct {
	Calls  int `json:"calls"`
	Tokens int `json:"tokens"`
	// Local says that the model is on this machine: it costs nothing, and is likely
	// small and slow.
	Local bool `json:"local,omitempty"`
}

// ConfigResult is the reply of config.get: the plug-in's configuration, an
// object that fits the JSON Schema of its manifest.
type ConfigResult struct {
	Config json.RawMessage `json:"config"`
}

// FeaturesResult is the reply of host.features.
type FeaturesResult struct {
	ABI     string   `json:"abi"`
	Version string   `json:"version"`
	Methods []string `json:"methods"`
}
