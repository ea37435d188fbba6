//go:build lab && linux

package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/trajmap/trajmap/engine/render"
	"github.com/trajmap/trajmap/internal/lab/history"
	"github.com/trajmap/trajmap/internal/lab/mockllm"
)

func opencode() driver {
	return driver{
		root: ".local/share",
		files: map[string]string{".config/opencode/opencode.json": `{"autoupdate":false,"share":"disabled","model":"lab/` + mockllm.Model + `","small_model":"lab/` + mockllm.Model + `",
"enabled_providers":["lab"],"provider":{"lab":{"npm":"@ai-sdk/openai-compatible","name":"Lab","options":{"baseURL":"` + origin + `/v1","apiKey":"none"},
"models":{"` + mockllm.Model + `":{"tool_call":true,"reasoning":true,"attachment":true,"modalities":{"input":["text","image"],"output":["text"]},"limit":{"context":2000000,"output":8000}}}}}}`},
		env:     []string{"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1"},
		options: render.Options{Provider: "lab", Model: mockllm.Model},
		place: func(ctx context.Context, t *trial) error {
			if err := copyTree(t.Case.Dir, filepath.Join(t.Sandbox.Dir, "import")); err != nil {
				return err
			}
			_, err := t.run(ctx, "", "import", t.at("import/"+t.Entry))
			return err
		},
		load: func(ctx context.Context, t *trial) error {
			out, err := t.run(ctx, "", "export", t.ID)
			if err != nil {
				return err
			}
			got, err := opencodeExport(out.Stdout)
			if err != nil {
				return err
			}
			return t.saw(history.All, got)
		},
	}
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
