package keyring

import (
	"errors"
	"net/url"
	"strings"
)

// VendorOrigins are the vendors' own addresses, by provider: a key of which nothing
// else is known is for these.
var VendorOrigins = map[string]string{
	"anthropic": "https://api.anthropic.com",
	"openai":    "https://api.openai.com",
}

var errNoOrigin = errors.New("it is no address with a scheme and a host")

// Origin gives what of an address a key is for: scheme, host and port, in the one
// way in which they are written here. A port that goes without saying is left out.
func Origin(address string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" || len(u.Host) > maxHost {
		return "", errNoOrigin
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errNoOrigin
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != "" && port != map[string]string{"https": "443", "http": "80"}[u.Scheme] {
		host += ":" + port
	}
	return u.Scheme + "://" + host, nil
}

// maxHost is beyond the longest name of a host with a port, in bytes.
const maxHost = 300

// forOrigin begins the line that says what a stored key is for.
const forOrigin = "for "

// seal is a key as it is stored: with what it was entered for.
func (k Key) seal() string {
	if k.origin == "" {
		return k.text
	}
	return k.text + "\n" + forOrigin + k.origin
}

// unseal reads a stored key. One without a record was stored before there were
// any, or by hand: it is for the vendor's own address.
func unseal(provider, text string) (Key, error) {
	first, second, recorded := strings.Cut(strings.TrimSpace(text), "\n")
	key, err := clean(Key{text: first, origin: VendorOrigins[provider]})
	if err != nil || !recorded {
		return key, err
	}
	address, ok := strings.CutPrefix(strings.TrimSpace(second), forOrigin)
	if !ok {
		return Key{}, errNoOrigin
	}
	key.origin, err = Origin(address)
	return key, err
}
