//go:build lab && linux

package lab

import (
	"context"

	"github.com/trajmap/trajmap/internal/lab/history"
	"github.com/trajmap/trajmap/internal/lab/mockllm"
)

func opencode() driver {
	return driver{
		files: map[string]string{".config/opencode/opencode.json": `{"autoupdate":false,"share":"disabled","model":"lab/` + mockllm.Model + `","small_model":"lab/` + mockllm.Model + `",
"enabled_providers":["lab"],"provider":{"lab":{"npm":"@ai-sdk/openai-compatible","name":"Lab","options":{"baseURL":"` + origin + `/v1","apiKey":"none"},
"models":{"` + mockllm.Model + `":{"tool_call":true,"reasoning":true,"attachment":true,"modalities":{"input":["text","image"],"output":["text"]},"limit":{"context":2000000,"output":8000}}}}}}`},
		env:   []string{"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1"},
		model: mockllm.Model, provider: "lab",
		inert: true,
		load: func(ctx context.Context, t *trial) error {
			out, err := t.run(ctx, "", "export", t.ID())
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
