package lab

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/internal/lab/history"
)

// TestReplayed has what each program tells in its own way.
func TestReplayed(t *testing.T) {
	for name, c := range map[string]struct {
		updates []string
		want    []history.Entry
	}{
		"content": {
			[]string{
				`{"sessionUpdate":"available_commands_update"}`,
				`{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"Go."}}`,
				`{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"Hm."}}`,
				`{"sessionUpdate":"tool_call","toolCallId":"a","title":"ls: {}","status":"pending","rawInput":{}}`,
				`{"sessionUpdate":"tool_call_update","toolCallId":"a","status":"in_progress"}`,
				`{"sessionUpdate":"tool_call_update","toolCallId":"a","status":"completed","content":[{"type":"content","content":{"type":"text","text":"one"}},{"type":"diff"}],"rawOutput":{"content":"no"}}`,
				`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Done."}}`,
			},
			[]history.Entry{
				{Kind: history.User, Text: "Go."},
				{Kind: history.Call, ID: "a", Args: "{}"},
				{Kind: history.Result, ID: "a", Text: "one"},
				{Kind: history.Assistant, Text: "Done."},
			},
		},
		"call with its result": {
			[]string{`{"sessionUpdate":"tool_call","toolCallId":"a","status":"completed","rawInput":{"n":1},"content":[{"type":"content","content":{"type":"text","text":"one"}}]}`},
			[]history.Entry{{Kind: history.Call, ID: "a", Args: `{"n":1}`}, {Kind: history.Result, ID: "a", Text: "one"}},
		},
		"output as it is": {
			[]string{`{"sessionUpdate":"tool_call_update","toolCallId":"a","status":"failed","rawOutput":"no such file"}`},
			[]history.Entry{{Kind: history.Result, ID: "a", Text: "no such file"}},
		},
		"a failure's message": {
			[]string{`{"sessionUpdate":"tool_call_update","toolCallId":"a","status":"failed","rawOutput":{"message":"no such file"}}`},
			[]history.Entry{{Kind: history.Result, ID: "a", Text: "no such file"}},
		},
		"shown in another way": {
			[]string{`{"sessionUpdate":"tool_call_update","toolCallId":"a","status":"completed","content":[{"type":"diff"}],"rawOutput":{"content":"one"}}`},
			[]history.Entry{{Kind: history.Result, ID: "a", Text: "one"}},
		},
		"nothing given": {
			[]string{`{"sessionUpdate":"tool_call_update","toolCallId":"a","status":"completed"}`},
			[]history.Entry{{Kind: history.Result, ID: "a"}},
		},
	} {
		told := []message{{Method: "other", Params: json.RawMessage(`{"update":{"sessionUpdate":"user_message_chunk"}}`)}}
		for _, u := range c.updates {
			told = append(told, message{Method: "session/update", Params: json.RawMessage(`{"update":` + u + `}`)})
		}
		if d := cmp.Diff(c.want, replayed(told)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestClient(t *testing.T) {
	var asked []string
	c := client{program(t, func(line string) []string {
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Error(err)
		}
		asked = append(asked, m.Method)
		answer := `{"id":` + string(m.ID) + `,"result":{}}`
		if m.Method != "session/load" {
			return []string{answer}
		}
		return []string{`{"method":"session/update","params":{"update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"Go."}}}}`, answer}
	})}
	if err := c.initialize(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := c.load(t.Context(), "s", project)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.prompt(t.Context(), "s", "And?"); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]history.Entry{{Kind: history.User, Text: "Go."}}, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"initialize", "session/load", "session/prompt"}, asked); d != "" {
		t.Error(d)
	}
}
