package sessiongen

import (
	"encoding/json"
)

// ATIF: a document with a step for each prompt and each reply, results inside.

var atifTools = map[string]string{"shell": "shell", "read": "read", "edit": "edit", "grep": "grep"}

func atifHead(s *session) string {
	return `{"schema_version":"ATIF-v1.7","session_id":"` + s.id + `","trajectory_id":"` + s.uuid() +
		`","agent":{"name":"example","version":"1","model_name":"model-large-1"},"steps":[`
}

func atifTurn(s *session, t turn) list {
	step := func(pairs ...any) json.RawMessage {
		s.rows++
		return obj(append([]any{"step_id", s.rows}, pairs...)...)
	}
	rows := list{step("timestamp", iso(t.at), "source", "user", "message", t.prompt)}
	for _, st := range t.steps {
		var calls, results list
		for _, c := range st.calls {
			calls = append(calls, obj("tool_call_id", c.id, "function_name", named(c, atifTools), "arguments", args(c, nil)))
			results = append(results, obj("source_call_id", c.id, "content", c.output))
		}
		pairs := []any{"timestamp", iso(st.at), "source", "agent", "model_name", st.model, "message", st.text}
		if st.thinking != "" {
			pairs = append(pairs, "reasoning_content", st.thinking)
		}
		pairs = append(pairs, "tool_calls", calls, "observation", obj("results", results),
			"metrics", obj("prompt_tokens", s.rng.IntN(90000), "completion_tokens", s.rng.IntN(3000)))
		rows = append(rows, step(pairs...))
	}
	return append(rows, step("timestamp", iso(t.end), "source", "agent", "message", t.final))
}
