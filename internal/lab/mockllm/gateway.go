package mockllm

import "encoding/json"

// gateway answers as Vercel's AI gateway does in version 4 of its language model:
// parts of the AI SDK. A call without parts of its input before it is whole.
func (a *answer) gateway() {
	parts := []object{}
	if t := a.step.Reasoning; t != "" {
		parts = append(parts, object{"type": "reasoning", "text": t})
	}
	if t := a.step.Text; t != "" {
		parts = append(parts, object{"type": "text", "text": t})
	}
	reason := object{"unified": "stop", "raw": "stop"}
	for _, c := range a.step.Calls {
		reason = object{"unified": "tool-calls", "raw": "tool-calls"}
		parts = append(parts, object{"type": "tool-call", "toolCallId": a.callID(c, "call"), "toolName": c.Name, "input": json.RawMessage(c.Args)})
	}
	usage := object{"inputTokens": object{"total": 100}, "outputTokens": object{"total": 20}}
	if !a.stream {
		reply(a.w, object{"content": parts, "finishReason": reason, "usage": usage, "warnings": []object{}})
		return
	}
	a.event("", object{"type": "stream-start", "warnings": []object{}})
	for _, p := range parts {
		text, ok := p["text"]
		if !ok {
			a.event("", p)
			continue
		}
		id, kind := a.id("part"), p["type"].(string)
		a.event("", object{"type": kind + "-start", "id": id})
		a.event("", object{"type": kind + "-delta", "id": id, "delta": text})
		a.event("", object{"type": kind + "-end", "id": id})
	}
	a.event("", object{"type": "finish", "finishReason": reason, "usage": usage})
	a.event("", "[DONE]")
}
