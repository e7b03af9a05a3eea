package openai_test

import (
	"testing"

	"recollect/internal/llm"
	"recollect/internal/llm/llmtest"
	"recollect/internal/llm/openai"
)

func newClient(t *testing.T, url, key string) llm.Client {
	t.Helper()
	c, err := openai.New(openai.Options{BaseURL: url, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConformance(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, llmtest.Setup{New: newClient})
}
