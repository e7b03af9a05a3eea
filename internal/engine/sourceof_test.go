package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"recollect/internal/history"
	"recollect/internal/memory"
	"recollect/internal/secrets"
)

// Every item that was memorized leads to the words that it came from, and those
// of its neighbours.
func TestSourceOf(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e := openSample(t, o)
	if _, err := e.Memorize(t.Context(), MemorizeOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	v, err := e.Memory(t.Context(), "main")
	if err != nil || len(v.Items) < 3 {
		t.Fatalf("%d items, %v", len(v.Items), err)
	}
	beside := 0
	for _, it := range v.Items {
		s, err := e.SourceOf(t.Context(), "main", it.ID)
		if err != nil || len(s.Places) != len(it.Origins) || len(s.Places) == 0 {
			t.Fatalf("%+v %v", s, err)
		}
		for _, p := range s.Places {
			var ids []string
			for _, turn := range p.Turns {
				for _, m := range turn.Messages {
					ids = append(ids, m.ID)
				}
			}
			for _, id := range p.Cited {
				if !slices.Contains(ids, id) {
					t.Errorf("%q: %s is not shown", it.Content, id)
				}
			}
			if p.Title == "" || p.Missing != "" || len(p.Cited) == 0 || len(p.Turns) > maxPlaceTurns {
				t.Errorf("%q: %+v", it.Content, p)
			}
			beside += len(p.Turns) - 1
		}
	}
	if beside == 0 {
		t.Error("no neighbours are shown")
	}
	item := v.Items[0]
	done, err := e.Edit(t.Context(), "main", memory.Edit{Do: memory.Reword, ID: item.ID, Content: "My own words"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.SourceOf(t.Context(), "main", item.ID[:8])
	if n := len(s.Places); err != nil || n != len(item.Origins)+1 || !strings.Contains(s.Places[n-1].Missing, "person") || s.Item.Content != done.Changes[0].Content {
		t.Errorf("%+v %v", s.Places, err)
	}
	if _, err := e.SourceOf(t.Context(), "main", "zz"); !errors.Is(err, memory.ErrNoItem) {
		t.Error(err)
	}
	lose(t, e, o, item.Item)
}

// An item line from elsewhere may name any number of origins; and a transcript
// that another session took up has the words there.
func TestSourceOfElsewhere(t *testing.T) {
	t.Parallel()
	e := openSample(t, large{sessions: 3, turns: 4, branches: 1, items: 1}.make(t))
	m, rev, err := e.memories().Load("branch-0")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 1, 11, 0, 10, 0, time.UTC)
	moved := memory.Origin{Extractor: "x", Source: "claude-code", Session: "gone", Records: []string{"session-00002-0009", "session-00002-9999"}, Time: at}
	m.Items[0].Origins = nil
	for range 1000 {
		m.Items[0].Origins = append(m.Items[0].Origins, moved)
	}
	if _, err := e.memories().Save(t.Context(), m, rev); err != nil {
		t.Fatal(err)
	}
	s, err := e.SourceOf(t.Context(), "branch-0", m.Items[0].ID)
	if err != nil || len(s.Places) != maxPlaces {
		t.Fatalf("%d places, %v", len(s.Places), err)
	}
	p := s.Places[0]
	if len(p.Turns) != 3 || p.Turns[1].Session != "session-00002" || p.Turns[1].ID != "session-00002-0009" || !strings.Contains(p.Missing, "1 of the 2") {
		t.Errorf("%+v", p)
	}
}

// lose takes first the words and then the file of an item's session away.
func lose(t *testing.T, e *Engine, o Options, item memory.Item) {
	t.Helper()
	origin := item.Origins[0]
	files, err := filepath.Glob(filepath.Join(o.Getenv("CLAUDE_CONFIG_DIR"), "projects", "*", origin.Session+".jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range origin.Records {
		text = []byte(strings.ReplaceAll(string(text), id, strings.Repeat("0", len(id))))
	}
	write(t, files[0], text)
	s, err := e.SourceOf(t.Context(), "main", item.ID)
	if err != nil || !s.Places[0].Archived || s.Places[0].Missing != "" || len(s.Places[0].Turns) == 0 {
		t.Errorf("%+v %v", s.Places[0], err)
	}
	if err := os.RemoveAll(filepath.Join(o.Getenv("RECOLLECT_HOME"), "data", "archive")); err != nil {
		t.Fatal(err)
	}
	s, err = e.SourceOf(t.Context(), "main", item.ID)
	if err != nil || !strings.Contains(s.Places[0].Missing, "rewritten") || len(s.Places[0].Turns) != 0 {
		t.Errorf("%+v %v", s.Places[0], err)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	s, err = e.SourceOf(t.Context(), "main", item.ID)
	if err != nil || !strings.Contains(s.Places[0].Missing, "not there any more") {
		t.Errorf("%+v %v", s.Places[0], err)
	}
	if _, err := e.SessionTurns(t.Context(), origin.Session, 0, 10); Explain(err).Code != "not_found" {
		t.Error(err)
	}
}

func TestUnspoken(t *testing.T) {
	t.Parallel()
	e := openSample(t, sample(t))
	for _, tt := range []struct {
		origin memory.Origin
		want   string
	}{
		{memory.Origin{Extractor: memory.Person}, "person"},
		{memory.Origin{Extractor: memory.Puffin}, "Puffin"},
		{memory.Origin{Extractor: memory.Unknown}, "not known"},
		{memory.Origin{Extractor: "x", Source: "claude-code"}, "did not say"},
		{memory.Origin{Extractor: "x", Source: "gemini", Records: []string{"r"}}, "leaves it out"},
		{memory.Origin{Extractor: "x", Source: "claude-code", Records: []string{"r"}}, ""},
	} {
		if got := e.unspoken(tt.origin); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%+v: %q", tt.origin, got)
		}
	}
}

func TestSessionTurns(t *testing.T) {
	t.Parallel()
	e := openSample(t, large{sessions: 3, turns: 120}.make(t))
	get := func(from, count int) SessionTurns {
		t.Helper()
		s, err := e.SessionTurns(t.Context(), "session-00001", from, count)
		if err != nil || s.Total != 120 || s.Source != "claude-code" || s.Title == "" {
			t.Fatalf("%+v %v", s, err)
		}
		return s
	}
	for _, tt := range []struct{ from, count, first, n int }{
		{0, 5, 0, 5}, {-3, 2, 0, 2}, {118, 10, 118, 2}, {500, 10, 120, 0}, {0, 0, 0, 0}, {0, -1, 0, 0}, {0, 1 << 40, 0, maxWindow},
	} {
		s := get(tt.from, tt.count)
		if s.From != tt.first || len(s.Turns) != tt.n || s.Turns == nil {
			t.Errorf("%+v: from %d, %d turns", tt, s.From, len(s.Turns))
		}
		for i, turn := range s.Turns {
			if want := fmt.Sprintf("Prompt %d of session 1:", tt.first+i); !strings.HasPrefix(turn.Messages[0].Text, want) {
				t.Errorf("%+v: turn %d is %q", tt, i, turn.Messages[0].Text)
			}
		}
	}
}

// longHistory has turns that are too long to be shown whole.
func longHistory(messages, size int) history.Turn {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	turn := history.Turn{Ref: history.Ref{ID: "m0", Session: "s", Source: "a", Branch: "main", Time: at}}
	for i := range messages {
		var b strings.Builder
		for b.Len() < size {
			fmt.Fprintf(&b, "line %d of message %d: wörter\n", b.Len(), i)
		}
		turn.Messages = append(turn.Messages, history.Message{ID: fmt.Sprint("m", i), Text: b.String()})
	}
	return turn
}

func TestExcerpts(t *testing.T) {
	t.Parallel()
	red, err := secrets.New()
	if err != nil {
		t.Fatal(err)
	}
	turn := longHistory(200, 50_000)
	const token = "ghp_ZmFrZUZha2VGYWtlRmFrZUZha2VGYWtl1234"
	text := &turn.Messages[100].Text
	*text = (*text)[:30_000] + "\nThe gauge is read with " + token + " at noon\n" + (*text)[30_001:]
	*text = strings.ToValidUTF8(*text, "")
	x := (&excerpter{red: red, share: 40_000, words: tellingWords("The gauge is read at noon")}).begin()
	got := x.turn(turn, map[string]bool{"m100": true})
	size, found := 0, false
	for _, m := range got.Messages {
		size += len(m.Text)
		if !utf8.ValidString(m.Text) || strings.Contains(m.Text, token) {
			t.Errorf("%q", m.Text)
		}
		if m.ID == "m100" {
			found = strings.Contains(m.Text, "The gauge is read with [redacted] at noon") && strings.HasPrefix(m.Text, "[") && strings.HasSuffix(m.Text, "left out]")
		}
	}
	if !found || size > 40_000 {
		t.Errorf("found %v, %d bytes", found, size)
	}
	var ids []string
	for _, m := range got.Messages {
		ids = append(ids, m.ID)
	}
	if want := []string{"m0", "m0#1", "m98", "m99", "m100", "m101", "m102", "m0#7"}; !slices.Equal(ids, want) || got.Messages[1].Text != "[97 messages left out]" {
		t.Errorf("%q", ids)
	}
	// The window of a whole session ends when enough is shown.
	x = (&excerpter{red: red, share: 30_000}).begin()
	if got := x.turn(turn, nil); len(got.Messages) != 5 || got.Messages[4].Text != "[196 messages left out]" || x.left > 0 {
		t.Errorf("%d messages, %d left", len(got.Messages), x.left)
	}
	data, err := json.Marshal(got)
	if err != nil || len(data) > 60_000 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

func FuzzExcerpt(f *testing.F) {
	red, err := secrets.New()
	if err != nil {
		f.Fatal(err)
	}
	f.Add("a text with some words\nand more", "some words", 10)
	f.Add("\xff\xfeİİİ password=hunter2hunter2\n", "password", 3)
	f.Fuzz(func(t *testing.T, text, content string, limit int) {
		if len(text) > 100_000 || len(content) > 4000 {
			return
		}
		limit = min(max(limit, 1), 100_000)
		x := (&excerpter{red: red, share: limit, words: tellingWords(content)}).begin()
		got := x.text(text, limit, true)
		if !utf8.ValidString(got) || len(got) > limit+80 {
			t.Fatalf("%q of %q, limit %d", got, text, limit)
		}
	})
}

// BenchmarkSourceOf is what a person waits for who clicks an item of a project
// with 1,000 sessions that was looked at before.
func BenchmarkSourceOf(b *testing.B) {
	for name, l := range map[string]large{
		"1000 sessions":            {sessions: 1000, turns: 10, branches: 20, items: 100},
		"one session, 10000 turns": {sessions: 1, turns: 10_000, branches: 1, items: 10},
	} {
		b.Run(name, func(b *testing.B) {
			o := l.make(b)
			e := openSample(b, o)
			at := time.Date(2026, 1, 1, 9, 0, 32, 0, time.UTC).Add(time.Duration(l.sessions/2) * time.Hour)
			m, rev, err := e.memories().Load("branch-0")
			if err != nil {
				b.Fatal(err)
			}
			session := fmt.Sprintf("session-%05d", l.sessions/2)
			m.Items[0].Origins = []memory.Origin{{Extractor: "x", Source: "claude-code", Session: session, Records: []string{session + "-0009", session + "-0032"}, Time: at}}
			if _, err := e.memories().Save(b.Context(), m, rev); err != nil {
				b.Fatal(err)
			}
			b.Run("item", func(b *testing.B) {
				for b.Loop() {
					e := openSample(b, o)
					s, err := e.SourceOf(b.Context(), "branch-0", m.Items[0].ID)
					if err != nil || len(s.Places) != 1 || len(s.Places[0].Turns) < 2 || s.Places[0].Missing != "" {
						b.Fatalf("%+v %v", s, err)
					}
				}
			})
			b.Run("window", func(b *testing.B) {
				for b.Loop() {
					if s, err := e.SessionTurns(b.Context(), session, 5, 50); err != nil || len(s.Turns) < 5 {
						b.Fatal(len(s.Turns), err)
					}
				}
			})
		})
	}
}
