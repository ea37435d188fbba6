package read

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
)

// store writes files below a new folder.
func store(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// file opens a file for a read.
func file(t *testing.T, parts ...string) *frame.Input {
	t.Helper()
	in, done, err := frame.Open(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { done() })
	return in
}

// A log beside the session says how calls ended.
func TestFactsOfAFile(t *testing.T) {
	m := parse(t, `
mapping: v1
harness: test
read:
  - format: lines
    frames: jsonl
    files: {log: logs/events.jsonl, state: state.json}
    session:
      ended: {map: outcome, key: id, of: log, if: it.type == "end"}
      failed: {any: it.outcome == "error", of: log}
      starts: {count: it.type == "start", of: log}
      tool: {first: tool, of: log}
      seen: {last: tool, of: log}
      branch: {most: branch, of: state}
      model: = session.tool
      cwd: '= session.seen + " " + session.branch'
    kind: type
    rules:
      user: {user: '= str(it.text) + (session.failed && session.starts == 2 ? "?" : "")'}
      call: {tool_call: {id: id, name: name}}
      result: {tool_result: {call: id, content: text, ok: '= status(session.ended[str(it.id)], ["success"], ["error"])'}}
`)
	const session = `{"type":"user","text":"Go"}
{"type":"call","id":"c1","name":"run"}
{"type":"result","id":"c1","text":"a"}
{"type":"call","id":"c2","name":"run"}
{"type":"result","id":"c2","text":"b"}
{"type":"call","id":"c3","name":"run"}
{"type":"result","id":"c3","text":"c"}`
	dir := store(t, map[string]string{
		"s.jsonl": session,
		"logs/events.jsonl": `{"type":"start","id":"c1","tool":"run"}
{"type":"end","id":"c1","outcome":"success"}

not JSON
[]
{"type":"start","id":"c2","tool":"run"}
{"type":"end","id":"c2","outcome":"error","tool":"walk"}
{"type":"end","id":"c3","outco`,
		"state.json":    `[{"branch":"a"},{"branch":"b"},{"branch":"b"}]`,
		"alone/s.jsonl": session,
	})
	got, _ := read(t, m, file(t, dir, "s.jsonl"), Options{})
	for _, want := range []string{
		`"model":"run"`, `"cwd":"walk b"`, `"content":"Go?"`,
		`"tool_call_id":"c1","content":"a","ok":true`, `"tool_call_id":"c2","content":"b","ok":false`, `"tool_call_id":"c3","content":"c","timestamp"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if got, _ := read(t, m, file(t, dir, "alone/s.jsonl"), Options{}); strings.Contains(got, `"ok"`) || !strings.Contains(got, `"content":"Go"`) {
		t.Errorf("without the log:\n%s", got)
	}
	active, _ := read(t, m, file(t, dir, "s.jsonl"), Options{View: mapping.ActiveView})
	if diff := cmp.Diff(got, active); diff != "" {
		t.Errorf("the active view differs (-archive +active):\n%s", diff)
	}
}

// Where a session has a folder and a file named after it, so have its other files.
func TestFilesNamedAfterTheInput(t *testing.T) {
	m := parse(t, `
mapping: v1
harness: test
read:
  - format: lines
    frames: jsonl
    files: {above: ../index.json, same: "{name}.meta.json", folder: "{folder}.json", broken: "{name}.json"}
    do:
      user: '= [files.above, files.same, files.folder, files.broken].filter(f, f != null).map(f, str(f.a)).join(" ")'
`)
	dir := store(t, map[string]string{
		"index.json":      `{"a":"above"}`,
		"s1/x.meta.json":  `{"a":"same"}`,
		"s1/s1.json":      `{"a":"folder"}`,
		"s1/x.json":       `{"a":"`,
		"s1/x.log.jsonl":  `{}`,
		"s2/y.meta.json":  `{"a":"other"}`,
		"s2/x.meta.jsonl": `{}`,
	})
	for input, want := range map[string]string{"s1/x.log.jsonl": "above same folder", "s2/x.meta.jsonl": "above"} {
		got, _ := read(t, m, file(t, dir, input), Options{View: mapping.ActiveView})
		if !strings.Contains(got, `"content":"`+want+`"`) {
			t.Errorf("%s gives %s want %q", input, got, want)
		}
	}
}
