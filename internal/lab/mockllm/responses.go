package mockllm

import "maps"

func (a *answer) responses() {
	output := []object{}
	if t := a.step.Reasoning; t != "" {
		output = append(output, object{"type": "reasoning", "id": a.id("rs"),
			"summary": []object{{"type": "summary_text", "text": t}}, "encrypted_content": signature})
	}
	if t := a.step.Text; t != "" {
		output = append(output, object{"type": "message", "id": a.id("msg"), "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": t, "annotations": []object{}}}})
	}
	for _, c := range a.step.Calls {
		output = append(output, object{"type": "function_call", "id": a.id("fc"), "call_id": a.callID(c, "call"),
			"name": c.Name, "arguments": c.Args, "status": "completed"})
	}
	whole := object{"id": a.id("resp"), "object": "response", "created_at": created, "model": a.model,
		"status": "completed", "output": output,
		"usage": object{"input_tokens": 100, "input_tokens_details": object{"cached_tokens": 0},
			"output_tokens": 20, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 120}}
	if !a.stream {
		reply(a.w, whole)
		return
	}
	n := 0
	emit := func(kind string, members object) {
		members["type"], members["sequence_number"] = kind, n
		n++
		a.event(kind, members)
	}
	begun := maps.Clone(whole)
	begun["status"], begun["output"] = "in_progress", []object{}
	emit("response.created", object{"response": begun})
	for i, item := range output {
		added := item
		if item["type"] == "message" {
			added = maps.Clone(item)
			added["content"], added["status"] = []object{}, "in_progress"
		}
		emit("response.output_item.added", object{"output_index": i, "item": added})
		at := func(members object) object {
			members["item_id"], members["output_index"] = item["id"], i
			return members
		}
		switch item["type"] {
		case "message":
			part := item["content"].([]object)[0]
			emit("response.content_part.added", at(object{"content_index": 0, "part": object{"type": "output_text", "text": "", "annotations": []object{}}}))
			emit("response.output_text.delta", at(object{"content_index": 0, "delta": part["text"]}))
			emit("response.output_text.done", at(object{"content_index": 0, "text": part["text"]}))
			emit("response.content_part.done", at(object{"content_index": 0, "part": part}))
		case "function_call":
			emit("response.function_call_arguments.delta", at(object{"delta": item["arguments"]}))
			emit("response.function_call_arguments.done", at(object{"arguments": item["arguments"]}))
		case "reasoning":
			part := item["summary"].([]object)[0]
			emit("response.reasoning_summary_part.added", at(object{"summary_index": 0, "part": object{"type": "summary_text", "text": ""}}))
			emit("response.reasoning_summary_text.delta", at(object{"summary_index": 0, "delta": part["text"]}))
			emit("response.reasoning_summary_text.done", at(object{"summary_index": 0, "text": part["text"]}))
			emit("response.reasoning_summary_part.done", at(object{"summary_index": 0, "part": part}))
		}
		emit("response.output_item.done", object{"output_index": i, "item": item})
	}
	emit("response.completed", object{"response": whole})
}
