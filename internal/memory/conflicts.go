package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/lookup"
	"recollect/internal/safefile"
	"recollect/internal/unmerged"
)

// Status of a conflict. The names but for AcceptedOlder are seed 001's.
type Status string

// The statuses.
const (
	Unresolved     Status = "unresolved"
	PendingReview  Status = "pending_user_review"
	AcceptedNewer  Status = "accepted_newer"
	AcceptedOlder  Status = "accepted_older"
	AcceptedSurer  Status = "accepted_higher_confidence"
	KeptBoth       Status = "kept_both_with_context"
	MarkedOutdated Status = "marked_outdated"
	AutoResolved   Status = "auto_resolved"
)

const (
	conflictsVersion = 1
	conflictPrefix   = "conflict_" // of every id
)

// Decision is what a person makes of a conflict.
type Decision string

// The decisions.
const (
	KeepOlder Decision = "older"    // what is remembered stays
	KeepNewer Decision = "newer"    // what was found replaces it
	KeepBoth  Decision = "both"     // what was found is added, with a note that tells them apart
	Outdated  Decision = "outdated" // what is remembered no longer holds; nothing takes its place
)

// Side is one of the two items of a conflict.
type Side struct {
	ItemID      string    `json:"itemId,omitempty"` // none as long as it is not remembered
	Content     string    `json:"content"`
	Confidence  float64   `json:"confidence"`
	ExtractedAt time.Time `json:"extractedAt"`
	Origin      *Origin   `json:"origin,omitempty"`
}

// ConflictRecord is a conflict as it is kept until a person decides, and
// afterwards, so that the same find does not ask again.
type ConflictRecord struct {
	ID         string     `json:"id"`
	CreatedAt  time.Time  `json:"createdAt"`
	Status     Status     `json:"status"`
	Branch     string     `json:"branch"`
	Category   string     `json:"category"` // section
	Why        string     `json:"why,omitempty"`
	Items      [2]Side    `json:"items"` // what is remembered, what was found
	Resolution Resolution `json:"resolution"`
}

// Resolution is what became of a conflict.
type Resolution struct {
	Status         Status     `json:"status"`
	Decision       Decision   `json:"decision,omitempty"`
	ReasoningNotes string     `json:"reasoningNotes,omitempty"`
	ResolvedAt     *time.Time `json:"resolvedAt"`
}

// Open says whether a person still has to decide.
func (c ConflictRecord) Open() bool { return c.Status == Unresolved || c.Status == PendingReview }

// ErrNoConflict says that no open conflict has the given id.
var ErrNoConflict = errors.New("no such open conflict")

// Conflicts is the file conflicts.json of a project's conflicts, in the folder In.
// Calls that change it are made under the project's lock; an edit by hand meanwhile
// makes them fail with ErrChanged.
type Conflicts struct{ In safefile.Folder }

const conflictsName = "conflicts.json"

func (c Conflicts) file() file { return file{c.In, conflictsName} }

func (c Conflicts) path() string { return c.file().path() }

type conflictsFile struct {
	Version   int              `json:"version"`
	Conflicts []ConflictRecord `json:"conflicts"`
}

// List gives all records, oldest first. A file that can't be read is an error:
// it is never written over.
func (c Conflicts) List() ([]ConflictRecord, error) {
	f, _, err := c.read()
	return f.Conflicts, err
}

// Add keeps the conflicts of a branch that are not known yet, and returns how
// many those were.
func (c Conflicts) Add(branch string, m Memory, found []Conflict, now time.Time) (int, error) {
	f, expect, n, err := c.with(branch, m, found, now)
	if n == 0 || err != nil {
		return 0, err
	}
	return n, c.write(f, expect)
}

// News says how many of the conflicts of a branch are not known yet.
func (c Conflicts) News(branch string, m Memory, found []Conflict) (int, error) {
	_, _, n, err := c.with(branch, m, found, m.Updated)
	return n, err
}

// with gives the file with conflicts added, and how many were new.
func (c Conflicts) with(branch string, m Memory, found []Conflict, now time.Time) (f conflictsFile, expect atomicfile.Expect, n int, err error) {
	if len(found) == 0 {
		return f, expect, 0, nil
	}
	if f, expect, err = c.read(); err != nil {
		return f, expect, 0, err
	}
	for _, x := range found {
		r := record(branch, m, x, now)
		if !slices.ContainsFunc(f.Conflicts, r.known) {
			f.Conflicts = append(f.Conflicts, r)
			n++
		}
	}
	return f, expect, n, nil
}

// known says whether k is about the same conflict: the same contents, or the same
// two items, about which a person is not asked again.
func (r ConflictRecord) known(k ConflictRecord) bool {
	return k.ID == r.ID || r.Items[1].ItemID != "" && k.Branch == r.Branch &&
		k.Items[0].ItemID == r.Items[0].ItemID && k.Items[1].ItemID == r.Items[1].ItemID
}

// record names a conflict by what contradicts what, so that the same one is
// known again.
func record(branch string, m Memory, x Conflict, now time.Time) ConflictRecord {
	sum := sha256.Sum256([]byte(branch + "\n" + x.ID + "\n" + x.Existing + "\n" + x.Found.Content))
	r := ConflictRecord{
		ID: conflictPrefix + hex.EncodeToString(sum[:6]), CreatedAt: now, Status: Unresolved,
		Branch: branch, Category: x.Section, Why: x.Why, Resolution: Resolution{Status: PendingReview},
	}
	r.Items[0] = Side{ItemID: x.ID, Content: x.Existing}
	for _, it := range m.Items {
		if it.ID == x.ID {
			r.Items[0].Confidence, r.Items[0].ExtractedAt = it.Confidence, it.LastSaid()
		}
	}
	origin := x.Found.Origin
	r.Items[1] = Side{ItemID: x.Other, Content: x.Found.Content, Confidence: x.Found.Confidence, ExtractedAt: origin.Time, Origin: &origin}
	return r
}

// Find gives the open conflict that an id names, or the beginning of one, with or
// without what all of them begin with.
func (c Conflicts) Find(id string) (ConflictRecord, error) {
	all, err := c.List()
	if err != nil {
		return ConflictRecord{}, err
	}
	open, things := map[string]ConflictRecord{}, []lookup.Thing{}
	for _, r := range all {
		if r.Open() {
			open[r.ID] = r
			things = append(things, lookup.Thing{Name: r.ID, Also: []string{strings.TrimPrefix(r.ID, conflictPrefix)}})
		}
	}
	whole, err := lookup.Among(id, things, ErrNoConflict)
	return open[whole], err
}

// Rename has the conflicts of a branch be another's.
func (c Conflicts) Rename(from, to string) error {
	f, expect, err := c.read()
	if err != nil {
		return err
	}
	changed := false
	for i := range f.Conflicts {
		if r := &f.Conflicts[i]; r.Branch == from {
			r.Branch, changed = to, true
		}
	}
	if !changed {
		return nil
	}
	return c.write(f, expect)
}

// Close notes what a person decided.
func (c Conflicts) Close(r ConflictRecord) error {
	f, expect, err := c.read()
	if err != nil {
		return err
	}
	for i := range f.Conflicts {
		if f.Conflicts[i].ID == r.ID {
			f.Conflicts[i] = r
			return c.write(f, expect)
		}
	}
	return fmt.Errorf("%q: %w", r.ID, ErrNoConflict)
}

func (c Conflicts) read() (conflictsFile, atomicfile.Expect, error) {
	data, sum, _, err := readSummed(c.file())
	if err != nil {
		return conflictsFile{}, atomicfile.Expect{}, err
	}
	if data == nil {
		return conflictsFile{Version: conflictsVersion}, atomicfile.Absent(), nil
	}
	ours, theirs, line := unmerged.Sides(data)
	f, err := c.decode(ours)
	if err == nil && line > 0 {
		var other conflictsFile
		if other, err = c.decode(theirs); err == nil {
			f.Conflicts = bothRecords(f.Conflicts, other.Conflicts)
		}
	}
	if err != nil && line > 0 {
		err = fmt.Errorf("%w (git left both sides of a merge in line %d)", err, line)
	}
	return f, atomicfile.Content(sum), err
}

func (c Conflicts) decode(data []byte) (f conflictsFile, err error) {
	var said struct {
		Version int `json:"version"`
	}
	if json.Unmarshal(data, &said) == nil && said.Version > conflictsVersion {
		return f, fmt.Errorf("%s: %w", c.path(), ErrNewer)
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return f, fmt.Errorf("%s can't be read and was left as it is: %w", c.path(), err)
	}
	f.Version = conflictsVersion
	return f, nil
}

// bothRecords gives the records of both sides of a merge, the oldest first. Of one
// that both have, the decision that was made later holds.
func bothRecords(ours, theirs []ConflictRecord) []ConflictRecord {
	all := slices.Clone(ours)
	at := map[string]int{}
	for i, r := range all {
		at[r.ID] = i
	}
	for _, r := range theirs {
		i, known := at[r.ID]
		switch {
		case !known:
			all = append(all, r)
		case all[i].Open() && !r.Open(), !r.Open() && r.decidedAfter(all[i]):
			all[i] = r
		}
	}
	slices.SortStableFunc(all, func(a, b ConflictRecord) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return all
}

func (r ConflictRecord) decidedAfter(o ConflictRecord) bool {
	a, b := r.Resolution.ResolvedAt, o.Resolution.ResolvedAt
	return a != nil && (b == nil || a.After(*b))
}

func (c Conflicts) write(f conflictsFile, expect atomicfile.Expect) error {
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	if err := c.In.Make(0o755); err != nil {
		return err
	}
	err = atomicfile.ReplaceIn(c.In, conflictsName, append(data, '\n'), expect, atomicfile.Options{})
	if errors.Is(err, atomicfile.ErrChanged) {
		return fmt.Errorf("%s: %w", c.path(), ErrChanged)
	}
	return err
}

// Decide does with a memory what a person decided, and returns the record as it
// is then. It is pure. note tells the two apart if both are kept, and is a
// reason otherwise.
func Decide(m Memory, r ConflictRecord, d Decision, note string, now time.Time) (Memory, ConflictRecord, error) {
	old := m.activeItem(r.Items[0].ItemID)
	other := m.activeItem(r.Items[1].ItemID) // -1 for one that is not remembered
	if old < 0 && d != KeepOlder && d != KeepNewer {
		return m, r, fmt.Errorf("what is remembered changed since: %w", ErrNoItem)
	}
	m.Items = slices.Clone(m.Items)
	note = Clean(note)
	switch d {
	case KeepOlder:
		if old >= 0 {
			outdate(m, other, r.Items[0].ItemID, now)
		}
	case KeepNewer:
		if other < 0 {
			m, r.Items[1].ItemID = decided(m, r, r.Items[1].Content, now)
		}
		outdate(m, old, r.Items[1].ItemID, now)
	case KeepBoth:
		if note == "" {
			return m, r, errors.New("to keep both, say in a note what tells them apart")
		}
		if other >= 0 {
			annotate(m, other, note, now)
		} else {
			m, r.Items[1].ItemID = decided(m, r, r.Items[1].Content+" ("+note+")", now)
		}
	case Outdated:
		outdate(m, old, "", now)
	default:
		return m, r, fmt.Errorf("%q is no decision: want older, newer, both or outdated", d)
	}
	r.Resolution = Resolution{Decision: d, ReasoningNotes: note}
	r.close(now)
	return m, r, nil
}

// close notes that what its resolution says was decided.
func (r *ConflictRecord) close(now time.Time) {
	switch r.Resolution.Decision {
	case KeepOlder:
		r.Status = AcceptedOlder
		if r.Items[0].Confidence > r.Items[1].Confidence {
			r.Status = AcceptedSurer
		}
	case KeepNewer:
		r.Status = AcceptedNewer
	case KeepBoth:
		r.Status = KeptBoth
	case Outdated:
		r.Status = MarkedOutdated
	}
	r.Resolution.Status, r.Resolution.ResolvedAt = r.Status, &now
}

// reopen has it wait again; what was decided stays noted.
func (r *ConflictRecord) reopen() {
	r.Status, r.Resolution.Status, r.Resolution.ResolvedAt = Unresolved, PendingReview, nil
}

// activeItem finds an item by its whole id, or gives -1.
func (m Memory) activeItem(id string) int {
	return slices.IndexFunc(m.Items, func(it Item) bool { return id != "" && it.ID == id && it.State == Active })
}

// annotate adds a person's note to an item.
func annotate(m Memory, i int, note string, now time.Time) {
	it := &m.Items[i]
	it.Content = Clean(it.Content + " (" + note + ")")
	it.Confidence, it.Updated, it.Why = 1, now, "a person decided a conflict"
	it.Origins = append(slices.Clip(it.Origins), Origin{Extractor: Person, Time: now})
}

// decided adds the found side as an item that a person stands behind.
func decided(m Memory, r ConflictRecord, content string, now time.Time) (Memory, string) {
	it := Item{
		Section: r.Category, Content: Clean(content), Confidence: 1, State: Active, Why: "a person decided a conflict",
		Created: now, Updated: now,
	}
	if o := r.Items[1].Origin; o != nil {
		it.Origins = append(it.Origins, *o)
	}
	it.Origins = append(it.Origins, Origin{Extractor: Person, Time: now})
	it.ID = uniqueID(it.Section+"\n"+it.Content, func(id string) bool {
		return slices.ContainsFunc(m.Items, func(k Item) bool { return k.ID == id })
	})
	m.Items = append(m.Items, it)
	return m, it.ID
}

func outdate(m Memory, i int, by string, now time.Time) {
	if i < 0 {
		return
	}
	it := &m.Items[i]
	it.State, it.SupersededBy, it.Updated, it.Why = Superseded, by, now, "a person decided a conflict"
}
