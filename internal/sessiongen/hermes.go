package sessiongen

import (
	"encoding/json"
	"time"
)

// Hermes: the export document of one session, with the columns of its store.

var hermesTools = map[string]string{"shell": "terminal", "read": "read_file", "edit": "patch", "grep": "search_files"}

func hermesHead(s *session) string {
	return `{"session":` + string(obj("id", s.id, "source", "cli", "model", "model-large-1", "system_prompt", nil,
		"started_at", seconds(s.clock), "cwd", s.cwd, "title", nil)) + `,"messages":[`
}

func hermesTurn(s *session, t turn) list {
	row := func(at time.Time, role string, content any, calls, name, id, finish, reasoning any) json.RawMessage {
		s.rows++
		return obj("id", s.rows, "session_id", s.id, "role", role, "content", content, "tool_call_id", id, "tool_calls", calls, "tool_name", name,
			"timestamp", seconds(at), "token_count", nil, "finish_reason", finish, "reasoning", reasoning, "reasoning_content", reasoning,
			"reasoning_details", nil, "observed", 0, "active", 1, "compacted", 0)
	}
	rows := list{row(t.at, "user", t.prompt, nil, nil, nil, nil, nil)}
	for _, st := range t.steps {
		var calls list
		for _, c := range st.calls {
			calls = append(calls, obj("id", "call_"+c.id, "type", "function",
				"function", obj("name", named(c, hermesTools), "arguments", string(args(c, nil)))))
		}
		var text, reasoning any
		if st.text != "" {
			text = st.text
		}
		if st.thinking != "" {
			reasoning = st.thinking
		}
		rows = append(rows, row(st.at, "assistant", text, string(value(calls)), nil, nil, "tool_calls", reasoning))
		for _, c := range st.calls {
			exit := 0
			if !c.ok {
				exit = 1
			}
			rows = append(rows, row(c.at, "tool", string(obj("output", c.output, "exit_code", exit, "error", nil)), nil,
				named(c, hermesTools), "call_"+c.id, nil, nil))
		}
	}
	return append(rows, row(t.end, "assistant", t.final, nil, nil, nil, "stop", nil))
}

// seconds is a time in seconds, as Python's time.time gives them.
func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
