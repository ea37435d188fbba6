package fxlog

import (
	"crypto/sha256"
	"encoding/hex"
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

// line is an event as a line; payload is what stands in its braces.
func line(seq int, kind, payload string) string {
	return fmt.Sprintf(`{"schema_version":1,"seq":%d,"timestamp_ms":%d,"event":{%q:{%s}}}`+"\n", seq, 1790000000000+seq, kind, payload)
}

const sessionHeader = `{ "schema_version":4, "id":"s-1", "workspace_root":"/home/dev/project" }`

func name(call, text string) string {
	return "result-terminal-" + half(call) + "-" + half(text) + ".txt"
}

func call(seq int, id string) string {
	return line(seq, "tool_call", `"call_id":"`+id+`","tool_name":"terminal"`)
}

func result(seq int, id, text string) string {
	return line(seq, "tool_result", fmt.Sprintf(`"call_id":%q,"tool_name":"terminal","artifact_ref":%q,"stored_bytes":%d`, id, name(id, text), len(text)))
}

// write makes a session: files by their paths below its folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "events.jsonl")
}

func input(t testing.TB, path string) *frame.Input {
	t.Helper()
	in, done, err := frame.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { done() })
	return in
}

// all reads a log to its end.
func all(in *frame.Input, o handler.Options) (texts []string, frames []frame.Frame, s frame.Stream, end func() error, err error) {
	s, end, err = Open(in, o)
	if err != nil {
		return nil, nil, nil, func() error { return nil }, err
	}
	for {
		f, err := s.Next()
		if err == io.EOF {
			return texts, frames, s, end, nil
		}
		if err != nil {
			return texts, frames, s, end, err
		}
		texts, frames = append(texts, string(f.Data)), append(frames, f)
	}
}

func TestFrames(t *testing.T) {
	text := "naïve\n\"quoted\" \u2028🚀"
	path := write(t, map[string]string{
		"session.json": sessionHeader,
		"events.jsonl": line(1, "user", `"text":"a"`) + call(2, "c1") + call(3, "c2") + "\n" + result(4, "c1", text) +
			line(5, "user", `"text":"b"`) + line(6, "anything", `"new":[1, 2]`) + `{"schema_version":1,"seq":7,"ev`,
		"tool-results/" + name("c1", text): text,
	})
	want := []string{
		`{"kind":"user","schema_version":1,"seq":1,"timestamp_ms":1790000000001,"payload":{"text":"a"}}`,
		`{"kind":"tool_call","schema_version":1,"seq":2,"timestamp_ms":1790000000002,"payload":{"call_id":"c1","tool_name":"terminal"}}`,
		`{"kind":"tool_call","schema_version":1,"seq":3,"timestamp_ms":1790000000003,"payload":{"call_id":"c2","tool_name":"terminal"}}`,
		`{"kind":"tool_result","schema_version":1,"seq":4,"timestamp_ms":1790000000004,"payload":{"call_id":"c1","tool_name":"terminal","artifact_ref":"` +
			name("c1", text) + `","stored_bytes":23},"result":"naïve\n\"quoted\" ` + "\u2028" + `🚀"}`,
		`{"kind":"user","schema_version":1,"seq":5,"timestamp_ms":1790000000005,"payload":{"text":"b"},"turn_open":true}`,
		`{"kind":"anything","schema_version":1,"seq":6,"timestamp_ms":1790000000006,"payload":{"new":[1, 2]}}`,
		`{"kind":"torn_line"}`,
		`{"kind":"open_turn"}`,
	}
	lines := []int{1, 2, 3, 5, 6, 7, 8, 8}
	got, frames, s, end, err := all(input(t, path), handler.Options{Session: "s-1"})
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("frames (-want +got):\n%s", diff)
	}
	if doc := string(s.Doc()); doc != `{"schema_version":4,"id":"s-1","workspace_root":"/home/dev/project"}` {
		t.Errorf("Doc = %s", doc)
	}
	for range 2 {
		for n := range frames {
			n = len(frames) - 1 - n
			f := frames[n]
			if f.Index != n || f.Line != lines[n] {
				t.Errorf("frame %d has index %d and line %d", n, f.Index, f.Line)
			}
			again, err := s.At(frame.Frame{Offset: f.Offset, Line: f.Line, Index: f.Index, Length: f.Length})
			if err != nil || string(again.Data) != want[n] || again.Line != f.Line || again.Index != n {
				t.Errorf("At(%d) = %+v (%s), %v", n, again, again.Data, err)
			}
		}
		if err := s.Rewind(); err != nil {
			t.Fatal(err)
		}
		for n := range want {
			f, err := s.Next()
			if err != nil || string(f.Data) != want[n] {
				t.Fatalf("frame %d of another pass = %s, %v", n, f.Data, err)
			}
		}
		if _, err := s.Next(); err != io.EOF {
			t.Errorf("after the last frame: %v", err)
		}
	}
}

func TestWithoutHeader(t *testing.T) {
	text := line(1, "user", `"text":"a"`) + line(2, "turn_completed", ``)
	for _, name := range []string{"-", "nowhere/events.jsonl"} {
		got, _, s, end, err := all(&frame.Input{Name: name, ReaderAt: strings.NewReader(text), Size: int64(len(text))}, handler.Options{})
		if err != nil || len(got) != 2 || s.Doc() != nil {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		end()
	}
}

func TestEmpty(t *testing.T) {
	path := write(t, map[string]string{"session.json": sessionHeader, "events.jsonl": ""})
	got, _, s, end, err := all(input(t, path), handler.Options{})
	if err != nil || len(got) != 0 || s.Doc() == nil {
		t.Errorf("%s, %v", got, err)
	}
	end()
}

func TestLimit(t *testing.T) {
	long := strings.Repeat("x", 300)
	path := write(t, map[string]string{
		"events.jsonl":                     line(1, "user", `"text":"`+long+long+`"`) + call(2, "c1") + result(3, "c1", long) + line(4, "turn_completed", ""),
		"tool-results/" + name("c1", long): long,
	})
	_, frames, _, end, err := all(input(t, path), handler.Options{Limits: frame.Options{MaxFrame: 290}})
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	var big []bool
	for _, f := range frames {
		big = append(big, f.TooBig)
		if f.TooBig != (f.Data == nil) {
			t.Errorf("frame %+v", f)
		}
	}
	if diff := cmp.Diff([]bool{true, false, true, false}, big); diff != "" {
		t.Errorf("too big (-want +got):\n%s", diff)
	}
}

func TestOtherSession(t *testing.T) {
	path := write(t, map[string]string{"session.json": sessionHeader, "events.jsonl": line(1, "user", `"text":"a"`)})
	_, _, err := Open(input(t, path), handler.Options{Session: "s-2"})
	var missing *handler.MissingError
	if !errors.As(err, &missing) || len(missing.Have) != 1 || missing.Have[0] != "s-1" {
		t.Errorf("error = %v", err)
	}
}

func TestForeign(t *testing.T) {
	for what, files := range map[string]map[string]string{
		"other lines":           {"events.jsonl": `{"type":"user"}` + "\n"},
		"no JSON":               {"events.jsonl": "text\n"},
		"another log":           {"events.jsonl": `{"schema_version":1,"log_generation":"0","seq":1,"event_id":"1","kind":"session_started","payload":{}}` + "\n"},
		"empty":                 {"events.jsonl": ""},
		"an older header":       {"events.jsonl": line(1, "user", ""), "session.json": `{"schema_version":1}`},
		"a header that is text": {"events.jsonl": line(1, "user", ""), "session.json": `text`},
	} {
		if _, _, err := Open(input(t, write(t, files)), handler.Options{}); !handler.IsForeign(err) {
			t.Errorf("%s: error = %v, want a foreign one", what, err)
		}
	}
	path := write(t, map[string]string{"events.jsonl": line(1, "user", ""), "session.json": `{"schema_version":3}`})
	if _, _, err := Open(input(t, path), handler.Options{}); err == nil || handler.IsForeign(err) || !strings.Contains(err.Error(), "schema 3") {
		t.Errorf("schema 3: error = %v", err)
	}
}

func TestErrors(t *testing.T) {
	user := line(1, "user", `"text":"a"`)
	answered := user + call(2, "c1") + result(3, "c1", "out")
	file := "tool-results/" + name("c1", "out")
	tests := []struct {
		name, log, want string
		files           map[string]string
	}{
		{"a gap", user + line(3, "assistant", ""), "line 2 of the log: the event has the number 3 where 2 should be", nil},
		{"a repetition", user + user, "the number 1 where 2 should be", nil},
		{"the first is missing", line(2, "user", ""), "the number 2 where 1 should be", nil},
		{"no JSON", user + "{\n" + line(2, "x", ""), "line 2 of the log: it is no JSON", nil},
		{"no number", user + `{"event":{"x":{}}}` + "\n", "line 2 of the log: it is no event", nil},
		{"no event", user + `{"seq":2}` + "\n", "there is not one kind", nil},
		{"two kinds", user + `{"seq":2,"event":{"a":{},"b":{}}}` + "\n", "there is not one kind", nil},
		{"no payload", user + `{"seq":2,"event":{"a":1}}` + "\n", "there is not one kind", nil},
		{"invalid UTF-8", user + line(2, "assistant", "\"text\":\"\xff\""), "line 2 of the log: it is not UTF-8", nil},
		{"a result without a call", user + result(2, "c1", ""), "answers no call", nil},
		{"two results", answered + result(4, "c1", "out"), "line 4 of the log: the result answers no call", map[string]string{file: "out"}},
		{"a result of an earlier turn", user + call(2, "c1") + line(3, "interrupted", "") + line(4, "user", "") + result(5, "c1", ""), "answers no call", nil},
		{"two calls with one id", user + call(2, "c1") + call(3, "c1"), "line 3 of the log: the call has no id, or one that another", nil},
		{"a call without id", user + line(2, "tool_call", ""), "the call has no id", nil},
		{"another tool", user + call(2, "c1") + line(3, "tool_result", `"call_id":"c1","tool_name":"other"`), "another tool", nil},
		{"no folder", answered, "line 3 of the log: the result's file is missing", nil},
		{"no file", answered, "is missing: tool-results/result-terminal-", map[string]string{"tool-results/other": ""}},
		{"another length", answered, "has 4 bytes and should have 3", map[string]string{file: "out\n"}},
		{"another content", answered, "another content", map[string]string{file: "OUT"}},
		{"of another call", strings.Replace(answered, half("c1"), half("c2"), 1), "another call", map[string]string{strings.Replace(file, half("c1"), half("c2"), 1): "out"}},
		{"a result that is not UTF-8", user + call(2, "c1") + result(3, "c1", "\xffut"), "not UTF-8", map[string]string{"tool-results/" + name("c1", "\xffut"): "\xffut"}},
		{"a size without a file", user + call(2, "c1") + line(3, "tool_result", `"call_id":"c1","tool_name":"terminal","artifact_ref":null,"stored_bytes":7`), "7 bytes and no file", nil},
		{"a folder as the file", answered, "a link, or none at all", map[string]string{file + "/x": ""}},
		{"a file as the folder", answered, "a link, or none at all", map[string]string{"tool-results": ""}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"session.json": sessionHeader, "events.jsonl": test.log}
			for name, text := range test.files {
				files[name] = text
			}
			wantError(t, write(t, files), test.want)
		})
	}
	for _, ref := range []string{"../session.json", "..", ".", "", "a/b", `a\\b`, "/etc/passwd", ".hidden", "a\\u0000b", strings.Repeat("x", 300)} {
		t.Run("path "+ref[:min(len(ref), 20)], func(t *testing.T) {
			log := user + call(2, "c1") + line(3, "tool_result", `"call_id":"c1","tool_name":"terminal","stored_bytes":1,"artifact_ref":"`+ref+`"`)
			wantError(t, write(t, map[string]string{"session.json": sessionHeader, "events.jsonl": log}), "not one in tool-results")
		})
	}
	t.Run("without a folder", func(t *testing.T) {
		_, _, _, end, err := all(&frame.Input{Name: "-", ReaderAt: strings.NewReader(answered), Size: int64(len(answered))}, handler.Options{})
		end()
		if err == nil || !strings.Contains(err.Error(), "read the log from its folder") {
			t.Errorf("error = %v", err)
		}
	})
}

func wantError(t *testing.T, path, want string) {
	t.Helper()
	_, _, _, end, err := all(input(t, path), handler.Options{})
	defer end()
	if e := (*trajectory.Error)(nil); !errors.As(err, &e) || e.Code != trajectory.InvalidInput || handler.IsForeign(err) || !strings.Contains(err.Error(), want) {
		t.Errorf("error = %v, want invalid_input with %q", err, want)
	}
}

// TestLinks leads results out of their folder, and round about into it.
func TestLinks(t *testing.T) {
	log := line(1, "user", `"text":"a"`) + call(2, "c1") + result(3, "c1", "out")
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("out"), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, link := range map[string]func(dir string) error{
		"a file elsewhere": func(dir string) error {
			return os.Symlink(secret, filepath.Join(dir, "tool-results", name("c1", "out")))
		},
		"a file in the folder": func(dir string) error {
			if err := os.WriteFile(filepath.Join(dir, "tool-results", "real"), []byte("out"), 0o600); err != nil {
				return err
			}
			return os.Symlink("real", filepath.Join(dir, "tool-results", name("c1", "out")))
		},
		"the folder": func(dir string) error {
			elsewhere := filepath.Dir(secret)
			if err := os.WriteFile(filepath.Join(elsewhere, name("c1", "out")), []byte("out"), 0o600); err != nil {
				return err
			}
			return errors.Join(os.RemoveAll(filepath.Join(dir, "tool-results")), os.Symlink(elsewhere, filepath.Join(dir, "tool-results")))
		},
	} {
		t.Run(what, func(t *testing.T) {
			path := write(t, map[string]string{"session.json": sessionHeader, "events.jsonl": log, "tool-results/other": ""})
			if err := link(filepath.Dir(path)); err != nil {
				t.Skip(err)
			}
			wantError(t, path, "a link, or none at all")
		})
	}
}

func TestHalf(t *testing.T) {
	sum := sha256.Sum256([]byte("call_1"))
	if got := half("call_1"); got != hex.EncodeToString(sum[:])[:16] {
		t.Errorf("half = %s", got)
	}
}

// TestSamples reads sessions from outside the project.
func TestSamples(t *testing.T) {
	logs, _ := filepath.Glob("../../../../shared/samples/*/schema4/.*/sessions/*/events.jsonl")
	if len(logs) == 0 {
		t.Skip("no samples here")
	}
	for _, path := range logs {
		texts, _, _, end, err := all(input(t, path), handler.Options{})
		if err != nil || len(texts) < 8 {
			t.Errorf("%s: %d frames, %v", path, len(texts), err)
		}
		end()
	}
}

// FuzzEvents takes bytes for a log, beside files that its results may name: it
// gives JSON, or an error that blames the input.
func FuzzEvents(f *testing.F) {
	dir := f.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "tool-results"), 0o700); err != nil {
		f.Fatal(err)
	}
	for name, text := range map[string]string{"session.json": sessionHeader, "tool-results/" + name("c1", "out"): "out", "tool-results/a": "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	path := filepath.Join(dir, "events.jsonl")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		f.Fatal(err)
	}
	f.Add(line(1, "user", `"text":"a"`) + call(2, "c1") + result(3, "c1", "out") + line(4, "turn_completed", "") + `{"torn`)
	f.Add(line(1, "user", "") + line(2, "user", "") + call(3, "x") + line(4, "tool_result", `"call_id":"x","tool_name":"terminal","artifact_ref":"a"`))
	f.Add(line(1, "tool_result", `"artifact_ref":"../session.json"`))
	f.Fuzz(func(t *testing.T, log string) {
		in := &frame.Input{Name: path, ReaderAt: strings.NewReader(log), Size: int64(len(log))}
		texts, frames, s, end, err := all(in, handler.Options{Limits: frame.Options{MaxFrame: 1 << 16}})
		defer end()
		if e := (*trajectory.Error)(nil); err != nil && !errors.As(err, &e) {
			t.Fatalf("error = %v (%T)", err, err)
		}
		for n, text := range texts {
			if !frames[n].TooBig && !json.Valid([]byte(text)) {
				t.Fatalf("no JSON: %s", text)
			}
			again, err := s.At(frames[n])
			if err != nil || string(again.Data) != text {
				t.Fatalf("At gives %s (%v) for %s", again.Data, err, text)
			}
		}
	})
}
