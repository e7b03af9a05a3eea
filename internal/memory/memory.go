// Package memory is what a project remembers.
//
//   - An item is one thing worth remembering: its content (one line of text), a
//     section, a confidence from 0 to 1, and its origins.
//   - An origin says where an item came from: which extractor found it, in which
//     session and records, and when.
//   - A memory is all items about one subject (so far: a branch): one Markdown
//     file, which people may edit, and one JSON line per item beside it.
//   - A change is what a merge did to one item, with a why.
//   - A conflict is two items that contradict and neither clearly wins.
//
// The Markdown is the truth about what is remembered; the item lines are the
// truth about where it came from and about what is not remembered any more.
//
// # Files
//
// A branch has NAME.md and NAME.items.jsonl in the project's folder of branches.
// NAME is the branch's own name if that is lower-case and safe everywhere
// ("main", "feature_auth"); else it is a readable stem, "~" and a short hash of
// the exact name ("feature-auth~fc659bd735"). So the name of a branch leads to
// its files without a search, and no two branches meet in one file. The exact
// name stands in the title and in the first item line. Seed memories' names
// ("feature_auth.md" for "feature/auth") are read, and replaced by the next save.
//
// Parsing is total: whatever is not understood is foreign text and stays where
// it stands. Only a top-level bullet under a heading of the layout is an item.
//
// The first item line is a header: the format, the exact name, the layout and
// the SHA-256 of the Markdown that was written with it. If the Markdown has
// another sum, a person edited it. Versions and locks are in the local folder.
package memory

import "time"

// State says whether an item is part of the memory.
type State string

// States of an item. Only active items stand in the Markdown; the others are
// kept in the item lines, so that nothing is lost and nothing that a person
// took out comes back by itself.
const (
	Active     State = "active"
	Superseded State = "superseded" // a newer item replaced it
	Removed    State = "removed"    // a person deleted, forgot or refused it
)

// Person is the Extractor of an origin that is a person's own writing.
const Person = "person"

// Origin says where an item came from.
type Origin struct {
	Extractor string    `json:"extractor"`         // plug-in id, or Person
	Source    string    `json:"source,omitempty"`  // "claude-code"
	Session   string    `json:"session,omitempty"` // session id
	Records   []string  `json:"records,omitempty"` // record ids
	Time      time.Time `json:"time"`              // when it was said, else when it was found
}

// Item is one thing worth remembering.
type Item struct {
	ID           string    `json:"id"` // stable over edits; unique within a memory
	Section      string    `json:"section"`
	Content      string    `json:"content"`
	Confidence   float64   `json:"confidence"`
	Importance   int       `json:"importance,omitempty"` // 1 to 3, what must not be missed; 0: nobody said
	Rationale    string    `json:"rationale,omitempty"`
	State        State     `json:"state"`
	SupersededBy string    `json:"superseded_by,omitempty"` // id
	Why          string    `json:"why,omitempty"`           // of the last change
	Pinned       bool      `json:"pinned,omitempty"`
	Created      time.Time `json:"created"`
	Updated      time.Time `json:"updated"`
	Origins      []Origin  `json:"origins,omitempty"` // oldest first
}

// Found is an item as an extractor found it, not yet part of a memory.
type Found struct {
	Section    string  `json:"section"`
	Content    string  `json:"content"`
	Confidence float64 `json:"confidence"`
	Importance int     `json:"importance,omitempty"` // as an Item's
	Rationale  string  `json:"rationale,omitempty"`
	Origin     Origin  `json:"origin"`
	// Suggestion says that the extractor was not sure enough: it is not for a Merge
	// but for Suggest.
	Suggestion bool `json:"suggestion,omitempty"`
}

// Section is a named group of items, in the order of the schema.
type Section struct {
	ID       string `json:"id"`
	Heading  string `json:"heading"`
	Guidance string `json:"guidance,omitempty"`
}

// Layout is how a memory is laid out in Markdown: the document's title and its
// sections in order. It comes from the schema.
type Layout struct {
	Title    string    `json:"title"` // "Branch Memory"
	Sections []Section `json:"sections"`
}

// Action is what a change did.
type Action string

// The actions.
const (
	Added    Action = "added"
	Updated  Action = "updated"
	Replaced Action = "superseded"
	Deleted  Action = "removed"
	Kept     Action = "kept"
)

// Change is what happened to one item, for people to read.
type Change struct {
	Action  Action `json:"action"`
	ID      string `json:"id"`
	Section string `json:"section"`
	Content string `json:"content"`
	Why     string `json:"why,omitempty"`
	By      string `json:"by,omitempty"` // id of the item that replaced it
}
