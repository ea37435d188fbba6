package read

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/mapping"
)

const fullMapping = `
mapping: v1
harness: test
read:
  - format: lines
    frames: jsonl
    files: {state: ../state.json}
    beside: ["{name}/**", "notes-?.txt"]
    kind: type
    rules:
      call: {tool_call: {id: id, name: tool}}
      user: {user: text}
      result: {tool_result: {call: id, content: text, full: {name: file, in: ["{name}/results", ../more]}}}
`

const fullSession = `{"type":"user","text":"u"}
{"type":"call","id":"a","tool":"t"}
{"type":"call","id":"b","tool":"t"}
{"type":"call","id":"c","tool":"t"}
{"type":"call","id":"d","tool":"t"}
{"type":"result","id":"a","text":"part a","file":"/home/dev/results/a.txt"}
{"type":"result","id":"b","text":"part b","file":"C:\\results\\b.txt"}
{"type":"result","id":"c","text":"all of c"}
{"type":"result","id":"d","text":"part d","file":"../../../secret"}
`

// The whole of a result comes from the folders that the mapping names, whatever
// path the session states.
func TestFull(t *testing.T) {
	m := parse(t, fullMapping)
	long := strings.Repeat("long \"text\" ", 100) + "\xff"
	dir := store(t, map[string]string{
		"x/s[1].jsonl": fullSession, "x/s[1]/results/a.txt": long, "more/b.txt": "whole b",
		"secret": "secret", "x/s1/results/a.txt": "another session's",
	})
	o := Options{View: mapping.ActiveView}
	said, result := read(t, m, file(t, dir, "x/s[1].jsonl"), o)
	for _, want := range []string{"part a", "part b", "all of c", "part d"} {
		if !strings.Contains(said, want) {
			t.Errorf("without --full-results: no %q in %s", want, said)
		}
	}
	want := []Hazard{{Code: "persisted_result", Count: 3, Lines: []int{6, 7, 9}}}
	if diff := cmp.Diff(want, result.Hazards); diff != "" {
		t.Error(diff)
	}
	if want := []string{filepath.Join(dir, "x/s[1]/results/a.txt"), filepath.Join(dir, "more/b.txt")}; !slices.Equal(result.Full, want) {
		t.Errorf("files %q, want %q", result.Full, want)
	}

	o.FullResults, o.Normalize.MaxResult = true, -1
	said, result = read(t, m, file(t, dir, "x/s[1].jsonl"), o)
	for _, want := range []string{strings.Repeat(`long \"text\" `, 100) + "\ufffd", `"whole b"`, "all of c", "part d"} {
		if !strings.Contains(said, want) {
			t.Errorf("with --full-results: no %q in %s", want, said)
		}
	}
	want = []Hazard{{Code: "lineage_missing", Count: 1, Lines: []int{9}}}
	if diff := cmp.Diff(want, result.Hazards); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(said, "secret") || strings.Contains(said, "another") {
		t.Error("a file outside of the folders was read")
	}
}

// Parts are the session's files, what the mapping looks at, and what stands beside.
func TestParts(t *testing.T) {
	m := parse(t, fullMapping)
	dir := store(t, map[string]string{
		"x/s.jsonl": fullSession, "x/s/results/a.txt": "", "x/s/b": "", "x/notes-1.txt": "", "x/notes-10.txt": "",
		"state.json": "{}", "x/other.jsonl": "", "x/other/c": "",
	})
	parts, err := Parts(t.Context(), m, file(t, dir, "x/s.jsonl"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Part{
		{Path: "x/s.jsonl", Role: Own}, {Path: "state.json", Role: Stated},
		{Path: "x/s/b", Role: Attached}, {Path: "x/s/results/a.txt", Role: Attached}, {Path: "x/notes-1.txt", Role: Attached},
	}
	for i := range want {
		want[i].Path = filepath.Join(dir, want[i].Path)
	}
	if diff := cmp.Diff(want, parts); diff != "" {
		t.Error(diff)
	}
}
