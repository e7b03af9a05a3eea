package puffin

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/tidwall/gjson"

	"recollect/internal/history"
)

// parser walks a history.json and indexes each prompt as soon as it is
// complete, so that the rest may be missing.
type parser struct {
	*file
	dec  *json.Decoder
	base int64 // bytes before the decoder's first
}

func (p *parser) offset() int64 { return p.base + p.dec.InputOffset() }

var errNotObject = errors.New("no JSON object")

func (p *parser) top() error {
	open, err := p.dec.Token()
	if err != nil {
		return err
	}
	if open != json.Delim('{') {
		return errNotObject
	}
	return p.object(func(key string) error {
		switch key {
		case "branches":
			return p.branches()
		case "updatedAt":
			var raw json.RawMessage
			if err := p.dec.Decode(&raw); err != nil {
				return err
			}
			p.updated = stamp(gjson.ParseBytes(raw))
			return nil
		}
		return p.skip()
	})
}

// object calls field for each key of the object whose brace was read.
func (p *parser) object(field func(key string) error) error {
	for p.dec.More() {
		key, err := p.dec.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if err := field(name); err != nil {
			return err
		}
	}
	_, err := p.dec.Token()
	return err
}

// enter reads the opening of an object or list; false means that another value
// stood there, which is read.
func (p *parser) enter(open json.Delim) (bool, error) {
	got, err := p.dec.Token()
	if err != nil {
		return false, err
	}
	delim, ok := got.(json.Delim)
	if !ok || delim == open {
		return ok, nil
	}
	return false, p.leave()
}

// leave reads the rest of an object or list of which the opening was read.
func (p *parser) leave() error {
	for depth := 1; depth > 0; {
		got, err := p.dec.Token()
		if err != nil {
			return err
		}
		switch got {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	return nil
}

func (p *parser) skip() error {
	var any json.RawMessage
	return p.dec.Decode(&any)
}

func (p *parser) branches() error {
	ok, err := p.enter('{')
	if !ok || err != nil {
		return err
	}
	return p.object(func(name string) error {
		ok, err := p.enter('{')
		if err != nil {
			return err
		}
		if !ok {
			p.spoil(history.DamageNonRecord, fmt.Sprintf("branch %q is no object", name))
			return nil
		}
		return p.object(func(key string) error {
			if key != "prompts" {
				return p.skip()
			}
			return p.prompts(name)
		})
	})
}

func (p *parser) prompts(branch string) error {
	ok, err := p.enter('[')
	if err != nil {
		return err
	}
	if !ok {
		p.spoil(history.DamageNonRecord, fmt.Sprintf("the prompts of branch %q are no list", branch))
		return nil
	}
	p.ours = true
	var raw json.RawMessage
	for i := 0; p.dec.More(); i++ {
		raw = raw[:0]
		if err := p.dec.Decode(&raw); err != nil {
			return err
		}
		p.records++
		got, ok := decodePrompt(raw)
		if !ok {
			p.spoil(history.DamageNonRecord, fmt.Sprintf("prompt %d of branch %q", i+1, branch))
			continue
		}
		if got.response != nil {
			p.records++
		}
		end := p.offset()
		p.entries = append(p.entries, got.entry(branch, end-int64(len(raw)), int64(len(raw)), p.latest))
	}
	_, err = p.dec.Token()
	return err
}

// said gives a time if it is not after latest, else none.
func said(at, latest time.Time) time.Time {
	if at.After(latest) {
		return time.Time{}
	}
	return at
}

// entry indexes a prompt. Its text is not kept: what is kept must be a copy.
// Times after latest are none.
func (p prompt) entry(branch string, off, size int64, latest time.Time) entry {
	branch = history.Clean(branch)
	e := entry{
		id: strings.Clone(p.name(branch)), parent: strings.Clone(p.parent), branch: branch,
		at: said(p.at, latest), latest: latest, off: off, size: size,
	}
	if e.at.IsZero() && p.response != nil {
		e.at = said(p.response.at, latest)
	}
	e.until = e.at
	messages := p.messages(e.id, e.at, latest)
	e.digest = digestOf(messages)
	e.empty = len(messages) == 0
	for _, m := range messages {
		if m.Role == history.User {
			e.asked = xxhash.Sum64String(m.Text)
		} else {
			e.answered = true
		}
		if m.Time.After(e.until) {
			e.until = m.Time
		}
	}
	if p.response != nil {
		e.session = strings.Clone(p.response.session)
	}
	e.title = firstLine(p.title)
	if e.title == "" && !e.empty {
		e.title = firstLine(messages[0].Text)
	}
	e.title = strings.Clone(e.title)
	return e
}

func digestOf(messages []history.Message) string {
	var parts []string
	for _, m := range messages {
		parts = append(parts, m.ID, string(m.Role), m.Time.Format("2006-01-02T15:04:05.000"), m.Text)
	}
	return digest(parts...)
}

const maxTitle = 120 // runes

// firstLine gives the first line of a text that says something, cut if it is
// long.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		line = strings.Trim(strings.TrimSpace(line), "# \t\r")
		if line == "" {
			continue
		}
		line = strings.ReplaceAll(line, "\r", " ")
		if runes := []rune(line); len(runes) > maxTitle {
			line = string(runes[:maxTitle-1]) + "…"
		}
		return line
	}
	return ""
}
