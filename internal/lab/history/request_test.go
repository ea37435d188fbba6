package history

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The same conversation in every dialect.
var requests = map[Dialect]string{
	Anthropic: `{"system":"no","messages":[{"role":"user","content":"Go."},
		{"role":"assistant","content":[{"type":"thinking","thinking":"no","signature":"x"},{"type":"text","text":"I look."},
			{"type":"tool_use","id":"a","name":"ls","input":{"n":1}},{"type":"tool_use","id":"b","name":"cat","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"},
			{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"tw"},{"type":"image"},{"type":"text","text":"o"}],"is_error":true},
			{"type":"text","text":"And?"}]},
		{"role":"system","content":"no"}]}`,
	Chat: `{"messages":[{"role":"system","content":"no"},{"role":"developer","content":"no"},{"role":"user","content":[{"type":"text","text":"Go."},{"type":"image_url"}]},
		{"role":"assistant","content":"I look.","reasoning_content":"no","tool_calls":[
			{"id":"a","type":"function","function":{"name":"ls","arguments":"{\"n\":1}"}},{"id":"b","type":"function","function":{"name":"cat","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"a","content":"one"},{"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"two"}]},
		{"role":"user","content":"And?"}]}`,
	Responses: `{"instructions":"no","input":[{"type":"message","role":"developer","content":[{"type":"input_text","text":"no"}]},
		{"role":"user","content":"Go."},{"type":"reasoning","summary":[{"type":"summary_text","text":"no"}]},
		{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look."}]},
		{"type":"function_call","call_id":"a","name":"ls","arguments":"{\"n\":1}"},{"type":"function_call","call_id":"b","name":"cat","arguments":"{}"},
		{"type":"function_call_output","call_id":"a","output":"one"},{"type":"function_call_output","call_id":"b","output":[{"type":"input_text","text":"two"}]},
		{"type":"message","role":"user","content":[{"type":"input_text","text":"And?"}]}]}`,
	Gemini: `{"systemInstruction":{"parts":[{"text":"no"}]},"contents":[{"role":"user","parts":[{"text":"Go."}]},
		{"role":"model","parts":[{"text":"no","thought":true},{"text":"I look."},{"functionCall":{"id":"a","name":"ls","args":{"n":1}}},{"functionCall":{"id":"b","name":"cat","args":{}}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"a","name":"ls","response":{"output":"one"}}},{"functionResponse":{"id":"b","name":"cat","response":{"error":"two"}}},{"text":"And?"}]}]}`,
	Gateway: `{"prompt":[{"role":"system","content":"no"},{"role":"user","content":[{"type":"text","text":"Go."}]},
		{"role":"assistant","content":[{"type":"reasoning","text":"no"},{"type":"text","text":"I look."},
			{"type":"tool-call","toolCallId":"a","toolName":"ls","input":{"n":1}},{"type":"tool-call","toolCallId":"b","toolName":"cat","input":{}}]},
		{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"ls","output":{"type":"text","value":"one"}},
			{"type":"tool-result","toolCallId":"b","toolName":"cat","output":{"type":"error-text","value":"two"}}]},
		{"role":"user","content":[{"type":"text","text":"And?"}]}]}`,
}

func TestFromRequest(t *testing.T) {
	want := []Entry{
		{Kind: User, Text: "Go."},
		{Kind: Assistant, Text: "I look."},
		{Kind: Call, ID: "a", Name: "ls", Args: `{"n":1}`},
		{Kind: Call, ID: "b", Name: "cat", Args: `{}`},
		{Kind: Result, ID: "a", Text: "one"},
		{Kind: Result, ID: "b", Text: "two"},
		{Kind: User, Text: "And?"},
	}
	for dialect, body := range requests {
		got, err := FromRequest(dialect, []byte(body))
		if err != nil {
			t.Errorf("dialect %d: %v", dialect, err)
			continue
		}
		// One dialect tells that a call failed.
		if failed := got[5].OK != nil && !*got[5].OK; failed != (dialect == Anthropic) || got[4].OK != nil {
			t.Errorf("dialect %d: outcomes %v and %v", dialect, got[4].OK, got[5].OK)
		}
		got[5].OK = nil
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("dialect %d (-want +got):\n%s", dialect, d)
		}
	}
}

func TestFromRequestFails(t *testing.T) {
	for dialect := range requests {
		for _, body := range []string{``, `[]`, `{"messages":1,"input":1,"contents":1,"prompt":1}`} {
			if _, err := FromRequest(dialect, []byte(body)); err == nil {
				t.Errorf("dialect %d reads %q", dialect, body)
			}
		}
	}
	if _, err := FromRequest(None, []byte(`{}`)); err == nil {
		t.Error("no dialect is read")
	}
}

func TestFromRequestText(t *testing.T) {
	got, err := FromRequest(Responses, []byte(`{"input":"Go."}`))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Entry{{Kind: User, Text: "Go."}}, got); d != "" {
		t.Error(d)
	}
}

func TestDialectOf(t *testing.T) {
	for path, want := range map[string]Dialect{
		"/v1/messages":                           Anthropic,
		"/v1/messages/count_tokens":              None,
		"/v1/chat/completions":                   Chat,
		"/v1/responses":                          Responses,
		"/v1beta/models/m:generateContent":       Gemini,
		"/v1beta/models/m:streamGenerateContent": Gemini,
		"/v3/ai/language-model":                  Gateway,
		"/v1/models":                             None,
	} {
		if got := DialectOf(path); got != want {
			t.Errorf("%s: got %d, want %d", path, got, want)
		}
	}
}

func TestTools(t *testing.T) {
	for body, want := range map[string]int{`{"tools":[{},{}]}`: 2, `{}`: 0, `[`: 0} {
		if got := Tools([]byte(body)); got != want {
			t.Errorf("%s: got %d, want %d", body, got, want)
		}
	}
}
