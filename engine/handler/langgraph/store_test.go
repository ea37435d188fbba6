package langgraph

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/value"
)

// at is when tests write.
var at = time.Date(2026, 11, 30, 12, 0, 0, 123456000, time.UTC)

// put has the storer write a document into a store at a path.
func put(t *testing.T, path, text string) error {
	t.Helper()
	now = func() time.Time { return at }
	t.Cleanup(func() { now = time.Now })
	return store(context.Background(), input(text), handler.Place{Path: path, ID: "t", Cwd: "/here"})
}

func input(text string) *frame.Input {
	return &frame.Input{Name: "checkpoint.json", ReaderAt: strings.NewReader(text), Size: int64(len(text))}
}

func look(t *testing.T, path, text string) (handler.Found, error) {
	t.Helper()
	return find(context.Background(), input(text), handler.Place{Path: path, ID: "t", Cwd: "/here"})
}

// dump is all that a database holds.
func dump(t testing.TB, path string) map[string]string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out := map[string]string{}
	for _, table := range []string{"checkpoints", "writes"} {
		rows, err := db.Query("SELECT * FROM " + table)
		if err != nil {
			t.Fatal(err)
		}
		columns, _ := rows.Columns()
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(sql.RawBytes)
			}
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			var row []string
			for _, v := range values {
				row = append(row, string(*v.(*sql.RawBytes)))
			}
			out[fmt.Sprintf("%s %q", table, row[:3])] = strings.Join(row, "\x00")
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		rows.Close()
	}
	return out
}

// TestStore makes a store and reads it.
func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sessions.db")
	if err := put(t, path, document()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("%v was left", left)
	}
	st, err := opens(t, path, handler.Options{Session: "t"})
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(st.Doc(), &doc); err != nil {
		t.Fatal(err)
	}
	id := fmt.Sprint(doc["checkpoint"])
	if !regexp.MustCompile(`^1f1ec[0-9a-f]{3}-[0-9a-f]{4}-6[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(id) {
		t.Errorf("the checkpoint is %s", id)
	}
	if ms, ok := uuidTime(id); !ok || ms != at.UnixMilli() {
		t.Errorf("its id is of %d, not of %d", ms, at.UnixMilli())
	}
	for name, want := range map[string]any{
		"thread": "t", "ts": "2026-11-30T12:00:00.123456+00:00", "updated_at": float64(at.UnixMilli()), "cwd": "/here", "agent_name": "agent",
		"model": "m", "pending": 0.0, "branches": 0.0, "overwritten": 0.0, "forked": false,
	} {
		if doc[name] != want {
			t.Errorf("%s is %v, want %v", name, doc[name], want)
		}
	}
	if got, want := said(t, st), "hé@"+id+" @"+id+" two@"+id+" r@"+id+" Done.@"+id; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var metadata string
	if err := db.QueryRow("SELECT metadata FROM checkpoints").Scan(&metadata); err != nil {
		t.Fatal(err)
	}
	want := `{"source":"update","step":0,"parents":{},"updated_at":"2026-11-30T12:00:00.123456+00:00","agent_name":"agent","cwd":"/here","acp_session":true,"n":1.5}`
	if metadata != want {
		t.Errorf("the metadata are %s, want %s", metadata, want)
	}
}

// TestAdd adds a thread to stores of all kinds; other threads stay as they are.
func TestAdd(t *testing.T) {
	for name, prepare := range map[string]func(*saver){
		"as newer programs make it": func(*saver) {},
		"a log": func(s *saver) {
			s.exec("PRAGMA journal_mode=WAL")
			s.exec("PRAGMA wal_autocheckpoint=0")
		},
		"without task_path": func(s *saver) {
			s.exec("DROP TABLE writes")
			s.exec("CREATE TABLE writes(thread_id TEXT, checkpoint_ns TEXT DEFAULT '', checkpoint_id TEXT, task_id TEXT, idx INTEGER, channel TEXT, type TEXT, value BLOB)")
		},
		"with the program's own tables": func(s *saver) {
			s.exec("CREATE TABLE dcode_thread_names(thread_id TEXT PRIMARY KEY, name TEXT)")
			s.exec("CREATE INDEX idx_threads ON checkpoints(thread_id, json_extract(CAST(metadata AS TEXT), '$.cwd'))")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSaver(t)
			prepare(s)
			s.exec("INSERT INTO checkpoints VALUES('other', '', '1', NULL, 'msgpack', x'80', '{}'), ('other', 'tools:1', '2', NULL, 'msgpack', x'81', '{}')")
			s.exec("INSERT INTO writes(thread_id, checkpoint_id, task_id, idx, channel) VALUES('other', '1', 'a', 0, 'messages')")
			was := dump(t, s.path)
			if found, err := look(t, s.path, document()); found != handler.Nothing || err != nil {
				t.Errorf("found %d, %v", found, err)
			}
			if err := put(t, s.path, document()); err != nil {
				t.Fatal(err)
			}
			if found, err := look(t, s.path, document()); found != handler.Begun || err != nil {
				t.Errorf("found %d, %v", found, err)
			}
			if found, err := look(t, s.path, document(`"hé"`, `"he"`)); found != handler.Another || err != nil {
				t.Errorf("found %d, %v", found, err)
			}
			if err := put(t, s.path, document()); !errors.Is(err, handler.ErrPresent) {
				t.Errorf("a second time: %v", err)
			}
			now := dump(t, s.path)
			if len(now) != len(was)+1 {
				t.Errorf("%d rows have become %d", len(was), len(now))
			}
			for key, row := range was {
				if now[key] != row {
					t.Errorf("%s has changed", key)
				}
			}
			// A thread that was gone on with stays; one that was not goes.
			s.exec("INSERT INTO writes(thread_id, checkpoint_id, task_id, idx, channel) VALUES('t', '1', 'a', 0, 'messages')")
			place := handler.Place{Path: s.path, ID: "t"}
			if err := remove(context.Background(), input(document()), place); err == nil || !strings.Contains(err.Error(), "gone on with") {
				t.Errorf("removed: %v", err)
			}
			s.exec("DELETE FROM writes WHERE thread_id = 't'")
			if err := remove(context.Background(), input(document()), place); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(was, dump(t, s.path)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestGoneOnWith finds a thread that its program has gone on with, also when it
// has emptied the list of messages since.
func TestGoneOnWith(t *testing.T) {
	s := newSaver(t)
	if err := put(t, s.path, document()); err != nil {
		t.Fatal(err)
	}
	s.exec("INSERT INTO checkpoints SELECT 't', '', 'f', checkpoint_id, 'msgpack', ?, '{}' FROM checkpoints", s.pack(`{"channel_values":{"messages":[]}}`))
	if found, err := look(t, s.path, document()); found != handler.Begun || err != nil {
		t.Errorf("found %d, %v", found, err)
	}
}

// TestRefused are stores into which nothing can be written. They stay as they
// are, to the byte.
func TestRefused(t *testing.T) {
	for name, test := range map[string]struct {
		prepare func(s *saver)
		want    string
	}{
		"another's tables": {func(s *saver) { s.exec("DROP TABLE checkpoints"); s.exec("CREATE TABLE checkpoints(x)") }, "not those of a checkpoint store"},
		"no database":      {func(s *saver) { write(s, s.path, "something else, and long enough to be looked at") }, "no database"},
		"a folder":         {func(s *saver) { s.db.Close(); os.Remove(s.path); os.Mkdir(s.path, 0o700) }, "must not be written to"},
		"a thread with writes alone": {func(s *saver) {
			s.exec("INSERT INTO writes(thread_id, checkpoint_id, task_id, idx, channel) VALUES('t', '1', 'a', 0, 'x')")
		}, handler.ErrPresent.Error()},
		"damaged": {func(s *saver) {
			s.exec("PRAGMA journal_mode=DELETE")
			s.db.Close()
			b, _ := os.ReadFile(s.path)
			for i := 100; i < len(b); i++ {
				b[i] ^= 0x55
			}
			write(s, s.path, string(b))
		}, "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSaver(t)
			test.prepare(s)
			was, _ := os.ReadFile(s.path)
			err := put(t, s.path, document())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
			if now, _ := os.ReadFile(s.path); string(now) != string(was) {
				t.Error("the store has changed")
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(s.path), ".trajmap*")); len(left) > 0 {
				t.Errorf("%v was left", left)
			}
		})
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestEmpty writes into a file without a byte, which a database may be.
func TestEmpty(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sessions.db")
	write(t, path, "")
	if found, err := look(t, path, document()); found != handler.Nothing || err != nil {
		t.Errorf("found %d, %v", found, err)
	}
	if err := put(t, path, document()); err != nil {
		t.Fatal(err)
	}
	if found, err := look(t, path, document()); found != handler.Begun || err != nil {
		t.Errorf("found %d, %v", found, err)
	}
}

// TestForeignDocument takes no document of another thread.
func TestForeignDocument(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sessions.db")
	if err := put(t, path, document(`"threadId":"t"`, `"threadId":"u"`)); err == nil {
		t.Error("it was written")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a store was made")
	}
}

// TestOlder makes no store while its program has one elsewhere that it will move.
func TestOlder(t *testing.T) {
	home := t.TempDir()
	write(t, filepath.Join(home, "sessions.db"), "")
	path := filepath.Join(home, ".state", "sessions.db")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := put(t, path, document()); !errors.Is(err, errOlder) {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) > 0 {
		t.Errorf("%v was made", left)
	}
	write(t, path, "") // moved
	if err := put(t, path, document()); err != nil {
		t.Error(err)
	}
}

// FuzzSeed makes messages of documents and reads them again: all are there, in
// order, with what was said.
func FuzzSeed(f *testing.F) {
	f.Add([]byte(document()))
	f.Add([]byte(document("Done.", strings.Repeat("x", 70_000))))
	f.Add([]byte(document(`"hé"`, `"\ud800\u0000"`)))
	f.Add([]byte(document(`"a":1`, `"a":1e400,"a":[[[[]]]],"":{"":""}`)))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := parseSeed(text)
		if err != nil {
			return
		}
		r := s.makeRow("/here", at)
		var c checkpoint
		if err := c.parse(r.checkpoint); err != nil {
			t.Fatal(err)
		}
		list, err := changeOf(c.messages)
		if err != nil || list.overwrite || len(list.items) != len(s.messages) {
			t.Fatalf("%d messages of %d, %v", len(list.items), len(s.messages), err)
		}
		for i, item := range list.items {
			out, err := appendJSON(nil, item.fields, longest)
			if err != nil {
				continue // nested more deeply than a message may be
			}
			var doc value.Doc
			if err := doc.Parse(out); err != nil {
				t.Fatal(err)
			}
			got, want := doc.Root(), s.messages[i]
			for name, of := range map[string]string{"content": "content", "id": "id", "tool_call_id": "toolCallId"} {
				if !alike(want.Get(of), got.Get(name)) {
					t.Errorf("message %d has another %s", i, name)
				}
			}
			calls := got.Get("tool_calls")
			if calls.Len() != want.Get("toolCalls").Len() {
				t.Errorf("message %d has %d calls", i, calls.Len())
			}
			for n := range calls.Len() {
				call := want.Get("toolCalls").Index(n)
				for _, name := range []string{"id", "name", "args"} {
					if !alike(call.Get(name), calls.Index(n).Get(name)) {
						t.Errorf("message %d: a call has other %s", i, name)
					}
				}
			}
		}
		if !json.Valid(r.metadata) {
			t.Errorf("the metadata are no JSON: %s", r.metadata)
		}
	})
}
