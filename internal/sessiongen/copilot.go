package sessiongen

import (
	"encoding/json"
	"time"
)

// Copilot: events that name a call three times, in the reply, at its start and at its end.

var copilotTools = map[string]string{"shell": "bash", "read": "view", "edit": "edit", "grep": "grep"}

func (s *session) copilotRow(at time.Time, kind string, data json.RawMessage) json.RawMessage {
	id := s.uuid()
	row := obj("type", kind, "data", data, "id", id, "timestamp", iso(at), "parentId", s.parent)
	s.parent = id
	return row
}

func copilotBegin(s *session) list {
	return list{s.copilotRow(s.clock, "session.start", obj("sessionId", s.id, "version", 1, "producer", "copilot-agent", "copilotVersion", "1.0.102",
		"startTime", iso(s.clock), "selectedModel", "model-large-1", "context", obj("cwd", s.cwd), "alreadyInUse", false))}
}

func copilotTurn(s *session, t turn) list {
	interaction := s.uuid()
	hook := obj("hookInvocationId", s.uuid(), "hookType", "userPromptSubmitted",
		"input", obj("sessionId", s.id, "timestamp", t.at.UnixMilli(), "cwd", s.cwd, "prompt", t.prompt))
	rows := list{s.copilotRow(t.at, "hook.start", hook), s.copilotRow(t.at, "user.message", obj("content", t.prompt, "transformedContent", "<current_datetime>"+iso(t.at)+"</current_datetime>\n\n"+t.prompt,
		"messageId", s.uuid(), "interactionId", interaction, "turnId", "0"))}
	reply := func(at time.Time, model, text, thinking string, requests list) {
		pairs := []any{"messageId", s.uuid(), "model", model, "content", text, "toolRequests", requests, "interactionId", interaction, "turnId", "0"}
		if thinking != "" {
			pairs = append(pairs, "reasoningText", thinking)
		}
		rows = append(rows, s.copilotRow(at, "assistant.message", obj(pairs...)))
	}
	for _, st := range t.steps {
		rows = append(rows, s.copilotRow(st.at, "assistant.turn_start", obj("turnId", "0", "interactionId", interaction)))
		requests := list{}
		for _, c := range st.calls {
			requests = append(requests, obj("toolCallId", "toolu_"+c.id, "name", named(c, copilotTools), "arguments", args(c, nil), "type", "function"))
		}
		reply(st.at, st.model, st.text, st.thinking, requests)
		for _, c := range st.calls {
			rows = append(rows, s.copilotRow(st.at, "tool.execution_start", obj("toolCallId", "toolu_"+c.id, "toolName", named(c, copilotTools), "arguments", args(c, nil))))
		}
		for _, c := range st.calls {
			pairs := []any{"toolCallId", "toolu_" + c.id, "model", st.model, "interactionId", interaction, "turnId", "0", "success", c.ok}
			if c.ok {
				pairs = append(pairs, "result", obj("content", c.output, "detailedContent", c.output))
			} else {
				pairs = append(pairs, "error", obj("message", c.output, "code", "failure"))
			}
			rows = append(rows, s.copilotRow(c.at, "tool.execution_complete", obj(pairs...)))
		}
		rows = append(rows, s.copilotRow(st.at, "assistant.turn_end", obj("turnId", "0")))
	}
	reply(t.end, "model-large-1", t.final, "", list{})
	return rows
}
