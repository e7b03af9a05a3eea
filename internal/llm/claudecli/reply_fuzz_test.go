package claudecli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"recollect/internal/llm"
)

// Whatever the program prints, there is a completion within the limits or an
// error that is one short line.
func FuzzReply(f *testing.F) {
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Add("Claude AI usage limit reached|1795687200")
	f.Add(`{"type":"stream_event","event":{"type":"message_delta","delta":{"stop_reason":"end_turn"}}}`)
	f.Add(`{"type":"result","total_cost_usd":-1e300,"usage":{"input_tokens":-5}}`)
	f.Fuzz(func(t *testing.T, out string) {
		r := &reply{secrets: []string{"marker-key"}}
		r.read(strings.NewReader(out))
		c, ok := r.complete()
		if !utf8.ValidString(c.Text) || len(c.Text) > llm.MaxReplyBytes || c.InputTokens < 0 || c.OutputTokens < 0 || c.Cost < 0 {
			t.Errorf("got %+v", c)
		}
		if ok {
			return
		}
		said := r.explain(ending{stderr: out}).Error()
		if strings.ContainsAny(said, "\n\r\x00\x1b") || len(said) > 2000 || strings.Contains(said, "marker-key") {
			t.Errorf("it says %q", said)
		}
	})
}
