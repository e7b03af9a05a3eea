package claudecli

import (
	"errors"
	"io/fs"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"recollect/internal/llm"
)

// problems are the program's words for errors.
var problems = map[string]llm.Kind{
	"rate_limit":            llm.RateLimited,
	"overloaded":            llm.Overloaded,
	"authentication_failed": llm.Auth,
	"billing_error":         llm.OverBudget,
	"invalid_request":       llm.BadRequest,
	"model_not_found":       llm.BadRequest,
}

// sentences are parts of what the program says, for versions that say no more.
// The first that fits counts.
var sentences = []struct {
	part string
	kind llm.Kind
}{
	{"not logged in", llm.Auth},
	{"/login", llm.Auth},
	{"invalid api key", llm.Auth},
	{"authenticate", llm.Auth},
	{"usage limit", llm.RateLimited},
	{"hit your", llm.RateLimited},
	{"limit reached", llm.RateLimited},
	{"credit balance", llm.OverBudget},
	{"usage policy", llm.Refused},
	{"overloaded", llm.Overloaded},
	{"malformed response", llm.Malformed},
	{"timed out", llm.Timeout},
	{"connect", llm.Unavailable},
	{"too long", llm.BadRequest},
	{"unknown option", llm.BadRequest},
	{"selected model", llm.BadRequest},
}

// explain makes an *llm.Error of a call without an answer.
func (r *reply) explain(end ending) *llm.Error {
	e := &llm.Error{Client: name, Detail: r.said}
	if e.Detail == "" {
		e.Detail = r.noise
	}
	if e.Detail == "" {
		e.Detail = llm.Clean(end.stderr, r.secrets...)
	}
	e.Kind = r.kind(e.Detail, end)
	switch e.Kind {
	case llm.Auth:
		// What the program says may quote a part of a key.
		if e.Detail = ""; r.status() == 0 {
			e.Detail = "the program is not logged in"
		}
		e.Fix = "start `claude` once and log in with /login"
	case llm.RateLimited:
		e.Until = r.until
		if e.Until.IsZero() {
			e.Until = untilOf(e.Detail)
		}
	case llm.Refused, llm.OverBudget:
		if r.result != nil && r.result.Subtype == "error_max_budget_usd" {
			e.Detail = "the call cost more than it may"
		}
	case llm.BadRequest:
		if strings.Contains(e.Detail, "unknown option") {
			e.Fix = "update the program with `claude update`"
		}
	case llm.NotInstalled:
		e.Fix = "install Claude Code anew, or choose another client"
	case llm.Unavailable:
		if e.Detail == "" && end.err != nil {
			e.Detail = "the program ended early: " + llm.Clean(end.err.Error())
		}
	}
	return e
}

func (r *reply) status() int {
	if r.result == nil {
		return 0
	}
	return r.result.APIErrorStatus
}

func (r *reply) kind(said string, end ending) llm.Kind {
	var exit *exec.ExitError
	switch {
	case r.tooLong:
		return llm.Malformed
	case r.stop == "refusal":
		return llm.Refused
	case r.result != nil && r.result.Subtype == "error_max_budget_usd":
		return llm.OverBudget
	case r.result != nil && r.result.Subtype == "error_max_turns":
		return llm.Malformed
	case problems[r.problem] != "":
		return problems[r.problem]
	case errors.Is(end.err, exec.ErrNotFound), errors.Is(end.err, fs.ErrNotExist), errors.Is(end.err, fs.ErrPermission):
		return llm.NotInstalled
	case r.result == nil && errors.As(end.err, &exit) && (exit.ExitCode() == 126 || exit.ExitCode() == 127):
		return llm.NotInstalled // a script that looks for the program in vain
	}
	switch status := r.status(); {
	case status == 401, status == 403:
		return llm.Auth
	case status == 402:
		return llm.OverBudget
	case status == 429:
		return llm.RateLimited
	case status == 529, status == 503:
		return llm.Overloaded
	case status == 408, status == 504:
		return llm.Timeout
	case status >= 500:
		return llm.Unavailable
	case status >= 400:
		return llm.BadRequest
	}
	said = strings.ToLower(said)
	for _, s := range sentences {
		if strings.Contains(said, s.part) {
			return s.kind
		}
	}
	return llm.Unavailable
}

// stamp is how older versions tell when a limit ends: "…reached|1795687200".
var stamp = regexp.MustCompile(`\|(\d{10})\b`)

func untilOf(said string) time.Time {
	m := stamp.FindStringSubmatch(said)
	if m == nil {
		return time.Time{}
	}
	unix, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(unix, 0)
}
