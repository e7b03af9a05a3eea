package claudecli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"recollect/internal/llm"
)

// structured is the tool through which the program takes a reply that has to fit
// a schema.
const structured = "StructuredOutput"

// reply is what the program printed so far.
type reply struct {
	secrets []string

	completion llm.Completion
	text       strings.Builder // of the model's message
	object     strings.Builder // what it gave to the tool
	messages   int             // that the model began
	stop       string          // why the first one ended
	whole      bool            // the first one ended
	tooLong    bool

	result  *event
	problem string    // the program's word for an error
	said    string    // its sentence
	until   time.Time // when the limit of requests ends
	noise   string    // the last line that was no event
}

// event is one line. Each kind of line has some of the fields.
type event struct {
	Type    string
	Subtype string

	Event struct {
		Type    string
		Message struct {
			Model string
			Usage usage
		}
		ContentBlock struct{ Type, Name string } `json:"content_block"`
		Delta        struct {
			Type        string
			Text        string
			PartialJSON string `json:"partial_json"`
			StopReason  string `json:"stop_reason"`
		}
		Usage usage
	}

	Error         json.RawMessage // of a message that the program made up
	Message       json.RawMessage
	RateLimitInfo struct {
		Status   string
		ResetsAt int64
	} `json:"rate_limit_info"`

	IsError        bool `json:"is_error"`
	APIErrorStatus int  `json:"api_error_status"`
	Result         string
	StopReason     string          `json:"stop_reason"`
	Cost           *float64        `json:"total_cost_usd"`
	Structured     json.RawMessage `json:"structured_output"`
	Usage          usage
}

type usage struct {
	Input   int64 `json:"input_tokens"`
	Output  int64 `json:"output_tokens"`
	Written int64 `json:"cache_creation_input_tokens"`
	Read    int64 `json:"cache_read_input_tokens"`
}

// read takes lines until there is enough, or no more.
func (r *reply) read(from io.Reader) {
	lines := bufio.NewReaderSize(io.LimitReader(from, maxPrinted), 64<<10)
	for {
		line, err := readLine(lines)
		if len(line) > 0 && r.take(line) {
			return
		}
		if err != nil {
			return
		}
	}
}

const maxLine = 4 * llm.MaxReplyBytes

// readLine reads one line; of a longer one than any may be only the beginning is
// kept.
func readLine(from *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		piece, err := from.ReadSlice('\n')
		if room := maxLine - len(line); room > 0 {
			line = append(line, piece[:min(room, len(piece))]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), err
		}
	}
}

// take reads one line and tells if there is no need of more.
func (r *reply) take(line []byte) bool {
	var e event
	if line[0] != '{' || json.Unmarshal(line, &e) != nil || e.Type == "" {
		r.noise = llm.Clean(string(line), r.secrets...)
		return false
	}
	switch e.Type {
	case "stream_event":
		return r.stream(&e)
	case "rate_limit_event":
		if e.RateLimitInfo.Status == "rejected" && e.RateLimitInfo.ResetsAt > 0 {
			r.until = time.Unix(e.RateLimitInfo.ResetsAt, 0)
		}
	case "assistant":
		var word string
		if len(e.Error) > 0 && json.Unmarshal(e.Error, &word) == nil {
			r.problem = word
		}
	case "result":
		r.result = &e
		r.said = llm.Clean(e.Result, r.secrets...)
		r.count(e.Usage)
		if e.Cost != nil {
			r.completion.Cost, r.completion.CostKnown = llm.MicroDollars(*e.Cost), true
		}
		return true
	}
	return false
}

// stream follows the model's first message. The program asks again by itself
// when a reply is empty or was cut off: it is stopped before that.
func (r *reply) stream(e *event) bool {
	s := &e.Event
	switch s.Type {
	case "message_start":
		if r.messages++; r.messages > 1 {
			return true
		}
		r.completion.Model = llm.Clean(s.Message.Model)
		r.count(s.Message.Usage)
	case "content_block_delta":
		switch s.Delta.Type {
		case "text_delta":
			r.text.WriteString(s.Delta.Text)
		case "input_json_delta":
			r.object.WriteString(s.Delta.PartialJSON)
		}
		r.tooLong = r.text.Len()+r.object.Len() > llm.MaxReplyBytes
		return r.tooLong
	case "message_delta":
		r.stop = s.Delta.StopReason
		r.count(s.Usage)
		r.whole = r.stop != ""
		empty := strings.TrimSpace(r.text.String()) == "" && r.object.Len() == 0
		return r.whole && r.stop != "refusal" && (r.stop == "max_tokens" || empty)
	}
	return false
}

func (r *reply) count(u usage) {
	r.completion.InputTokens = max(r.completion.InputTokens, llm.Tokens(u.Input+u.Written+u.Read))
	r.completion.OutputTokens = max(r.completion.OutputTokens, llm.Tokens(u.Output))
}

// complete is the completion, if the model answered: even if the program is not
// content with the answer, which others can judge better.
func (r *reply) complete() (llm.Completion, bool) {
	c := r.completion
	c.Stop = llm.StopEnd
	switch {
	case r.tooLong || r.stop == "refusal":
		return c, false
	case r.stop == "max_tokens":
		c.Stop = llm.StopLength
	case r.result != nil && !r.result.IsError:
	case !r.whole:
		return c, false
	}
	switch {
	case r.result != nil && len(r.result.Structured) > 0 && string(r.result.Structured) != "null":
		c.Text = string(r.result.Structured)
	case r.object.Len() > 0:
		c.Text = r.object.String()
	case r.text.Len() > 0 || r.whole:
		c.Text = r.text.String()
	default:
		c.Text = r.result.Result
	}
	if len(c.Text) > llm.MaxReplyBytes {
		return c, false
	}
	c.Text = strings.ToValidUTF8(c.Text, "\uFFFD")
	return c, true
}

// used is what a failed call cost.
func (r *reply) used() llm.Completion {
	c := r.completion
	c.Text, c.Stop = "", ""
	return c
}
