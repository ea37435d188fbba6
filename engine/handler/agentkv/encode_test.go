package agentkv

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
)

const storeFrame = `{"kind":"store","cwd":"/home/dev/project","meta":{"agentId":"session-1","name":"Hi","createdAt":1791187200000}}`

// encoded is the readout of some frames after that of the store.
func encoded(t testing.TB, lines ...string) []byte {
	t.Helper()
	out, err := encode(append([]string{storeFrame}, lines...)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func encode(lines ...string) ([]byte, error) {
	var out bytes.Buffer
	e := NewEncoder(&out)
	for _, line := range lines {
		if _, err := e.Write([]byte(line + "\n")); err != nil {
			return nil, err
		}
	}
	err := e.Close()
	return out.Bytes(), err
}

func memoryInput(data []byte) *frame.Input {
	return &frame.Input{Name: "x.readout.json", ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
}

var position = regexp.MustCompile(`,"(seq|turn|step)":\d+|,"last":true`)

// TestEncode writes frames that are read again as they are, but for where they
// stand.
func TestEncode(t *testing.T) {
	lines := []string{
		`{"kind":"state","mode":"AGENT_MODE_AGENT"}`,
		`{"kind":"prompt_message","message":{"role":"user","content":[{"type":"text","text":"<user_query>\nGo\u2028.\n</user_query>"}]}}`,
		`{"kind":"turn","timing":{"timestamp_ms":1791187200000},"user_message":{"text":"Go.","message_id":"m-1","mode":"AGENT_MODE_AGENT"}}`,
		`{"kind":"turn","timing":{"duration_ms":2000,"timestamp_ms":1791187201000},"user_message":{"message_id":"m-2","mode":"AGENT_MODE_AGENT"}}`,
		`{"kind":"thinking_message","text":"Hm."}`,
		`{"kind":"assistant_message","text":"I look.\u0000\r\n🚀"}`,
		`{"kind":"tool_call","tool":"mcp","call":{"args":{"name":"f","args":{"z":1,"a":[null,true,-0.5,"x",{}],"":{"deep":[[]]}},"tool_call_id":"a","provider_identifier":"p","tool_name":"f"},` +
			`"result":{"success":{"content":[{"text":{"text":"one"}}],"is_error":true}}},"tool_call_id":"a"}`,
		`{"kind":"tool_call","tool":"mcp","call":{"args":{"name":"g","tool_call_id":"b","provider_identifier":"p","tool_name":"g"},"result":{"success":{"content":[{"text":{}}]}}},"tool_call_id":"b"}`,
		`{"kind":"assistant_message"}`,
	}
	out := encoded(t, lines...)
	s := opens(t, memoryInput(out), handler.Options{})
	got, _ := all(t, s)
	got = append(got[:0:0], got...)
	want := []string{
		`{"kind":"state","root_prompt_messages_json":["#"],"turns":["#","#"],"mode":"AGENT_MODE_AGENT","turn_timings":[{"timestamp_ms":1791187200000},{"duration_ms":2000,"timestamp_ms":1791187201000}]}`,
		lines[1],
		`{"kind":"turn","timing":{"timestamp_ms":1791187200000},"user_message":{"text":"Go.","message_id":"m-1","mode":"AGENT_MODE_AGENT"}}`,
		`{"kind":"turn","timing":{"duration_ms":2000,"timestamp_ms":1791187201000},"user_message":{"message_id":"m-2","mode":"AGENT_MODE_AGENT"},"steps":["#","#","#","#","#"],"ends_with":"assistant_message"}`,
		lines[4], lines[5], lines[6], lines[7], lines[8],
	}
	hash := regexp.MustCompile(`"[0-9a-f]{64}"`)
	for i := range got {
		got[i] = hash.ReplaceAllString(position.ReplaceAllString(got[i], ""), `"#"`)
	}
	for i := range want {
		want[i] = string(reencode(t, want[i]))
		if i < len(got) {
			got[i] = string(reencode(t, got[i]))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if doc := string(s.(*stream).Doc()); !strings.Contains(doc, `"agentId":"session-1","name":"Hi"`) || !strings.Contains(doc, `"cwd":"/home/dev/project"`) {
		t.Error(doc)
	}
	if again := encoded(t, lines...); !bytes.Equal(out, again) {
		t.Error("the same frames give other bytes")
	}
}

// reencode gives JSON without regard to how strings are escaped.
func reencode(t *testing.T, text string) []byte {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEncodeOrder writes fields by their numbers and leaves out what absence
// stands for, as the runtime does: else ids would be others.
func TestEncodeOrder(t *testing.T) {
	data := encoded(t, `{"kind":"turn","user_message":{"mode":"AGENT_MODE_AGENT","message_id":"m","text":"","is_simulated_msg":false}}`)
	var doc struct{ Blobs []struct{ Data string } }
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	want := base64.StdEncoding.EncodeToString(append(str(2, "m"), append(num(4, 1), num(5, 0)...)...)) // optional fields say false
	for _, b := range doc.Blobs {
		if b.Data == want {
			return
		}
	}
	t.Errorf("no blob is %s: %s", want, data)
}

// TestEncodeFaults refuses frames that cannot be written.
func TestEncodeFaults(t *testing.T) {
	turn := `{"kind":"turn","user_message":{"text":"Go."}}`
	deep := strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300)
	for want, lines := range map[string][]string{
		"no JSON":                         {storeFrame, "{"},
		"is \"turn\", not the store":      {turn},
		"nothing was written":             {},
		"written once":                    {storeFrame, storeFrame},
		"has an agentId":                  {`{"kind":"store","meta":{}}`},
		"blobEncryptionKey is not":        {`{"kind":"store","meta":{"agentId":"a","blobEncryptionKey":"00"}}`},
		"latestRootBlobId is not":         {`{"kind":"store","meta":{"agentId":"a","latestRootBlobId":"00"}}`},
		"no frames of the kind \"shell\"": {storeFrame, `{"kind":"shell"}`},
		"stands before any turn":          {storeFrame, `{"kind":"assistant_message","text":"x"}`},
		"has no field \"words\"":          {storeFrame, turn, `{"kind":"assistant_message","words":"x"}`},
		"text cannot be number":           {storeFrame, turn, `{"kind":"assistant_message","text":1}`},
		"no tool \"x\"":                   {storeFrame, turn, `{"kind":"tool_call","tool":"x","call":{}}`},
		"is an object, not null":          {storeFrame, turn, `{"kind":"tool_call","tool":"mcp"}`},
		"args is an object, not list":     {storeFrame, turn, `{"kind":"tool_call","tool":"mcp","call":{"args":{"args":[]}}}`},
		"content is a list, not object":   {storeFrame, turn, `{"kind":"tool_call","tool":"mcp","call":{"result":{"success":{"content":{}}}}}`},
		"nested too deep":                 {storeFrame, turn, `{"kind":"tool_call","tool":"mcp","call":{"args":{"args":{"a":` + deep + `}}}}`},
		"no value \"MODE\"":               {storeFrame, `{"kind":"state","mode":"MODE"}`},
		"message to the model is no":      {storeFrame, `{"kind":"prompt_message","message":"x"}`},
		"turns is not written":            {storeFrame, `{"kind":"state","turns":["00"]}`},
		"duration_ms cannot be number":    {storeFrame, `{"kind":"turn","timing":{"duration_ms":-1}}`},
		"a ConversationTurnStructure":     nil,
	} {
		if lines == nil {
			continue
		}
		_, err := encode(lines...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", want, err)
		}
	}
}

// FuzzEncode writes a call with any arguments and any text, and reads it again.
func FuzzEncode(f *testing.F) {
	f.Add(`{"a":1}`, "text")
	f.Add(`{"b":[1.5,null,"\u0000",{"":{}}],"b":2,"big":9007199254740993,"huge":1e400}`, "\x00\u2028🎉")
	f.Add(`{"\ud800":"\udfff","é":-0}`, "")
	f.Fuzz(func(t *testing.T, args, text string) {
		if !json.Valid([]byte(args)) || !strings.HasPrefix(strings.TrimSpace(args), "{") {
			t.Skip()
		}
		// Of several half characters side by side one mark is made.
		whole := utf8.ValidString(args) && !strings.Contains(strings.ToLower(args), `\ud`)
		text = strings.ToValidUTF8(text, "\ufffd")
		quoted, _ := json.Marshal(text)
		lines := []string{
			storeFrame, `{"kind":"turn","user_message":{"text":` + string(quoted) + `}}`,
			`{"kind":"tool_call","tool":"mcp","call":{"args":{"name":"f","args":` + oneLine(args) + `}}}`,
		}
		out, err := encode(lines...)
		if err != nil {
			return // nested too deep, or half characters: refused, not written wrong
		}
		again, err := encode(lines...)
		if err != nil || !bytes.Equal(out, again) {
			t.Fatal("the same frames give other bytes")
		}
		s, done, err := Open(memoryInput(out), handler.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		got, _ := all(t, s)
		var turn struct {
			UserMessage struct{ Text string } `json:"user_message"`
		}
		var call struct {
			Call struct {
				Args struct{ Args map[string]any }
			}
		}
		if err := json.Unmarshal([]byte(got[1]), &turn); err != nil || turn.UserMessage.Text != text {
			t.Errorf("the text %q came back as %q, %v", text, turn.UserMessage.Text, err)
		}
		if err := json.Unmarshal([]byte(got[2]), &call); err != nil {
			t.Fatal(err)
		}
		var want map[string]any
		if json.Unmarshal([]byte(args), &want) != nil {
			return // a number out of range, which is null
		}
		if len(want) == 0 {
			want = nil
		}
		if whole && !reflect.DeepEqual(want, call.Call.Args.Args) {
			t.Errorf("%s came back as %v", args, call.Call.Args.Args)
		}
	})
}

// oneLine is JSON without line feeds between its tokens.
func oneLine(text string) string {
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(text)
}
