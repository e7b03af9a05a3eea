package hostapi

import (
	"encoding/json"
	"time"
)

// Section is a named group of items, as a schema defines it.
type Section struct {
	ID       string `json:"id"`                 // kebab-case, stable
	Heading  string `json:"heading"`            // as it stands in Markdown
	Guidance string `json:"guidance,omitempty"` // what belongs in it, for extractors
	Order    int    `json:"order"`              // ascending
}

// Item is one thing worth remembering, as an extractor found it.
type Item struct {
	Section    string  `json:"section"`
	Content    string  `json:"content"`    // one sentence or a few, one line
	Confidence float64 `json:"confidence"` // 0 to 1
	// Importance is how much is lost without it: 1 a detail, 2 a fact that takes some
	// finding out, 3 what must not be missed. 0: the extractor does not say.
	Importance int      `json:"importance,omitempty"`
	Rationale  string   `json:"rationale,omitempty"`
	Evidence   []string `json:"evidence,omitempty"` // ids of the messages that it comes from
	// Suggestion says that the extractor is not sure enough of it for a memory: it
	// waits, quietly, until a person takes it in or 30 days are over.
	Suggestion bool `json:"suggestion,omitempty"`
}

// MemoryItem is an item as it stands in a memory.
type MemoryItem struct {
	ID         string    `json:"id"`
	Section    string    `json:"section"`
	Content    string    `json:"content"`
	Confidence float64   `json:"confidence"`
	Importance int       `json:"importance,omitempty"` // as an Item's
	Pinned     bool      `json:"pinned,omitempty"`
	ByPerson   bool      `json:"by_person,omitempty"` // a person wrote or edited it
	Created    time.Time `json:"created"`
	Updated    time.Time `json:"updated"`
	// Said is when it was last said: hours or months before the Updated of the run
	// that read it. Zero: not known.
	Said time.Time `json:"said,omitzero"`
	Seen int       `json:"seen"` // how often it was found: its corroboration
}

// Project names the project of a call. No path: a plug-in has no use for one.
type Project struct {
	Name string `json:"name"`
}

// Limits tells an extractor what the host will take, so that it need not guess.
type Limits struct {
	MaxItems     int `json:"max_items"`      // items beyond it are dropped, suggestions and then the least confident first
	MaxItemRunes int `json:"max_item_runes"` // longer contents are refused
}

// ExtractRequest is the input of rc_extract. The turns themselves are paged
// through history.turns.
type ExtractRequest struct {
	Project  Project   `json:"project"`
	Branch   string    `json:"branch"`
	Sections []Section `json:"sections"`
	Now      time.Time `json:"now"`
	Limits   Limits    `json:"limits"`
	NewTurns int       `json:"new_turns"` // turns not memorized before
	AllTurns int       `json:"all_turns"` // turns of the branch, the new ones included
	// Explain says that a person asks why: items are to have a rationale, and Refused
	// to hold what came near to being one. An extractor need not know of it.
	Explain bool `json:"explain,omitempty"`
}

// Refusal is a sentence that an extractor refused, at most 500 of each kind in a
// result.
type Refusal struct {
	Content  string   `json:"content"`
	Why      string   `json:"why"` // for a person, one line
	Evidence []string `json:"evidence,omitempty"`
}

// ExtractResult is the answer of rc_extract. No items: nothing found.
type ExtractResult struct {
	Items []Item `json:"items"`
	// Unread are ids of new turns that could not be looked at this time, for want
	// of budget, say. They stay new.
	Unread []string `json:"unread,omitempty"`
	// Warnings are sentences for the person; the host shows the first few.
	Warnings []string `json:"warnings,omitempty"`
	// Rejected is what a model found and the extractor did not take: it cites nothing
	// that was said, say. The person is told how many there were, and why.
	Rejected []Refusal `json:"rejected,omitempty"`
	// Refused is what came near to being found. It is heard only where ExtractRequest.Explain asks for it.
	Refused []Refusal `json:"refused,omitempty"`
}

// Change says what an evolve did with one item.
type Change struct {
	Action string `json:"action"` // added, updated, superseded, removed, kept
	ID     string `json:"id,omitempty"`
	By     string `json:"by,omitempty"` // id of the item that replaces it
	Why    string `json:"why,omitempty"`
	// Rival is the content of another item, new or not, that may have to take the
	// place of this one, which stays ("kept"): a person decides between the two.
	Rival string `json:"rival,omitempty"`
}

// EvolveRequest is the input of rc_evolve.
type EvolveRequest struct {
	Project  Project      `json:"project"`
	Branch   string       `json:"branch"`
	Sections []Section    `json:"sections"`
	Now      time.Time    `json:"now"`
	Memory   []MemoryItem `json:"memory"`
	Found    []Item       `json:"found"`
}

// EvolveResult is the answer of rc_evolve: the whole memory after it, and a
// change for every item that is not as it was: "updated" if its words or section
// differ, "removed" or "superseded" if it is not among Items, and "kept" with a
// Rival if a person shall decide between the two. A new item has no
// id and says what one of the found items says. The host refuses a result that
// loses an item which its changes do not name, that touches what a person wrote
// or pinned, or that takes out too much at once, and merges by itself then.
type EvolveResult struct {
	Items   []MemoryItem `json:"items"`
	Changes []Change     `json:"changes"`
	// Warnings are sentences for the person; the host shows the first few.
	Warnings []string `json:"warnings,omitempty"`
}

// SectionsRequest is the input of rc_sections.
type SectionsRequest struct {
	Config json.RawMessage `json:"config,omitempty"`
}

// SectionsResult is the answer of rc_sections, and the "schema" of a manifest
// whose schema needs no code.
type SectionsResult struct {
	Subject  string    `json:"subject"` // what a memory is about: "branch"
	Title    string    `json:"title"`   // of the Markdown document: "Branch Memory"
	Sections []Section `json:"sections"`
}

// CheckRequest is the input of rc_check.
type CheckRequest struct {
	Sections []Section `json:"sections"`
	Items    []Item    `json:"items"`
}

// CheckResult is the answer of rc_check: every item of the request stands in
// Items (normalised) or is named in Rejects.
type CheckResult struct {
	Items   []Item   `json:"items"`
	Rejects []Reject `json:"rejects,omitempty"`
}

// Reject says why the item at Index of the request may not go in.
type Reject struct {
	Index  int    `json:"index"`
	Reason string `json:"reason"`
}

// RenderRequest is the input of rc_render; RenderResult its answer.
type RenderRequest struct {
	Subject string       `json:"subject"` // the exact name, for example of the branch
	Updated time.Time    `json:"updated"`
	Items   []MemoryItem `json:"items"`
}

// RenderResult is the answer of rc_render and the input of rc_parse.
type RenderResult struct {
	Markdown string `json:"markdown"`
}

// ParseResult is the answer of rc_parse.
type ParseResult struct {
	Items []MemoryItem `json:"items"`
}

// SelectRequest is the input of rc_select.
type SelectRequest struct {
	Branch   string        `json:"branch"`
	Target   string        `json:"target"` // kind: "file" or "hook"
	Budget   int           `json:"budget"` // tokens for the whole block
	Sections []Section     `json:"sections"`
	Items    []MemoryItem  `json:"items"`
	Context  SelectContext `json:"context"`
}

// SelectContext is what is known of the moment of an injection.
type SelectContext struct {
	Now    time.Time `json:"now"`
	Prompt string    `json:"prompt,omitempty"`
	Files  []string  `json:"files,omitempty"`
}

// SelectResult is the answer of rc_select: the items in the order in which the
// host shall pack them. Items that are not named are left out, and so is one that
// another item of the memory contradicts and is over.
type SelectResult struct {
	Selected []Selected `json:"selected"`
	// Shares are parts of the budget, 0 to 1, by the id of the section that has it
	// before others; what a section leaves of its share is the others', in the order
	// of Selected. A section that is not named has none. Without shares the order
	// alone counts. Pinned items are not bound to them.
	Shares map[string]float64 `json:"shares,omitempty"`
	// Left may say of items that are not selected why, as part of a sentence.
	Left []Selected `json:"left,omitempty"`
}

// Selected is one item of a selection, or one left out of it.
type Selected struct {
	ID  string `json:"id"`
	Why string `json:"why,omitempty"`
}
