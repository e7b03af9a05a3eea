// Package history is what assistants said: the nouns that every source of
// history speaks.
//
//   - A source reads one assistant's history; it never writes to it.
//   - A session is one run of an assistant, with its own id.
//   - A turn is one prompt of the user and what the assistant answered until the
//     next. It holds only what the two said: no tool calls or results, no
//     thinking, no meta text, no text that we injected, none of our own calls,
//     nothing of an abandoned attempt, nothing that a subagent said to itself,
//     nothing that another session or a task sent. Who spoke is decided by package
//     voice. A person's answer to a question, and their reason for refusing a
//     call, are prompts; the question stands before the answer in lines that begin
//     with ">".
//   - A branch is a named line of work over any number of sessions.
//   - A record is one entry of a transcript; its id is what evidence refers to.
package history

import (
	"context"
	"iter"
	"time"
)

// Names of the lines of work that are not git branches. Neither can be the name
// of one: git allows no space in a name.
const (
	// NoBranch is the line of work where the records have no branch (absent in
	// old versions) or an empty one (no git): the project's own.
	NoBranch = "no branch"
	// Detached is the line of work of a detached head ("HEAD" in the records).
	Detached = "detached HEAD"
)

// BranchName gives the name of the line of work for a record's branch field,
// and for what a person types for it.
func BranchName(recorded string) string {
	switch recorded {
	case "", withoutBranch:
		return NoBranch
	case "HEAD":
		return Detached
	}
	return recorded
}

// withoutBranch is NoBranch as people read it. It is no branch's name either.
const withoutBranch = "without a branch"

// BranchLabel is the name of a line of work as people read it where it stands by
// itself. BranchName takes it back.
func BranchLabel(name string) string {
	if name == NoBranch {
		return withoutBranch
	}
	return name
}

// BranchSubject is what a memory or a block is of, within a sentence.
func BranchSubject(name string) string {
	switch name {
	case NoBranch:
		return "what was said without a branch"
	case Detached:
		return "what was said on a detached HEAD"
	}
	return name
}

// Role says who said a message.
type Role string

// The two roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is the text of one record. It is valid UTF-8 without NUL; images and
// documents stand in it as short placeholders.
type Message struct {
	ID   string // the record's id
	Role Role
	Time time.Time
	Text string
}

// Ref names one turn without its text.
type Ref struct {
	ID      string // id of the prompt's record; unique within a source
	Session string
	Source  string
	Branch  string // by BranchName
	Time    time.Time
	// Digest changes whenever the turn's messages change: what says that a turn
	// was memorized as it stands.
	Digest string
}

// Turn is a Ref with what was said. Messages begin with the user's, except that
// a session may open with the assistant's words.
type Turn struct {
	Ref
	Messages []Message
}

// Usage is what a session cost, each message counted once.
type Usage struct {
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
}

// Session describes one session of the scope that was opened.
type Session struct {
	ID         string
	Source     string
	Title      string // of the assistant, else the first real prompt's first line
	Branches   []string
	Dirs       []string // working directories in its records, first seen first
	Version    string   // of the assistant, the last one seen
	Turns      int
	Started    time.Time
	LastActive time.Time
	Usage      Usage
	Files      []string // transcripts that it was read from
}

// Traces are what the tools of a session left behind, as far as its transcript tells.
type Traces struct {
	// Files are those that were written below a folder that the session worked in, by
	// their names in it, with "/" between the parts. The one that was written last
	// comes last; there are at most MaxTraced.
	Files []string
	// Commit is the last commit that was made: its short hash and its first line, of
	// which 100 characters; "" if there was none.
	Commit string
}

// MaxTraced is how many files of a session are known, those that were written
// last.
const MaxTraced = 40

// Branch describes one branch of the scope that was opened.
type Branch struct {
	Name       string
	Sessions   int
	Turns      int
	LastActive time.Time
}

// Scope says which history is wanted.
type Scope struct {
	Project Project
	// Transcripts, if not empty, are files or folders (any depth) whose records
	// are the project's history whatever their working directory.
	Transcripts []string
}

// Source opens the history that one assistant has of a scope.
type Source interface {
	// Name is the assistant's: "claude-code", "puffin".
	Name() string
	// Open brings what it knows up to date, reading only what is new, and returns
	// a view that no longer changes. A scope without history gives an empty
	// History. Damage is no error: it is counted in Report. An error means that
	// nothing could be read at all.
	Open(ctx context.Context, scope Scope) (History, error)
}

// History is a view of a scope at one moment. Its methods may be called from
// several goroutines.
type History interface {
	// Revision is equal for equal views: it changes when anything that the other
	// methods return could have changed.
	Revision() string
	// Sessions lists the sessions, oldest first. Sessions with no turn are left
	// out. The first call may read each transcript for its title: who wants turns
	// only asks for Refs.
	Sessions() []Session
	// Traces gives what the tools of a session left behind, by its source and id; nothing
	// where the source has no record of that, or no such session.
	Traces(s Session) Traces
	// Refs lists the turns of one branch, or of all branches if branch is "*",
	// oldest first; turns of one session keep their order.
	Refs(branch string) []Ref
	// Turns gives the turns that refs name, in the order of refs, reading each
	// when it is asked for. A turn that is no longer there yields an error that
	// wraps ErrGone and the iteration goes on.
	Turns(ctx context.Context, refs []Ref) iter.Seq2[Turn, error]
	// Report says what was read and what was not.
	Report() Report
	// Close releases what the view holds.
	Close() error
}

// Damage is one place in a file that could not be read.
type Damage struct {
	File string `json:"file"`
	Line int    `json:"line"` // from 1; 0 where a file has no lines
	Kind string `json:"kind"` // one of the Damage kinds
	Note string `json:"note,omitempty"`
}

// Kinds of damage.
const (
	DamageRecord    = "damaged record"  // bytes that are no record
	DamageNonRecord = "not a record"    // JSON, but not an object of the format
	DamageTail      = "unfinished tail" // not written yet: read when it is finished
	DamageLongLine  = "line too long"
	DamageFile      = "unreadable file"
)

// MaxFile bounds a file of history, in bytes; a larger one is damage. Transcripts of
// two gigabytes are known. What is read in pieces takes no memory, but a file that
// is all hole would take hours.
const MaxFile = 16 << 30

// Report counts what a source read for a view.
type Report struct {
	Source    string   `json:"source"`
	Files     int      `json:"files"`
	Bytes     int64    `json:"bytes"`      // size of the files
	BytesRead int64    `json:"bytes_read"` // of them, read now: what was new
	Records   int      `json:"records"`
	OwnCalls  int      `json:"own_calls"` // our own sessions, left out
	Abandoned int      `json:"abandoned"` // turns of attempts that were rewound
	Damage    []Damage `json:"damage,omitempty"`
	// Strangers are senders that records name and that we do not know: what they
	// sent counts as nobody's words. Sorted by field and kind.
	Strangers []Stranger `json:"strangers,omitempty"`
	// Looked are the folders in which the history of a project is looked for; none
	// where transcripts were given.
	Looked []Looked `json:"looked,omitempty"`
}

// Stranger is one kind of sender that we do not know.
type Stranger struct {
	Field   string `json:"field"` // of the record that names it
	Kind    string `json:"kind"`  // what stands there, at most 40 bytes; "" where that is no name
	Records int    `json:"records"`
}

// Looked is a folder that was looked at.
type Looked struct {
	Folder string `json:"folder"`
	Found  bool   `json:"found"` // false: it does not exist
}

// String says in words where was looked.
func (l Looked) String() string {
	if l.Found {
		return l.Folder
	}
	return l.Folder + ", which does not exist"
}
