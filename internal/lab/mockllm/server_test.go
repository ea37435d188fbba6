package mockllm

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/internal/lab/history"
)

var script = Script{
	Turns: map[string][]Step{
		"work": {
			{Reasoning: "Hm.", Text: "I look.", Calls: []Call{{ID: "a", Name: "ls", Args: `{"n":1}`}, {Name: "cat", Args: `{}`}}},
			{Text: "Done."},
		},
		"fail": {{Fail: http.StatusBadRequest}},
	},
	Default: Step{Text: "OK."},
}

// paths are where each dialect asks.
var paths = map[history.Dialect][2]string{ // whole, streamed
	history.Anthropic: {"/v1/messages", "/v1/messages"},
	history.Chat:      {"/v1/chat/completions", "/v1/chat/completions"},
	history.Responses: {"/v1/responses", "/v1/responses"},
	history.Gemini:    {"/v1beta/models/m:generateContent", "/v1beta/models/m:streamGenerateContent"},
	history.Gateway:   {"/v3/ai/language-model", "/v3/ai/language-model"},
}

// asks are requests whose conversation is a prompt, with the replies that
// followed it.
func ask(d history.Dialect, prompt string, replies int, stream bool) string {
	role, said := "assistant", object{}
	list := []object{}
	add := func(role, text string) {
		if d == history.Gemini {
			list = append(list, object{"role": role, "parts": []object{{"text": text}}})
			return
		}
		if d == history.Gateway {
			list = append(list, object{"role": role, "content": []object{{"type": "text", "text": text}}})
			return
		}
		list = append(list, object{"role": role, "content": text})
	}
	add("user", prompt)
	if d == history.Gemini {
		role = "model"
	}
	for range replies {
		add(role, "I look.")
		add("user", "Go on.")
	}
	switch d {
	case history.Responses:
		said["input"] = list
	case history.Gemini:
		said["contents"] = list
	case history.Gateway:
		said["prompt"] = list
	default:
		said["messages"] = list
	}
	if d != history.Gemini {
		said["model"], said["stream"] = "m", stream
	}
	b, err := json.Marshal(said)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	r, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

func TestWhole(t *testing.T) {
	server := httptest.NewServer(New(script))
	defer server.Close()
	for d, path := range paths {
		status, body := post(t, server.URL+path[0], ask(d, "Do it. [[work]]", 0, false))
		if status != http.StatusOK || !json.Valid([]byte(body)) {
			t.Errorf("dialect %d: %d %s", d, status, body)
		}
		for _, want := range []string{"Hm.", "I look.", `"a"`, "ls", "cat"} {
			if !strings.Contains(body, want) {
				t.Errorf("dialect %d: the reply has no %s: %s", d, want, body)
			}
		}
	}
}

func TestStreams(t *testing.T) {
	server := httptest.NewServer(New(script))
	defer server.Close()
	for d, path := range paths {
		status, body := post(t, server.URL+path[1], ask(d, "Do it. [[work]]", 0, true))
		if status != http.StatusOK {
			t.Errorf("dialect %d: %d", d, status)
		}
		events := 0
		for line := range strings.Lines(body) {
			if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok {
				events++
				if data != "[DONE]" && !json.Valid([]byte(data)) {
					t.Errorf("dialect %d: an event is no JSON: %s", d, data)
				}
			}
		}
		if least := map[history.Dialect]int{history.Gemini: 1}[d]; events <= max(least-1, 0) || d != history.Gemini && events < 5 {
			t.Errorf("dialect %d: %d events", d, events)
		}
		for _, want := range []string{"Hm.", "I look.", "ls", "cat"} {
			if !strings.Contains(body, want) {
				t.Errorf("dialect %d: the stream has no %s", d, want)
			}
		}
	}
}

// TestResponsesStream holds the order of events, which clients depend on.
func TestResponsesStream(t *testing.T) {
	server := httptest.NewServer(New(script))
	defer server.Close()
	_, body := post(t, server.URL+"/v1/responses", ask(history.Responses, "Hello.", 0, true))
	var got []string
	scanner := bufio.NewScanner(strings.NewReader(body))
	for scanner.Scan() {
		if name, ok := strings.CutPrefix(scanner.Text(), "event: "); ok {
			got = append(got, name)
		}
	}
	want := []string{"response.created", "response.output_item.added", "response.content_part.added", "response.output_text.delta",
		"response.output_text.done", "response.content_part.done", "response.output_item.done", "response.completed"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
}

func TestSteps(t *testing.T) {
	server := httptest.NewServer(New(script))
	defer server.Close()
	for d, path := range paths {
		for _, c := range []struct {
			prompt  string
			replies int
			want    string
		}{
			{"Do it. [[work]]", 0, "I look."},
			{"Do it. [[work]]", 1, "Done."},
			{"Do it. [[work]]", 5, "Done."}, // the last step stays
			{"Do it. [[unknown]]", 0, "OK."},
			{"Hello.", 0, "OK."},
		} {
			if _, body := post(t, server.URL+path[0], ask(d, c.prompt, c.replies, false)); !strings.Contains(body, c.want) {
				t.Errorf("dialect %d: %s after %d: %s", d, c.prompt, c.replies, body)
			}
		}
		if status, _ := post(t, server.URL+path[0], ask(d, "[[fail]]", 0, true)); status != http.StatusBadRequest {
			t.Errorf("dialect %d: a failure has the status %d", d, status)
		}
		if status, _ := post(t, server.URL+path[0], `{"messages":1,"input":1,"contents":1,"prompt":1}`); status != http.StatusBadRequest {
			t.Errorf("dialect %d: a bad request has the status %d", d, status)
		}
	}
}

func TestTake(t *testing.T) {
	model := New(script)
	server := httptest.NewServer(model)
	defer server.Close()
	body := ask(history.Chat, "Hello.", 0, false)
	post(t, server.URL+"/v1/chat/completions", body)
	post(t, server.URL+"/v1/messages/count_tokens", "{}")
	got := model.Take()
	if len(got) != 1 || got[0].Dialect != history.Chat || string(got[0].Body) != body {
		t.Errorf("took %v", got)
	}
	if again := model.Take(); len(again) != 0 {
		t.Errorf("took %d again", len(again))
	}
}

func TestBeside(t *testing.T) {
	server := httptest.NewServer(New(script))
	defer server.Close()
	r, err := http.Get(server.URL + "/v1/models")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, _ := io.ReadAll(r.Body)
	if !strings.Contains(string(b), Model) {
		t.Errorf("models: %s", b)
	}
	for path, want := range map[string]int{
		"/v1/messages/count_tokens":    http.StatusOK,
		"/v1beta/models/m:countTokens": http.StatusOK,
		"/v1/embeddings":               http.StatusNotFound,
	} {
		if status, _ := post(t, server.URL+path, "{}"); status != want {
			t.Errorf("%s: %d", path, status)
		}
	}
}
