package httpapi

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"recollect/internal/llm"
)

func TestAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		url   string
		plain bool
		want  string // "": refused
	}{
		{"https://api.example.com", false, "https://api.example.com"},
		{" https://api.example.com/v1/ ", false, "https://api.example.com/v1"},
		{"http://localhost:11434/v1", false, "http://localhost:11434/v1"},
		{"http://LOCALHOST:1234", false, "http://LOCALHOST:1234"},
		{"http://127.0.0.1:8000", false, "http://127.0.0.1:8000"},
		{"http://127.8.9.1", false, "http://127.8.9.1"},
		{"http://[::1]:8000", false, "http://[::1]:8000"},
		{"http://192.168.1.7:11434", true, "http://192.168.1.7:11434"},
		{"http://192.168.1.7:11434", false, ""},
		{"http://api.example.com", false, ""},
		{"http://localhost.example.com", false, ""},
		{"http://127.0.0.1.example.com", false, ""},
		{"http://0.0.0.0:80", false, ""},
		{"https://user:" + "secret@api.example.com", true, ""},
		{"https://api.example.com/?key=secret", true, ""},
		{"https://api.example.com/#secret", true, ""},
		{"ftp://api.example.com", true, ""},
		{"api.example.com", true, ""},
		{"https://", true, ""},
		{"https://:443", true, ""},
		{"http://[::1", true, ""},
		{"", true, ""},
	} {
		e, err := New(Options{Client: "x", BaseURL: tt.url, AllowPlain: tt.plain})
		switch {
		case tt.want == "" && err == nil:
			t.Errorf("%q was taken", tt.url)
		case tt.want == "":
			var x *llm.Error
			if !errors.As(err, &x) || x.Kind != llm.BadRequest || x.Fix == "" || strings.Contains(err.Error(), "secret") {
				t.Errorf("%q: %v", tt.url, err)
			}
		case err != nil:
			t.Errorf("%q: %v", tt.url, err)
		case e.URL() != tt.want:
			t.Errorf("%q became %q, want %q", tt.url, e.URL(), tt.want)
		}
	}
}

// A key is for one address: neither a redirect nor a library takes it elsewhere.
func TestStays(t *testing.T) {
	t.Parallel()
	asked := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer other.Close()
	server := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer server.Close()
	e, err := New(Options{Client: "x", BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{server.URL, other.URL} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		x := e.Exchange()
		resp, err := x.Do(req)
		if err == nil {
			resp.Body.Close()
			t.Fatal("there was an answer")
		}
		if got := x.Explain(t.Context(), err); got.Retriable() {
			t.Errorf("%v may be tried again", got)
		}
	}
	if asked != 0 {
		t.Errorf("the other server was asked %d times", asked)
	}
}

func TestUntil(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name   string
		header map[string]string
		want   time.Duration // -1: not known
	}{
		{"nothing", nil, -1},
		{"seconds", map[string]string{"Retry-After": "30"}, 30 * time.Second},
		{"fraction", map[string]string{"Retry-After": "0.5"}, time.Second / 2},
		{"at once", map[string]string{"Retry-After": "0"}, 0},
		{"date", map[string]string{"Retry-After": "Thu, 26 Nov 2026 10:00:00 GMT"}, time.Hour},
		{"past date", map[string]string{"Retry-After": "Thu, 26 Nov 2020 10:00:00 GMT"}, 0},
		{"milliseconds first", map[string]string{"Retry-After-Ms": "1500", "Retry-After": "2"}, 1500 * time.Millisecond},
		{"negative", map[string]string{"Retry-After": "-5"}, -1},
		{"words", map[string]string{"Retry-After": "soon"}, -1},
		{"for ever", map[string]string{"Retry-After": "1e300"}, -1},
		{"not a number", map[string]string{"Retry-After": "NaN"}, -1},
		{"too long", map[string]string{"Retry-After": "31536000"}, -1},
		{"subscription", map[string]string{"Anthropic-Ratelimit-Unified-Reset": "1795687200"}, time.Hour},
		{"spent bucket", map[string]string{
			"Anthropic-Ratelimit-Requests-Remaining": "4", "Anthropic-Ratelimit-Requests-Reset": "2026-11-26T12:00:00Z",
			"Anthropic-Ratelimit-Input-Tokens-Remaining": "0", "Anthropic-Ratelimit-Input-Tokens-Reset": "2026-11-26T09:01:00Z",
		}, time.Minute},
		{"other vendor", map[string]string{"X-Ratelimit-Remaining-Tokens": "0", "X-Ratelimit-Reset-Tokens": "6m0s"}, 6 * time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := http.Header{}
			for k, v := range tt.header {
				h.Set(k, v)
			}
			got := Until(h, now)
			if tt.want < 0 && !got.IsZero() || tt.want >= 0 && !got.Equal(now.Add(tt.want)) {
				t.Errorf("got %s", got)
			}
		})
	}
}

// Whatever the body of a refusal is, an error comes of it that is one short line.
func FuzzRefused(f *testing.F) {
	for _, seed := range []string{
		`{"error":{"type":"rate_limit_error","message":"slow"}}`, `{"error":"model not found"}`, `{"message":"no"}`,
		`{"error":{"code":429,"message":"x"}}`, `{"error":null}`, `<html>`, "", `{"error":{"message":"a\nb\u0000\u001b[31m\ud83d"}}`,
	} {
		f.Add(400, seed)
	}
	e, err := New(Options{Client: "x", BaseURL: "https://example.com", Key: "marker-key"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		x := &Exchange{endpoint: e, refusal: &refusal{status: status, header: http.Header{}, body: []byte(body)}}
		got := x.Explain(t.Context(), x.refusal)
		said := got.Error()
		if strings.Contains(said, "marker-key") || strings.ContainsAny(said, "\n\r\x00\x1b") || len(said) > 2000 || strings.ToValidUTF8(said, "") != said {
			t.Errorf("it says %q", said)
		}
	})
}
