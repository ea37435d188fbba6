package langgraph

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// saver makes a store.
type saver struct {
	testing.TB
	path string
	db   *sql.DB
}

func newSaver(t testing.TB) *saver {
	t.Helper()
	s := &saver{TB: t, path: filepath.Join(t.TempDir(), "sessions.db")}
	var err error
	if s.db, err = sql.Open("sqlite", s.path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.db.Close() })
	s.exec(tables)
	return s
}

func (s *saver) exec(query string, args ...any) {
	s.Helper()
	if _, err := s.db.Exec(query, args...); err != nil {
		s.Fatal(err)
	}
}

// pack makes msgpack of JSON, with objects as LangChain describes them.
func (s *saver) pack(text string) []byte {
	s.Helper()
	b, err := fromJSON([]byte(text))
	if err != nil {
		s.Fatalf("%s: %v", text, err)
	}
	return b
}

// put saves a checkpoint of the thread "t"; the channels are JSON.
func (s *saver) put(id, parent, channels string) {
	s.Helper()
	var p any
	if parent != "" {
		p = parent
	}
	s.exec("INSERT INTO checkpoints VALUES('t', '', ?, ?, 'msgpack', ?, '{}')", id, p,
		s.pack(`{"v":4,"ts":"2026-01-01T00:00:0`+id+`Z","id":"`+id+`","channel_values":`+channels+`}`))
}

// write saves what was written to the messages after a checkpoint.
func (s *saver) write(id, task string, idx int, value string) {
	s.Helper()
	s.exec("INSERT INTO writes VALUES('t', '', ?, ?, '', ?, 'messages', 'msgpack', ?)", id, task, idx, s.pack(value))
}

func (s *saver) open(o handler.Options) (frame.Stream, error) {
	s.Helper()
	return opens(s, s.path, o)
}

func opens(t testing.TB, path string, o handler.Options) (frame.Stream, error) {
	t.Helper()
	in, done, err := frame.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { done() })
	st, closer, err := open(in, o)
	if err == nil {
		t.Cleanup(func() { closer() })
	}
	return st, err
}

// msg is a message as LangChain describes it.
func msg(class, id, content string) string {
	text, err := json.Marshal(content)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"lc":2,"type":"constructor","id":["langchain_core","messages","x",%q],"kwargs":{"id":%q,"content":%s}}`, class, id, text)
}

func human(id, content string) string { return msg("HumanMessage", id, content) }
func removed(id string) string        { return msg("RemoveMessage", id, "") }

func overwrite(list string) string {
	return `{"lc":2,"type":"constructor","id":["langgraph","types","Overwrite"],"kwargs":{"value":` + list + `,"type":"__overwrite__"}}`
}

// said are the contents of a stream's messages.
func said(t testing.TB, s frame.Stream) string {
	t.Helper()
	var list []string
	for n := 0; ; n++ {
		f, err := s.Next()
		if err == io.EOF {
			return strings.Join(list, " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Message    struct{ Content any }
			Checkpoint struct {
				ID       string
				Position int
				Pending  bool
			}
		}
		if err := json.Unmarshal(f.Data, &got); err != nil {
			t.Fatalf("%s: %v", f.Data, err)
		}
		if got.Checkpoint.Position != n || f.Index != n || f.Length != int64(len(f.Data)) {
			t.Errorf("message %d is %s", n, f.Data)
		}
		one := fmt.Sprint(got.Message.Content, "@", got.Checkpoint.ID)
		if got.Checkpoint.Pending {
			one += "?"
		}
		list = append(list, one)
	}
}

// TestChanges applies what is written after a checkpoint with the messages a, b
// and c.
func TestChanges(t *testing.T) {
	a, b, c := human("1", "a"), human("2", "b"), human("3", "c")
	for _, test := range []struct {
		name   string
		writes []string
		want   string
	}{
		{"nothing", nil, "a@1 b@1 c@1"},
		{"a list", []string{"[" + human("4", "d") + "," + human("5", "e") + "]"}, "a@1 b@1 c@1 d@1? e@1?"},
		{"a single message", []string{human("4", "d")}, "a@1 b@1 c@1 d@1?"},
		{"the same id", []string{human("2", "B")}, "a@1 B@1 c@1"},
		{"no id", []string{human("", "d"), human("", "e")}, "a@1 b@1 c@1 d@1? e@1?"},
		{"removed", []string{"[" + removed("2") + "," + removed("9") + "," + human("4", "d") + "]"}, "a@1 c@1 d@1?"},
		{"removed and back", []string{"[" + removed("2") + "," + human("2", "B") + "]"}, "a@1 c@1 B@1?"},
		{"all removed", []string{"[" + human("4", "d") + "," + removed(removeAll) + "," + human("5", "e") + "]"}, "e@1?"},
		{"overwritten", []string{overwrite("[" + human("4", "d") + "]")}, "d@1?"},
		{"overwritten with nothing", []string{overwrite("null")}, ""},
		{"overwritten beside others", []string{human("4", "d"), overwrite("[" + human("5", "e") + "]"), human("6", "f")}, "e@1?"},
		{"a map", []string{`{"role":"user","content":"d"}`, `{"type":"ai","id":"1","content":"A"}`}, "A@1 b@1 c@1 d@1?"},
		{"texts and pairs", []string{`"d"`, `["e",["ai","f"]]`}, "a@1 b@1 c@1 d@1? e@1? f@1?"},
		{"lists in lists", []string{"[[" + human("4", "d") + "],[]," + human("5", "e") + "]"}, "a@1 b@1 c@1 d@1? e@1?"},
		{"null", []string{"null"}, "a@1 b@1 c@1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSaver(t)
			s.put("1", "", `{"messages":[`+a+","+b+","+c+`]}`)
			for i, w := range test.writes {
				s.write("1", "task", i, w)
			}
			st, err := s.open(handler.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := said(t, st); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestAncestry follows the parents to the checkpoint that holds the messages,
// past branches, and takes what was written on the way.
func TestAncestry(t *testing.T) {
	s := newSaver(t)
	s.put("1", "", `{"messages":[`+human("0", "lost")+`]}`)
	s.put("2", "1", `{"messages":[`+human("1", "a")+`],"cwd":"/w","files":{"x":1},"todos":[1,2]}`)
	s.put("3", "2", `{"other":1}`)
	s.put("4", "2", `{"other":1}`) // a branch that was left
	s.put("5", "3", `{"_model_spec":"m","cwd":"/v","_summarization_event":{"cutoff_index":1,"summary_message":`+human("s", "sum")+`}}`)
	s.write("1", "t", 0, human("x", "not this"))
	s.write("2", "t2", 0, human("3", "c"))
	s.write("2", "t1", 1, human("2", "b"))
	s.write("2", "t1", 0, human("1", "A"))
	s.write("4", "t", 0, human("4", "left"))
	s.write("5", "t", 0, human("5", "e"))
	s.exec("INSERT INTO writes VALUES('t', '', '5', 't', '', -3, '__interrupt__', 'null', ''), ('t', '', '5', 'u', '', 0, 'messages', 'null', NULL), ('t', 'tools:1', '5', 'u', '', 0, 'messages', 'pickle', 'x')")
	s.exec("INSERT INTO checkpoints VALUES('t', 'tools:1', '9', NULL, 'msgpack', 'x', '{}'), ('t', 'tools:2', '9', NULL, 'msgpack', 'x', '{}')")
	st, err := s.open(handler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := said(t, st), "A@2 b@3 c@3 e@5?"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	want := `{"thread":"t","namespace":"","checkpoint":"5","ts":"2026-01-01T00:00:05Z","created_at":null,"updated_at":null,"title":null,"cwd":"/v","git_branch":null,"agent_name":null,"model":"m",` +
		`"pending":1,"interrupted":true,"failed":false,"branches":1,"forked":false,"overwritten":0,"incomplete":false,"namespaces":2,"files":0,"todos":0,` +
		`"summarization":{"cutoff_index":1,"summary_message":{"id":"s","content":"sum"}}}`
	if diff := cmp.Diff(want, string(st.Doc())); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}

	f, err := st.At(frame.Frame{Index: 2})
	if err != nil || !strings.Contains(string(f.Data), `"content":"c"`) {
		t.Errorf("At gives %s, %v", f.Data, err)
	}
	if _, err := st.At(frame.Frame{Index: 4}); err == nil {
		t.Error("there is a fifth message")
	}
	if err := st.Rewind(); err != nil || said(t, st) != "A@2 b@3 c@3 e@5?" {
		t.Errorf("rewinding: %v", err)
	}
}

// TestLost has a parent that is not there any more.
func TestLost(t *testing.T) {
	s := newSaver(t)
	s.put("2", "1", `{}`)
	s.write("2", "t", 0, human("1", "a"))
	st, err := s.open(handler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := said(t, st); got != "a@2?" || !strings.Contains(string(st.Doc()), `"incomplete":true`) {
		t.Errorf("%s, %s", got, st.Doc())
	}
}

// TestThreads reads the thread that is asked for, else the one used last.
func TestThreads(t *testing.T) {
	s := newSaver(t)
	row := func(thread, id, metadata string) {
		s.exec("INSERT INTO checkpoints VALUES(?, '', ?, NULL, 'json', ?, ?)", thread, id,
			`{"channel_values":{"messages":[`+human("1", thread)+`]}}`, metadata)
	}
	row("old", "1f1b5c6a-4e7c-6200-8001-0242ac120002", `{"updated_at":"2026-09-21T14:13:40.5+02:00","cwd":"/a","git_branch":"main","agent_name":"agent","model":"m","thread_name":"Named"}`)
	row("new", "1f1b5c6d-496c-6a00-8001-0242ac120002", `{"updated_at":"2026-09-21T14:15:00","cwd":7}`)
	row("new", "1f1b5c6d-396c-6a00-8001-0242ac120002", `{"updated_at":"2026-09-21T14:14:00","cwd":"/b","source":"fork"}`)
	row("untold", "1f1b5c6b-4e7c-6200-8001-0242ac120002", `no JSON`)
	row("strange", "x", `[]`)
	s.exec("INSERT INTO checkpoints VALUES('sub', 'tools:1', '9', NULL, 'msgpack', 'x', '{}')")
	for ask, want := range map[string]string{"": "new@1f1b5c6d-496c-6a00-8001-0242ac120002", "old": "old@1f1b5c6a-4e7c-6200-8001-0242ac120002", "strange": "strange@x"} {
		st, err := s.open(handler.Options{Session: ask})
		if err != nil {
			t.Fatal(err)
		}
		if got := said(t, st); got != want || ask != "" && st.(handler.Store).Session() != ask {
			t.Errorf("thread %q: %s", ask, got)
		}
		list, err := st.(handler.Store).Sessions()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, one := range list {
			got = append(got, string(one.Row))
		}
		want := []string{
			`{"id":"new","title":null,"cwd":"/b","git_branch":null,"model":null,"created_at":1790000040000,"updated_at":1790000100000}`,
			`{"id":"untold","title":null,"cwd":null,"git_branch":null,"model":null,"created_at":1790000046843,"updated_at":1790000046843}`,
			`{"id":"old","title":"Named","cwd":"/a","git_branch":"main","model":"m","created_at":1789992820500,"updated_at":1789992820500}`,
			`{"id":"strange","title":null,"cwd":null,"git_branch":null,"model":null,"created_at":null,"updated_at":null}`,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("threads (-want +got):\n%s", diff)
		}
	}
	_, err := s.open(handler.Options{Session: "sub"})
	var missing *handler.MissingError
	if !errors.As(err, &missing) || missing.Err.Code != trajectory.CheckpointNotFound || len(missing.Have) != 4 {
		t.Errorf("a thread that is not there: %v", err)
	}
}

// TestFaults wants the code of the contract for every fault.
func TestFaults(t *testing.T) {
	good := `{"messages":[` + human("1", "a") + `]}`
	for _, test := range []struct {
		name string
		make func(s *saver)
		code string
		want string
	}{
		{"no threads", func(s *saver) {}, trajectory.CheckpointNotFound, "no checkpoints"},
		{"no tables", func(s *saver) { s.exec("DROP TABLE checkpoints") }, trajectory.CheckpointDatabaseUnreadable, "no table checkpoints"},
		{"no column", func(s *saver) { s.exec("ALTER TABLE checkpoints DROP COLUMN metadata") }, trajectory.CheckpointDatabaseUnreadable, "no column metadata"},
		{"no messages", func(s *saver) { s.put("1", "", `{"files":{}}`) }, trajectory.CheckpointMessagesMissing, "no messages"},
		{"its own ancestor", func(s *saver) { s.put("1", "2", `{}`); s.put("2", "1", `{}`) }, trajectory.InvalidCheckpointState, "its own ancestors"},
		{"its own parent", func(s *saver) { s.put("1", "1", `{}`) }, trajectory.InvalidCheckpointState, "its own ancestors"},
		{"no msgpack", func(s *saver) { s.put("1", "", good); s.exec("UPDATE checkpoints SET checkpoint = x'c1'") }, trajectory.InvalidCheckpointState, "checkpoint 1"},
		{"torn", func(s *saver) {
			s.put("1", "", good)
			s.exec("UPDATE checkpoints SET checkpoint = substr(checkpoint, 1, length(checkpoint)-9)")
		}, trajectory.InvalidCheckpointState, "breaks off"},
		{"null", func(s *saver) { s.put("1", "", good); s.exec("UPDATE checkpoints SET checkpoint = NULL") }, trajectory.InvalidCheckpointState, "breaks off"},
		{"pickle", func(s *saver) {
			s.put("1", "", good)
			s.exec("INSERT INTO writes VALUES('t', '', '1', 't', '', 0, 'messages', 'pickle', 'x')")
		}, trajectory.InvalidCheckpointState, "pickle"},
		{"bytes", func(s *saver) {
			s.put("1", "", good)
			s.exec("INSERT INTO writes VALUES('t', '', '1', 't', '', 0, 'messages', 'bytes', 'x')")
		}, trajectory.InvalidCheckpointState, "not known"},
		{"another class", func(s *saver) { s.put("1", "", `{"messages":[`+msg("Document", "1", "x")+`]}`) }, trajectory.InvalidCheckpointState, `class "Document"`},
		{"a number", func(s *saver) { s.put("1", "", `{"messages":[7]}`) }, trajectory.InvalidCheckpointState, "a message was expected"},
		{"a map that is no message", func(s *saver) { s.put("1", "", `{"messages":[{"type":"text","text":"x"}]}`) }, trajectory.InvalidCheckpointState, "a message was expected"},
		{"lists in lists", func(s *saver) { s.put("1", "", `{"messages":`+strings.Repeat("[", 20)+strings.Repeat("]", 20)+`}`) }, trajectory.InvalidCheckpointState, "too deeply"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSaver(t)
			test.make(s)
			_, err := s.open(handler.Options{})
			var fault *trajectory.Error
			if !errors.As(err, &fault) || fault.Code != test.code || !strings.Contains(fault.Message, test.want) {
				t.Errorf("error %v, want %s with %q", err, test.code, test.want)
			}
		})
	}
}

// TestNoStore opens what is no store.
func TestNoStore(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"empty.db": "", "encrypted.db": strings.Repeat("x", 5000), "cut.db": "SQLite format 3\x00"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := opens(t, path, handler.Options{})
		var fault *trajectory.Error
		if !errors.As(err, &fault) || fault.Code != trajectory.CheckpointDatabaseUnreadable {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := filepath.Join(dir, "checkpoint.json")
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := opens(t, path, handler.Options{}); !handler.IsForeign(err) {
		t.Errorf("JSON: %v", err)
	}
	_, _, err := open(&frame.Input{Name: filepath.Join(dir, "none.db"), ReaderAt: strings.NewReader("")}, handler.Options{})
	var fault *trajectory.Error
	if !errors.As(err, &fault) || fault.Code != trajectory.CheckpointDatabaseNotFound {
		t.Errorf("no file: %v", err)
	}
}

// TestTooBig has a message that is longer than frames may be, in a checkpoint
// that is not.
func TestTooBig(t *testing.T) {
	s := newSaver(t)
	s.put("1", "", `{"messages":[`+human("1", "a")+","+human("2", strings.Repeat("\x01", 1000))+","+human("3", "c")+`]}`)
	o := handler.Options{}
	o.Limits.MaxFrame = 3000
	st, err := s.open(o)
	if err != nil {
		t.Fatal(err)
	}
	for n, big := range []bool{false, true, false} {
		f, err := st.Next()
		if err != nil || f.TooBig != big || f.Index != n {
			t.Errorf("frame %d: %+v, %v", n, f, err)
		}
	}
	// The limit is of messages, not of the checkpoint that holds them all.
	o.Limits.MaxFrame = 500
	if st, err = s.open(o); err != nil {
		t.Fatal(err)
	}
	if f, err := st.Next(); err != nil || f.TooBig {
		t.Errorf("the first message: %+v, %v", f, err)
	}
}

// TestModel takes the model of the newest reply that names one.
func TestModel(t *testing.T) {
	reply := func(id, metadata string) string {
		return `{"type":"ai","id":"` + id + `","content":"x","response_metadata":` + metadata + `}`
	}
	s := newSaver(t)
	s.put("1", "", `{"messages":[`+reply("1", `{"model":"a"}`)+","+reply("2", `{"model":"b","model_name":"c"}`)+","+reply("3", `{}`)+","+reply("4", `7`)+`],"_model_spec":"d"}`)
	st, err := s.open(handler.Options{})
	if err != nil || !strings.Contains(string(st.Doc()), `"model":"c"`) {
		t.Errorf("%s, %v", st.Doc(), err)
	}
}

// TestSamples reads stores that programs have written, or were meant to.
func TestSamples(t *testing.T) {
	dir := "../../../../shared/samples/deepagents"
	text, err := os.ReadFile(filepath.Join(dir, "constructed-expected.json"))
	if err != nil {
		t.Skip("no samples here")
	}
	type message struct {
		ID, Content string
	}
	var expected map[string]struct{ Messages []message }
	if err := json.Unmarshal(text, &expected); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"thread-123":       {"human-1", "ai-1", "tool-1", "ai-2"},
		"thread-basic":     {"basic-human", "basic-ai"},
		"thread-overwrite": {"replacement-human", "replacement-ai"},
	}
	for thread, e := range expected {
		for _, m := range e.Messages {
			want[thread] = append(want[thread], m.ID)
		}
	}
	seen := 0
	for _, name := range []string{"letta-checkpoint.db", "constructed-sessions.db"} {
		first, err := opens(t, filepath.Join(dir, name), handler.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list, _ := first.(handler.Store).Sessions()
		for _, one := range list {
			seen++
			st, err := opens(t, filepath.Join(dir, name), handler.Options{Session: one.ID})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for {
				f, err := st.Next()
				if err != nil {
					break
				}
				var m struct{ Message message }
				// A content may be a list, which does not matter here.
				_ = json.Unmarshal(f.Data, &m)
				got = append(got, m.Message.ID)
			}
			if diff := cmp.Diff(want[one.ID], got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", one.ID, diff)
			}
		}
	}
	if seen != 6 {
		t.Errorf("%d threads, want 6", seen)
	}
}
