package sessiongen

import (
	"encoding/json"
	"time"
)

// Grok Build: the journal of updates that its interface replays.

var grokTools = map[string]string{"shell": "run_terminal_command", "read": "read_file", "edit": "search_replace", "grep": "grep"}

func grokTurn(s *session, t turn) list {
	prompt := s.uuid()
	row := func(at time.Time, pairs ...any) json.RawMessage {
		s.rows++
		return obj("timestamp", at.Unix(), "method", "session/update", "params", obj("sessionId", s.id, "update", obj(pairs...),
			"_meta", obj("eventId", s.id+"-"+string(value(s.rows)), "agentTimestampMs", at.UnixMilli(), "promptId", prompt)))
	}
	text := func(v string) json.RawMessage { return obj("type", "text", "text", v) }
	rows := list{row(t.at, "sessionUpdate", "user_message_chunk", "content", text(t.prompt),
		"_meta", obj("modelId", "model-large-1", "promptIndex", s.turns-1))}
	for _, st := range t.steps {
		if st.thinking != "" {
			rows = append(rows, row(st.at, "sessionUpdate", "agent_thought_chunk", "content", text(st.thinking)))
		}
		if st.text != "" {
			rows = append(rows, row(st.at, "sessionUpdate", "agent_message_chunk", "content", text(st.text)))
		}
		tool := func(c call) json.RawMessage {
			return obj("x.ai/tool", obj("version", 1, "name", named(c, grokTools), "kind", c.tool, "namespace", "grok_build", "read_only", false))
		}
		for _, c := range st.calls {
			rows = append(rows, row(st.at, "sessionUpdate", "tool_call", "toolCallId", "call_"+c.id, "title", named(c, grokTools),
				"rawInput", args(c, nil), "_meta", tool(c)))
		}
		for _, c := range st.calls {
			status := "completed"
			if !c.ok {
				status = "failed"
			}
			rows = append(rows, row(c.at, "sessionUpdate", "tool_call_update", "toolCallId", "call_"+c.id, "status", status,
				"content", list{obj("type", "content", "content", text(c.output))}, "_meta", tool(c)))
		}
	}
	return append(rows, row(t.end, "sessionUpdate", "agent_message_chunk", "content", text(t.final)),
		row(t.end, "sessionUpdate", "turn_completed", "stop_reason", "end_turn"))
}
