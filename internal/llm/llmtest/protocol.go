package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// answer is one reply on its way.
type answer struct {
	w       http.ResponseWriter
	gone    <-chan struct{} // closed when the client has left
	request Request
	reply   Reply
	model   string // as vendors name the one that answers: with a date
}

// object is a JSON object in the making.
type object = map[string]any

// send tells if the client took all of the reply.
func (a *answer) send() bool {
	r := a.reply
	if !a.wait(r.Delay) {
		return false
	}
	for k, v := range r.Header {
		a.w.Header().Set(k, v)
	}
	switch {
	case r.Status != 0 && r.Status != http.StatusOK:
		a.fail()
		return true
	case r.Raw != "":
		a.head(r.ContentType)
		_, err := io.WriteString(a.w, r.Raw)
		return err == nil
	case r.Stop == Refusal && r.Text == "":
		a.reply.Text = "I can't help with that."
	}
	a.head("")
	if a.request.Vendor == OpenAI {
		return a.openAI()
	}
	return a.anthropic()
}

func (a *answer) head(contentType string) {
	if contentType == "" {
		contentType = "text/event-stream; charset=utf-8"
	}
	a.w.Header().Set("Content-Type", contentType)
	a.w.WriteHeader(http.StatusOK)
	a.flush()
}

func (a *answer) flush() {
	if f, ok := a.w.(http.Flusher); ok {
		f.Flush()
	}
}

func (a *answer) wait(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	select {
	case <-a.gone:
		return false
	case <-time.After(d):
		return true
	}
}

// event sends one event; false: nobody listens any more.
func (a *answer) event(name string, data any) bool {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // only maps of strings and numbers come here
	}
	if name != "" {
		name = "event: " + name + "\n"
	}
	if _, err := fmt.Fprintf(a.w, "%sdata: %s\n\n", name, text); err != nil {
		return false
	}
	a.flush()
	select {
	case <-a.gone:
		return false
	default:
		return true
	}
}

// pieces calls send with one piece of the text after the other, and cutoff
// halfway if the reply is to break there. It tells if all went out.
func (a *answer) pieces(send func(string) bool, breakOff func()) bool {
	r := a.reply
	if r.Huge > 0 {
		piece := strings.Repeat("lorem ipsum ", 4096)
		for n := 0; n < r.Huge; n += len(piece) {
			if !send(piece) {
				return false
			}
		}
		return true
	}
	parts := split(r.Text)
	for i, part := range parts {
		if i == (len(parts)+1)/2 && a.broken() {
			break
		}
		if !a.wait(r.Pause) || !send(part) {
			return false
		}
	}
	if a.broken() {
		breakOff()
		return false
	}
	return true
}

func (a *answer) broken() bool { return a.reply.Cut || a.reply.Break != "" }

// hangUp breaks the connection without ending the reply.
func hangUp() { panic(http.ErrAbortHandler) }

// split parts a text into at most eight pieces, never within a character.
func split(text string) []string {
	runes := []rune(text)
	size := max(1, (len(runes)+7)/8)
	var parts []string
	for len(runes) > 0 {
		n := min(size, len(runes))
		parts, runes = append(parts, string(runes[:n])), runes[n:]
	}
	return parts
}

func or(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// fail answers an error in the form of the vendor.
func (a *answer) fail() {
	r := a.reply
	if r.Type == "" {
		r.Type = map[int]string{
			400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
			413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error",
		}[r.Status]
	}
	if r.Message == "" {
		r.Message = "scripted failure"
	}
	a.w.Header().Set("Content-Type", "application/json")
	if r.Raw != "" {
		a.w.Header().Set("Content-Type", r.ContentType)
		a.w.WriteHeader(r.Status)
		io.WriteString(a.w, r.Raw)
		return
	}
	a.w.WriteHeader(r.Status)
	json.NewEncoder(a.w).Encode(a.errorBody(r.Type, r.Message))
}

func (a *answer) errorBody(kind, message string) object {
	if a.request.Vendor == OpenAI {
		return object{"error": object{"message": message, "type": kind, "code": kind, "param": nil}}
	}
	return object{"type": "error", "error": object{"type": kind, "message": message}, "request_id": "req_scripted"}
}

func (a *answer) openAI() bool {
	r := a.reply
	chunk := func(choices []object, usage any) bool {
		return a.event("", object{"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 1764288000,
			"model": a.model, "choices": choices, "usage": usage})
	}
	delta := func(d object, finish any) bool {
		return chunk([]object{{"index": 0, "delta": d, "finish_reason": finish}}, nil)
	}
	if !delta(object{"role": "assistant", "content": ""}, nil) {
		return false
	}
	key, finish := "content", "stop"
	switch r.Stop {
	case Length:
		finish = "length"
	case Refusal:
		key = "refusal"
	}
	if !a.pieces(func(part string) bool { return delta(object{key: part}, nil) }, func() {
		if r.Cut {
			hangUp()
		}
		a.event("", a.errorBody(r.Break, "scripted failure"))
	}) {
		return false
	}
	in, out := or(r.InputTokens, 100), or(r.OutputTokens, 20)
	if !delta(object{}, finish) || !chunk([]object{}, object{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}) {
		return false
	}
	_, err := io.WriteString(a.w, "data: [DONE]\n\n")
	return err == nil
}

func modelOf(r Request) string {
	var body struct{ Model string }
	if json.Unmarshal(r.Body, &body) != nil {
		return ""
	}
	return body.Model + "-20260101"
}
