package sessiongen

import (
	"encoding/json"
	"time"
)

// Kimi Code: the wire log of an agent, from which both its context and its interface are made.

var kimiTools = map[string]string{"shell": "Bash", "read": "Read", "edit": "Edit", "grep": "Grep"}

func kimiBegin(s *session) list {
	return list{
		obj("type", "metadata", "protocol_version", "1.5", "created_at", s.clock.UnixMilli()),
		obj("type", "profile.bind", "agentId", "main", "modelAlias", "model-large-1", "profileName", "agent", "thinkingEffort", "off",
			"systemPrompt", "You are an agent.", "environmentDisclosure", obj("cwd", s.cwd), "activeToolNames", list{}, "time", s.clock.UnixMilli()),
	}
}

func kimiTurn(s *session, t turn) list {
	text := func(v string) json.RawMessage { return obj("type", "text", "text", v) }
	prompt, number := "msg_"+s.token(24), s.turns-1
	rows := list{
		obj("type", "turn.prompt", "agentId", "main", "input", list{text(t.prompt)}, "origin", obj("kind", "user"),
			"promptId", prompt, "turnId", number, "time", t.at.UnixMilli()),
		obj("type", "context.append_message", "agentId", "main", "message", obj("role", "user", "content", list{text(t.prompt)}, "id", prompt,
			"toolCalls", list{}, "origin", obj("kind", "user")), "time", t.at.UnixMilli()),
	}
	loop := func(at time.Time, pairs ...any) {
		rows = append(rows, obj("type", "context.append_loop_event", "agentId", "main", "event", obj(pairs...), "time", at.UnixMilli()))
	}
	turn := string(value(number))
	step := 0
	steps := func(at, end time.Time, finish string, inside func(where ...any)) {
		step++
		id := s.uuid()
		loop(at, "type", "step.begin", "uuid", id, "turnId", turn, "step", step)
		inside("turnId", turn, "step", step, "stepUuid", id)
		loop(end, "type", "step.end", "uuid", id, "turnId", turn, "step", step, "finishReason", finish,
			"usage", obj("inputOther", s.rng.IntN(9000), "output", s.rng.IntN(3000), "inputCacheRead", 0, "inputCacheCreation", 0))
	}
	part := func(at time.Time, where []any, content json.RawMessage) {
		loop(at, append(append([]any{"type", "content.part", "uuid", s.uuid()}, where...), "part", content)...)
	}
	for _, st := range t.steps {
		steps(st.at, st.calls[len(st.calls)-1].at, "tool_use", func(where ...any) {
			if st.thinking != "" {
				part(st.at, where, obj("type", "think", "think", st.thinking))
			}
			if st.text != "" {
				part(st.at, where, text(st.text))
			}
			var ids []string
			for _, c := range st.calls {
				id := s.uuid()
				ids = append(ids, id)
				loop(st.at, append(append([]any{"type", "tool.call", "uuid", id}, where...),
					"toolCallId", "call_"+c.id, "name", named(c, kimiTools), "args", args(c, nil))...)
			}
			for i, c := range st.calls {
				result := obj("output", c.output, "durationMs", 20)
				if !c.ok {
					result = obj("output", c.output, "isError", true, "durationMs", 20)
				}
				loop(c.at, "type", "tool.result", "parentUuid", ids[i], "toolCallId", "call_"+c.id, "result", result)
			}
		})
	}
	steps(t.end, t.end, "end_turn", func(where ...any) { part(t.end, where, text(t.final)) })
	return append(rows, obj("type", "turn.ended", "agentId", "main", "turnId", number, "reason", "completed", "durationMs", 5, "time", t.end.UnixMilli()))
}
