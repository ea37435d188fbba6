package history

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Dialect is a way to ask a model.
type Dialect uint8

// The dialects.
const (
	None      Dialect = iota
	Anthropic         // messages of content blocks
	Chat              // OpenAI chat completions
	Responses         // OpenAI responses
	Gemini            // generateContent
	Gateway           // Vercel's AI gateway: the AI SDK's language model
)

// DialectOf tells the dialect of a request by its path; None when it asks no
// model.
func DialectOf(path string) Dialect {
	switch {
	case strings.HasSuffix(path, "/messages"):
		return Anthropic
	case strings.HasSuffix(path, "/chat/completions"):
		return Chat
	case strings.HasSuffix(path, "/responses"):
		return Responses
	case strings.HasSuffix(path, "/language-model"):
		return Gateway
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		return Gemini
	}
	return None
}

// FromRequest is the history in the body of a request.
func FromRequest(d Dialect, body []byte) ([]Entry, error) {
	parse := map[Dialect]func([]byte) ([]Entry, error){
		Anthropic: fromAnthropic, Chat: fromChat, Responses: fromResponses, Gemini: fromGemini, Gateway: fromGateway,
	}[d]
	if parse == nil {
		return nil, fmt.Errorf("a request in no known dialect")
	}
	entries, err := parse(body)
	if err != nil {
		return nil, fmt.Errorf("a request that cannot be read: %w", err)
	}
	return entries, nil
}

// Tools counts the tools that a request offers.
func Tools(body []byte) int {
	var r struct {
		Tools []json.RawMessage `json:"tools"`
	}
	if json.Unmarshal(body, &r) != nil {
		return 0
	}
	return len(r.Tools)
}

// content is what every dialect but one puts texts into: a text, or a list of
// parts.
type content []part

type part struct {
	Type string `json:"type"`
	Text string `json:"text"`

	// Of Anthropic's blocks.
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   content         `json:"content"`
	IsError   *bool           `json:"is_error"`
}

// ok is the outcome of a call, where its result tells.
func (p part) ok() *bool {
	if p.IsError == nil {
		return nil
	}
	ok := !*p.IsError
	return &ok
}

func (c *content) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*c = content{{Type: "text", Text: text}}
		return nil
	}
	var parts []part
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	*c = parts
	return nil
}

// entries are the texts among the parts.
func (c content) entries(kind Kind) []Entry {
	var out []Entry
	for _, p := range c {
		if p.isText() {
			out = append(out, Entry{Kind: kind, Text: p.Text})
		}
	}
	return out
}

func (c content) text() string {
	var b strings.Builder
	for _, p := range c {
		if p.isText() {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func (p part) isText() bool {
	return p.Type == "text" || p.Type == "input_text" || p.Type == "output_text"
}
