package sessiongen

import (
	"encoding/json"
	"time"
)

// OpenHands: a list of events; an action and its observation for each call.

var openhandsTools = map[string]string{"shell": "terminal", "read": "file_viewer", "edit": "file_editor", "grep": "grep"}

func openhandsHead(*session) string { return "[" }
func openhandsTail(*session) string { return "]\n" }

func openhandsTurn(s *session, t turn) list {
	at := func(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000") }
	text := func(v string) list { return list{obj("type", "text", "text", v)} }
	message := func(t time.Time, source, role, v string) json.RawMessage {
		return obj("id", s.uuid(), "timestamp", at(t), "source", source, "llm_message", obj("role", role, "content", text(v)),
			"activated_skills", list{}, "extended_content", list{}, "kind", "MessageEvent")
	}
	rows := list{message(t.at, "user", "user", t.prompt)}
	for _, st := range t.steps {
		response := "resp-" + s.token(12)
		var actions []string
		for i, c := range st.calls {
			thought, reasoning := list{}, any(nil)
			if i == 0 && st.text != "" {
				thought = text(st.text)
			}
			if i == 0 && st.thinking != "" {
				reasoning = st.thinking
			}
			id := s.uuid()
			actions = append(actions, id)
			name := named(c, openhandsTools)
			rows = append(rows, obj("id", id, "timestamp", at(st.at), "source", "agent", "thought", thought, "reasoning_content", reasoning,
				"thinking_blocks", list{}, "action", args(c, nil), "tool_name", name, "tool_call_id", "call_"+c.id,
				"tool_call", obj("id", "call_"+c.id, "name", name, "arguments", string(args(c, nil)), "origin", "completion"),
				"llm_response_id", response, "security_risk", "LOW", "summary", nil, "kind", "ActionEvent"))
		}
		for i, c := range st.calls {
			rows = append(rows, obj("id", s.uuid(), "timestamp", at(c.at), "source", "environment", "tool_name", named(c, openhandsTools),
				"tool_call_id", "call_"+c.id, "observation", obj("content", text(c.output), "is_error", !c.ok, "kind", "TerminalObservation"),
				"action_id", actions[i], "kind", "ObservationEvent"))
		}
	}
	return append(rows, message(t.end, "agent", "assistant", t.final))
}
