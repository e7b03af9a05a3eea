package memorize

import (
	"encoding/json"

	"github.com/tidwall/gjson"

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

// DecodeSeen reads what Encode wrote. Anything else has seen nothing. It is read
// with every look at a project and names every turn, so it does not go through
// reflection.
func DecodeSeen(data []byte, branch string) *Seen {
	f := gjson.ParseBytes(data)
	if !gjson.ValidBytes(data) || !f.IsObject() || f.Get("version").Num != seenVersion || f.Get("branch").String() != branch {
		return &Seen{}
	}
	turns := map[string]map[string]string{}
	whole := true
	f.Get("seen").ForEach(func(extractor, seen gjson.Result) bool {
		if whole = seen.IsObject(); !whole {
			return false
		}
		of := make(map[string]string, len(seen.Raw)/64)
		seen.ForEach(func(turn, digest gjson.Result) bool {
			of[turn.String()] = digest.String()
			whole = digest.Type == gjson.String
			return whole
		})
		turns[extractor.String()] = of
		return whole
	})
	if !whole {
		return &Seen{}
	}
	return &Seen{turns: turns}
}
