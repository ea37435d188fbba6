package lab

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/trajmap/trajmap/internal/lab/history"
)

// codexTurns are the turns in the answer to thread/resume, which shows what was
// said, not what was called.
func codexTurns(result json.RawMessage) ([]history.Entry, error) {
	var r struct {
		Thread struct {
			Turns []struct {
				Items []struct {
					Type    string `json:"type"`
					Text    string `json:"text"`
					Content []struct {
						Text string `json:"text"`
					} `json:"content"`
				} `json:"items"`
			} `json:"turns"`
		} `json:"thread"`
	}
	if err := json.Unmarshal(result, &r); err != nil {
		return nil, fmt.Errorf("thread/resume: %w", err)
	}
	var out []history.Entry
	for _, turn := range r.Thread.Turns {
		for _, item := range turn.Items {
			switch item.Type {
			case "userMessage":
				for _, c := range item.Content {
					out = append(out, history.Entry{Kind: history.User, Text: c.Text})
				}
			case "agentMessage":
				out = append(out, history.Entry{Kind: history.Assistant, Text: item.Text})
			}
		}
	}
	return out, nil
}

// piMessages are the messages in an answer to get_messages.
func piMessages(line []byte) ([]history.Entry, error) {
	type block struct {
		Type      string          `json:"type"`
		Text      string          `json:"text"`
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	var r struct {
		Data struct {
			Messages []struct {
				Role       string          `json:"role"`
				Content    json.RawMessage `json:"content"`
				ToolCallID string          `json:"toolCallId"`
			} `json:"messages"`
		} `json:"data"`
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, fmt.Errorf("get_messages: %w", err)
	}
	var out []history.Entry
	for _, m := range r.Data.Messages {
		var blocks []block
		var text string
		if json.Unmarshal(m.Content, &text) == nil {
			blocks = []block{{Type: "text", Text: text}}
		} else if err := json.Unmarshal(m.Content, &blocks); err != nil {
			return nil, fmt.Errorf("get_messages: %w", err)
		}
		var result strings.Builder
		for _, b := range blocks {
			switch {
			case b.Type == "toolCall":
				out = append(out, history.Entry{Kind: history.Call, ID: b.ID, Name: b.Name, Args: string(b.Arguments)})
			case b.Type != "text":
			case m.Role == "user":
				out = append(out, history.Entry{Kind: history.User, Text: b.Text})
			case m.Role == "assistant":
				out = append(out, history.Entry{Kind: history.Assistant, Text: b.Text})
			default:
				result.WriteString(b.Text)
			}
		}
		if m.Role == "toolResult" {
			out = append(out, history.Entry{Kind: history.Result, ID: m.ToolCallID, Text: result.String()})
		}
	}
	return out, nil
}

// opencodeExport is the history in a document of opencode export.
func opencodeExport(doc []byte) ([]history.Entry, error) {
	var d struct {
		Messages []struct {
			Info struct {
				Role string `json:"role"`
			} `json:"info"`
			Parts []struct {
				Type   string `json:"type"`
				Text   string `json:"text"`
				CallID string `json:"callID"`
				Tool   string `json:"tool"`
				State  struct {
					Input  json.RawMessage `json:"input"`
					Output string          `json:"output"`
					Error  string          `json:"error"`
				} `json:"state"`
			} `json:"parts"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(doc, &d); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	var out []history.Entry
	for _, m := range d.Messages {
		kind := history.User
		if m.Info.Role == "assistant" {
			kind = history.Assistant
		}
		var results []history.Entry
		for _, p := range m.Parts {
			switch p.Type {
			case "text":
				out = append(out, history.Entry{Kind: kind, Text: p.Text})
			case "tool":
				out = append(out, history.Entry{Kind: history.Call, ID: p.CallID, Name: p.Tool, Args: string(p.State.Input)})
				results = append(results, history.Entry{Kind: history.Result, ID: p.CallID, Text: p.State.Output + p.State.Error})
			}
		}
		out = append(out, results...)
	}
	return out, nil
}

// fxSession is the history in a document of fx session.
func fxSession(doc []byte) ([]history.Entry, error) {
	var d struct {
		History []struct {
			User struct {
				Text string `json:"text"`
			} `json:"user"`
			Assistant string `json:"assistant"`
			Execution struct {
				Steps []struct {
					Assistant string `json:"assistant"`
					Calls     []struct {
						ID   string `json:"id"`
						Name string `json:"name"`
						Args string `json:"arguments_json"`
					} `json:"tool_calls"`
					Results []struct {
						ID     string `json:"tool_call_id"`
						Output string `json:"output"`
						Status string `json:"status"`
					} `json:"tool_results"`
				} `json:"tool_steps"`
			} `json:"execution"`
		} `json:"history"`
	}
	if err := json.Unmarshal(doc, &d); err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	var out []history.Entry
	for _, turn := range d.History {
		out = append(out, history.Entry{Kind: history.User, Text: turn.User.Text})
		for _, step := range turn.Execution.Steps {
			out = append(out, history.Entry{Kind: history.Assistant, Text: step.Assistant})
			for _, c := range step.Calls {
				out = append(out, history.Entry{Kind: history.Call, ID: c.ID, Name: c.Name, Args: c.Args})
			}
			for _, r := range step.Results {
				ok := r.Status == "success"
				out = append(out, history.Entry{Kind: history.Result, ID: r.ID, Text: r.Output, OK: &ok})
			}
		}
		out = append(out, history.Entry{Kind: history.Assistant, Text: turn.Assistant})
	}
	return out, nil
}
