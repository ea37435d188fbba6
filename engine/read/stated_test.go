package read

import (
	"testing"

	"github.com/trajmap/trajmap/engine/mapping"
)

// TestStatedOfOthers has facts without frames that read gathered ones, facts of
// frames that read those in turn, and rules that ask before all is known.
func TestStatedOfOthers(t *testing.T) {
	m := parse(t, `
mapping: v1
harness: test
read:
  - format: lines
    frames: jsonl
    files: {side: side.json}
    session:
      spoken: {last: v, on: u}
      named: '= coalesce(files.side.name, session.spoken)'
      written: {first: text, of: side, if: it.who == session.named}
      same: {count: it.v == session.named}
    kind: k
    rules:
      u: {user: v}
      a: {assistant: '= "<" + str(session.named) + "," + str(session.written) + "," + str(session.same) + ">"'}
`)
	const lines = `{"k":"u","v":"x"}
{"k":"a"}
{"k":"u","v":"y"}
{"k":"u","v":"y"}
{"k":"a"}
`
	for _, view := range []mapping.View{mapping.Archive, mapping.ActiveView} {
		if got, want := said(t, m, lines, Options{View: view}), "x <y,,2> y y <y,,2>"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	dir := store(t, map[string]string{"s.jsonl": lines, "side.json": `[{"who":"x","text":"not this"},{"who":"y","text":"this"}]`})
	if got, want := saidOf(t, m, file(t, dir, "s.jsonl"), Options{}), "x <y,this,2> y y <y,this,2>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
