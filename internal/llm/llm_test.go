package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"recollect/internal/llm"
)

var kinds = []llm.Kind{
	llm.RateLimited, llm.Overloaded, llm.Unavailable, llm.Timeout, llm.Malformed, llm.Cancelled,
	llm.Auth, llm.Withheld, llm.NotInstalled, llm.Refused, llm.BadRequest, llm.OverBudget,
}

// Each kind has a sentence of its own, and all but one a way out.
func TestSentences(t *testing.T) {
	t.Parallel()
	said := map[string]llm.Kind{}
	for _, k := range kinds {
		e := &llm.Error{Kind: k}
		if other, ok := said[e.Error()]; ok {
			t.Errorf("%s says what %s says: %q", k, other, e.Error())
		}
		said[e.Error()] = k
		if e.Error() == string(k) || (e.Hint() == "") != (k == llm.Cancelled) {
			t.Errorf("%s says %q and %q", k, e.Error(), e.Hint())
		}
	}
}

func TestError(t *testing.T) {
	t.Parallel()
	e := &llm.Error{Kind: llm.RateLimited, Client: "x", Detail: "slow down", Until: time.Unix(1795687200, 0)}
	if got, want := e.Error(), "x: the limit of requests is reached until "+e.Until.Local().Format("2006-01-02 15:04 MST")+": slow down"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if e.Fix = "go home"; e.Hint() != "go home" {
		t.Errorf("the hint is %q", e.Hint())
	}
	for err, want := range map[error]llm.Kind{
		fmt.Errorf("plug-in: %w", e): llm.RateLimited, context.Canceled: llm.Cancelled,
		context.DeadlineExceeded: llm.Timeout, errors.New("x"): llm.Unavailable,
	} {
		if got := llm.KindOf(err); got != want {
			t.Errorf("%v is %s, want %s", err, got, want)
		}
	}
	if llm.KindOf(nil) != "" {
		t.Error("no error has a kind")
	}
}

func TestMicroDollars(t *testing.T) {
	t.Parallel()
	for dollars, want := range map[float64]int64{
		0: 0, 0.0002: 200, 0.10010000000000001: 100_100, 0.0000001: 1, 1: 1_000_000, 12.345678: 12_345_678, 0.07: 70_000,
		-1: 0, math.NaN(): 0, math.Inf(-1): 0, math.Inf(1): 1e15,
	} {
		if got := llm.MicroDollars(dollars); got != want {
			t.Errorf("%v dollars are %d, want %d", dollars, got, want)
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]int{-5: 0, 0: 0, 7: 7, math.MaxInt64: math.MaxInt32} {
		if got := llm.Tokens(n); got != want {
			t.Errorf("%d became %d, want %d", n, got, want)
		}
	}
}

func TestSystemWithSchema(t *testing.T) {
	t.Parallel()
	p := llm.Prompt{System: "Be brief."}
	if p.SystemWithSchema() != "Be brief." {
		t.Error("words without a schema")
	}
	p.Schema = json.RawMessage(`{"type":"object"}`)
	if got := p.SystemWithSchema(); !strings.HasPrefix(got, "Be brief.\n\n") || !strings.HasSuffix(got, string(p.Schema)) {
		t.Errorf("got %q", got)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":                         "plain",
		" two\r\n\tlines ":              "two lines",
		"bell\a and \x1b[31mred\x1b[0m": "bell and [31mred[0m",
		"a key sk-1 and sk-1":           "a key [key] and [key]",
		"a split sk\x00-1 key":          "a split [key] key",
		"bad \xff byte":                 "bad \uFFFD byte",
		strings.Repeat("ä", 400):        strings.Repeat("ä", 300) + "…",
	} {
		if got := llm.Clean(in, "", "sk-1"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("the key\u200b is sk-marker")
	f.Add("sk-\x00marker\n")
	f.Fuzz(func(t *testing.T, in string) {
		got := llm.Clean(in, "sk-marker")
		if strings.Contains(got, "sk-marker") || strings.ContainsAny(got, "\n\r\x00\x1b") || !utf8.ValidString(got) || utf8.RuneCountInString(got) > 301 {
			t.Errorf("got %q", got)
		}
	})
}
