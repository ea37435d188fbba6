package read

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
)

// silent is a trace, which makes a read run all rules for its last pass.
type silent struct{}

func (silent) Rule(At, string, *mapping.Rule)            {}
func (silent) Step(At, *mapping.Step, bool)              {}
func (silent) Event(At, *mapping.Step, *normalize.Event) {}
func (silent) Booked(At, string, string, string)         {}

// TestReplay compares what is replayed from the log with what the rules give
// when they run again, on the golden cases of every mapping.
func TestReplay(t *testing.T) {
	files, _ := filepath.Glob("../../mappings/*.yaml")
	if len(files) == 0 {
		t.Fatal("no mappings found")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, found := mapping.Parse(file, data)
		if found.Err() != nil {
			t.Fatal(found.Err())
		}
		inputs, _ := filepath.Glob("../../testdata/" + m.Harness + "/*/input.*")
		for _, path := range inputs {
			for _, view := range []mapping.View{mapping.Archive, mapping.ActiveView} {
				in, closer, err := frame.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				o := Options{View: view}
				replayed, a, err1 := tryRead(m, in, o)
				o.Trace = silent{}
				rerun, b, err2 := tryRead(m, in, o)
				closer()
				if (err1 == nil) != (err2 == nil) {
					t.Fatalf("%s: replayed: %v, run again: %v", path, err1, err2)
				}
				if replayed != rerun {
					t.Errorf("%s: records (-run again +replayed):\n%s", path, cmp.Diff(rerun, replayed))
				}
				if a != nil && b != nil {
					if diff := cmp.Diff(b.Diagnostics, a.Diagnostics); diff != "" {
						t.Errorf("%s: diagnostics (-run again +replayed):\n%s", path, diff)
					}
				}
			}
		}
	}
}

// TestReplayMixed has frames that are replayed, frames that are run again for a
// long computed text, and counts that go on over both.
func TestReplayMixed(t *testing.T) {
	m := parse(t, `mapping: v1
harness: made-up
read:
  - format: lines
    native: none
    frames: jsonl
    event: {record: id, time: t}
    kind: k
    rules:
      u: {user: text}
      a:
        - each: parts
          do:
            - assistant: {content: = str(it.text) + str(it.more), sequence: = ordinal}
            - tool_call: {id: call, name: {const: f}, args: args}
      r: {tool_result: {call: call, content: text, ok: ok}}
`)
	long := ""
	for range 40 {
		long += "long é \\u00e9 \\ud83d\\ude00 "
	}
	in := `{"k":"u","id":"1","text":"Hello\/ \u00e9","t":"2026-01-01T00:00:00Z"}
{"k":"a","id":"2","t":1767225600001,"parts":[{"text":"x"},{"text":"y","call":"c1","args":{"b":1.0,"a":" "}}]}
{"k":"a","id":"3","parts":[{"text":"` + long + `","more":"!"},{"text":"z","call":"c2","args":"not json"}]}
{"k":"r","call":"c2","text":["` + long + `"],"ok":false}
{"k":"r","call":"c1","text":{"n":1},"ok":true}
{"k":"a","id":"4","parts":[{"text":"end"}]}
`
	replayed, _ := read(t, m, input(in), Options{})
	rerun, _ := read(t, m, input(in), Options{Trace: silent{}})
	if diff := cmp.Diff(rerun, replayed); diff != "" {
		t.Errorf("-run again +replayed:\n%s", diff)
	}
}
