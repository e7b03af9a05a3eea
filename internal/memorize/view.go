package memorize

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"recollect/internal/history"
	"recollect/internal/memory"
)

// view is a history with every secret taken out of what was said. It remembers
// which records it showed, so that evidence can be checked.
type view struct {
	history.History
	redactor Redactor
	listed   func() []history.Session // redacted once: a plug-in may ask for each of them

	mu       sync.Mutex
	shown    map[string]shown // by record id
	redacted int
	turns    int
	onTurn   func(done int)
}

// shown is where a record that was shown belongs.
type shown struct {
	source, session string
	time            time.Time
}

var _ History = (*view)(nil)

func newView(h history.History, r Redactor) *view {
	v := &view{History: h, redactor: r, shown: map[string]shown{}}
	v.listed = sync.OnceValue(v.list)
	return v
}

// watch calls f with the number of turns read from here on.
func (v *view) watch(f func(done int)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.onTurn, v.turns = f, 0
}

// Sessions are listed without the paths of transcripts and with titles
// redacted.
func (v *view) Sessions() []history.Session { return v.listed() }

func (v *view) list() []history.Session {
	sessions := slices.Clone(v.History.Sessions())
	for i := range sessions {
		sessions[i].Title, _ = v.redactor.Redact(sessions[i].Title)
		sessions[i].Files, sessions[i].Dirs = nil, nil
	}
	return sessions
}

// Traces are redacted like a title.
func (v *view) Traces(s history.Session) history.Traces {
	w := v.History.Traces(s)
	w.Files = slices.Clone(w.Files)
	for i := range w.Files {
		w.Files[i], _ = v.redactor.Redact(w.Files[i])
	}
	w.Commit, _ = v.redactor.Redact(w.Commit)
	return w
}

// Turns are redacted message by message.
func (v *view) Turns(ctx context.Context, refs []history.Ref) iter.Seq2[history.Turn, error] {
	return func(yield func(history.Turn, error) bool) {
		for t, err := range v.History.Turns(ctx, refs) {
			if err == nil {
				t = v.show(t)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

func (v *view) show(t history.Turn) history.Turn {
	t.Messages = slices.Clone(t.Messages)
	n := 0
	for i, m := range t.Messages {
		text, k := v.redactor.Redact(m.Text)
		t.Messages[i].Text = text
		n += k
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, m := range t.Messages {
		if _, again := v.shown[m.ID]; again {
			n = 0
		}
		v.shown[m.ID] = shown{source: t.Source, session: t.Session, time: m.Time}
	}
	v.redacted += n
	v.turns++
	if v.onTurn != nil {
		v.onTurn(v.turns)
	}
	return t
}

// origin makes an item's origin from the records that it names: those that
// were shown. Session and time are those of the newest of them. It says false
// if none was.
func (v *view) origin(records []string) (memory.Origin, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	var o memory.Origin
	for _, id := range records {
		s, ok := v.shown[id]
		if !ok || slices.Contains(o.Records, id) {
			continue
		}
		o.Records = append(o.Records, id)
		if o.Source == "" || s.time.After(o.Time) {
			o.Source, o.Session, o.Time = s.source, s.session, s.time
		}
	}
	return o, len(o.Records) > 0
}

// Redacted is a history as extractors see it.
func Redacted(h history.History, r Redactor) History { return newView(h, r) }
