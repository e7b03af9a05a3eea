package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

// How many parts a run asks for: fewer than it may make requests, so that some are
// left to ask again and to tidy; and so many of a model on this machine, which may
// take a minute for each. The rest is read in the next run.
const (
	mostParts  = 24
	localParts = 16
)

// extract finds items in the turns that are new. If some parts could not be had,
// the items of the others are the result, with a warning and with the turns that
// stay new; if none could, that is an error, with the host's code if the host
// refused.
func extract(r guest.ExtractRequest) (guest.ExtractResult, error) {
	var none guest.ExtractResult
	c, err := loadConfig()
	if err != nil {
		return none, err
	}
	local, err := modelThere()
	if err != nil {
		return none, named("no model was asked", err)
	}
	t, err := readTranscript(c, r.NewTurns > 0)
	if err != nil {
		return none, err
	}
	x := extraction{ExtractRequest: r, config: c, local: local, memory: remembered(c), unread: t.over}
	if t.left > 0 {
		x.warn("%d earlier turns were left out for length; they are read next time", t.left)
	}
	if local {
		x.config.MaxPartChars = min(c.MaxLocalChars, c.MaxPartChars)
		for _, s := range t.sessions {
			s.choose(c.LocalSentences, x.config.MaxPartChars)
		}
	}
	return x.run(t.sessions)
}

type extraction struct {
	guest.ExtractRequest
	config config
	local  bool // the model is on this machine: small and slow
	memory []guest.MemoryItem
	notes  []noted // of the sessions that were read, the newest session first

	asked    int      // parts that were asked for
	unread   []string // ids of turns that no request had
	warnings []string
	rejected []guest.Refusal // what the model noted and was not taken
}

// noted is an item as the model found it.
type noted struct {
	guest.Item
	said time.Time
}

// warn tells the person, and the log.
func (x *extraction) warn(format string, args ...any) {
	w := fmt.Sprintf(format, args...)
	guest.Warn(w)
	x.warnings = append(x.warnings, w)
}

// run reads one session after the other, the newest first: what is not reached
// when the budget ends is the oldest. The parts of a session come in their order.
func (x *extraction) run(sessions []*session) (guest.ExtractResult, error) {
	var failed []error
	total, done, most := 0, 0, mostParts
	if x.local {
		most = localParts
	}
	stopped := false
	for _, s := range slices.Backward(sessions) {
		parts := s.parts(x.config.MaxPartChars)
		total += len(parts)
		var did work
		if len(parts) > 0 && !stopped && x.asked < most {
			did = s.workOf()
		}
		var notes []noted
		for _, p := range parts {
			if stopped || x.asked == most {
				x.unread = append(x.unread, p.turns...)
				continue
			}
			x.asked++
			next, err := x.part(s, did, p, notes)
			if err == nil {
				done, notes = done+1, next
				continue
			}
			// What the model can't answer today it won't tomorrow: only what the host
			// refused stays new.
			if bad := (*replyError)(nil); !errors.As(err, &bad) {
				x.unread = append(x.unread, p.turns...)
			}
			failed = append(failed, fmt.Errorf("%s: %w", p.name(s), err))
			stopped = stops(err)
		}
		x.notes = append(x.notes, notes...)
	}
	if len(failed) > 0 && done == 0 {
		return guest.ExtractResult{}, worst(failed)
	}
	for _, err := range failed {
		x.warn("%v", err)
	}
	if done < total {
		x.warn("only %d of %d parts of the conversation were read", done, total)
	}
	x.tidy()
	return guest.ExtractResult{Items: x.result(), Unread: x.unread, Warnings: x.warnings, Rejected: x.rejected}, nil
}

// name says which part is meant, for the log, the ledger and the person.
func (p part) name(s *session) string {
	name := "session of " + s.to.Format("2006-01-02 15:04")
	if p.of > 1 {
		name += ", part " + strconv.Itoa(p.number) + " of " + strconv.Itoa(p.of)
	}
	return name
}

// worst is the error of a run that came to nothing.
func worst(failed []error) error {
	var refused *guest.Error
	for _, err := range failed {
		if errors.As(err, &refused) {
			return named("the model was not asked to the end", err)
		}
	}
	text := make([]string, len(failed))
	for i, err := range failed {
		text[i] = err.Error()
	}
	return &guest.Error{Code: hostapi.CodeFailed, Message: "the model's replies could not be used: " + clip(strings.Join(text, "; "), 400)}
}

// part asks for the notes of one part, and gives those of the session with them:
// what a later part takes back is gone. What was whole in a reply that broke off
// is taken if no try brought a whole one.
func (x *extraction) part(s *session, did work, p part, soFar []noted) ([]noted, error) {
	q := request{extraction: x, session: s, work: did, part: p, soFar: soFar, known: x.known(p)}
	read := reader{sections: x.Sections, part: p, known: q.known, soFar: len(soFar), minConfidence: x.config.MinConfidence, maxRunes: maxRunes}
	if n := x.Limits.MaxItemRunes; n > 0 {
		read.maxRunes = min(n, maxRunes)
	}
	var got, rest found
	err := ask(q.params(), func(reply string) error {
		f, err := read.read(reply)
		if err != nil {
			if len(f.notes) > len(rest.notes) {
				rest = f
			}
			return err
		}
		got = f
		return nil
	})
	for _, d := range read.dropped {
		guest.Debug(fmt.Sprintf("%s: left out: %q: %s", p.name(s), d.Content, d.Why))
	}
	if err == nil || len(rest.notes) > 0 {
		n := min(len(read.dropped), hostapi.MaxRefused-len(x.rejected))
		x.rejected = append(x.rejected, read.dropped[:n]...)
	}
	if err != nil && len(rest.notes) > 0 {
		x.warn("%s: only the beginning of the reply could be used: %v", p.name(s), err)
		got, err = rest, nil
	}
	var out []noted
	for i, n := range soFar {
		if !slices.Contains(got.gone, i) {
			out = append(out, n)
		}
	}
	for _, n := range got.notes {
		n.said = s.to
		out = append(out, n)
	}
	return out, err
}

// result joins what the sessions brought: repetitions are one item, the most
// important come first, and the least of them go if there are too many.
func (x *extraction) result() []guest.Item {
	notes := joined(x.notes)
	slices.SortStableFunc(notes, func(a, b noted) int {
		switch {
		case a.Importance != b.Importance:
			return b.Importance - a.Importance
		case a.Confidence > b.Confidence:
			return -1
		case a.Confidence < b.Confidence:
			return 1
		}
		return 0
	})
	if n := x.Limits.MaxItems; n > 0 && len(notes) > n {
		x.warn("%d items were left out, the least important ones", len(notes)-n)
		notes = notes[:n]
	}
	var out []guest.Item
	for _, n := range notes {
		out = append(out, n.Item)
	}
	return out
}

// joined makes one of notes that say the same in the same words.
func joined(notes []noted) []noted {
	var out []noted
	at := map[string]int{}
	for _, n := range notes {
		k := n.Section + "\n" + key(n.Content)
		if i, twice := at[k]; twice {
			out[i].join(n)
			continue
		}
		at[k] = len(out)
		out = append(out, n)
	}
	return out
}

// join takes over what another note that says the same has beyond its words.
func (n *noted) join(o noted) {
	n.Confidence, n.Importance = max(n.Confidence, o.Confidence), max(n.Importance, o.Importance)
	for _, e := range o.Evidence {
		if len(n.Evidence) < maxEvidence && !slices.Contains(n.Evidence, e) {
			n.Evidence = append(slices.Clip(n.Evidence), e)
		}
	}
}
