package sessiongen

import (
	"encoding/json"
	"time"
)

// Droid: messages of blocks, a chain of parents.

var droidTools = map[string]string{"shell": "Execute", "read": "Read", "edit": "Edit", "grep": "Grep"}

func droidBegin(s *session) list {
	return list{obj("type", "session_start", "id", s.id, "title", "Work", "owner", "dev", "version", 2, "cwd", s.cwd)}
}

func droidTurn(s *session, t turn) list {
	row := func(at time.Time, role string, content list, extra ...any) json.RawMessage {
		id := s.uuid()
		pairs := []any{"type", "message", "id", id, "timestamp", iso(at),
			"message", obj(append([]any{"role", role, "content", content}, extra...)...)}
		if s.parent != nil {
			pairs = append(pairs, "parentId", s.parent)
		}
		s.parent = id
		return obj(pairs...)
	}
	text := func(v string) json.RawMessage { return obj("type", "text", "text", v) }
	rows := list{row(t.at, "user", list{text(t.prompt)}, "interactionMode", "auto")}
	for _, st := range t.steps {
		var content, results list
		if st.thinking != "" {
			content = append(content, obj("type", "thinking", "signature", s.token(400), "signatureProvider", "anthropic", "durationMs", 0, "thinking", st.thinking))
		}
		if st.text != "" {
			content = append(content, text(st.text))
		}
		for _, c := range st.calls {
			content = append(content, obj("type", "tool_use", "id", "toolu_"+c.id, "name", named(c, droidTools), "input", args(c, claudeArgs)))
			results = append(results, obj("type", "tool_result", "tool_use_id", "toolu_"+c.id, "is_error", !c.ok, "content", c.output))
		}
		rows = append(rows, row(st.at, "assistant", content, "modelId", st.model, "reasoningEffort", "none"),
			row(st.calls[len(st.calls)-1].at, "user", results))
	}
	return append(rows, row(t.end, "assistant", list{text(t.final)}, "modelId", "model-large-1", "reasoningEffort", "none"),
		obj("type", "agent_turn_outcome", "turnId", s.uuid(), "reason", "completed", "resultKind", "text"))
}
