// Package historytest is the conformance suite of history sources: what every
// source must do whatever its files look like.
//
//	func TestSource(t *testing.T) {
//		historytest.Run(t, func(t *testing.T) historytest.Fixture { … })
//	}
//
// The suite calls the function once per test, so that tests may change the
// history under it.
package historytest

import (
	"testing"

	"recollect/internal/history"
)

// Turn is what a fixture says about one turn of its history.
type Turn struct {
	Session  string
	Branch   string // by history.BranchName
	Messages []string
}

// Fixture is a source over a history that the suite knows and can change. It
// should hold at least two sessions, two branches, a turn without an answer, a
// turn with several messages, and text that is not ASCII.
type Fixture struct {
	// New makes a source over the fixture's files, each time a fresh value: as a
	// new process would. Required.
	New func(t *testing.T) history.Source
	// Scope is the history that Turns describes. Required.
	Scope history.Scope
	// Turns are the turns of Scope in the order of Refs("*"). Required.
	Turns []Turn
	// Empty is a scope without history. Required.
	Empty history.Scope

	// Append adds one turn to the end of the newest session, as the assistant
	// would write it, on the branch of its last turn. Nil leaves its tests out.
	Append func(t *testing.T, prompt, answer string)
	// Extend adds one more answer to the last turn. Nil leaves its tests out.
	Extend func(t *testing.T, answer string)
	// Remove rewrites the files so that the turn is gone and the others stay.
	// Nil leaves its tests out.
	Remove func(t *testing.T, ref history.Ref)
	// Damage adds to the files something that cannot be read, without harm to
	// any turn. Nil leaves its tests out.
	Damage func(t *testing.T)
}

// Run runs the suite.
func Run(t *testing.T, fixture func(t *testing.T) Fixture) {
	tests := []struct {
		name string
		test func(t *testing.T, f Fixture)
	}{
		{"Contents", testContents},
		{"Names", testNames},
		{"Order", testOrder},
		{"Branches", testBranches},
		{"Sessions", testSessions},
		{"TurnsInOrderOfRefs", testTurnsOrder},
		{"TextIsClean", testClean},
		{"Revision", testRevision},
		{"ViewStays", testViewStays},
		{"DigestOfExtendedTurn", testDigest},
		{"Gone", testGone},
		{"Removed", testRemoved},
		{"Damage", testDamage},
		{"Cancel", testCancel},
		{"Break", testBreak},
		{"Empty", testEmpty},
		{"Close", testClose},
		{"Concurrent", testConcurrent},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, fixture(t)) })
	}
}

func open(t *testing.T, s history.Source, scope history.Scope) history.History {
	t.Helper()
	h, err := s.Open(t.Context(), scope)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return h
}

// readAll gives the turns of refs and fails on an error.
func readAll(t *testing.T, h history.History, refs []history.Ref) []history.Turn {
	t.Helper()
	turns := make([]history.Turn, 0, len(refs))
	for turn, err := range h.Turns(t.Context(), refs) {
		if err != nil {
			t.Fatalf("Turns: %v", err)
		}
		turns = append(turns, turn)
	}
	return turns
}

func texts(turn history.Turn) []string {
	out := make([]string, len(turn.Messages))
	for i, m := range turn.Messages {
		out[i] = m.Text
	}
	return out
}
