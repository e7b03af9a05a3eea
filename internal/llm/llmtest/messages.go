package llmtest

import "encoding/json"

// structured is the tool by which the claude program takes a reply that has to
// fit a schema.
const structured = "StructuredOutput"

// anthropic streams the reply as the Messages API does.
func (a *answer) anthropic() bool {
	r := a.reply
	in, out := or(r.InputTokens, 100), or(r.OutputTokens, 20)
	ok := a.event("message_start", object{"type": "message_start", "message": object{
		"id": "msg_scripted", "type": "message", "role": "assistant", "model": a.model, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": in, "output_tokens": 1},
	}}) && a.event("ping", object{"type": "ping"})
	if !ok {
		return false
	}
	stop := map[string]string{"": "end_turn", Length: "max_tokens", Refusal: "refusal"}[r.Stop]
	block, delta, key := object{"type": "text", "text": ""}, "text_delta", "text"
	if a.wantsTool() {
		block = object{"type": "tool_use", "id": "toolu_scripted", "name": structured, "input": object{}}
		delta, key, stop = "input_json_delta", "partial_json", "tool_use"
	}
	if !a.event("content_block_start", object{"type": "content_block_start", "index": 0, "content_block": block}) {
		return false
	}
	send := func(part string) bool {
		return a.event("content_block_delta", object{"type": "content_block_delta", "index": 0, "delta": object{"type": delta, key: part}})
	}
	if !a.pieces(send, func() {
		if r.Cut {
			hangUp()
		}
		a.event("error", a.errorBody(r.Break, "scripted failure"))
	}) {
		return false
	}
	return a.event("content_block_stop", object{"type": "content_block_stop", "index": 0}) &&
		a.event("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil},
			"usage": object{"output_tokens": out}}) &&
		a.event("message_stop", object{"type": "message_stop"})
}

// wantsTool tells if the reply has to go through the tool for structured
// replies: it is offered, the reply is an object, and it was not yet used.
func (a *answer) wantsTool() bool {
	var body struct {
		Tools    []struct{ Name string }
		Messages []struct {
			Content json.RawMessage
		}
	}
	var reply map[string]any
	if json.Unmarshal(a.request.Body, &body) != nil || json.Unmarshal([]byte(a.reply.Text), &reply) != nil {
		return false
	}
	for _, m := range body.Messages {
		var blocks []struct{ Type string }
		if json.Unmarshal(m.Content, &blocks) != nil {
			continue
		}
		for _, b := range blocks {
			if b.Type == "tool_result" {
				return false
			}
		}
	}
	for _, t := range body.Tools {
		if t.Name == structured {
			return true
		}
	}
	return false
}
