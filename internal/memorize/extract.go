package memorize

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/internal/history"
	"recollect/internal/memory"
)

// batchTurns is how many new turns an extractor is given at once, so that the
// first run over a long history stays within what one call may read.
const batchTurns = 1000

// extractAll asks each extractor that has new turns, and gives what passed the
// checks and which turns each has seen now. One extractor's failure fails the
// run: its turns must not count as seen, and a memory without its part would
// look complete. One that only can't do it now is stood in for; where nobody can,
// what it read before counts.
func (r *run) extractAll(ctx context.Context, all []history.Ref, fresh map[string][]history.Ref) ([]memory.Found, map[string][]history.Ref, error) {
	var err error
	if r.layout, err = r.Schema.Layout(ctx); err != nil {
		return nil, nil, err
	}
	var found []memory.Found
	seen := map[string][]history.Ref{}
	for _, x := range r.Extractors {
		got, read, err := r.extract(ctx, x, all, fresh[x.ID()])
		found, seen[x.ID()] = append(found, got...), read
		switch f := r.standIn(); {
		case !errors.Is(err, ErrUnavailable):
		case f != nil:
			got, seen[f.ID()], err = r.standsIn(ctx, f, err, all, without(fresh[x.ID()], read))
			found = append(found, got...)
		case len(read) > 0:
			r.warn("%v; what it did not read waits", err)
			err = nil
		}
		if err != nil {
			return nil, nil, err
		}
	}
	r.report.Redacted += r.view.redacted
	found, err = r.normalise(ctx, r.layout.Sections, found)
	return found, seen, err
}

func without(refs, read []history.Ref) []history.Ref {
	return slices.DeleteFunc(slices.Clone(refs), func(r history.Ref) bool { return slices.Contains(read, r) })
}

// standIn is the extractor that reads what another can't read now; nil if there
// is none, or if it reads everything anyway.
func (r *run) standIn() Extractor {
	if r.StandIn == nil || slices.ContainsFunc(r.Extractors, func(k Extractor) bool { return k.ID() == r.StandIn.ID() }) {
		return nil
	}
	return r.StandIn
}

// standsIn has an extractor read the turns that another could not read now, and of
// them only what it has not read in an earlier run.
func (r *run) standsIn(ctx context.Context, f Extractor, why error, all, left []history.Ref) ([]memory.Found, []history.Ref, error) {
	if r.seen != nil && !r.Again {
		left = r.seen.New(f.ID(), left)
	}
	if len(left) == 0 {
		r.warn("%v; %s has read in its place before, so these turns wait", why, f.ID())
		return nil, nil, nil
	}
	r.warn("%v; %s read in its place", why, f.ID())
	return r.extract(ctx, f, all, left)
}

// extract asks one extractor, part by part, the newest first: where a budget ends,
// the oldest turns are those that wait. With an error, also where it was halted, it
// gives what it found before and the turns that it has read.
func (r *run) extract(ctx context.Context, x Extractor, all, refs []history.Ref) (found []memory.Found, read []history.Ref, err error) {
	known, _ := r.shown(r.current)
	r.view.watch(func(done int) { r.progress("extract", x.ID(), min(done, len(refs)), len(refs)) })
	for _, part := range slices.Backward(slices.Collect(slices.Chunk(refs, batchTurns))) {
		got, err := x.Extract(ctx, Extraction{
			Project: r.Project, Branch: r.Branch, Sections: r.layout.Sections, Now: r.Now,
			MaxItems: MaxItems, MaxRunes: MaxItemRunes,
			History: r.view, New: part, All: all, Memory: known, Explain: r.Explain,
		})
		if err != nil {
			return found, read, err
		}
		for _, w := range got.Warnings {
			r.warn("%s: %s", x.ID(), w)
		}
		found = append(found, r.check(x.ID(), got.Found)...)
		r.rejected(x.ID(), got.Rejected)
		r.explain(x.ID(), got.Refused)
		for _, ref := range part {
			if !slices.Contains(got.Unread, ref.ID) {
				read = append(read, ref)
			}
		}
		if got.Halted != nil {
			return found, read, got.Halted
		}
	}
	return found, read, nil
}

// check takes an extractor's word for nothing: length, secrets and evidence
// are looked at, and origins are filled from what the extractor was shown.
func (r *run) check(extractor string, got []memory.Found) []memory.Found {
	got = surestFirst(got)
	out := make([]memory.Found, 0, len(got))
	for _, f := range got {
		clean, reason := r.checkOne(f)
		if reason != "" {
			r.reject(extractor, clean, reason)
			continue
		}
		clean.Origin.Extractor = extractor
		out = append(out, clean)
	}
	if n := len(out) - MaxItems; n > 0 {
		r.warn("%s found %d items; the %d least certain were left out", extractor, len(out), n)
		out = out[:MaxItems]
	}
	return out
}

func (r *run) checkOne(f memory.Found) (memory.Found, string) {
	before := f.Content
	var n, m int
	f.Content, n = r.Redactor.Redact(before)
	f.Rationale, m = r.Redactor.Redact(f.Rationale)
	r.report.Redacted += n + m
	switch {
	case strings.TrimSpace(before) == "":
		return f, "no content"
	case n > 0 && r.Redactor.OnlySecret(before, f.Content), n == 0 && r.Redactor.OnlySecret(before, before):
		return f, "nothing but a secret"
	case utf8.RuneCountInString(f.Content) > MaxItemRunes:
		f.Content = string([]rune(f.Content)[:80]) + "…"
		return f, fmt.Sprintf("longer than %d characters", MaxItemRunes)
	}
	origin, ok := r.view.origin(f.Origin.Records)
	if !ok {
		return f, "no evidence: it names no record that was read"
	}
	f.Origin = origin
	return f, ""
}

// surestFirst orders by confidence, suggestions last, equal ones as they came.
func surestFirst(found []memory.Found) []memory.Found {
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b memory.Found) int {
		switch {
		case a.Suggestion != b.Suggestion && b.Suggestion, a.Suggestion == b.Suggestion && a.Confidence > b.Confidence:
			return -1
		case a.Suggestion != b.Suggestion, a.Confidence < b.Confidence:
			return 1
		}
		return 0
	})
	return found
}

// normalise asks the schema, whose answer is checked again: a schema may
// rewrite contents, so that it could bring back what was taken out.
func (r *run) normalise(ctx context.Context, sections []memory.Section, found []memory.Found) ([]memory.Found, error) {
	if len(found) == 0 {
		return nil, nil
	}
	ok, rejects, err := r.Schema.Check(ctx, sections, found)
	if err != nil {
		return nil, err
	}
	for _, x := range rejects {
		r.reject(x.Item.Origin.Extractor, x.Item, x.Reason)
	}
	out := ok[:0:0]
	for _, f := range ok {
		known := slices.ContainsFunc(sections, func(s memory.Section) bool { return s.ID == f.Section })
		switch {
		case !known:
			r.reject(f.Origin.Extractor, f, "unknown section")
		case strings.TrimSpace(f.Content) == "":
			r.reject(f.Origin.Extractor, f, "no content")
		default:
			f.Content, _ = r.Redactor.Redact(f.Content)
			out = append(out, f)
		}
	}
	return out, nil
}

func (r *run) reject(extractor string, f memory.Found, reason string) {
	r.refused = append(r.refused, Refused{f, reason})
	r.report.Rejected = append(r.report.Rejected,
		Rejection{Extractor: extractor, Section: f.Section, Content: f.Content, Reason: reason})
}

// rejected keeps what an extractor did not take, redacted as what it takes.
func (r *run) rejected(extractor string, got []Refused) {
	for _, f := range got {
		f.Content, _ = r.Redactor.Redact(f.Content)
		f.Reason, _ = r.Redactor.Redact(f.Reason)
		f.Origin.Extractor = extractor
		r.reject(extractor, f.Found, f.Reason)
	}
}

// explain keeps what an extractor says that it refused, redacted as what it keeps.
func (r *run) explain(extractor string, got []Refused) {
	for _, f := range got {
		f.Content, _ = r.Redactor.Redact(f.Content)
		f.Reason, _ = r.Redactor.Redact(f.Reason)
		f.Origin.Extractor = extractor
		r.refused = append(r.refused, f)
	}
}

// Extract finds what Run would merge or suggest if nothing were remembered yet, over the
// turns of in.Branch ("*": of all branches), and writes nothing. Refused holds what did
// not pass the checks, and with in.Explain what the extractors narrowly refused.
func Extract(ctx context.Context, p Parts, in Input) (found []memory.Found, refused []Refused, err error) {
	r := run{Parts: p, Input: in}
	r.view = newView(in.History, p.Redactor)
	all := in.History.Refs(in.Branch)
	fresh := map[string][]history.Ref{}
	for _, x := range p.Extractors {
		fresh[x.ID()] = all
	}
	found, _, err = r.extractAll(ctx, all, fresh)
	return found, r.refused, err
}
