package sessiongen

import (
	"encoding/json"
	"time"
)

// Cline: the messages document of its core, results as blocks of the next message.

var clineTools = map[string]string{"shell": "run_commands", "read": "read_files", "edit": "editor", "grep": "search_codebase"}

func clineHead(s *session) string {
	return `{"version":1,"updated_at":"` + iso(s.clock) + `","agent":"lead","sessionId":"` + s.id +
		`","origin":{"source":"cli","mode":"user","sessionId":"` + s.id + `","version":"3.0.65"},"messages":[`
}

func clineTurn(s *session, t turn) list {
	text := func(v string) json.RawMessage { return obj("type", "text", "text", v) }
	row := func(at time.Time, role string, content list, extra ...any) json.RawMessage {
		return obj(append([]any{"id", "msg_" + s.token(8), "role", role, "content", content, "ts", at.UnixMilli()}, extra...)...)
	}
	reply := func(at time.Time, model string, content list) json.RawMessage {
		return row(at, "assistant", content, "modelInfo", obj("id", model, "provider", "anthropic"),
			"metrics", obj("inputTokens", s.rng.IntN(900), "outputTokens", s.rng.IntN(3000), "cacheReadTokens", 0, "cacheWriteTokens", 0))
	}
	rows := list{row(t.at, "user", list{text(`<user_input mode="act">` + t.prompt + `</user_input>`)})}
	for _, st := range t.steps {
		var content, results list
		if st.thinking != "" {
			content = append(content, obj("type", "thinking", "thinking", st.thinking, "signature", s.token(400)))
		}
		if st.text != "" {
			content = append(content, text(st.text))
		}
		for _, c := range st.calls {
			content = append(content, obj("type", "tool_use", "id", "toolu_"+c.id, "name", named(c, clineTools), "input", args(c, nil)))
			results = append(results, obj("type", "tool_result", "tool_use_id", "toolu_"+c.id, "name", named(c, clineTools),
				"content", list{obj("query", s.word(), "result", c.output, "success", c.ok)}))
		}
		rows = append(rows, reply(st.at, st.model, content), row(st.calls[len(st.calls)-1].at, "user", results))
	}
	return append(rows, reply(t.end, "model-large-1", list{text(t.final)}))
}
