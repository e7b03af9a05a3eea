package claudecode

import (
	"cmp"
	"slices"

	"recollect/internal/history"
)

// maxStrangers bounds the kinds of unknown senders that are told apart in one
// file, maxKind the length of a kind.
const (
	maxStrangers = 32
	maxKind      = 40
)

// meetStranger counts a record that says that somebody spoke in it whom we do
// not know.
func (t *transcript) meetStranger(r *record, m *message) {
	if len(r.origin) == 0 && len(r.source) == 0 && len(r.attachment) == 0 {
		return
	}
	c, ok := claimOf(r, m)
	if !ok {
		return
	}
	field, value := c.Stranger()
	if field == "" {
		return
	}
	t.strangers = addStranger(t.strangers, history.Stranger{Field: field, Kind: kindName(value), Records: 1})
}

// kindName gives a kind as it may be kept: an index outlives transcripts, and
// what is no name may be anything.
func kindName(s string) string {
	if len(s) > maxKind {
		return ""
	}
	for i := range len(s) {
		c := s[i]
		if c != '-' && c != '_' && c != '.' && c != ':' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return ""
		}
	}
	return s
}

// addStranger adds to a list that is sorted by field and kind.
func addStranger(list []history.Stranger, s history.Stranger) []history.Stranger {
	i, found := slices.BinarySearchFunc(list, s, func(a, b history.Stranger) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Kind, b.Kind))
	})
	if !found && len(list) >= maxStrangers && s.Kind != "" {
		s.Kind = ""
		return addStranger(list, s)
	}
	if !found {
		return slices.Insert(list, i, s)
	}
	list[i].Records += s.Records
	return list
}
