package sessiongen

import (
	"encoding/json"
	"time"
)

// Letta Code: what its transcript hook captures, a line for each part.

var lettaTools = map[string]string{"shell": "Bash", "read": "Read", "edit": "Edit", "grep": "Grep"}

func lettaTurn(s *session, t turn) list {
	line := func(at time.Time, kind, text, id string) json.RawMessage {
		return obj("kind", kind, "text", text, "captured_at", iso(at), "source_line_id", id, "source_message_id", id)
	}
	rows := list{obj("kind", "user", "text", t.prompt, "captured_at", iso(t.at), "source_line_id", "user-"+s.token(12))}
	for _, st := range t.steps {
		message := "ui-msg-" + s.token(8)
		if st.thinking != "" {
			rows = append(rows, line(st.at, "reasoning", st.thinking, message+":reasoning:0"))
		}
		if st.text != "" {
			rows = append(rows, line(st.at, "assistant", st.text, message+":assistant:1"))
		}
		for _, c := range st.calls {
			rows = append(rows, obj("kind", "tool_call", "name", named(c, lettaTools), "argsText", string(args(c, claudeArgs)),
				"resultText", c.output, "resultOk", c.ok, "captured_at", iso(c.at), "source_line_id", "call_"+c.id))
		}
	}
	return append(rows, line(t.end, "assistant", t.final, "ui-msg-"+s.token(8)))
}
