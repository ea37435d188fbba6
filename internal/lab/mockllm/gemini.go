package mockllm

import "encoding/json"

func (a *answer) gemini() {
	parts := []object{}
	if a.step.Reasoning != "" {
		parts = append(parts, object{"text": a.step.Reasoning, "thought": true})
	}
	if a.step.Text != "" {
		parts = append(parts, object{"text": a.step.Text})
	}
	for _, c := range a.step.Calls {
		parts = append(parts, object{"functionCall": object{"id": a.callID(c, "call"), "name": c.Name, "args": json.RawMessage(c.Args)}})
	}
	whole := object{
		"candidates":    []object{{"index": 0, "content": object{"role": "model", "parts": parts}, "finishReason": "STOP"}},
		"usageMetadata": object{"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120},
		"modelVersion":  a.model,
	}
	if a.stream {
		a.event("", whole)
		return
	}
	reply(a.w, whole)
}
