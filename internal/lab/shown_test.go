package lab

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/internal/lab/history"
)

// with is a result with its outcome.
func with(e history.Entry, ok bool) history.Entry {
	e.OK = &ok
	return e
}

// The same session as five programs show it.
func TestShown(t *testing.T) {
	whole := []history.Entry{
		{Kind: history.User, Text: "Go."},
		{Kind: history.Assistant, Text: "I look."},
		{Kind: history.Call, ID: "a", Name: "ls", Args: `{"n":1}`},
		{Kind: history.Call, ID: "b", Name: "cat", Args: `{}`},
		{Kind: history.Result, ID: "a", Text: "one"},
		{Kind: history.Result, ID: "b", Text: "no such file"},
		{Kind: history.Assistant, Text: "Done."},
	}
	for name, c := range map[string]struct {
		read func([]byte) ([]history.Entry, error)
		doc  string
		want []history.Entry
	}{
		"codex": {
			func(b []byte) ([]history.Entry, error) { return codexTurns(b) },
			`{"thread":{"turns":[{"items":[{"type":"userMessage","content":[{"type":"text","text":"Go."}]},{"type":"reasoning"},
				{"type":"agentMessage","text":"I look."},{"type":"agentMessage","text":"Done."}]}]}}`,
			history.Only(whole, history.User|history.Assistant),
		},
		"cursor": {
			cursorTurns,
			`[{"message":{"agentConversationTurn":{"userMessage":{"text":"Go."},"steps":[{"assistantMessage":{"text":"I look."}},
				{"toolCall":{"toolCallId":"a","mcpToolCall":{"args":{"toolName":"ls","toolCallId":"a","args":{"n":1}},"result":{"success":{"content":[{"text":{"text":"one"}}],"isError":false}}}}},
				{"toolCall":{"toolCallId":"b","mcpToolCall":{"args":{"toolName":"cat","toolCallId":"b"},"result":{"success":{"content":[{"text":{"text":"no such "}},{"text":{"text":"file"}}],"isError":true}}}}},
				{"assistantMessage":{"text":"Done."}}]}}}]`,
			[]history.Entry{whole[0], whole[1], whole[2], with(whole[4], true), whole[3], with(whole[5], false), whole[6]},
		},
		"pi": {
			piMessages,
			`{"type":"response","data":{"messages":[{"role":"user","content":"Go."},
				{"role":"assistant","content":[{"type":"thinking","thinking":"Hm."},{"type":"text","text":"I look."},
					{"type":"toolCall","id":"a","name":"ls","arguments":{"n":1}},{"type":"toolCall","id":"b","name":"cat","arguments":{}}]},
				{"role":"toolResult","toolCallId":"a","content":[{"type":"text","text":"on"},{"type":"image"},{"type":"text","text":"e"}]},
				{"role":"toolResult","toolCallId":"b","content":[{"type":"text","text":"no such file"}]},
				{"role":"assistant","content":[{"type":"text","text":"Done."}]}]}}`,
			whole,
		},
		"opencode": {
			opencodeExport,
			`{"info":{},"messages":[{"info":{"role":"user"},"parts":[{"type":"text","text":"Go."}]},
				{"info":{"role":"assistant"},"parts":[{"type":"step-start"},{"type":"text","text":"I look."},
					{"type":"tool","callID":"a","tool":"ls","state":{"status":"completed","input":{"n":1},"output":"one"}},
					{"type":"tool","callID":"b","tool":"cat","state":{"status":"error","input":{},"error":"no such file"}}]},
				{"info":{"role":"assistant"},"parts":[{"type":"text","text":"Done."}]}]}`,
			whole,
		},
		"fx": {
			fxSession,
			`{"kind":"session_detail","history":[{"kind":"assistant","user":{"text":"Go."},"assistant":"Done.","execution":{"tool_steps":[
				{"assistant":"I look.","tool_calls":[{"id":"a","name":"ls","arguments_json":"{\"n\":1}"},{"id":"b","name":"cat","arguments_json":"{}"}],
					"tool_results":[{"tool_call_id":"a","output":"one","status":"success"},{"tool_call_id":"b","output":"no such file","status":"failure"}]},
				{"assistant":null,"tool_calls":[],"tool_results":[]}]}}]}`,
			slices.Insert(outcomes(whole), 6, history.Entry{Kind: history.Assistant}),
		},
	} {
		got, err := c.read([]byte(c.doc))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if _, err := c.read([]byte(`{`)); err == nil {
			t.Errorf("%s: half a document is read", name)
		}
	}
}

// outcomes are the entries when it is told that the first call went well and the
// other did not.
func outcomes(list []history.Entry) []history.Entry {
	out := slices.Clone(list)
	for i := range out {
		if out[i].Kind == history.Result {
			ok := out[i].ID == "a"
			out[i].OK = &ok
		}
	}
	return out
}
