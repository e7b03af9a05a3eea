package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"recollect/hostapi"
	"recollect/hostapi/guest"
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
	if err := modelThere(); err != nil {
		return none, named("no model was asked", err)
	}
	t, err := readTranscript(c, r.NewTurns > 0)
	if err != nil {
		return none, err
	}
	x := extraction{ExtractRequest: r, config: c, known: remembered(c.KnownChars), unread: t.over}
	if t.left > 0 {
		x.warn("%d earlier turns were left out for length; they are read next time", t.left)
	}
	return x.run(t.parts(c.MaxPartChars))
}

type extraction struct {
	guest.ExtractRequest
	config config
	known  []guest.MemoryItem
	items  []guest.Item

	unread   []string // ids of turns that no request had
	warnings []string
}

// warn tells the person, and the log.
func (x *extraction) warn(format string, args ...any) {
	w := fmt.Sprintf(format, args...)
	guest.Warn(w)
	x.warnings = append(x.warnings, w)
}

// run asks for one part after the other, the newest first: what is not reached
// when the budget ends is the oldest.
func (x *extraction) run(parts []part) (guest.ExtractResult, error) {
	var failed []error
	done := 0
	for _, p := range slices.Backward(parts) {
		err := x.part(p, len(parts))
		if err == nil {
			done++
			continue
		}
		// What the model can't answer today it won't tomorrow: only what the host
		// refused stays new.
		if bad := (*replyError)(nil); !errors.As(err, &bad) {
			x.unread = append(x.unread, p.turns...)
		}
		failed = append(failed, fmt.Errorf("part %d of %d: %w", p.number, len(parts), err))
		if stops(err) {
			for _, q := range parts[:p.number-1] {
				x.unread = append(x.unread, q.turns...)
			}
			break
		}
	}
	if len(failed) > 0 && done == 0 {
		return guest.ExtractResult{}, worst(failed)
	}
	for _, err := range failed {
		x.warn("%v", err)
	}
	if n := len(parts) - done; n > 0 {
		x.warn("only %d of %d parts of the conversation were read", done, len(parts))
	}
	items := x.result()
	return guest.ExtractResult{Items: items, Unread: x.unread, Warnings: x.warnings}, nil
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

// part asks for the items of one part. What was whole in a reply that broke off
// is taken if no try brought a whole one.
func (x *extraction) part(p part, parts int) error {
	read := reader{sections: x.Sections, part: p, minConfidence: x.config.MinConfidence, maxRunes: maxRunes}
	if n := x.Limits.MaxItemRunes; n > 0 {
		read.maxRunes = min(n, maxRunes)
	}
	var got, rest []guest.Item
	err := ask(extractParams(x.ExtractRequest, x.config, x.known, p, parts), func(reply string) error {
		items, err := read.read(reply)
		if err != nil {
			if len(items) > len(rest) {
				rest = items
			}
			return err
		}
		got = items
		return nil
	})
	for _, d := range read.dropped {
		guest.Debug(fmt.Sprintf("part %d: left out: %s", p.number, d))
	}
	if err != nil && len(rest) > 0 {
		x.warn("part %d: only the beginning of the reply could be used: %v", p.number, err)
		got, err = rest, nil
	}
	x.items = append(x.items, got...)
	return err
}

// result joins what the parts brought: repetitions are one item, and the least
// certain go if there are too many.
func (x *extraction) result() []guest.Item {
	var out []guest.Item
	at := map[string]int{}
	for _, it := range x.items {
		k := it.Section + "\n" + key(it.Content)
		i, twice := at[k]
		if !twice {
			at[k] = len(out)
			out = append(out, it)
			continue
		}
		out[i].Confidence = max(out[i].Confidence, it.Confidence)
		for _, e := range it.Evidence {
			if len(out[i].Evidence) < maxEvidence && !slices.Contains(out[i].Evidence, e) {
				out[i].Evidence = append(out[i].Evidence, e)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b guest.Item) int { return cmp.Compare(b.Confidence, a.Confidence) })
	if n := x.Limits.MaxItems; n > 0 && len(out) > n {
		x.warn("%d items were left out, the least certain ones", len(out)-n)
		out = out[:n]
	}
	return out
}

// remembered gives items of the branch's memory, as many as fit, or none if the
// host has none to give.
func remembered(chars int) []guest.MemoryItem {
	if chars <= 0 {
		return nil
	}
	items, err := guest.Memory(guest.MemoryGetParams{})
	if err != nil {
		return nil
	}
	for i, it := range items {
		if chars -= len([]rune(it.Content)); chars < 0 {
			return items[:i]
		}
	}
	return items
}
