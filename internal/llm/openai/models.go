package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"recollect/internal/llm"
	"recollect/internal/llm/httpapi"
)

// Limits of Models: a server on this machine answers at once or is not there.
const (
	modelsTime = time.Second
	maxModels  = 100
)

// Models lists the names of the models that a server on this machine has, as it
// orders them, at most 100 of at most 200 bytes. It asks nothing of a model, sends no
// key, and refuses any other machine. Any error is an *llm.Error.
func Models(ctx context.Context, baseURL string) ([]string, error) {
	u, err := url.Parse(baseURL)
	if err != nil || !httpapi.Loopback(u.Hostname()) {
		return nil, &llm.Error{Kind: llm.BadRequest, Client: name, Detail: "the address is not one of this machine", Fix: "give one such as http://127.0.0.1:11434/v1"}
	}
	c, lerr := New(Options{BaseURL: baseURL})
	if lerr != nil {
		return nil, lerr
	}
	ctx, cancel := context.WithTimeout(ctx, modelsTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.endpoint.URL()+"/models", nil)
	if err != nil {
		return nil, &llm.Error{Kind: llm.BadRequest, Client: name, Detail: llm.Clean(err.Error()), Err: err}
	}
	x := c.endpoint.Exchange()
	// What is no stream of events is kept as a refusal, here the list.
	resp, err := x.Do(req)
	if err == nil {
		resp.Body.Close()
		return nil, x.Problem(llm.Malformed, "the server's list of models can't be read")
	}
	status, body := x.Refused()
	if status != http.StatusOK {
		return nil, x.Explain(ctx, err)
	}
	return modelNames(x, body)
}

func modelNames(x *httpapi.Exchange, body []byte) ([]string, error) {
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, x.Problem(llm.Malformed, fmt.Sprintf("the server's list of models can't be read: %v", llm.Clean(err.Error())))
	}
	var names []string
	for _, m := range list.Data {
		if m.ID != "" && len(m.ID) <= 200 && len(names) < maxModels {
			names = append(names, strings.ToValidUTF8(m.ID, "?"))
		}
	}
	return names, nil
}
