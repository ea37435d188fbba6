//go:build lab && linux

package lab

import (
	"context"
	"errors"
	"time"

	"github.com/trajmap/trajmap/internal/lab/history"
	"github.com/trajmap/trajmap/internal/lab/mockllm"
)

// acp opens the session in a program that speaks the Agent Client Protocol and
// has f look at what it replays. Without arguments, the program is started as
// trajmap says.
func (t *trial) acp(ctx context.Context, args []string, f func(client, []history.Entry) error) error {
	if len(args) == 0 {
		if len(t.ACP) == 0 || t.ACP[0] != t.Command {
			return errors.New("trajmap does not say how the program is an agent")
		}
		args = t.ACP[1:]
	}
	return t.talk(ctx, args, func(l *lines) error {
		c := client{l}
		if err := c.initialize(ctx); err != nil {
			return err
		}
		got, err := c.load(ctx, t.ID(), project)
		if err != nil {
			return err
		}
		return f(c, got)
	})
}

// replays is a load check by what a program replays, in entries of some kinds.
func replays(kinds history.Kind, args ...string) func(context.Context, *trial) error {
	return func(ctx context.Context, t *trial) error {
		return t.acp(ctx, args, func(_ client, got []history.Entry) error { return t.replayed(kinds, got) })
	}
}

// replayed holds what a program replays against the session.
func (t *trial) replayed(kinds history.Kind, got []history.Entry) error {
	want := history.Gathered(history.Only(t.Want, kinds))
	return history.Compare(want, history.Gathered(history.Only(got, kinds)), t.Rules)
}

// agent is a program that shows a session and goes on with it over the Agent
// Client Protocol.
type agent struct {
	shows history.Kind // what it replays
}

// asAgent runs both checks in one run of the program.
func (t *trial) asAgent(ctx context.Context, v *Verdict) error {
	begun := time.Now()
	return t.acp(ctx, nil, func(c client, got []history.Entry) error {
		v.Load = errors.Join(t.replayed(t.agent.shows, got), t.silent())
		v.LoadTime = time.Since(begun)
		return v.took(&v.Continue, &v.ContinueTime, func() error {
			return t.goesOn(ctx, func(ctx context.Context, t *trial, text string) error { return c.prompt(ctx, t.ID(), text) })
		})
	})
}

func grok() driver {
	return driver{
		files: map[string]string{".grok/config.toml": `[models]
default = "mock"
[model.mock]
model = "` + mockllm.Model + `"
base_url = "` + origin + `/v1"
name = "Mock"
api_key = "mock"
api_backend = "chat_completions"
context_window = 2000000
`},
		model: "mock",
		load:  replays(history.All, "agent", "stdio"),
		// A title and a line for its dashboard are asked for without tools.
		turn: func(r mockllm.Request) bool { return history.Tools(r.Body) > 1 },
	}
}

func copilot() driver {
	return driver{
		env: []string{"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_BASE_URL=" + origin + "/v1",
			"COPILOT_PROVIDER_API_KEY=mock", "COPILOT_MODEL=" + mockllm.Model, "COPILOT_PROVIDER_MAX_PROMPT_TOKENS=2000000"},
		load: replays(history.All, "--acp"),
	}
}

func cline() driver {
	return driver{
		files: map[string]string{".cline/data/settings/providers.json": `{"version":1,"lastUsedProvider":"openai-compatible","providers":{"openai-compatible":
{"settings":{"provider":"openai-compatible","apiKey":"mock","model":"` + mockllm.Model + `","baseUrl":"` + origin + `/v1"},"updatedAt":"2026-01-01T00:00:00.000Z","tokenSource":"manual"}}}`},
		env:   []string{"CLINE_PROVIDER=openai-compatible", "CLINE_API_KEY=mock"},
		agent: &agent{shows: history.All},
	}
}
