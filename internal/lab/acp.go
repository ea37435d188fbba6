package lab

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/trajmap/trajmap/internal/lab/history"
)

// client is an editor that speaks the Agent Client Protocol.
type client struct{ *lines }

// initialize opens the conversation.
func (c client) initialize(ctx context.Context) error {
	_, err := c.call(ctx, "initialize", map[string]any{
		"protocolVersion": 1,
		"clientCapabilities": map[string]any{
			"fs": map[string]any{"readTextFile": false, "writeTextFile": false}, "terminal": false,
		},
	})
	return err
}

// load opens a session and gives what the program replays of it.
func (c client) load(ctx context.Context, id, cwd string) ([]history.Entry, error) {
	if _, err := c.call(ctx, "session/load", map[string]any{"sessionId": id, "cwd": cwd, "mcpServers": []any{}}); err != nil {
		return nil, err
	}
	return replayed(c.kept), nil
}

// prompt says something in a session that is open.
func (c client) prompt(ctx context.Context, id, text string) error {
	_, err := c.call(ctx, "session/prompt", map[string]any{
		"sessionId": id, "prompt": []any{map[string]any{"type": "text", "text": text}},
	})
	return err
}

// update is what session/update tells.
type update struct {
	Kind      string          `json:"sessionUpdate"`
	Content   json.RawMessage `json:"content"`
	ID        string          `json:"toolCallId"`
	Title     string          `json:"title"`
	RawInput  json.RawMessage `json:"rawInput"`
	RawOutput json.RawMessage `json:"rawOutput"`
	Status    string          `json:"status"`
}

// replayed is the history in what a program tells about a session that it
// opens. Calls have no names: what stands there instead is a title for people.
func replayed(told []message) []history.Entry {
	var out []history.Entry
	for _, m := range told {
		var p struct {
			Update update `json:"update"`
		}
		if m.Method != "session/update" || json.Unmarshal(m.Params, &p) != nil {
			continue
		}
		u := p.Update
		switch u.Kind {
		case "user_message_chunk":
			out = append(out, history.Entry{Kind: history.User, Text: u.text()})
		case "agent_message_chunk":
			out = append(out, history.Entry{Kind: history.Assistant, Text: u.text()})
		case "tool_call":
			out = append(out, history.Entry{Kind: history.Call, ID: u.ID, Args: string(u.RawInput)})
			fallthrough
		case "tool_call_update":
			if u.Status == "completed" || u.Status == "failed" {
				out = append(out, history.Entry{Kind: history.Result, ID: u.ID, Text: u.text()})
			}
		}
	}
	return out
}

// text is the text in the content of an update, in any of its forms, or else
// what a tool gave as it is: programs show the results of tools that they know in
// ways of their own.
func (u update) text() string {
	type block struct {
		Text    string `json:"text"`
		Content struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	var one block
	if json.Unmarshal(u.Content, &one) == nil {
		return one.Text
	}
	var many []block
	if json.Unmarshal(u.Content, &many) == nil {
		var b strings.Builder
		for _, part := range many {
			b.WriteString(part.Text + part.Content.Text)
		}
		if b.Len() > 0 {
			return b.String()
		}
	}
	var text string
	if json.Unmarshal(u.RawOutput, &text) == nil {
		return text
	}
	var output struct {
		Content string `json:"content"`
		Message string `json:"message"` // of a failure
	}
	if json.Unmarshal(u.RawOutput, &output) == nil {
		return output.Content + output.Message
	}
	return ""
}
