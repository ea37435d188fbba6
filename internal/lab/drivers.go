//go:build lab && linux

package lab

import (
	"context"

	"github.com/trajmap/trajmap/internal/lab/history"
	"github.com/trajmap/trajmap/internal/lab/mockllm"
)

// drivers are how the programs are asked, by name.
var drivers = map[string]func() driver{
	"claude-code": claude,
	"cline":       cline,
	"codex":       codex,
	"copilot":     copilot,
	"cursor":      cursor,
	"deepagents":  deepagents,
	"fx":          fx,
	"grok":        grok,
	"omp":         omp,
	"opencode":    opencode,
	"pi":          pi,
}

func codex() driver {
	return driver{
		files: map[string]string{".codex/config.toml": `model = "` + mockllm.Model + `"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.mock]
name = "mock"
base_url = "` + origin + `/v1"
wire_api = "responses"
env_key = "MOCK_API_KEY"
request_max_retries = 1
stream_max_retries = 1
[analytics]
enabled = false
`},
		env: []string{"MOCK_API_KEY=mock"},
		load: func(ctx context.Context, t *trial) error {
			return t.talk(ctx, []string{"app-server"}, func(l *lines) error {
				if _, err := l.call(ctx, "initialize", map[string]any{
					"clientInfo":   map[string]any{"name": "lab", "version": "1"},
					"capabilities": map[string]any{"experimentalApi": true},
				}); err != nil {
					return err
				}
				if err := l.send(map[string]any{"method": "initialized"}); err != nil {
					return err
				}
				result, err := l.call(ctx, "thread/resume", map[string]any{"threadId": t.ID()})
				if err != nil {
					return err
				}
				got, err := codexTurns(result)
				if err != nil {
					return err
				}
				return t.saw(history.User|history.Assistant, got)
			})
		},
	}
}

func pi() driver {
	return driver{
		files: map[string]string{".pi/agent/models.json": `{"providers":{"mock":{"baseUrl":"` + origin + `/v1","api":"openai-completions","apiKey":"mock",
"models":[{"id":"` + mockllm.Model + `","reasoning":true,"input":["text","image"],"contextWindow":2000000,"maxTokens":8192}]}}}`},
		env:   []string{"PI_OFFLINE=1", "PI_TELEMETRY=0", "PI_SKIP_VERSION_CHECK=1"},
		model: mockllm.Model, provider: "mock",
		load: func(ctx context.Context, t *trial) error {
			return t.talk(ctx, []string{"--mode", "rpc", "--session", t.Files[0]}, func(l *lines) error {
				return t.messages(ctx, l)
			})
		},
	}
}

func omp() driver {
	return driver{
		files: map[string]string{".omp/agent/models.yml": `providers:
  mock: {baseUrl: ` + origin + `/v1, api: openai-completions, apiKey: mock, models: [{id: ` + mockllm.Model + `, reasoning: true, input: [text, image], contextWindow: 2000000, maxTokens: 8192}]}
`},
		env:   []string{"PI_OFFLINE=1"},
		model: mockllm.Model, provider: "mock",
		load: func(ctx context.Context, t *trial) error {
			return t.talk(ctx, []string{"--mode", "rpc", "--resume", t.Files[0], "--model", "mock/" + mockllm.Model}, func(l *lines) error {
				// What is asked before is not answered.
				if _, err := l.until(ctx, func(m message) bool { return m.Type == "ready" }); err != nil {
					return err
				}
				return t.messages(ctx, l)
			})
		},
	}
}

// messages asks for the active context in the protocol of pi and its kin.
func (t *trial) messages(ctx context.Context, l *lines) error {
	if err := l.send(map[string]any{"type": "get_messages"}); err != nil {
		return err
	}
	m, err := l.until(ctx, func(m message) bool { return m.Type == "response" })
	if err != nil {
		return err
	}
	got, err := piMessages(m.line)
	if err != nil {
		return err
	}
	return t.saw(history.All, got)
}
