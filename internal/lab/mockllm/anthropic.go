package mockllm

import "encoding/json"

// signature is what a model signs its thoughts with.
const signature = "bW9jaw=="

func (a *answer) anthropic() {
	type block struct {
		full, empty object
		deltas      []object
	}
	var blocks []block
	if t := a.step.Reasoning; t != "" {
		blocks = append(blocks, block{
			full:   object{"type": "thinking", "thinking": t, "signature": signature},
			empty:  object{"type": "thinking", "thinking": "", "signature": ""},
			deltas: []object{{"type": "thinking_delta", "thinking": t}, {"type": "signature_delta", "signature": signature}},
		})
	}
	if t := a.step.Text; t != "" {
		blocks = append(blocks, block{
			full:   object{"type": "text", "text": t},
			empty:  object{"type": "text", "text": ""},
			deltas: []object{{"type": "text_delta", "text": t}},
		})
	}
	stop := "end_turn"
	for _, c := range a.step.Calls {
		stop = "tool_use"
		id := a.callID(c, "toolu")
		blocks = append(blocks, block{
			full:   object{"type": "tool_use", "id": id, "name": c.Name, "input": json.RawMessage(c.Args)},
			empty:  object{"type": "tool_use", "id": id, "name": c.Name, "input": object{}},
			deltas: []object{{"type": "input_json_delta", "partial_json": c.Args}},
		})
	}
	usage := object{"input_tokens": 100, "output_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
	message := func(content []object, stop any) object {
		return object{"id": a.id("msg"), "type": "message", "role": "assistant", "model": a.model,
			"content": content, "stop_reason": stop, "stop_sequence": nil, "usage": usage}
	}
	if !a.stream {
		content := []object{}
		for _, b := range blocks {
			content = append(content, b.full)
		}
		reply(a.w, message(content, stop))
		return
	}
	a.event("message_start", object{"type": "message_start", "message": message([]object{}, nil)})
	for i, b := range blocks {
		a.event("content_block_start", object{"type": "content_block_start", "index": i, "content_block": b.empty})
		for _, d := range b.deltas {
			a.event("content_block_delta", object{"type": "content_block_delta", "index": i, "delta": d})
		}
		a.event("content_block_stop", object{"type": "content_block_stop", "index": i})
	}
	a.event("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": usage})
	a.event("message_stop", object{"type": "message_stop"})
}
