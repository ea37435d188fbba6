package agentkv

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// scene is a store with a bit of everything, and the frames that it gives.
func scene() (*kept, []string) {
	k := newKept()
	user := k.add(str(2, "u1"), ref(18, k.add([]byte("a long\ntext"))), num(4, 1), num(25, 1791187201000))
	mcp := msg(2, msg(15,
		msg(1, str(1, "server-search"), str(5, "search"), str(3, "c1"),
			msg(2, str(1, "z"), msg(2, str(3, "last \x01"))),
			msg(2, str(1, "a"), msg(2, tag(2, fixed64), []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x3f})),
			msg(2, str(1, "z"), msg(2, msg(6, msg(1, num(4, 1)), msg(1, num(1, 0)), msg(1, msg(5, msg(1, str(1, "k"), msg(2, msg(6)))))))),
		),
		msg(2, msg(1, msg(1, msg(1, str(1, "one"))), msg(1, msg(2, str(1, "\x89PNG"), str(2, "image/png"))), num(2, 1))),
	), str(57, "c1"))
	whole := k.add(msg(2, msg(1, msg(1, str(1, "ls")), msg(2, msg(1, str(5, "file\n")), num(102, 1))), str(57, "c2")))
	steps := [][]byte{
		msg(3, str(1, "thinking"), num(2, 5)),
		msg(1, str(1, "I say \xff\u2028")),
		mcp,
		msg(2, msg(34, ref(1, whole))),
		msg(2, msg(34, ref(1, id{1, 2, 3})), str(57, "gone")),
		msg(2, msg(5, msg(1, str(1, "needle"), str(2, "\n\x20"+strings.Repeat("x", 32)), num(9, 7)), msg(2, msg(1, str(1, "\x00\x01")))), str(57, "c3")),
		msg(2, msg(84, msg(1, str(1, "new"))), str(57, "c4")),
		msg(9, str(1, "a step of a kind that nobody knows")),
	}
	parts := [][]byte{ref(1, user)}
	for _, s := range steps {
		parts = append(parts, ref(2, k.add(s)))
	}
	turn := k.add(msg(1, append(parts, num(6, 2), str(6, "\x01\x03"))...))
	shell := k.add(msg(2, ref(1, k.add(str(1, "make"))), ref(2, k.add(str(1, "out"), num(3, 2)))))
	nothing := k.add(msg(7, str(1, "?")))
	k.root(
		ref(1, k.add([]byte(`{ "role":"system", "content":"Be good." }`))),
		str(4, `{"toolCallId":"p1"}`), str(4, `no JSON`),
		ref(8, turn), ref(8, shell), ref(8, nothing), ref(8, shell),
		num(10, 99), msg(14, num(1, 10), num(2, 1791187200000)),
		ref(6, k.add(str(1, "so far"))),
		msg(12, str(1, "/a"), ref(2, id{9})),
		msg(16, str(1, "sub"), msg(2, num(2, 3))),
		str(900, "new"), num(901, 1), num(901, 2), num(26, 12), str(17, "no number"),
	)
	return k, []string{
		`{"kind":"state","seq":0,"root_prompt_messages_json":["` + k.order[slices.IndexFunc(k.order, func(i id) bool { return bytes.HasPrefix(k.bytes[i], []byte("{")) })].String() + `"],` +
			`"pending_tool_calls":["{\"toolCallId\":\"p1\"}","no JSON"],"summary":{"summary":"so far"},` +
			`"turns":["` + turn.String() + `","` + shell.String() + `","` + nothing.String() + `","` + shell.String() + `"],"mode":99,` +
			`"file_states":{"/a":"` + id{9}.String() + `"},"turn_timings":[{"duration_ms":10,"timestamp_ms":1791187200000}],` +
			`"subagent_states":{"sub":{"created_timestamp_ms":3}},"conversation_started_timestamp_ms":12,` +
			`"unknown":{"ConversationStateStructure.17":1,"ConversationStateStructure.900":1,"ConversationStateStructure.901":2,"ConversationStep.9":1,"ConversationTurnStructure.7":1,"ToolCall.84":1}}`,
		`{"kind":"prompt_message","seq":1,"message":{"role":"system","content":"Be good."}}`,
		`{"kind":"turn","seq":16777216,"turn":0,"timing":{"duration_ms":10,"timestamp_ms":1791187200000},` +
			`"user_message":{"message_id":"u1","mode":"AGENT_MODE_AGENT","text_blob_id":"a long\ntext","started_at_ms":1791187201000},` +
			`"steps":` + stepIDs(k, turn) + `,"send_message_step_indices":[2,1,3]}`,
		`{"kind":"thinking_message","seq":16777217,"turn":0,"step":0,"text":"thinking","duration_ms":5}`,
		`{"kind":"assistant_message","seq":16777218,"turn":0,"step":1,"text":"I say ` + "\uFFFD\u2028" + `"}`,
		`{"kind":"tool_call","seq":16777219,"turn":0,"step":2,"tool":"mcp","call":{` +
			`"args":{"name":"server-search","args":{"a":1.5,"z":[true,null,{"k":[]}]},"tool_call_id":"c1","tool_name":"search"},` +
			`"result":{"success":{"content":[{"text":{"text":"one"}},{"image":{"data":4,"mime_type":"image/png"}}],"is_error":true}}},"tool_call_id":"c1"}`,
		`{"kind":"tool_call","seq":16777220,"turn":0,"step":3,"restored":true,"tool":"shell","call":{"args":{"command":"ls"},"result":{"success":{"stdout":"file\n"},"is_background":true}},"tool_call_id":"c2"}`,
		`{"kind":"tool_call","seq":16777221,"turn":0,"step":4,"tool":"truncated","call":{"original_step_blob_id":"` + id{1, 2, 3}.String() + `"},"tool_call_id":"gone"}`,
		`{"kind":"tool_call","seq":16777222,"turn":0,"step":5,"tool":"grep","call":{"args":{"1":"needle","2":{"1":"` + strings.Repeat("x", 32) + `"},"9":7},"result":{"1":{"1":2}}},"tool_call_id":"c3"}`,
		`{"kind":"tool_call","seq":16777223,"turn":0,"step":6,"tool":"unknown","number":84,"call":{"1":{"1":"new"}},"tool_call_id":"c4"}`,
		`{"kind":"unknown_step","seq":16777224,"turn":0,"step":7}`,
		`{"kind":"shell_turn","seq":33554432,"turn":1,"shell_command":{"command":"make"},"shell_output":{"stdout":"out","exit_code":2}}`,
		`{"kind":"unknown_turn","seq":50331648,"turn":2}`,
		`{"kind":"shell_turn","seq":67108864,"turn":3,"last":true,"shell_command":{"command":"make"},"shell_output":{"stdout":"out","exit_code":2}}`,
		`{"kind":"pending_tool_call","seq":1125899906842624,"call":{"toolCallId":"p1"}}`,
		`{"kind":"pending_tool_call","seq":1125899906842625,"call":"no JSON"}`,
	}
}

// stepIDs are the ids of a turn's steps as JSON.
func stepIDs(k *kept, turn id) string {
	s, err := described()
	if err != nil {
		panic(err)
	}
	m, _ := parse(k.bytes[turn])
	var list []string
	for _, i := range s.stepsOf(m) {
		list = append(list, i.String())
	}
	text, _ := json.Marshal(list)
	return string(text)
}

func TestFrames(t *testing.T) {
	k, want := scene()
	k.meta["blobEncryptionKey"] = strings.Repeat("5ec7e7", 10)
	doc := `{"agentId":"session-1","hasEncryptionKey":true,"createdAt":1791187200000,"latestRootBlobId":"` + k.meta["latestRootBlobId"].(string) + `","name":"New Agent"`
	text := k.readout(t)
	for name, in := range map[string]*frame.Input{
		"database": input(t, k.database(t)),
		"readout":  {Name: "-", ReaderAt: bytes.NewReader(text), Size: int64(len(text))},
	} {
		t.Run(name, func(t *testing.T) {
			s := opens(t, in, handler.Options{Session: "session-1"})
			got, frames := all(t, s)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("frames (-want +got):\n%s", diff)
			}
			for _, text := range append(got, string(s.Doc())) {
				if !json.Valid([]byte(text)) || strings.Contains(text, "5ec7e7") {
					t.Errorf("no JSON, or the key for encryption: %s", text)
				}
			}
			if !strings.HasPrefix(string(s.Doc()), doc) {
				t.Errorf("Doc = %s, want it to begin with %s", s.Doc(), doc)
			}
			if err := s.Rewind(); err != nil {
				t.Fatal(err)
			}
			first, err := s.Next()
			if err != nil {
				t.Fatal(err)
			}
			for n := range frames {
				n = len(frames) - 1 - n
				again, err := s.At(frame.Frame{Offset: frames[n].Offset, Index: n, Length: frames[n].Length})
				if err != nil || string(again.Data) != got[n] || again.Length != frames[n].Length || again.Index != n {
					t.Errorf("At(%d) = %+v, %v", n, again, err)
				}
			}
			for n, f := range frames {
				if f.Index != n {
					t.Errorf("frame %d has the index %d", n, f.Index)
				}
			}
			if string(first.Data) != got[0] {
				t.Error("At has changed what Next gave")
			}
			if rest, _ := all(t, s); len(rest) != len(got)-1 {
				t.Errorf("%d frames after the first", len(rest))
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	for _, p := range []place{{}, {promptPart, 0, 0}, {promptPart, 7, 0}, {turnPart, 0, -1}, {turnPart, 0, 5}, {turnPart, 1 << 22, 1 << 21}, {pendingPart, 3, 0}} {
		if got := placeOf(p.number()); got != p {
			t.Errorf("placeOf(%d) = %+v, want %+v", p.number(), got, p)
		}
	}
}

func TestEmptySession(t *testing.T) {
	s := opens(t, input(t, newKept().database(t)), handler.Options{})
	if got, _ := all(t, s); len(got) != 1 || got[0] != `{"kind":"state","seq":0}` {
		t.Errorf("frames %s", got)
	}
}

// TestSessions lists sessions of which the conversation is not whole.
func TestSessions(t *testing.T) {
	rootless := newKept()
	rootless.meta["latestRootBlobId"] = id{1}.String()
	broken := newKept()
	broken.root(ref(1, broken.add([]byte(`{"role":"system"}`))), ref(1, id{2}), ref(8, id{3}))
	for want, k := range map[string]*kept{`"prompts":[]}`: rootless, `"prompts":[{"role":"system"},null]}`: broken} {
		k.meta["name"] = "A name"
		s := opens(t, input(t, k.database(t)), handler.Options{})
		list, err := s.(handler.Store).Sessions()
		if err != nil || len(list) != 1 || list[0].ID != "session-1" || s.(handler.Store).Session() != "session-1" {
			t.Fatalf("sessions %v, %v", list, err)
		}
		if row := string(list[0].Row); !json.Valid(list[0].Row) || !strings.Contains(row, `"name":"A name"`) || !strings.HasSuffix(row, want) {
			t.Errorf("row %s, want it to end in %s", row, want)
		}
		if _, err := s.Next(); err == nil {
			t.Error("the conversation was read")
		}
	}
}

func TestOtherSession(t *testing.T) {
	_, _, err := Open(input(t, newKept().database(t)), handler.Options{Session: "other"})
	var missing *handler.MissingError
	if !errors.As(err, &missing) || !slices.Equal(missing.Have, []string{"session-1"}) {
		t.Errorf("error = %v", err)
	}
}

// TestTooLong is of frames over the limit, also when only what they refer to
// makes them so.
func TestTooLong(t *testing.T) {
	k := newKept()
	archive := k.add(str(2, strings.Repeat("x", 1000)))
	var parts [][]byte
	for range 100_000 {
		parts = append(parts, ref(13, archive))
	}
	turn := k.turn("short", msg(1, str(1, strings.Repeat("long", 1000))))
	k.root(append(parts, ref(8, turn))...)
	s := opens(t, input(t, k.database(t)), handler.Options{Limits: frame.Options{MaxFrame: 3000}})
	_, frames := all(t, s)
	var big []bool
	for _, f := range frames {
		big = append(big, f.TooBig)
		if f.TooBig != (f.Data == nil) || f.TooBig != (f.Length > 3000) {
			t.Errorf("frame %+v", f)
		}
	}
	if !slices.Equal(big, []bool{true, false, true}) {
		t.Errorf("too big: %v", big)
	}
}

func TestErrors(t *testing.T) {
	good := func() *kept {
		k := newKept()
		return k.root(ref(8, k.turn("hello", msg(1, str(1, "hi")))))
	}
	tests := []struct {
		name string
		make func() *kept
		want string
	}{
		{"a missing step", func() *kept {
			k := good()
			k.order = slices.DeleteFunc(k.order, func(i id) bool { return bytes.Equal(k.bytes[i], msg(1, str(1, "hi"))) })
			return k
		}, "is missing"},
		{"a missing root", func() *kept {
			k := good()
			k.meta["latestRootBlobId"] = id{4}.String()
			return k
		}, id{4}.String() + " is missing"},
		{"another hash", func() *kept {
			k := good()
			k.bytes[k.order[0]] = str(1, "changed")
			return k
		}, "another hash"},
		{"a cycle", func() *kept {
			// A blob cannot know its own hash: one that claims to is damaged.
			k := newKept()
			i := id{7}
			k.order, k.bytes[i] = []id{i}, ref(31, i)
			k.meta["latestRootBlobId"] = i.String()
			return k
		}, "another hash"},
		{"turns in the root", func() *kept { return newKept().root(str(2, "turn")) }, "an old runtime"},
		{"no protobuf", func() *kept { return newKept().root([]byte("\x07\x07")) }, "does not decode as ConversationStateStructure"},
		{"a length beyond the end", func() *kept { return newKept().root(tag(6, delimited), []byte{0xff, 0xff, 0xff, 0xff, 0x7f}) }, "does not decode"},
		{"an id of 5 bytes", func() *kept { return newKept().root(str(8, "12345")) }, "turns is no id of a blob: it has 5 bytes"},
		{"a prompt that is no JSON", func() *kept {
			k := newKept()
			return k.root(ref(1, k.add([]byte("{"))))
		}, "no JSON"},
		{"messages in messages", func() *kept {
			var deep []byte
			for range 2000 {
				deep = msg(16, msg(2, msg(1, deep)))
			}
			return newKept().root(deep)
		}, "nested deeper"},
		{"many steps", func() *kept {
			k := newKept()
			step := k.add(msg(1, str(1, "hi")))
			turn := k.add(msg(1, bytes.Repeat(ref(2, step), 3000)))
			return k.root(bytes.Repeat(ref(8, turn), 3000))
		}, "more than 4194304 steps"},
		{"metadata without a root", func() *kept {
			k := good()
			k.meta["latestRootBlobId"] = 5
			return k
		}, "does not name the root"},
		{"a root without an id", func() *kept {
			k := good()
			k.meta["latestRootBlobId"] = "head"
			return k
		}, "has no id"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k := test.make()
			text := k.readout(t)
			for _, in := range []*frame.Input{input(t, k.database(t)), {Name: "readout.json", ReaderAt: bytes.NewReader(text), Size: int64(len(text))}} {
				wantError(t, in, test.want)
			}
		})
	}
}

// tries reads the first frame of a store.
func tries(in *frame.Input) error {
	s, end, err := Open(in, handler.Options{})
	if err != nil {
		return err
	}
	defer end()
	_, err = s.Next()
	return err
}

func wantError(t *testing.T, in *frame.Input, want string) {
	t.Helper()
	err := tries(in)
	var e *trajectory.Error
	if !errors.As(err, &e) || e.Code != trajectory.InvalidInput || handler.IsForeign(err) || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error = %v, want invalid_input with %q", in.Name, err, want)
	}
}

func TestBadDatabases(t *testing.T) {
	tests := []struct {
		name, statement, want string
	}{
		{"another version", "PRAGMA user_version=2", "version [2]"},
		{"no metadata", "DELETE FROM meta", "no metadata"},
		{"metadata not in hex", "UPDATE meta SET value='{}'", "not in hex"},
		{"metadata no JSON", "UPDATE meta SET value='7b'", "no JSON object"},
		{"metadata no object", "UPDATE meta SET value='5b5d'", "no JSON object"},
		{"metadata null", "UPDATE meta SET value=NULL", "no JSON object"},
		{"other columns", "ALTER TABLE blobs RENAME COLUMN data TO content", "data"},
		{"a view instead of the table", "ALTER TABLE blobs RENAME TO other; CREATE VIEW blobs AS SELECT * FROM other", "no AgentKv store"},
		{"no blobs", "DELETE FROM blobs", "is missing"},
		{"texts for blobs", "UPDATE blobs SET data = hex(data)", "another hash"},
		{"a null for a blob", "UPDATE blobs SET data = NULL", "is missing"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k := newKept()
			path := k.root(ref(8, k.turn("hello"))).database(t)
			statements(t, path, test.statement)
			err := tries(input(t, path))
			var e *trajectory.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error = %v, want %q", err, test.want)
			}
		})
	}
	t.Run("cut off", func(t *testing.T) {
		k, _ := scene()
		path := k.database(t)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		for size := range info.Size() / 512 {
			if err := os.Truncate(path, info.Size()-512*(size+1)); err != nil {
				t.Fatal(err)
			}
			if err := tries(input(t, path)); err == nil {
				t.Errorf("a database without its last %d bytes was read", 512*(size+1))
			}
		}
	})
}

func TestForeign(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.db")
	statements(t, other, "CREATE TABLE meta (key, value)")
	for name, in := range map[string]*frame.Input{
		"another database": input(t, other),
		"JSON":             {Name: "x.json", ReaderAt: strings.NewReader(`{"blobs":[]}`), Size: 12},
		"lines":            {Name: "x.jsonl", ReaderAt: strings.NewReader("{}\n{}\n"), Size: 6},
		"nothing":          {Name: "x", ReaderAt: strings.NewReader(""), Size: 0},
	} {
		if _, _, err := Open(in, handler.Options{}); !handler.IsForeign(err) {
			t.Errorf("%s: error = %v, want a foreign one", name, err)
		}
	}
	empty := &frame.Input{Name: "store.db", ReaderAt: strings.NewReader(""), Size: 0}
	if _, _, err := Open(empty, handler.Options{}); err == nil || handler.IsForeign(err) || !strings.Contains(err.Error(), "empty") {
		t.Errorf("an empty store.db: %v", err)
	}
}

func TestBadReadouts(t *testing.T) {
	k := newKept()
	good := string(k.root(ref(8, k.turn("hello"))).readout(t))
	for _, test := range []struct{ name, old, new, want string }{
		{"cut off", good[len(good)-100:], "", "JSON"},
		{"another format", `"format":"` + readoutFormat + `"`, `"format":"other","was":"` + readoutFormat + `"`, "is no " + readoutFormat},
		{"another version", `"userVersion":1`, `"userVersion":2`, "another version"},
		{"no metadata", `"key":"0"`, `"key":"1"`, "no metadata"},
		{"no list of blobs", `"blobs":[`, `"others":[`, "blobs"},
		{"no id", `"id":"`, `"name":"`, "has no id"},
		{"no base64", `"data":"`, `"data":"!`, "base64"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(good, test.old, test.new, 1)
			if text == good {
				t.Fatal("nothing was replaced")
			}
			wantError(t, &frame.Input{Name: "x.json", ReaderAt: strings.NewReader(text), Size: int64(len(text))}, test.want)
		})
	}
}

// TestSamples reads real and constructed stores in both forms.
func TestSamples(t *testing.T) {
	folders, _ := filepath.Glob("../../../../shared/samples/*/*/*.readout.json")
	if len(folders) == 0 {
		t.Skip("no samples here")
	}
	for _, file := range folders {
		stores, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".*", "*", "*", "*", "store.db"))
		if err != nil || len(stores) == 0 {
			t.Fatalf("no store beside %s", file)
		}
		want, _ := all(t, opens(t, input(t, file), handler.Options{}))
		got, _ := all(t, opens(t, input(t, stores[0]), handler.Options{}))
		if diff := cmp.Diff(want, got); diff != "" || len(got) < 10 {
			t.Errorf("%s: the readout's frames (-) and those of the database (+):\n%s", file, diff)
		}
	}
}
