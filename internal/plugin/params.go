package plugin

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"recollect/hostapi"
	"recollect/internal/printable"
)

// longBytes is from when on a text is decoded by itself: a decoder can't be
// stopped, and takes a tenth of a second for 8 MB.
const longBytes = 64 << 10

// with decodes the parameters of a method. Unknown fields are ignored.
func with[P any](f func(*session, P) (any, *hostapi.Error)) func(*session, json.RawMessage) (any, *hostapi.Error) {
	return func(s *session, raw json.RawMessage) (any, *hostapi.Error) {
		var p P
		if len(raw) > 0 {
			if err := decodeParams(s.ctx, raw, &p); err != nil {
				return nil, refusal(hostapi.CodeInvalid, "the parameters are not of the method's form: %s", printable.Line(err.Error(), 200))
			}
		}
		return f(s, p)
	}
}

// decodeParams is json.Unmarshal that looks at the clock within long texts. raw
// has passed scan.
func decodeParams(ctx context.Context, raw json.RawMessage, p any) error {
	if len(raw) < longBytes || raw[0] != '{' {
		return json.Unmarshal(raw, p)
	}
	parts, err := scan(ctx, raw, shape{})
	if err != nil {
		return err
	}
	rest, texts := []byte{'{'}, map[*string]string{}
	for _, m := range parts {
		if field := longField(p, m.key); field != nil && len(m.value) >= longBytes && m.value[0] == '"' {
			if texts[field], err = longText(ctx, m.value[1:len(m.value)-1]); err != nil {
				return err
			}
			continue
		}
		if len(rest) > 1 {
			rest = append(rest, ',')
		}
		key, err := json.Marshal(m.key)
		if err != nil {
			return err
		}
		rest = append(append(append(rest, key...), ':'), m.value...)
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := json.Unmarshal(append(rest, '}'), p); err != nil {
		return err
	}
	for field, text := range texts {
		*field = text
	}
	return nil
}

// longField gives the field of parameters that may be long, nil if the key is of
// none.
func longField(p any, key string) *string {
	switch p := p.(type) {
	case *hostapi.CompleteParams:
		switch key {
		case "system":
			return &p.System
		case "prompt":
			return &p.Prompt
		}
	case *hostapi.StoragePut:
		if key == "value" {
			return &p.Value
		}
	case *hostapi.StorageKey:
		if key == "key" {
			return &p.Key
		}
	}
	return nil
}

// longText is the text of what stands between the quotes of a string, which is
// valid: piece by piece.
func longText(ctx context.Context, raw []byte) (string, error) {
	var b strings.Builder
	b.Grow(len(raw))
	for len(raw) > 0 {
		if err := context.Cause(ctx); err != nil {
			return "", err
		}
		n := pieceOf(raw)
		b.WriteString(unescaped(raw[:n]))
		raw = raw[n:]
	}
	return b.String(), nil
}

// pieceOf gives where about longBytes end that can be decoded by themselves: not
// within an escape or a character, nor between the two escapes of one.
func pieceOf(raw []byte) int {
	i, half := 0, false
	for i < len(raw) && (i < longBytes || half || !utf8.RuneStart(raw[i])) {
		half = false
		if raw[i] != '\\' {
			i++
			continue
		}
		n := max(escape(raw[i:]), 1)
		half = n == 6 && raw[i+2]|0x20 == 'd' && strings.IndexByte("89abAB", raw[i+3]) >= 0
		i += n
	}
	return i
}
