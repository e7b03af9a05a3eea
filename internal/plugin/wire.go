package plugin

import (
	"errors"
	"slices"

	"recollect/hostapi"
	"recollect/internal/history"
	"recollect/internal/inject"
	"recollect/internal/memorize"
	"recollect/internal/memory"
	"recollect/internal/printable"
)

// Wire types and domain types meet in this file and nowhere else.

func wireTurn(t history.Turn, isNew bool) hostapi.Turn {
	w := hostapi.Turn{
		ID: t.ID, Session: t.Session, Source: t.Source, Branch: t.Branch, Time: t.Time, New: isNew,
		Messages: make([]hostapi.Message, 0, len(t.Messages)),
	}
	for _, m := range t.Messages {
		w.Messages = append(w.Messages, hostapi.Message{ID: m.ID, Role: string(m.Role), Time: m.Time, Text: m.Text})
	}
	return w
}

func wireSession(x history.Session, t history.Traces, turns int) hostapi.Session {
	s := hostapi.Session{
		ID: x.ID, Source: x.Source, Title: x.Title, Turns: turns, Started: x.Started, LastActive: x.LastActive,
		Commit: printable.Line(t.Commit, maxWorkName),
	}
	for _, f := range t.Files {
		s.Files = append(s.Files, printable.Line(f, maxWorkName))
	}
	return s
}

// maxWorkName bounds the name of a file, and a commit, in characters.
const maxWorkName = 300

func wireSections(sections []memory.Section) []hostapi.Section {
	w := make([]hostapi.Section, 0, len(sections))
	for i, s := range sections {
		w = append(w, hostapi.Section{ID: s.ID, Heading: s.Heading, Guidance: s.Guidance, Order: i})
	}
	return w
}

// layout gives the sections in their order.
func layout(r hostapi.SectionsResult) memory.Layout {
	sorted := slices.Clone(r.Sections)
	slices.SortStableFunc(sorted, func(a, b hostapi.Section) int { return a.Order - b.Order })
	l := memory.Layout{Title: r.Title}
	for _, s := range sorted {
		l.Sections = append(l.Sections, memory.Section{ID: s.ID, Heading: s.Heading, Guidance: s.Guidance})
	}
	return l
}

// memoryItems gives the active items.
func memoryItems(items []memory.Item) []hostapi.MemoryItem {
	w := make([]hostapi.MemoryItem, 0, len(items))
	for _, it := range items {
		if it.State != memory.Active {
			continue
		}
		w = append(w, hostapi.MemoryItem{
			ID: it.ID, Section: it.Section, Content: it.Content, Confidence: it.Confidence, Importance: it.Importance, Pinned: it.Pinned,
			ByPerson: slices.ContainsFunc(it.Origins, func(o memory.Origin) bool { return o.Extractor == memory.Person }),
			Created:  it.Created, Updated: it.Updated, Said: it.LastSaid(), Seen: len(it.Origins),
		})
	}
	return w
}

func extractRequest(x memorize.Extraction) hostapi.ExtractRequest {
	return hostapi.ExtractRequest{
		Project: hostapi.Project{Name: x.Project}, Branch: x.Branch, Sections: wireSections(x.Sections), Now: x.Now,
		Limits:   hostapi.Limits{MaxItems: x.MaxItems, MaxItemRunes: x.MaxRunes},
		NewTurns: len(x.New), AllTurns: len(x.All), Explain: x.Explain,
	}
}

// maxRationale bounds why an extractor keeps an item, in characters.
const maxRationale = 2_000

// sectionName is the section that a plug-in names, which need not be there.
func sectionName(id string) string { return printable.Line(id, 80) }

// found gives what an extractor answered; the origin carries the evidence only.
func found(id string, items []hostapi.Item) []memory.Found {
	f := make([]memory.Found, 0, len(items))
	for _, it := range items {
		f = append(f, memory.Found{
			Section: sectionName(it.Section), Content: it.Content, Confidence: it.Confidence, Importance: it.Importance, Rationale: printable.Line(it.Rationale, maxRationale),
			Origin: memory.Origin{Extractor: id, Records: it.Evidence}, Suggestion: it.Suggestion,
		})
	}
	return f
}

// refusals gives what an extractor says that it refused.
func refusals(list []hostapi.Refusal) []memorize.Refused {
	var out []memorize.Refused
	for _, r := range list {
		f := memory.Found{Content: printable.Line(r.Content, memorize.MaxItemRunes), Origin: memory.Origin{Records: r.Evidence}}
		out = append(out, memorize.Refused{Found: f, Reason: printable.Line(r.Why, maxRationale)})
	}
	return out
}

func evolveRequest(x memorize.Evolution) hostapi.EvolveRequest {
	r := hostapi.EvolveRequest{
		Project: hostapi.Project{Name: x.Project}, Branch: x.Branch, Sections: wireSections(x.Sections), Now: x.Now,
		Memory: memoryItems(x.Memory.Items), Found: make([]hostapi.Item, 0, len(x.Found)),
	}
	for _, f := range x.Found {
		r.Found = append(r.Found, wireFound(f))
	}
	return r
}

func wireFound(f memory.Found) hostapi.Item {
	return hostapi.Item{
		Section: f.Section, Content: f.Content, Confidence: f.Confidence, Importance: f.Importance, Rationale: f.Rationale, Evidence: f.Origin.Records,
		Suggestion: f.Suggestion,
	}
}

// proposal gives what an extractor made of a memory, not yet checked.
func proposal(r hostapi.EvolveResult) memory.Proposal {
	var p memory.Proposal
	for _, it := range r.Items {
		p.Items = append(p.Items, memory.Item{ID: it.ID, Section: sectionName(it.Section), Content: it.Content, Confidence: it.Confidence})
	}
	for _, c := range r.Changes {
		if c.Rival != "" {
			p.Doubts = append(p.Doubts, memory.Doubt{ID: c.ID, Rival: c.Rival, Why: printable.Line(c.Why, 300)})
			continue
		}
		p.Changes = append(p.Changes, memory.Change{Action: memory.Action(c.Action), ID: c.ID, Why: printable.Line(c.Why, 300), By: c.By})
	}
	p.Warnings = sentences(r.Warnings)
	return p
}

// sentences are warnings as they may be shown: few and short.
func sentences(warnings []string) []string {
	var out []string
	for _, w := range warnings[:min(len(warnings), 10)] {
		out = append(out, printable.Line(w, 300))
	}
	return out
}

func checkRequest(sections []memory.Section, items []memory.Found) hostapi.CheckRequest {
	r := hostapi.CheckRequest{Sections: wireSections(sections), Items: make([]hostapi.Item, 0, len(items))}
	for _, f := range items {
		r.Items = append(r.Items, wireFound(f))
	}
	return r
}

var errCheckCount = errors.New("its answer neither keeps nor rejects every item")

// checked sorts items by what a schema answered: those that are not rejected
// stand in its items, in order. Normalising changes section, content,
// confidence and rationale; where an item came from stays, and how sure its
// extractor was.
func checked(items []memory.Found, r hostapi.CheckResult) ([]memory.Found, []memorize.Reject, error) {
	reasons := map[int]string{}
	for _, x := range r.Rejects {
		if _, twice := reasons[x.Index]; twice || x.Index < 0 || x.Index >= len(items) {
			return nil, nil, errCheckCount
		}
		reasons[x.Index] = x.Reason
	}
	if len(r.Items)+len(reasons) != len(items) {
		return nil, nil, errCheckCount
	}
	var good []memory.Found
	var bad []memorize.Reject
	for i, f := range items {
		if reason, rejected := reasons[i]; rejected {
			bad = append(bad, memorize.Reject{Item: f, Reason: printable.Line(reason, 300)})
			continue
		}
		w := r.Items[len(good)]
		f.Section, f.Content, f.Confidence = sectionName(w.Section), w.Content, w.Confidence
		f.Rationale = printable.Line(w.Rationale, maxRationale)
		good = append(good, f)
	}
	return good, bad, nil
}

func selectRequest(s inject.Selection) hostapi.SelectRequest {
	return hostapi.SelectRequest{
		Branch: s.Branch, Target: s.Target, Budget: s.Budget,
		Sections: wireSections(s.Sections), Items: memoryItems(s.Items),
		Context: hostapi.SelectContext{Now: s.Now, Prompt: s.Prompt, Files: s.Files},
	}
}

func ranking(r hostapi.SelectResult) inject.Ranking {
	out := inject.Ranking{Choices: make([]inject.Choice, 0, len(r.Selected)), Shares: r.Shares, Left: make(map[string]string, len(r.Left))}
	for _, x := range r.Selected {
		out.Choices = append(out.Choices, inject.Choice{ID: x.ID, Why: printable.Line(x.Why, 300)})
	}
	for _, x := range r.Left {
		out.Left[x.ID] = printable.Line(x.Why, 300)
	}
	return out
}
