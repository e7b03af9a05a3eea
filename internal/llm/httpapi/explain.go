package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"recollect/internal/llm"
)

// kinds of the words that vendors have for what goes wrong.
var kinds = map[string]llm.Kind{
	"authentication_error": llm.Auth, "permission_error": llm.Auth, "invalid_api_key": llm.Auth,
	"rate_limit_error": llm.RateLimited, "rate_limit_exceeded": llm.RateLimited,
	"overloaded_error": llm.Overloaded, "engine_overloaded_error": llm.Overloaded,
	"api_error": llm.Unavailable, "server_error": llm.Unavailable, "internal_error": llm.Unavailable,
	"timeout_error":         llm.Timeout,
	"invalid_request_error": llm.BadRequest, "not_found_error": llm.BadRequest, "request_too_large": llm.BadRequest,
	"model_not_found": llm.BadRequest, "context_length_exceeded": llm.BadRequest,
	"content_policy_violation": llm.Refused, "content_filter": llm.Refused,
	"billing_error": llm.OverBudget, "insufficient_quota": llm.OverBudget, "billing_hard_limit_reached": llm.OverBudget,
}

func kindOfStatus(status int) llm.Kind {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusProxyAuthRequired:
		return llm.Auth
	case status == http.StatusPaymentRequired:
		return llm.OverBudget
	case status == http.StatusRequestTimeout, status == http.StatusGatewayTimeout:
		return llm.Timeout
	case status == http.StatusTooManyRequests:
		return llm.RateLimited
	case status == 529, status == http.StatusServiceUnavailable:
		return llm.Overloaded
	case status >= 500:
		return llm.Unavailable
	case status >= 300:
		return llm.BadRequest
	}
	return llm.Malformed
}

// fixes are better than the hint of the kind where the vendor was asked by key.
var fixes = map[llm.Kind]string{
	llm.OverBudget: "the vendor wants to be paid: see the billing page of your account there",
}

// Failure is what a vendor says of an error.
type Failure struct {
	Type    string // invalid_request_error and the like
	Code    string // more exact, if there is one
	Message string
}

// ParseFailure reads the forms in which vendors tell errors; what is none of them
// gives an empty Failure.
func ParseFailure(body []byte) Failure {
	var outer struct {
		Error   json.RawMessage
		Message string
	}
	if json.Unmarshal(body, &outer) != nil {
		return Failure{}
	}
	var inner struct {
		Type    string
		Code    any // some compatible servers send a number
		Message string
	}
	if json.Unmarshal(outer.Error, &inner) != nil {
		if json.Unmarshal(outer.Error, &inner.Message) != nil {
			inner.Message = outer.Message
		}
	}
	code, _ := inner.Code.(string)
	return Failure{Type: inner.Type, Code: code, Message: inner.Message}
}

// Explain makes an *llm.Error of what went wrong in the call.
func (x *Exchange) Explain(ctx context.Context, err error) *llm.Error {
	e := x.endpoint
	if ended := llm.ContextError(ctx, e.client); ended != nil {
		return ended
	}
	if x.refusal != nil {
		return e.refused(x.refusal)
	}
	// The cause tells a budget whether a connection came about at all.
	out := &llm.Error{Client: e.client, Detail: llm.Clean(network(err), e.key), Err: err}
	var netErr net.Error
	var urlErr *url.Error
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.Is(err, errTooLong):
		out.Kind = llm.Malformed
	case errors.Is(err, errElsewhere):
		out.Kind = llm.BadRequest
	case errors.As(err, &syntax), errors.As(err, &mismatch):
		out.Kind, out.Detail = llm.Malformed, "a part of the stream is not what was agreed on"
	case errors.As(err, &netErr) && netErr.Timeout():
		out.Kind = llm.Timeout
	case errors.As(err, &netErr), errors.As(err, &urlErr), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		out.Kind = llm.Unavailable
		if Loopback(e.base.Hostname()) {
			out.Fix = "start the server of the model, or correct its address"
		}
	default:
		out.Kind = llm.Malformed
	}
	return out
}

// InStream makes an *llm.Error of an error that came in the middle of a reply.
func (x *Exchange) InStream(f Failure) *llm.Error {
	kind, known := kinds[f.Code]
	if !known {
		kind, known = kinds[f.Type]
	}
	if !known {
		kind = llm.Unavailable
	}
	return x.endpoint.failed(kind, f, "in the middle of the reply")
}

// Problem makes an *llm.Error of a kind that the caller found out by itself.
func (x *Exchange) Problem(kind llm.Kind, detail string) *llm.Error {
	return &llm.Error{Kind: kind, Client: x.endpoint.client, Detail: detail}
}

func (e *Endpoint) refused(r *refusal) *llm.Error {
	f := ParseFailure(r.body)
	kind := kindOfStatus(r.status)
	if k, ok := kinds[f.Code]; ok {
		kind = k
	} else if k, ok := kinds[f.Type]; ok && r.status < 500 {
		kind = k
	}
	if strings.Contains(strings.ToLower(f.Message), "credit balance") {
		kind = llm.OverBudget
	}
	otherwise := fmt.Sprintf("status %d", r.status)
	switch {
	case r.status == http.StatusOK:
		otherwise = fmt.Sprintf("it sent %q instead of a stream", llm.Clean(r.header.Get("Content-Type")))
	case r.status >= 300 && r.status < 400:
		otherwise = "the address sends us on to another one"
	}
	out := e.failed(kind, f, otherwise)
	if kind == llm.RateLimited || kind == llm.Overloaded {
		out.Until = Until(r.header, time.Now())
	}
	return out
}

func (e *Endpoint) failed(kind llm.Kind, f Failure, otherwise string) *llm.Error {
	out := &llm.Error{Kind: kind, Client: e.client, Detail: llm.Clean(f.Message, e.key), Fix: fixes[kind]}
	if out.Detail == "" {
		out.Detail = otherwise
	}
	if kind == llm.Auth {
		// Vendors quote a part of the key here, too short to be found and taken out.
		out.Detail = llm.Clean(strings.TrimSpace(f.Type+" "+f.Code), e.key)
		if e.key == "" {
			out.Detail, out.Fix = "no key is stored", "store one with `recollect auth set`"
		}
	}
	return out
}

// maxWait bounds what a vendor can make us wait: no limit of any lasts longer.
const maxWait = 8 * 24 * time.Hour

// Until reads from the header when to ask again; the zero time if it does not
// tell, or nothing sensible.
func Until(h http.Header, now time.Time) time.Time {
	wait := time.Duration(-1)
	number := func(name string, unit time.Duration) {
		n, err := strconv.ParseFloat(strings.TrimSpace(h.Get(name)), 64)
		if wait < 0 && err == nil && n >= 0 && n < float64(maxWait/unit) {
			wait = time.Duration(n * float64(unit))
		}
	}
	number("Retry-After-Ms", time.Millisecond)
	number("Retry-After", time.Second)
	if t, err := http.ParseTime(h.Get("Retry-After")); wait < 0 && err == nil {
		wait = max(0, t.Sub(now))
	}
	if unix, err := strconv.ParseInt(h.Get("Anthropic-Ratelimit-Unified-Reset"), 10, 64); wait < 0 && err == nil {
		wait = max(0, time.Unix(unix, 0).Sub(now))
	}
	for _, what := range []string{"Requests", "Tokens", "Input-Tokens", "Output-Tokens"} {
		if h.Get("Anthropic-Ratelimit-"+what+"-Remaining") == "0" {
			if t, err := time.Parse(time.RFC3339, h.Get("Anthropic-Ratelimit-"+what+"-Reset")); err == nil {
				wait = max(wait, t.Sub(now))
			}
		}
		if h.Get("X-Ratelimit-Remaining-"+what) == "0" {
			if d, err := time.ParseDuration(h.Get("X-Ratelimit-Reset-" + what)); err == nil {
				wait = max(wait, d)
			}
		}
	}
	if wait < 0 || wait > maxWait {
		return time.Time{}
	}
	return now.Add(wait)
}
