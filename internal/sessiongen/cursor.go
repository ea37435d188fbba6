package sessiongen

import (
	"encoding/json"
)

// Cursor: the transcript beside its store, without times and without results.

var cursorTools = map[string]string{"shell": "Shell", "read": "Read", "edit": "StrReplace", "grep": "Grep"}

func cursorTurn(s *session, t turn) list {
	row := func(role string, content ...json.RawMessage) json.RawMessage {
		return obj("role", role, "message", obj("content", list(content)))
	}
	text := func(v string) json.RawMessage { return obj("type", "text", "text", v) }
	rows := list{row("user", text("<user_query>\n"+t.prompt+"\n</user_query>"))}
	for _, st := range t.steps {
		var content list
		if st.text != "" {
			content = append(content, text(st.text))
		}
		for _, c := range st.calls {
			content = append(content, obj("type", "tool_use", "name", named(c, cursorTools), "input", args(c, nil)))
		}
		rows = append(rows, row("assistant", content...))
	}
	return append(rows, row("assistant", text(t.final)))
}
