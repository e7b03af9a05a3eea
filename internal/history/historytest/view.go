package historytest

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/history"
	"recollect/internal/history/voice"
)

func testContents(t *testing.T, f Fixture) {
	h := open(t, f.New(t), f.Scope)
	var got []Turn
	for _, turn := range readAll(t, h, h.Refs("*")) {
		got = append(got, Turn{Session: turn.Session, Branch: turn.Branch, Messages: texts(turn)})
	}
	if d := cmp.Diff(f.Turns, got); d != "" {
		t.Errorf("turns (-want +got):\n%s", d)
	}
}

func testNames(t *testing.T, f Fixture) {
	s := f.New(t)
	if s.Name() == "" {
		t.Fatal("the source has no name")
	}
	h := open(t, s, f.Scope)
	if got := h.Report().Source; got != s.Name() {
		t.Errorf("Report().Source is %q, want %q", got, s.Name())
	}
	if r := h.Report(); r.Files == 0 || r.Records == 0 {
		t.Errorf("Report() counts %d files and %d records", r.Files, r.Records)
	}
	for _, ref := range h.Refs("*") {
		if ref.Source != s.Name() {
			t.Errorf("turn %s: source is %q, want %q", ref.ID, ref.Source, s.Name())
		}
		if ref.ID == "" || ref.Session == "" || ref.Branch == "" || ref.Digest == "" {
			t.Errorf("turn lacks id, session, branch or digest: %+v", ref)
		}
	}
	for _, ses := range h.Sessions() {
		if ses.Source != s.Name() {
			t.Errorf("session %s: source is %q, want %q", ses.ID, ses.Source, s.Name())
		}
	}
}

func testOrder(t *testing.T, f Fixture) {
	h := open(t, f.New(t), f.Scope)
	refs := h.Refs("*")
	seen := map[string]bool{}
	last := map[string]time.Time{}
	var before time.Time
	for _, ref := range refs {
		if seen[ref.ID] {
			t.Errorf("turn %s is listed twice", ref.ID)
		}
		seen[ref.ID] = true
		if ref.Time.Before(last[ref.Session]) && !ref.Time.IsZero() {
			t.Errorf("turn %s is listed after a later one of its session", ref.ID)
		}
		last[ref.Session] = ref.Time
		if ref.Time.Before(before) && !ref.Time.IsZero() {
			t.Errorf("turn %s is listed after a later one", ref.ID)
		}
		before = ref.Time
	}
	refs[0].ID = "changed by the caller"
	if h.Refs("*")[0].ID == refs[0].ID {
		t.Error("Refs gives out its own slice")
	}
}

func testBranches(t *testing.T, f Fixture) {
	h := open(t, f.New(t), f.Scope)
	all := h.Refs("*")
	byBranch := map[string][]history.Ref{}
	for _, ref := range all {
		if ref.Branch != history.BranchName(ref.Branch) {
			t.Errorf("turn %s: branch %q is not named by BranchName", ref.ID, ref.Branch)
		}
		byBranch[ref.Branch] = append(byBranch[ref.Branch], ref)
	}
	for name, want := range byBranch {
		if d := cmp.Diff(want, h.Refs(name)); d != "" {
			t.Errorf("Refs(%q) (-want +got):\n%s", name, d)
		}
	}
	for _, unknown := range []string{"no such branch", ""} {
		if got := h.Refs(unknown); len(got) != 0 {
			t.Errorf("Refs(%q) gives %d turns", unknown, len(got))
		}
	}
}

func testSessions(t *testing.T, f Fixture) {
	h := open(t, f.New(t), f.Scope)
	turns := map[string]int{}
	branches := map[string]map[string]bool{}
	for _, ref := range h.Refs("*") {
		turns[ref.Session]++
		if branches[ref.Session] == nil {
			branches[ref.Session] = map[string]bool{}
		}
		branches[ref.Session][ref.Branch] = true
	}
	var before time.Time
	for _, s := range h.Sessions() {
		if s.Turns == 0 || s.Turns != turns[s.ID] {
			t.Errorf("session %s says %d turns, has %d", s.ID, s.Turns, turns[s.ID])
		}
		if s.Title == "" || strings.ContainsAny(s.Title, "\r\n\x00") || !utf8.ValidString(s.Title) {
			t.Errorf("session %s: title is %q", s.ID, s.Title)
		}
		if len(s.Files) == 0 {
			t.Errorf("session %s names no file", s.ID)
		}
		w := h.Traces(s)
		if len(w.Files) > history.MaxTraced || strings.ContainsAny(w.Commit, "\r\n\x00") {
			t.Errorf("session %s did %+v", s.ID, w)
		}
		for _, f := range w.Files {
			if !fs.ValidPath(f) || !utf8.ValidString(f) {
				t.Errorf("session %s wrote %q, which is no name below a folder", s.ID, f)
			}
		}
		if s.LastActive.Before(s.Started) {
			t.Errorf("session %s ends %v before it begins %v", s.ID, s.LastActive, s.Started)
		}
		if s.Started.Before(before) {
			t.Errorf("session %s is listed after a later one", s.ID)
		}
		before = s.Started
		for name := range branches[s.ID] {
			if !slices.Contains(s.Branches, name) {
				t.Errorf("session %s does not list branch %q", s.ID, name)
			}
		}
		delete(turns, s.ID)
	}
	for id := range turns {
		t.Errorf("session %s has turns and is not listed", id)
	}
}

func testTurnsOrder(t *testing.T, f Fixture) {
	h := open(t, f.New(t), f.Scope)
	refs := h.Refs("*")
	slices.Reverse(refs)
	refs = append(refs, refs[0])
	got := readAll(t, h, refs)
	if len(got) != len(refs) {
		t.Fatalf("Turns gives %d turns for %d refs", len(got), len(refs))
	}
	for i := range refs {
		if d := cmp.Diff(refs[i], got[i].Ref); d != "" {
			t.Errorf("turn %d (-asked +got):\n%s", i, d)
		}
	}
	for _, err := range h.Turns(t.Context(), nil) {
		t.Errorf("no refs give a turn or an error: %v", err)
	}
}

func testClean(t *testing.T, f Fixture) {
	h := open(t, f.New(t), f.Scope)
	for _, turn := range readAll(t, h, h.Refs("*")) {
		if len(turn.Messages) == 0 {
			t.Errorf("turn %s has no messages", turn.ID)
		}
		for i, m := range turn.Messages {
			if m.ID == "" {
				t.Errorf("turn %s: message %d has no id", turn.ID, i)
			}
			if m.Role != history.User && m.Role != history.Assistant {
				t.Errorf("turn %s: message %s has role %q", turn.ID, m.ID, m.Role)
			}
			if strings.TrimSpace(m.Text) == "" {
				t.Errorf("turn %s: message %s is blank", turn.ID, m.ID)
			}
			if m.Role == history.User && voice.Words(m.Text) == "" {
				t.Errorf("turn %s: message %s is a person's and holds none of their words: %q", turn.ID, m.ID, m.Text)
			}
			if !utf8.ValidString(m.Text) || strings.Contains(m.Text, "\x00") {
				t.Errorf("turn %s: message %s is not clean: %q", turn.ID, m.ID, m.Text)
			}
		}
	}
}

func testEmpty(t *testing.T, f Fixture) {
	h := open(t, f.New(t), f.Empty)
	if n := len(h.Refs("*")) + len(h.Sessions()); n != 0 {
		t.Errorf("an empty scope has %d turns and sessions", n)
	}
	if h.Revision() == "" {
		t.Error("an empty view has no revision")
	}
	full := open(t, f.New(t), f.Scope)
	if full.Revision() == h.Revision() {
		t.Error("an empty and a full view have the same revision")
	}
}
