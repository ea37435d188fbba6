package history

import "encoding/json"

func fromAnthropic(body []byte) ([]Entry, error) {
	var r struct {
		Messages []struct {
			Role    string  `json:"role"`
			Content content `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, err
	}
	var out []Entry
	for _, m := range r.Messages {
		kind := User
		switch m.Role {
		case "assistant":
			kind = Assistant
		case "user":
		default:
			continue
		}
		for _, p := range m.Content {
			switch {
			case p.isText():
				out = append(out, Entry{Kind: kind, Text: p.Text})
			case p.Type == "tool_use":
				out = append(out, Entry{Kind: Call, ID: p.ID, Name: p.Name, Args: string(p.Input)})
			case p.Type == "tool_result":
				out = append(out, Entry{Kind: Result, ID: p.ToolUseID, Text: p.Content.text(), OK: p.ok()})
			}
		}
	}
	return out, nil
}

func fromChat(body []byte) ([]Entry, error) {
	var r struct {
		Messages []struct {
			Role      string  `json:"role"`
			Content   content `json:"content"`
			ToolCalls []struct {
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
			ToolCallID string `json:"tool_call_id"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, err
	}
	var out []Entry
	for _, m := range r.Messages {
		switch m.Role {
		case "user":
			out = append(out, m.Content.entries(User)...)
		case "assistant":
			out = append(out, m.Content.entries(Assistant)...)
			for _, c := range m.ToolCalls {
				out = append(out, Entry{Kind: Call, ID: c.ID, Name: c.Function.Name, Args: c.Function.Arguments})
			}
		case "tool":
			out = append(out, Entry{Kind: Result, ID: m.ToolCallID, Text: m.Content.text()})
		}
	}
	return out, nil
}

func fromResponses(body []byte) ([]Entry, error) {
	type item struct {
		Type      string  `json:"type"`
		Role      string  `json:"role"`
		Content   content `json:"content"`
		CallID    string  `json:"call_id"`
		Name      string  `json:"name"`
		Arguments string  `json:"arguments"`
		Output    content `json:"output"`
	}
	var r struct {
		Input json.RawMessage `json:"input"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, err
	}
	var text string
	if json.Unmarshal(r.Input, &text) == nil {
		return []Entry{{Kind: User, Text: text}}, nil
	}
	var items []item
	if err := json.Unmarshal(r.Input, &items); err != nil {
		return nil, err
	}
	var out []Entry
	for _, i := range items {
		switch {
		case i.Type == "function_call":
			out = append(out, Entry{Kind: Call, ID: i.CallID, Name: i.Name, Args: i.Arguments})
		case i.Type == "function_call_output":
			out = append(out, Entry{Kind: Result, ID: i.CallID, Text: i.Output.text()})
		case i.Type != "message" && i.Type != "":
		case i.Role == "user":
			out = append(out, i.Content.entries(User)...)
		case i.Role == "assistant":
			out = append(out, i.Content.entries(Assistant)...)
		}
	}
	return out, nil
}

func fromGemini(body []byte) ([]Entry, error) {
	var r struct {
		Contents []struct {
			Role  string `json:"role"`
			Parts []struct {
				Text    string `json:"text"`
				Thought bool   `json:"thought"`
				Call    *struct {
					ID   string          `json:"id"`
					Name string          `json:"name"`
					Args json.RawMessage `json:"args"`
				} `json:"functionCall"`
				Response *struct {
					ID       string          `json:"id"`
					Response json.RawMessage `json:"response"`
				} `json:"functionResponse"`
			} `json:"parts"`
		} `json:"contents"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, err
	}
	var out []Entry
	for _, c := range r.Contents {
		kind := User
		if c.Role == "model" {
			kind = Assistant
		}
		for _, p := range c.Parts {
			switch {
			case p.Call != nil:
				out = append(out, Entry{Kind: Call, ID: p.Call.ID, Name: p.Call.Name, Args: string(p.Call.Args)})
			case p.Response != nil:
				out = append(out, Entry{Kind: Result, ID: p.Response.ID, Text: output(p.Response.Response)})
			case !p.Thought:
				out = append(out, Entry{Kind: kind, Text: p.Text})
			}
		}
	}
	return out, nil
}

// output is the text in what Gemini calls a response: its member output or
// error, or the whole of it.
func output(b json.RawMessage) string {
	var r map[string]json.RawMessage
	if json.Unmarshal(b, &r) == nil {
		for _, name := range []string{"output", "error"} {
			var text string
			if json.Unmarshal(r[name], &text) == nil {
				return text
			}
		}
	}
	return string(b)
}

func fromGateway(body []byte) ([]Entry, error) {
	type part struct {
		Type   string          `json:"type"`
		Text   string          `json:"text"`
		ID     string          `json:"toolCallId"`
		Name   string          `json:"toolName"`
		Input  json.RawMessage `json:"input"`
		Output struct {
			Type  string          `json:"type"` // text, error-text, json, …
			Value json.RawMessage `json:"value"`
		} `json:"output"`
	}
	var r struct {
		Prompt []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"prompt"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, err
	}
	var out []Entry
	for _, m := range r.Prompt {
		if m.Role == "system" { // its content is a text
			continue
		}
		var parts []part
		if err := json.Unmarshal(m.Content, &parts); err != nil {
			return nil, err
		}
		kind := User
		if m.Role == "assistant" {
			kind = Assistant
		}
		for _, p := range parts {
			switch p.Type {
			case "text":
				out = append(out, Entry{Kind: kind, Text: p.Text})
			case "tool-call":
				out = append(out, Entry{Kind: Call, ID: p.ID, Name: p.Name, Args: string(p.Input)})
			case "tool-result":
				var text string
				if json.Unmarshal(p.Output.Value, &text) != nil {
					text = string(p.Output.Value)
				}
				out = append(out, Entry{Kind: Result, ID: p.ID, Text: text})
			}
		}
	}
	return out, nil
}
