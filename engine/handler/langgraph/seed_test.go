package langgraph

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

// document is a session as a document, with some words replaced.
func document(replace ...string) string {
	return strings.NewReplacer(replace...).Replace(`{"version":1,"source":"deepagents","session":{"threadId":"t","checkpointNamespace":"",
"metadata":{"agent_name":"agent","cwd":"/work","acp_session":true,"n":1.50,"source":"no","list":[1],"none":null}},"messages":[
{"id":"m1","role":"human","content":"hé","timestamp":"2026-09-21T14:13:21Z"},
{"id":"m2","role":"ai","content":"","toolCalls":[{"id":"c1","name":"x","args":{"a":1,"b":1.5,"c":null,"d":[true,false],"big":9223372036854775808,"n":-1,"e":{}}},{"id":"c2","name":"y","args":{}}],"model":"m"},
{"id":"m3","role":"tool","content":"two","toolCallId":"c2"},
{"id":"m4","role":"tool","content":"r","toolCallId":"c1","status":"error"},
{"id":"m5","role":"ai","content":"Done.","toolCalls":[]}]}`)
}

// TestPackMessages holds messages against the bytes that Python gave for the same
// ones (langchain-core 1.8.3, langgraph-checkpoint 4.3.2).
func TestPackMessages(t *testing.T) {
	s, err := parseSeed([]byte(document()))
	if err != nil {
		t.Fatal(err)
	}
	got := s.packMessages(nil)
	for _, want := range []string{
		"c7b50594bd6c616e67636861696e5f636f72652e6d657373616765732e68756d616eac48756d616e4d65737361676586a7636f6e74656e74a368c3a9" +
			"b16164646974696f6e616c5f6b776172677380b1726573706f6e73655f6d6574616461746181a974696d657374616d70b4323032362d30392d32315431343a31333a32315a" +
			"a474797065a568756d616ea46e616d65c0a26964a26d31b36d6f64656c5f76616c69646174655f6a736f6e",
		"aa746f6f6c5f63616c6c7392" + "84a46e616d65a178a46172677387a16101a162cb3ff8000000000000a163c0a16492c3c2a3626967cf8000000000000000a16effa16580a26964a26331a474797065a9746f6f6c5f63616c6c",
		"a26964a26d34ac746f6f6c5f63616c6c5f6964a26331a86172746966616374c0a6737461747573a56572726f72b36d6f64656c5f76616c69646174655f6a736f6e",
		"a26964a26d33ac746f6f6c5f63616c6c5f6964a26332a86172746966616374c0a6737461747573a773756363657373b36d6f64656c5f76616c69646174655f6a736f6e",
	} {
		// The first message of Python's has a longer id.
		if strings.HasPrefix(want, "c7b5") {
			want = "c7a9" + want[4:]
		}
		b, err := hex.DecodeString(want)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(got, b) {
			t.Errorf("the messages do not hold %q:\n%q", b, got)
		}
	}
	list, err := changeOf(got)
	if err != nil || len(list.items) != 5 {
		t.Fatalf("%d messages are read back, %v", len(list.items), err)
	}
	for i, id := range []string{"m1", "m2", "m3", "m4", "m5"} {
		if list.items[i].id != id {
			t.Errorf("message %d is %s", i, list.items[i].id)
		}
	}
}

// TestSeedFaults refuses documents that are not whole.
func TestSeedFaults(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{"{", "", "cannot be read"},
		{`"version":1`, `"version":2`, "another kind or version"},
		{`"threadId":"t"`, `"threadId":""`, "which thread"},
		{`"checkpointNamespace":""`, `"checkpointNamespace":"tools:1"`, "root namespace"},
		{`"messages"`, `"message"`, "no messages"},
		{`"id":"m3"`, `"id":"m1"`, "message 3 of the document: it has no id of its own"},
		{`"id":"m3"`, `"id":3`, "no id of its own"},
		{`"hé"`, `["hé"]`, "message 1 of the document: its content is no text"},
		{`"role":"human"`, `"role":"system"`, "none of human, ai and tool"},
		{`"toolCallId":"c2"`, `"toolCallId":"c3"`, "no call that waits for one"},
		{`"toolCallId":"c2"`, `"toolCallId":"c1"`, "no call that waits for one"},
		{`{"id":"m4","role":"tool"`, `{"id":"m4","role":"human"`, "calls before it have no results"},
		{`"status":"error"`, `"status":"maybe"`, "neither success nor error"},
		{`"id":"c2","name"`, `"id":"c1","name"`, "no id of its own"},
		{`"name":"x"`, `"name":""`, "no name, or arguments"},
		{`"args":{}`, `"args":"{}"`, "no name, or arguments"},
		{`"toolCalls":[]`, `"toolCalls":[{"id":"c9","name":"x","args":{}}]`, "last calls of the document have no results"},
	} {
		_, err := parseSeed([]byte(document(test.old, test.new)))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s for %s: %v, want %q", test.new, test.old, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), "hé") {
			t.Errorf("the error tells what was said: %v", err)
		}
	}
}
