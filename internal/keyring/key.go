package keyring

import (
	"fmt"
	"log/slog"
	"strings"
)

// Key is a secret that doesn't print: every way of formatting, logging or
// encoding it gives a placeholder. Only [Key.Reveal] gives the text.
type Key struct{ text, origin string }

// NewKey wraps the text of a key. Stored, it is for the vendor's own address.
func NewKey(text string) Key { return Key{text: text} }

// For gives the key for another address, an Origin.
func (k Key) For(origin string) Key { return Key{k.text, origin} }

// Origin is what the key is for; "": nothing is known of it.
func (k Key) Origin() string { return k.origin }

// Reveal gives the text, to be sent to the vendor and nowhere else.
func (k Key) Reveal() string { return k.text }

const placeholder = "[key]"

// Format implements fmt.Formatter for every verb.
func (Key) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(placeholder)) }

// String implements fmt.Stringer.
func (Key) String() string { return placeholder }

// MarshalText implements encoding.TextMarshaler, and so JSON too.
func (Key) MarshalText() ([]byte, error) { return []byte(placeholder), nil }

// LogValue implements slog.LogValuer.
func (Key) LogValue() slog.Value { return slog.StringValue(placeholder) }

// maxKey is the longest key, in bytes: what every system's keyring takes.
const maxKey = 2048

// clean takes off the spaces around a key and refuses what can't be one. A key
// goes into the head of an HTTP request, so it is printable ASCII in one piece.
func clean(k Key) (Key, error) {
	text := strings.TrimSpace(k.text)
	invalid := func(detail string) (Key, error) {
		return Key{}, &Error{Kind: ErrInvalid, Detail: detail, Fix: "copy the key anew from the vendor's page"}
	}
	switch {
	case text == "":
		return invalid("it is empty")
	case len(text) > maxKey:
		return invalid(fmt.Sprintf("it is longer than %d characters", maxKey))
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }):
		return invalid("it holds spaces or characters that no key has")
	}
	return Key{text, k.origin}, nil
}

// checkProvider lets through what is safe as a file's name and in a message.
func checkProvider(name string) error {
	bad := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' }
	if name == "" || len(name) > 32 || name[0] == '-' || strings.ContainsFunc(name, bad) {
		return &Error{Kind: ErrInvalid, Detail: "a provider's name is up to 32 lower-case letters, digits and hyphens"}
	}
	return nil
}
