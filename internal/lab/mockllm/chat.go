package mockllm

// created is when every reply was made, in seconds since 1970.
const created = 1790000000

func (a *answer) chat() {
	var calls []object
	for i, c := range a.step.Calls {
		calls = append(calls, object{"index": i, "id": a.callID(c, "call"), "type": "function",
			"function": object{"name": c.Name, "arguments": c.Args}})
	}
	stop := "stop"
	if len(calls) > 0 {
		stop = "tool_calls"
	}
	usage := object{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
	id := a.id("chatcmpl")
	envelope := func(kind string, choices []object) object {
		return object{"id": id, "created": created, "model": a.model, "object": kind, "choices": choices}
	}
	if !a.stream {
		message := object{"role": "assistant", "content": a.step.Text}
		if a.step.Reasoning != "" {
			message["reasoning_content"] = a.step.Reasoning
		}
		if len(calls) > 0 {
			message["tool_calls"] = calls
		}
		whole := envelope("chat.completion", []object{{"index": 0, "message": message, "finish_reason": stop}})
		whole["usage"] = usage
		reply(a.w, whole)
		return
	}
	chunk := func(delta object, stop any) {
		a.event("", envelope("chat.completion.chunk", []object{{"index": 0, "delta": delta, "finish_reason": stop}}))
	}
	chunk(object{"role": "assistant", "content": ""}, nil)
	if a.step.Reasoning != "" {
		chunk(object{"reasoning_content": a.step.Reasoning}, nil)
	}
	if a.step.Text != "" {
		chunk(object{"content": a.step.Text}, nil)
	}
	for _, c := range calls {
		chunk(object{"tool_calls": []object{c}}, nil)
	}
	chunk(object{}, stop)
	last := envelope("chat.completion.chunk", []object{})
	last["usage"] = usage
	a.event("", last)
	a.event("", "[DONE]")
}
