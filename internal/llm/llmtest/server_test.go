package llmtest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"recollect/internal/llm/llmtest"
)

func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return resp.StatusCode, "broken off"
	}
	return resp.StatusCode, string(b)
}

func TestScript(t *testing.T) {
	t.Parallel()
	server := llmtest.NewServer(t, llmtest.Reply{Text: "one"}, llmtest.Reply{Status: 429}, llmtest.Reply{Text: "a last one", Cut: true})
	for i, path := range []string{"/v1/messages", "/v1/chat/completions", "/v1/messages?beta=true", "/v1/chat/completions"} {
		status, body := post(t, server.URL+path, `{"model":"m","messages":[{"role":"user","content":"hello"}]}`)
		switch i {
		case 0:
			if status != 200 || !strings.Contains(body, "message_stop") {
				t.Errorf("%d %s", status, body)
			}
		case 1:
			if status != 429 || !strings.Contains(body, `"message":"scripted failure"`) {
				t.Errorf("%d %s", status, body)
			}
		default:
			if status != 200 || body != "broken off" {
				t.Errorf("%d %s", status, body)
			}
		}
	}
	requests := server.Requests()
	if len(requests) != 4 || requests[0].Vendor != llmtest.Anthropic || requests[3].Vendor != llmtest.OpenAI {
		t.Fatalf("got %d requests", len(requests))
	}
	for _, r := range requests {
		if r.Prompt() != "hello" {
			t.Errorf("the prompt is %q", r.Prompt())
		}
	}
}

func TestUnknownPathsAreNoRequests(t *testing.T) {
	t.Parallel()
	server := llmtest.NewServer(t)
	for path, want := range map[string]int{"/v1/models": 404, "/v1/messages/count_tokens": 200} {
		if status, _ := post(t, server.URL+path, "{}"); status != want {
			t.Errorf("%s: %d", path, status)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

func TestRecordHidesKeys(t *testing.T) {
	t.Parallel()
	r := llmtest.Request{Method: "POST", Path: "/x", Header: http.Header{
		"X-Api-Key": {llmtest.Key}, "Authorization": {"Bearer " + llmtest.Key}, "User-Agent": {"x"},
	}, Body: []byte(`{"b":1,"a":"<&>"}`)}
	want := "POST /x\nAuthorization: Bearer [key]\nX-Api-Key: [key]\n\n{\n  \"a\": \"<&>\",\n  \"b\": 1\n}\n"
	if got := r.Record(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
