package lab

import (
	"encoding/json"
	"fmt"

	"github.com/trajmap/trajmap/internal/lab/history"
)

// cursorTurns are the turns that the vendor's runtime shows: the user's message,
// and steps, of which a call has its result.
func cursorTurns(doc []byte) ([]history.Entry, error) {
	var turns []struct {
		Message struct {
			Turn *struct {
				User struct {
					Text string `json:"text"`
				} `json:"userMessage"`
				Steps []cursorStep `json:"steps"`
			} `json:"agentConversationTurn"`
		} `json:"message"`
	}
	if err := json.Unmarshal(doc, &turns); err != nil {
		return nil, fmt.Errorf("the turns: %w", err)
	}
	var out []history.Entry
	for _, t := range turns {
		turn := t.Message.Turn
		if turn == nil {
			return nil, fmt.Errorf("a turn is of no kind that was written")
		}
		out = append(out, history.Entry{Kind: history.User, Text: turn.User.Text})
		for _, s := range turn.Steps {
			more, err := s.entries()
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
		}
	}
	return out, nil
}

type cursorStep struct {
	Assistant *struct {
		Text string `json:"text"`
	} `json:"assistantMessage"`
	Call *struct {
		ID  string `json:"toolCallId"`
		MCP *struct {
			Args struct {
				Name string          `json:"toolName"`
				ID   string          `json:"toolCallId"`
				Args json.RawMessage `json:"args"`
			} `json:"args"`
			Result struct {
				Success *struct {
					Content []struct {
						Text struct {
							Text string `json:"text"`
						} `json:"text"`
					} `json:"content"`
					IsError bool `json:"isError"`
				} `json:"success"`
			} `json:"result"`
		} `json:"mcpToolCall"`
	} `json:"toolCall"`
}

func (s cursorStep) entries() ([]history.Entry, error) {
	switch {
	case s.Assistant != nil:
		return []history.Entry{{Kind: history.Assistant, Text: s.Assistant.Text}}, nil
	case s.Call == nil || s.Call.MCP == nil:
		return nil, fmt.Errorf("a step is of no kind that was written")
	}
	call := s.Call.MCP
	if call.Args.ID != s.Call.ID {
		return nil, fmt.Errorf("a call has two ids")
	}
	args := string(call.Args.Args)
	if args == "" {
		args = "{}" // an empty map is not shown
	}
	out := []history.Entry{{Kind: history.Call, ID: call.Args.ID, Name: call.Args.Name, Args: args}}
	if r := call.Result.Success; r != nil {
		ok := !r.IsError
		result := history.Entry{Kind: history.Result, ID: call.Args.ID, OK: &ok}
		for _, c := range r.Content {
			result.Text += c.Text.Text
		}
		out = append(out, result)
	}
	return out, nil
}
