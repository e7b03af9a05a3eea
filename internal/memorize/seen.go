package memorize

import (
	"encoding/json"
	"maps"

	"recollect/internal/history"
)

// SeenStore keeps which turns were memorized, per branch. It is local to the
// machine and may be lost: then turns are read again and the merge finds
// nothing new in them.
type SeenStore interface {
	// Load gives what was seen; nothing, if it was lost or is damaged.
	Load(branch string) (*Seen, error)
	Save(branch string, s *Seen) error
}

// Seen says which turns each extractor has seen, as they were. The zero value
// has seen nothing.
type Seen struct {
	turns map[string]map[string]string // extractor → turn key → digest
}

// turnKey tells the turns of several sources apart.
func turnKey(r history.Ref) string { return r.Source + "/" + r.ID }

// New gives the turns of all that the extractor has not seen as they are.
func (s *Seen) New(extractor string, all []history.Ref) []history.Ref {
	seen := s.turns[extractor]
	var fresh []history.Ref
	for _, r := range all {
		if d, ok := seen[turnKey(r)]; !ok || d != r.Digest {
			fresh = append(fresh, r)
		}
	}
	return fresh
}

// Add notes that the extractor has seen these turns.
func (s *Seen) Add(extractor string, refs []history.Ref) {
	if s.turns == nil {
		s.turns = map[string]map[string]string{}
	}
	if s.turns[extractor] == nil {
		s.turns[extractor] = map[string]string{}
	}
	for _, r := range refs {
		s.turns[extractor][turnKey(r)] = r.Digest
	}
}

// seenFile is how a Seen is written.
type seenFile struct {
	Version int                          `json:"version"`
	Branch  string                       `json:"branch"`
	Seen    map[string]map[string]string `json:"seen"`
}

const seenVersion = 1

// Encode gives the text of the file for a branch.
func (s *Seen) Encode(branch string) ([]byte, error) {
	return json.Marshal(seenFile{Version: seenVersion, Branch: branch, Seen: s.turns})
}

// DecodeSeen reads what Encode wrote. Anything else has seen nothing.
func DecodeSeen(data []byte, branch string) *Seen {
	var f seenFile
	if json.Unmarshal(data, &f) != nil || f.Version != seenVersion || f.Branch != branch {
		return &Seen{}
	}
	return &Seen{turns: maps.Clone(f.Seen)}
}
