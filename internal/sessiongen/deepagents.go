package sessiongen

import (
	"encoding/json"
	"time"
)

// Deep Agents: the document that is read out of a thread's last checkpoint.

var deepagentsTools = map[string]string{"shell": "execute", "read": "read_file", "edit": "edit_file", "grep": "grep"}

func deepagentsHead(s *session) string {
	return `{"version":1,"source":"deepagents","session":` + string(obj("threadId", s.id, "checkpointNamespace", "",
		"cwd", s.cwd, "createdAt", iso(s.clock), "model", "model-large-1")) + `,"messages":[`
}

func deepagentsTurn(s *session, t turn) list {
	message := func(at time.Time, role, content string, extra ...any) json.RawMessage {
		return obj(append([]any{"id", s.uuid(), "role", role, "content", content, "timestamp", iso(at)}, extra...)...)
	}
	rows := list{message(t.at, "human", t.prompt)}
	for _, st := range t.steps {
		reasoning, calls := list{}, list{}
		if st.thinking != "" {
			reasoning = append(reasoning, value(st.thinking))
		}
		for _, c := range st.calls {
			calls = append(calls, obj("id", c.id, "name", named(c, deepagentsTools), "args", args(c, nil)))
		}
		rows = append(rows, message(st.at, "ai", st.text, "reasoning", reasoning, "toolCalls", calls, "model", st.model))
		for _, c := range st.calls {
			rows = append(rows, message(c.at, "tool", c.output, "toolCallId", c.id))
		}
	}
	return append(rows, message(t.end, "ai", t.final, "reasoning", list{}, "toolCalls", list{}, "model", "model-large-1"))
}
