// Package httpapi is what the clients of vendors have in common: where a key may
// be sent, how much may come back, and what a vendor's refusal means. The
// vendors' libraries do the rest; they get an Exchange in place of an HTTP client.
package httpapi

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"recollect/internal/llm"
)

// Limits of one answer.
const (
	maxAnswer  = 8*llm.MaxReplyBytes + 1<<20 // an event of some 100 bytes may bring only a few of text
	maxFailure = 64 << 10                    // of the body of a refusal
)

// Options say where a vendor is.
type Options struct {
	Client     string // llm.Client.Name, for errors
	BaseURL    string
	Key        string // told to the vendor by its library; here only kept out of errors
	AllowPlain bool   // plain HTTP to other machines too, not only to this one
}

// Endpoint is the one address that a client talks to.
type Endpoint struct {
	client string
	base   *url.URL
	key    string
	http   *http.Client
}

// New checks the address. It must be https, or plain HTTP on this machine, and
// no more than scheme, host and path. Any error is an *llm.Error.
func New(o Options) (*Endpoint, error) {
	refuse := func(why, fix string) (*Endpoint, error) {
		return nil, &llm.Error{Kind: llm.BadRequest, Client: o.Client, Detail: why, Fix: fix}
	}
	base, err := url.Parse(strings.TrimSpace(o.BaseURL))
	switch {
	case err != nil || base.Host == "" || base.Hostname() == "":
		return refuse("the address is not a URL", "give it like https://api.example.com or http://localhost:11434/v1")
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return refuse("the address holds more than a host and a path", "leave out user, password, ? and #; the key has a place of its own")
	case base.Scheme != "https" && base.Scheme != "http":
		return refuse(fmt.Sprintf("an address that begins with %q can't be used", llm.Clean(base.Scheme)), "use https")
	case base.Scheme == "http" && !o.AllowPlain && !Loopback(base.Hostname()):
		return refuse("the address is on another machine and not encrypted", "use https, or allow plain HTTP for this address in the configuration")
	}
	base.Path = strings.TrimRight(base.Path, "/")
	transport := http.DefaultTransport.(*http.Transport).Clone()
	return &Endpoint{client: o.Client, base: base, key: o.Key, http: &http.Client{
		Transport: transport,
		// A key is meant for one address: what redirects elsewhere does not get it.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// URL is the address without a slash at its end.
func (e *Endpoint) URL() string { return e.base.String() }

// Loopback tells if the host is this machine by its name alone.
func Loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// Exchange is one call. It stands in for an HTTP client, lets only answers
// through that can be a stream of events, and remembers why one was not.
type Exchange struct {
	endpoint *Endpoint
	refusal  *refusal
}

// Exchange begins a call.
func (e *Endpoint) Exchange() *Exchange { return &Exchange{endpoint: e} }

// refusal is an answer that is not a reply.
type refusal struct {
	status int
	header http.Header
	body   []byte
}

func (r *refusal) Error() string { return fmt.Sprintf("status %d", r.status) }

var (
	errTooLong   = errors.New("the answer is longer than any reply may be")
	errElsewhere = errors.New("the request goes to another address than was configured")
)

// Do sends the request once.
func (x *Exchange) Do(req *http.Request) (*http.Response, error) {
	if req.URL.Host != x.endpoint.base.Host || req.URL.Scheme != x.endpoint.base.Scheme {
		return nil, errElsewhere
	}
	resp, err := x.endpoint.http.Do(req)
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.StatusCode == http.StatusOK && kind == "text/event-stream" {
		resp.Body = newEvents(resp.Body, maxAnswer)
		return resp, nil
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxFailure))
	x.refusal = &refusal{status: resp.StatusCode, header: resp.Header, body: body}
	return nil, x.refusal
}

// Refused is the status of an answer that was not a reply, with its body, or 0.
func (x *Exchange) Refused() (status int, body []byte) {
	if x.refusal == nil {
		return 0, nil
	}
	return x.refusal.status, x.refusal.body
}

// network says in few words why nobody answered, without the address, which the
// person knows and which may be private.
func network(err error) string {
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the connection broke before the reply was complete"
	case errors.As(err, &dns):
		return "the name of the server is not known"
	case errors.As(err, &op):
		return op.Err.Error()
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}
