//go:build lab && linux

package lab

import (
	"github.com/trajmap/trajmap/internal/lab/history"
	"github.com/trajmap/trajmap/internal/lab/mockllm"
)

func deepagents() driver {
	return driver{
		files: map[string]string{".deepagents/config.toml": `[models]
default = "mock:` + mockllm.Model + `"
[models.providers.mock]
class_path = "langchain_openai:ChatOpenAI"
api_key_env = "MOCK_API_KEY"
base_url = "` + origin + `/v1"
models = ["` + mockllm.Model + `"]
[models.providers.mock.params]
use_responses_api = false
`},
		env:   []string{"MOCK_API_KEY=mock", "DEEPAGENTS_CODE_OFFLINE=1", "DEEPAGENTS_CODE_NO_UPDATE_CHECK=1"},
		model: mockllm.Model, provider: "mock",
		// It shows calls without what they gave.
		agent: &agent{shows: history.User | history.Assistant | history.Call},
	}
}
