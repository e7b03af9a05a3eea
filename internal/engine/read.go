package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/internal/history"
	"recollect/internal/memorize"
)

// Session is one session of the project.
type Session struct {
	ID         string        `json:"id"`
	Source     string        `json:"source"`
	Title      string        `json:"title"`
	Branches   []string      `json:"branches"`
	Dirs       []string      `json:"dirs"`
	Version    string        `json:"version,omitempty"`
	Turns      int           `json:"turns"`
	Started    time.Time     `json:"started,omitzero"`
	LastActive time.Time     `json:"last_active,omitzero"`
	Usage      history.Usage `json:"usage"`
	Files      []string      `json:"files"`
}

// Sessions lists the sessions, oldest first, of one branch or of all (nil).
func (e *Engine) Sessions(ctx context.Context, branch *string) ([]Session, error) {
	h, err := e.openHistory(ctx)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	only := ""
	if branch != nil {
		if only, err = e.branchName(branch); err != nil {
			return nil, err
		}
	}
	out := []Session{}
	for _, s := range h.Sessions() {
		if branch == nil || slices.Contains(s.Branches, only) {
			out = append(out, Session(s))
		}
	}
	return out, nil
}

// Turn is one turn with what was said, secrets taken out.
type Turn struct {
	ID       string    `json:"id"`
	Session  string    `json:"session"`
	Source   string    `json:"source"`
	Branch   string    `json:"branch"`
	Time     time.Time `json:"time,omitzero"`
	Messages []Message `json:"messages"`
}

// Message is what one side said in one record.
type Message struct {
	ID   string    `json:"id"`
	Role string    `json:"role"`
	Time time.Time `json:"time,omitzero"`
	Text string    `json:"text"`
}

// Turns calls f with each turn, oldest first, of one branch or of all (nil), and
// of one session (its id, or a beginning that no other has) or of all (""). f's error ends
// it.
func (e *Engine) Turns(ctx context.Context, branch *string, session string, f func(Turn) error) error {
	h, err := e.openHistory(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	red, err := e.redactor()
	if err != nil {
		return err
	}
	name := "*"
	if branch != nil {
		if name, err = e.branchName(branch); err != nil {
			return err
		}
	}
	if session != "" {
		if session, err = findSession(h, session); err != nil {
			return err
		}
	}
	var refs []history.Ref
	for _, r := range h.Refs(name) {
		if session == "" || r.Session == session {
			refs = append(refs, r)
		}
	}
	for t, err := range h.Turns(ctx, refs) {
		if errors.Is(err, history.ErrGone) {
			continue
		}
		if err != nil {
			return err
		}
		out := Turn{ID: t.ID, Session: t.Session, Source: t.Source, Branch: t.Branch, Time: t.Time, Messages: []Message{}}
		for _, m := range t.Messages {
			text, _ := red.Redact(m.Text)
			out.Messages = append(out.Messages, Message{ID: m.ID, Role: string(m.Role), Time: m.Time, Text: text})
		}
		if err := f(out); err != nil {
			return err
		}
	}
	return nil
}

// Extracted is what the extractors find in given transcripts.
type Extracted struct {
	Items []ExtractedItem `json:"items"`
	// Refused is what was narrowly refused, in the order in which it was said; only
	// where it was asked for.
	Refused []RefusedItem `json:"refused,omitempty"`
	// Absent are plug-ins that the settings name and that it was done without.
	Absent []Absent `json:"absent,omitempty"`
}

// RefusedItem is a sentence that is not remembered.
type RefusedItem struct {
	Text     string   `json:"text"`
	Why      string   `json:"why"`
	Evidence []string `json:"evidence,omitempty"` // record ids
}

// What would become of a found item.
const (
	ToMemory     = "memory"
	ToSuggestion = "suggestion" // its extractor is not sure: it would wait
)

// ExtractedItem is one found item.
type ExtractedItem struct {
	Section    string   `json:"section"`
	Text       string   `json:"text"`
	Evidence   []string `json:"evidence"` // record ids
	Confidence float64  `json:"confidence"`
	State      string   `json:"state"`         // ToMemory or ToSuggestion
	Why        string   `json:"why,omitempty"` // as its extractor says
}

// Extract runs the configured extractors, or those given instead, on the transcripts that the engine
// was opened with, over all their branches, and writes nothing. With explain it says why
// each is kept, and what was narrowly refused.
func (e *Engine) Extract(ctx context.Context, extractors []string, explain bool) (Extracted, error) {
	h, err := e.openHistory(ctx)
	if err != nil {
		return Extracted{}, err
	}
	defer h.Close()
	m := e.openModel(runID(e.options.Now()))
	defer m.close()
	parts, err := e.parts(extractors, m, scratch(true))
	if err != nil {
		return Extracted{}, err
	}
	found, refused, err := memorize.Extract(ctx, parts, memorize.Input{
		Project: "transcript", Branch: "*", History: h, Now: e.options.Now(), Explain: explain,
	})
	if err != nil {
		return Extracted{}, err
	}
	out := Extracted{Items: []ExtractedItem{}, Absent: e.absentFrom(extractors)}
	for _, f := range found {
		it := ExtractedItem{Section: f.Section, Text: f.Content, Evidence: f.Origin.Records, Confidence: f.Confidence, State: ToMemory}
		if f.Suggestion {
			it.State = ToSuggestion
		}
		if explain {
			it.Why = f.Rationale
		}
		out.Items = append(out.Items, it)
	}
	for _, f := range refused {
		if explain {
			out.Refused = append(out.Refused, RefusedItem{Text: f.Content, Why: f.Reason, Evidence: f.Origin.Records})
		}
	}
	if len(h.Refs("*")) == 0 && h.Report().Files == 0 {
		return out, fmt.Errorf("%s: %w", strings.Join(e.options.Transcripts, ", "), errNoTranscript)
	}
	return out, nil
}
