package engine

import (
	"context"
	"errors"
	"iter"
	"slices"
	"testing"
	"time"

	"recollect/internal/history"
	"recollect/internal/secrets"
)

// told is a source of fixed turns.
type told struct {
	name  string
	turns []history.Turn
	fail  error
}

func (s told) Name() string { return s.name }
func (s told) Open(context.Context, history.Scope) (history.History, error) {
	return s, s.fail
}
func (s told) Revision() string       { return s.name }
func (s told) Report() history.Report { return history.Report{Source: s.name, Files: 1} }
func (s told) Close() error           { return nil }
func (s told) Sessions() []history.Session {
	return []history.Session{{ID: s.name, Source: s.name, Branches: []string{s.turns[0].Branch}}}
}
func (s told) Traces(history.Session) history.Traces {
	return history.Traces{Commit: "0123456 " + s.name}
}
func (s told) Refs(branch string) (out []history.Ref) {
	for _, t := range s.turns {
		if branch == "*" || t.Branch == branch {
			out = append(out, t.Ref)
		}
	}
	return out
}

func (s told) Turns(_ context.Context, refs []history.Ref) iter.Seq2[history.Turn, error] {
	return func(yield func(history.Turn, error) bool) {
		for _, r := range refs {
			i := slices.IndexFunc(s.turns, func(t history.Turn) bool { return t.Ref == r })
			if i < 0 {
				if !yield(history.Turn{Ref: r}, history.ErrGone) {
					return
				}
				continue
			}
			if !yield(s.turns[i], nil) {
				return
			}
		}
	}
}

func said(source, id, branch string, minute int) history.Turn {
	return history.Turn{
		Ref:      history.Ref{ID: id, Source: source, Session: source, Branch: branch, Time: time.Date(2026, 11, 20, 9, minute, 0, 0, time.UTC)},
		Messages: []history.Message{{ID: id, Text: source + " " + id}},
	}
}

func TestJoinedMixesSourcesByTime(t *testing.T) {
	t.Parallel()
	red, err := secrets.New()
	if err != nil {
		t.Fatal(err)
	}
	const token = "fix/ghp_ZmFrZUZha2VGYWtlRmFrZUZha2VGYWtl1234"
	a := told{name: "a", turns: []history.Turn{said("a", "1", "main", 1), said("a", "2", token, 3), said("a", "3", "main", 5)}}
	b := told{name: "b", turns: []history.Turn{said("b", "1", "main", 2), said("b", "2", "main", 4)}}
	j, err := openJoined(t.Context(), []history.Source{a, b}, history.Scope{}, red, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var got []string
	for turn, err := range j.Turns(t.Context(), j.Refs("*")) {
		if err != nil {
			t.Fatal(err)
		}
		if turn.Branch == token {
			t.Error("the token of a branch name went through")
		}
		got = append(got, turn.Messages[0].Text)
	}
	if want := []string{"a 1", "b 1", "a 2", "b 2", "a 3"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if n := len(j.Refs("main")); n != 4 {
		t.Errorf("%d turns on main", n)
	}
	if n := len(j.Refs(red.RedactName(token))); n != 1 {
		t.Errorf("%d turns on the branch with the token", n)
	}
	for turn, err := range j.Turns(t.Context(), []history.Ref{{ID: "9", Source: "a"}}) {
		if !errors.Is(err, history.ErrGone) || turn.ID != "9" {
			t.Errorf("%v, %v", turn, err)
		}
	}
	if r := j.Report(); r.Files != 2 {
		t.Errorf("report %+v", r)
	}
}

func TestJoinedNamesTheSourceThatFails(t *testing.T) {
	t.Parallel()
	red, err := secrets.New()
	if err != nil {
		t.Fatal(err)
	}
	bad := told{name: "b", fail: errors.New("disk on fire")}
	_, err = openJoined(t.Context(), []history.Source{told{name: "a", turns: []history.Turn{said("a", "1", "main", 1)}}, bad}, history.Scope{}, red, nil)
	if err == nil || err.Error() != "b: disk on fire" {
		t.Errorf("%v", err)
	}
}

func TestTracesAreThoseOfTheSessionsSource(t *testing.T) {
	t.Parallel()
	j := &joined{parts: []history.History{told{name: "a"}, told{name: "b"}}}
	if w := j.Traces(history.Session{Source: "b", ID: "a"}); w.Commit != "0123456 b" {
		t.Errorf("%+v", w)
	}
	if w := j.Traces(history.Session{Source: "c"}); w.Commit != "" {
		t.Errorf("%+v", w)
	}
}
