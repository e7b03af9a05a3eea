// Package llmtest stands in for the vendors of models in tests: a scripted
// server on the loopback interface that speaks their protocols, and a suite that
// every client has to pass.
package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Vendors whose protocol the server speaks.
const (
	Anthropic = "anthropic" // POST …/v1/messages
	OpenAI    = "openai"    // POST …/chat/completions
)

// Reply is what the server answers to one request. The zero value is an empty
// reply that is complete.
type Reply struct {
	Text         string // streamed in pieces
	Stop         string // "": it was done; Length or Refusal
	InputTokens  int    // 0: 100
	OutputTokens int    // 0: 20

	Status  int               // other than 0 and 200: an error in the vendor's form
	Type    string            // of the error in the vendor's words; "": what goes with the status
	Message string            // of the error; "": some words
	Header  map[string]string // added to the answer

	Raw         string // the body instead of all that; may be anything
	ContentType string // of Raw; "": an event stream

	Delay time.Duration // before the first byte
	Pause time.Duration // before each piece
	Cut   bool          // the connection breaks halfway through the text
	Break string        // halfway through the text an error event of this type comes
	Huge  int           // bytes of text to send, whatever Text is
}

// Values of Reply.Stop.
const (
	Length  = "length"
	Refusal = "refusal"
)

// Request is one request that the server got.
type Request struct {
	Vendor string // "" if it is neither's
	Method string
	Path   string // with the query
	Header http.Header
	Body   []byte
}

// Prompt is what the user's messages of the request say, one after the other.
func (r Request) Prompt() string {
	var body struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if json.Unmarshal(r.Body, &body) != nil {
		return ""
	}
	var b strings.Builder
	for _, m := range body.Messages {
		if m.Role == "user" {
			b.WriteString(words(m.Content))
		}
	}
	return b.String()
}

// words are the texts of a message's content, which is a string or blocks.
func words(content json.RawMessage) string {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return s
	}
	var blocks []struct{ Text string }
	if json.Unmarshal(content, &blocks) != nil {
		return ""
	}
	var b strings.Builder
	for _, x := range blocks {
		b.WriteString(x.Text)
	}
	return b.String()
}

// Server answers in the order of its script. It is safe for concurrent use.
type Server struct {
	URL string // without a path; goes with /v1 or without

	server   *httptest.Server
	mu       sync.Mutex
	script   []Reply
	answer   func(Request) Reply
	requests []Request
	left     int
}

// NewServer starts a server that gives each request the next reply of the
// script, and then the last one again and again. It stops with the test.
func NewServer(t testing.TB, script ...Reply) *Server {
	t.Helper()
	s := &Server{script: script}
	s.start(t)
	return s
}

// NewServerFunc starts a server that asks answer what to reply; calls of answer
// don't overlap.
func NewServerFunc(t testing.TB, answer func(Request) Reply) *Server {
	t.Helper()
	s := &Server{answer: answer}
	s.start(t)
	return s
}

func (s *Server) start(t testing.TB) {
	s.server = httptest.NewServer(s)
	s.URL = s.server.URL
	t.Cleanup(s.stop)
}

func (s *Server) stop() {
	s.server.CloseClientConnections()
	s.server.Close()
}

// await waits until so many requests have come, or for half a minute.
func (s *Server) await(n int) {
	for end := time.Now().Add(30 * time.Second); len(s.Requests()) < n && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
}

// Requests are those for a completion, in the order in which they came.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Left counts the requests whose client went away before it had the whole reply.
func (s *Server) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left
}

func (s *Server) next(r Request) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	if s.answer != nil {
		return s.answer(r)
	}
	switch n := len(s.requests); {
	case len(s.script) == 0:
		return Reply{}
	case n > len(s.script):
		return s.script[len(s.script)-1]
	default:
		return s.script[n-1]
	}
}

// maxBody is more than any client may send.
const maxBody = 64 << 20

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(io.LimitReader(req.Body, maxBody))
	if err != nil {
		return
	}
	r := Request{Method: req.Method, Path: req.URL.RequestURI(), Header: req.Header.Clone(), Body: body}
	switch path := req.URL.Path; {
	case req.Method != http.MethodPost:
		w.WriteHeader(http.StatusOK) // the claude program looks if anybody is there
		return
	case strings.HasSuffix(path, "/messages/count_tokens"):
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"input_tokens":100}`)
		return
	case strings.HasSuffix(path, "/v1/messages"):
		r.Vendor = Anthropic
	case strings.HasSuffix(path, "/chat/completions"):
		r.Vendor = OpenAI
	default:
		http.NotFound(w, req)
		return
	}
	a := &answer{w: w, gone: req.Context().Done(), request: r, reply: s.next(r), model: modelOf(r)}
	if !a.send() {
		s.mu.Lock()
		s.left++
		s.mu.Unlock()
	}
}
