package sessiongen

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// format renders a story natively. begin and end may be nil; turn renders one
// turn. Whole-document formats (document is set) separate turns by commas.
type format struct {
	ext      string
	document bool
	begin    func(*session) []json.RawMessage
	turn     func(*session, turn) []json.RawMessage
	// head and tail enclose the elements of a whole-document format.
	head, tail func(*session) string
}

// session is the state that one rendered file carries from turn to turn.
type session struct {
	*story
	id     string
	parent any // the last row's id, in formats that chain their rows
	side   any // the same within a subagent's chain
	rows   int // rows so far, in formats that count them
}

var formats = map[string]format{
	"atif":        {ext: ".json", document: true, head: atifHead, turn: atifTurn, tail: listTail},
	"claude-code": {ext: ".jsonl", turn: claudeTurn},
	"cline":       {ext: ".json", document: true, head: clineHead, turn: clineTurn, tail: listTail},
	"codex":       {ext: ".jsonl", begin: codexBegin, turn: codexTurn},
	"copilot":     {ext: ".jsonl", begin: copilotBegin, turn: copilotTurn},
	"cursor":      {ext: ".jsonl", turn: cursorTurn},
	"deepagents":  {ext: ".json", document: true, head: deepagentsHead, turn: deepagentsTurn, tail: listTail},
	"droid":       {ext: ".jsonl", begin: droidBegin, turn: droidTurn},
	"fx":          {ext: ".json", document: true, head: fxHead, turn: fxTurn, tail: fxTail},
	"gemini":      {ext: ".json", document: true, head: geminiHead, turn: geminiTurn, tail: listTail},
	"grok":        {ext: ".jsonl", turn: grokTurn},
	"hermes":      {ext: ".json", document: true, head: hermesHead, turn: hermesTurn, tail: listTail},
	"kimi":        {ext: ".jsonl", begin: kimiBegin, turn: kimiTurn},
	"letta-code":  {ext: ".jsonl", turn: lettaTurn},
	"omp":         {ext: ".jsonl", begin: ompBegin, turn: piTurn},
	"openclaw":    {ext: ".jsonl", begin: piBegin, turn: piTurn},
	"opencode":    {ext: ".json", document: true, head: opencodeHead, turn: opencodeTurn, tail: listTail},
	"openhands":   {ext: ".json", document: true, head: openhandsHead, turn: openhandsTurn, tail: openhandsTail},
	"pi":          {ext: ".jsonl", begin: piBegin, turn: piTurn},
}

// listTail ends the list of the messages and the document around it.
func listTail(*session) string { return "]}\n" }

// write renders turns until at least size bytes are out.
func (f format) write(w io.Writer, seed uint64, size int64) error {
	st := newStory(seed)
	s := &session{story: st, id: st.uuid()}
	var out int64
	emit := func(text []byte) error {
		n, err := w.Write(text)
		out += int64(n)
		return err
	}
	if f.head != nil {
		if err := emit([]byte(f.head(s))); err != nil {
			return err
		}
	}
	var rows []json.RawMessage
	if f.begin != nil {
		rows = f.begin(s)
	}
	first := true
	for {
		for _, row := range rows {
			if f.document && !first {
				row = append([]byte(","), row...)
			} else if !f.document {
				row = append(row, '\n')
			}
			first = false
			if err := emit(row); err != nil {
				return err
			}
		}
		if out >= size && s.turns > 0 {
			break
		}
		rows = f.turn(s, s.next())
	}
	if f.tail != nil {
		return emit([]byte(f.tail(s)))
	}
	return nil
}

type list = []json.RawMessage

// obj encodes alternating keys and values in the given order.
func obj(pairs ...any) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(value(pairs[i]))
		b.WriteByte(':')
		b.Write(value(pairs[i+1]))
	}
	b.WriteByte('}')
	return b.Bytes()
}

func value(v any) []byte {
	if raw, ok := v.(json.RawMessage); ok {
		return raw
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if v, ok := v.(list); ok {
		b.WriteByte('[')
		b.Write(bytes.Join(raws(v), []byte(",")))
		b.WriteByte(']')
		return b.Bytes()
	}
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func raws(rows list) [][]byte {
	out := make([][]byte, len(rows))
	for i, row := range rows {
		out[i] = row
	}
	return out
}

func iso(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// args renders a call's arguments under a harness's own names, in key order.
func args(c call, names map[string]string) json.RawMessage {
	var pairs []any
	for _, key := range slices.Sorted(maps.Keys(c.args)) {
		name := key
		if renamed, ok := names[key]; ok {
			name = renamed
		}
		pairs = append(pairs, name, c.args[key])
	}
	return obj(pairs...)
}

func named(c call, names map[string]string) string { return names[c.tool] }

// ---- claude-code

var claudeTools = map[string]string{"shell": "Bash", "read": "Read", "edit": "Edit", "grep": "Grep"}
var claudeArgs = map[string]string{"path": "file_path", "old": "old_string", "new": "new_string"}

func (s *session) claudeRow(kind string, side bool, at time.Time, message json.RawMessage, extra ...any) json.RawMessage {
	id, parent := s.uuid(), &s.parent
	if side {
		parent = &s.side
	}
	pairs := []any{"parentUuid", *parent, "isSidechain", side, "type", kind, "message", message}
	pairs = append(pairs, extra...)
	pairs = append(pairs, "uuid", id, "timestamp", iso(at), "userType", "external", "cwd", s.cwd,
		"sessionId", s.id, "version", "2.1.50", "gitBranch", "main")
	if side {
		pairs = append(pairs, "agentId", "a1b2c3d")
	}
	*parent = id
	return obj(pairs...)
}

func claudeTurn(s *session, t turn) list {
	var rows list
	user := func(content any) json.RawMessage { return obj("role", "user", "content", content) }
	if t.noise {
		rows = append(rows,
			s.claudeRow("user", false, t.at, user("<command-name>/model</command-name>\n<command-message>model</command-message>")),
			s.claudeRow("user", false, t.at, user("<local-command-stdout>Set model</local-command-stdout>")))
	}
	rows = append(rows, obj("type", "file-history-snapshot", "messageId", s.uuid(), "snapshot",
		obj("messageId", s.uuid(), "trackedFileBackups", obj(), "timestamp", iso(t.at)), "isSnapshotUpdate", false))
	rows = append(rows, s.claudeRow("user", false, t.at, user(t.prompt)))
	for _, st := range t.steps {
		message, request := "msg_"+s.token(24), "req_"+s.token(24)
		usage := obj("input_tokens", s.rng.IntN(100), "cache_creation_input_tokens", s.rng.IntN(9000),
			"cache_read_input_tokens", s.rng.IntN(150000), "output_tokens", s.rng.IntN(3000), "service_tier", "standard")
		block := func(content json.RawMessage) {
			rows = append(rows, s.claudeRow("assistant", st.sidechain, st.at, obj("model", st.model, "id", message, "type", "message",
				"role", "assistant", "content", list{content}, "stop_reason", nil, "stop_sequence", nil, "usage", usage), "requestId", request))
		}
		if st.thinking != "" {
			block(obj("type", "thinking", "thinking", st.thinking, "signature", s.token(400)))
		}
		if st.text != "" {
			block(obj("type", "text", "text", st.text))
		}
		for _, c := range st.calls {
			block(obj("type", "tool_use", "id", "toolu_"+c.id, "name", named(c, claudeTools), "input", args(c, claudeArgs)))
		}
		for _, c := range st.calls {
			if c.tool == "shell" {
				rows = append(rows, obj("type", "progress", "data", obj("type", "bash_progress", "output", "", "elapsedTimeSeconds", 2),
					"toolUseID", "toolu_"+c.id, "uuid", s.uuid(), "timestamp", iso(c.at), "sessionId", s.id))
			}
			result := obj("tool_use_id", "toolu_"+c.id, "type", "tool_result", "content", c.output, "is_error", !c.ok)
			var detail any = obj("stdout", c.output, "stderr", "", "interrupted", false, "isImage", false)
			if c.tool == "read" {
				detail = obj("type", "text", "file", obj("filePath", c.args["path"], "content", c.output, "startLine", 1))
			}
			if !c.ok {
				detail = "Error: " + c.output[:min(200, strings.IndexByte(c.output+"\n", '\n'))]
			}
			rows = append(rows, s.claudeRow("user", st.sidechain, c.at, user(list{result}), "toolUseResult", detail))
		}
	}
	rows = append(rows, s.claudeRow("assistant", false, t.end, obj("model", "model-large-1", "id", "msg_"+s.token(24), "type", "message",
		"role", "assistant", "content", list{obj("type", "text", "text", t.final)}, "stop_reason", "end_turn"), "requestId", "req_"+s.token(24)))
	rows = append(rows, obj("parentUuid", s.parent, "isSidechain", false, "type", "system", "subtype", "turn_duration",
		"durationMs", t.end.Sub(t.at).Milliseconds(), "timestamp", iso(t.end), "uuid", s.uuid(), "sessionId", s.id))
	return rows
}

// ---- codex

func codexRow(at time.Time, kind string, payload json.RawMessage) json.RawMessage {
	return obj("timestamp", iso(at), "type", kind, "payload", payload)
}

func codexMessage(role, text string) json.RawMessage {
	part := "input_text"
	if role == "assistant" {
		part = "output_text"
	}
	return obj("type", "message", "role", role, "content", list{obj("type", part, "text", text)})
}

func codexBegin(s *session) list {
	return list{
		codexRow(s.clock, "session_meta", obj("id", s.id, "timestamp", iso(s.clock), "cwd", s.cwd, "originator", "codex_cli_rs",
			"cli_version", "0.150.0", "source", "cli", "model_provider", "openai", "git", obj("commit_hash", s.hex(40), "branch", "main"))),
		codexRow(s.clock, "response_item", codexMessage("user", "<environment_context>\n  <cwd>"+s.cwd+"</cwd>\n</environment_context>")),
	}
}

func codexTurn(s *session, t turn) list {
	rows := list{
		codexRow(t.at, "event_msg", obj("type", "task_started", "model_context_window", 272000)),
		codexRow(t.at, "turn_context", obj("cwd", s.cwd, "approval_policy", "on-request", "sandbox_policy", obj("type", "workspace-write"),
			"model", "model-large-1", "effort", "medium", "summary", "auto")),
		codexRow(t.at, "response_item", codexMessage("user", t.prompt)),
		codexRow(t.at, "event_msg", obj("type", "user_message", "message", t.prompt, "images", list{})),
	}
	for _, st := range t.steps {
		if st.thinking != "" {
			rows = append(rows, codexRow(st.at, "event_msg", obj("type", "agent_reasoning", "text", st.thinking)))
			rows = append(rows, codexRow(st.at, "response_item", obj("type", "reasoning", "summary",
				list{obj("type", "summary_text", "text", st.thinking)}, "content", nil, "encrypted_content", s.token(1200))))
		}
		if st.text != "" {
			rows = append(rows, codexRow(st.at, "event_msg", obj("type", "agent_message", "message", st.text)))
			rows = append(rows, codexRow(st.at, "response_item", codexMessage("assistant", st.text)))
		}
		for _, c := range st.calls {
			switch c.tool {
			case "edit":
				patch := "*** Begin Patch\n*** Update File: " + c.args["path"] + "\n-" + c.args["old"] + "\n+" + c.args["new"] + "\n*** End Patch"
				rows = append(rows, codexRow(st.at, "response_item", obj("type", "custom_tool_call", "status", "completed",
					"call_id", "call_"+c.id, "name", "apply_patch", "input", patch)))
			default:
				command := c.args["command"]
				if command == "" {
					command = "sed -n 1,400p " + c.args["path"]
				}
				rows = append(rows, codexRow(st.at, "response_item", obj("type", "function_call", "name", "exec_command",
					"arguments", string(obj("cmd", command, "workdir", s.cwd)), "call_id", "call_"+c.id)))
			}
		}
		for _, c := range st.calls {
			kind := "function_call_output"
			if c.tool == "edit" {
				kind = "custom_tool_call_output"
			}
			rows = append(rows, codexRow(c.at, "response_item", obj("type", kind, "call_id", "call_"+c.id, "output", c.output)))
		}
		rows = append(rows, codexRow(st.at, "event_msg", obj("type", "token_count", "info",
			obj("total_token_usage", obj("input_tokens", s.rng.IntN(200000), "output_tokens", s.rng.IntN(4000)), "model_context_window", 272000))))
	}
	return append(rows,
		codexRow(t.end, "event_msg", obj("type", "agent_message", "message", t.final)),
		codexRow(t.end, "response_item", codexMessage("assistant", t.final)),
		codexRow(t.end, "event_msg", obj("type", "task_complete", "last_agent_message", t.final)))
}

// ---- pi

var piTools = map[string]string{"shell": "bash", "read": "read", "edit": "edit", "grep": "grep"}
var piArgs = map[string]string{"old": "oldText", "new": "newText"}

func (s *session) piRow(kind string, at time.Time, extra ...any) json.RawMessage {
	id := s.hex(8)
	pairs := append([]any{"type", kind, "id", id, "parentId", s.parent, "timestamp", iso(at)}, extra...)
	s.parent = id
	return obj(pairs...)
}

func piBegin(s *session) list {
	return list{
		obj("type", "session", "version", 3, "id", s.id, "timestamp", iso(s.clock), "cwd", s.cwd),
		s.piRow("model_change", s.clock, "provider", "anthropic", "modelId", "model-large-1"),
		s.piRow("thinking_level_change", s.clock, "thinkingLevel", "medium"),
	}
}

func piTurn(s *session, t turn) list {
	var rows list
	text := func(v string) json.RawMessage { return obj("type", "text", "text", v) }
	if t.noise {
		rows = append(rows, s.piRow("custom", t.at, "customType", "todos", "data", obj("open", s.rng.IntN(9))),
			s.piRow("message", t.at, "message", obj("role", "bashExecution", "command", "ls", "output", "notes.md\n", "exitCode", 0, "timestamp", t.at.UnixMilli())))
	}
	rows = append(rows, s.piRow("message", t.at, "message", obj("role", "user", "content", list{text(t.prompt)}, "timestamp", t.at.UnixMilli())))
	assistant := func(at time.Time, model, stop string, content list) {
		rows = append(rows, s.piRow("message", at, "message", obj("role", "assistant", "content", content, "api", "anthropic-messages",
			"provider", "anthropic", "model", model, "usage", obj("input", s.rng.IntN(900), "output", s.rng.IntN(3000), "cacheRead", s.rng.IntN(90000),
				"cacheWrite", 0, "totalTokens", s.rng.IntN(100000), "cost", obj("input", 0, "output", 0, "total", 0)),
			"stopReason", stop, "timestamp", at.UnixMilli(), "responseId", "msg_"+s.token(12))))
	}
	for _, st := range t.steps {
		var content list
		if st.thinking != "" {
			content = append(content, obj("type", "thinking", "thinking", st.thinking, "thinkingSignature", s.token(400)))
		}
		if st.text != "" {
			content = append(content, text(st.text))
		}
		for _, c := range st.calls {
			content = append(content, obj("type", "toolCall", "id", "toolu_"+c.id, "name", named(c, piTools), "arguments", args(c, piArgs)))
		}
		assistant(st.at, st.model, "toolUse", content)
		for _, c := range st.calls {
			rows = append(rows, s.piRow("message", c.at, "message", obj("role", "toolResult", "toolCallId", "toolu_"+c.id, "toolName", named(c, piTools),
				"content", list{text(c.output)}, "isError", !c.ok, "timestamp", c.at.UnixMilli())))
		}
	}
	assistant(t.end, "model-large-1", "stop", list{text(t.final)})
	return rows
}

// ---- opencode (the session export document)

var opencodeTools = map[string]string{"shell": "bash", "read": "read", "edit": "edit", "grep": "grep"}
var opencodeArgs = map[string]string{"path": "filePath", "old": "oldString", "new": "newString"}

func (s *session) opencodeID(prefix string) string {
	return prefix + "_" + s.hex(12) + s.token(14)
}

func opencodeHead(s *session) string {
	s.id = "ses_" + s.token(26)
	info := obj("id", s.id, "version", "1.2.30", "projectID", s.hex(40), "directory", s.cwd, "title", s.sentence(),
		"time", obj("created", s.clock.UnixMilli(), "updated", s.clock.UnixMilli()))
	return `{"info":` + string(info) + `,"messages":[`
}

func opencodeTurn(s *session, t turn) list {
	ids := func(message string) []any {
		return []any{"id", s.opencodeID("prt"), "sessionID", s.id, "messageID", message}
	}
	part := func(message string, extra ...any) json.RawMessage { return obj(append(ids(message), extra...)...) }
	userID := s.opencodeID("msg")
	rows := list{obj("info", obj("id", userID, "sessionID", s.id, "role", "user", "time", obj("created", t.at.UnixMilli()),
		"agent", "build", "model", obj("providerID", "anthropic", "modelID", "model-large-1")),
		"parts", list{part(userID, "type", "text", "text", t.prompt)})}
	message := func(at, end time.Time, model string, fill func(id string) list) {
		id := s.opencodeID("msg")
		parts := append(list{part(id, "type", "step-start", "snapshot", s.hex(40))}, fill(id)...)
		parts = append(parts, part(id, "type", "step-finish", "reason", "tool-calls", "snapshot", s.hex(40), "cost", 0,
			"tokens", obj("input", s.rng.IntN(900), "output", s.rng.IntN(3000), "reasoning", 0, "cache", obj("read", s.rng.IntN(90000), "write", 0))))
		rows = append(rows, obj("info", obj("id", id, "sessionID", s.id, "role", "assistant", "parentID", userID, "modelID", model,
			"providerID", "anthropic", "mode", "build", "path", obj("cwd", s.cwd, "root", s.cwd), "cost", 0,
			"time", obj("created", at.UnixMilli(), "completed", end.UnixMilli())), "parts", parts))
	}
	for _, st := range t.steps {
		message(st.at, st.calls[len(st.calls)-1].at, st.model, func(id string) (parts list) {
			span := obj("start", st.at.UnixMilli(), "end", st.at.UnixMilli())
			if st.thinking != "" {
				parts = append(parts, part(id, "type", "reasoning", "text", st.thinking, "time", span))
			}
			if st.text != "" {
				parts = append(parts, part(id, "type", "text", "text", st.text, "time", span))
			}
			for _, c := range st.calls {
				span := obj("start", st.at.UnixMilli(), "end", c.at.UnixMilli())
				state := obj("status", "completed", "input", args(c, opencodeArgs), "output", c.output, "title", c.tool,
					"metadata", obj("output", c.output, "exit", 0, "truncated", false), "time", span)
				if !c.ok {
					state = obj("status", "error", "input", args(c, opencodeArgs), "error", c.output, "time", span)
				}
				parts = append(parts, part(id, "type", "tool", "callID", "toolu_"+c.id, "tool", named(c, opencodeTools), "state", state))
			}
			return parts
		})
	}
	message(t.end, t.end, "model-large-1", func(id string) list {
		return list{part(id, "type", "text", "text", t.final, "time", obj("start", t.end.UnixMilli(), "end", t.end.UnixMilli()))}
	})
	return rows
}

// ---- gemini

var geminiTools = map[string]string{"shell": "run_shell_command", "read": "read_file", "edit": "replace", "grep": "search_file_content"}
var geminiArgs = map[string]string{"path": "file_path", "old": "old_string", "new": "new_string"}

func geminiHead(s *session) string {
	return `{"sessionId":"` + s.id + `","projectHash":"` + s.hex(64) + `","startTime":"` + iso(s.clock) + `","lastUpdated":"` + iso(s.clock) + `","messages":[`
}

func geminiTurn(s *session, t turn) list {
	var rows list
	if t.noise {
		rows = append(rows, obj("id", s.uuid(), "timestamp", iso(t.at), "type", "info", "content", "Request cancelled."))
	}
	rows = append(rows, obj("id", s.uuid(), "timestamp", iso(t.at), "type", "user", "content", list{obj("text", t.prompt)}))
	reply := func(at time.Time, model string, thoughts list, text string, calls list) {
		pairs := []any{"id", s.uuid(), "timestamp", iso(at), "type", "gemini", "content", text, "thoughts", thoughts,
			"tokens", obj("input", s.rng.IntN(90000), "output", s.rng.IntN(3000), "cached", 0, "thoughts", 0, "tool", 0, "total", 0), "model", model}
		if len(calls) > 0 {
			pairs = append(pairs, "toolCalls", calls)
		}
		rows = append(rows, obj(pairs...))
	}
	for _, st := range t.steps {
		var thoughts, calls list
		if st.thinking != "" {
			thoughts = list{obj("subject", s.word(), "description", st.thinking, "timestamp", iso(st.at))}
		}
		for _, c := range st.calls {
			status, response := "success", obj("output", c.output)
			if !c.ok {
				status, response = "error", obj("error", c.output)
			}
			name := named(c, geminiTools)
			calls = append(calls, obj("id", name+"-"+c.id, "name", name, "args", args(c, geminiArgs),
				"result", list{obj("functionResponse", obj("id", name+"-"+c.id, "name", name, "response", response))},
				"status", status, "timestamp", iso(c.at), "resultDisplay", c.output, "displayName", c.tool, "renderOutputAsMarkdown", false))
		}
		reply(st.at, st.model, thoughts, st.text, calls)
	}
	reply(t.end, "model-large-1", nil, t.final, nil)
	return rows
}

// ---- fx (schema 1: one document; one history entry for each turn)

var fxTools = map[string]string{"shell": "bash", "read": "read_file", "edit": "edit_file", "grep": "grep"}

func fxHead(s *session) string {
	ms := string(value(s.clock.UnixMilli()))
	return `{"schema_version":1,"id":"` + s.id + `","created_at_ms":` + ms + `,"updated_at_ms":` + ms +
		`,"workspace_root":"` + s.cwd + `","conversation_language":"en","history":[`
}

func fxTail(s *session) string { return `],"history_len":` + string(value(s.turns)) + "}\n" }

func fxTurn(s *session, t turn) list {
	var steps list
	for _, st := range t.steps {
		var calls, results list
		for _, c := range st.calls {
			status := "success"
			if !c.ok {
				status = "failure"
			}
			calls = append(calls, obj("id", "call-"+c.id, "name", named(c, fxTools), "arguments_json", string(args(c, nil)), "provider_result", nil))
			results = append(results, obj("tool_call_id", "call-"+c.id, "tool_name", named(c, fxTools), "status", status, "output", c.output,
				"output_bytes", len(c.output), "stored_output_bytes", len(c.output), "truncated", false, "provider_native", false,
				"created_at_ms", c.at.UnixMilli(), "permission_feedback", list{}))
		}
		steps = append(steps, obj("assistant", st.text, "tool_calls", calls, "tool_results", results))
	}
	return list{obj("kind", "assistant", "user", obj("text", t.prompt, "images", list{}), "assistant", t.final,
		"execution", obj("schema_version", 3, "tool_steps", steps, "files", list{}))}
}
