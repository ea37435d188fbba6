package read

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
)

// TestStraight holds the plan that is made on the way against the one that is made
// of all frames: a line that is no JSON, at the end, makes a session take that way.
func TestStraight(t *testing.T) {
	const rules = `
mapping: v1
harness: test
read:
  - format: lines
    native: none
    frames: jsonl
    kind: k
    rules: {u: {user: text}, a: {assistant: text}, cut: {ignore: done}, leaf: {ignore: done}}
`
	formats := map[string]*mapping.Mapping{}
	for name, more := range map[string]string{
		"tree":   `active: {tree: {id: id, parent: up}}`,
		"leaf":   `active: {tree: {id: id, parent: up, leaf_if: it.k == "a"}}`,
		"linear": `active: {tree: {id: id, parent: up, linear: true}, edits: [{on: cut, cut: up}]}`,
		"key":    "key: id\n    upsert: true\n    active: {edits: [{on: cut, undo: n}]}",
		"order":  "key: id\n    upsert: true\n    order: n",
	} {
		formats[name] = parse(t, rules+"    "+more+"\n")
	}
	read := func(m *mapping.Mapping, text string, view mapping.View) (string, string) {
		records, result, err := tryRead(m, input(text), Options{View: view, Normalize: normalize.Options{NoRoles: true}})
		booked := ""
		if result != nil {
			for _, e := range result.Ledger.Entries {
				booked += fmt.Sprintln(e.Kind, e.Bucket, e.Reason, e.Count)
			}
			booked += fmt.Sprintln(result.Ledger.Frames, hazardsOf(result))
		}
		return fmt.Sprintln(records, err != nil), booked
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"tree", "leaf", "linear", "key", "order"}).Draw(t, "format")
		view := rapid.SampledFrom([]mapping.View{mapping.Archive, mapping.ActiveView}).Draw(t, "view")
		var b strings.Builder
		last := ""
		for i := range rapid.IntRange(1, 8).Draw(t, "rows") {
			// Mostly a chain, in order.
			id, up, n, kind := fmt.Sprint(i), last, i, "u"
			if rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
				id = rapid.SampledFrom([]string{"", "0", "1", "2"}).Draw(t, "id")
			}
			if rapid.IntRange(0, 9).Draw(t, "astray") == 0 {
				up = rapid.SampledFrom([]string{"", "0", "1", "9"}).Draw(t, "up")
			}
			if rapid.IntRange(0, 9).Draw(t, "back") == 0 {
				n = rapid.IntRange(0, 9).Draw(t, "n")
			}
			if rapid.IntRange(0, 2).Draw(t, "other") == 0 {
				kind = rapid.SampledFrom([]string{"a", "a", "a", "cut"}).Draw(t, "kind")
			}
			fmt.Fprintf(&b, `{"k":%q,"text":"%d","id":%q,"up":%q,"n":%d}`+"\n", kind, i, id, up, n)
			if id != "" {
				last = id
			}
		}
		m := formats[name]
		said, booked := read(m, b.String(), view)
		wantSaid, wantBooked := read(m, b.String()+"}\n", view)
		if diff := cmp.Diff(wantSaid+wantBooked, said+booked); diff != "" {
			t.Errorf("%s, view %v, of\n%s%s", name, view, b.String(), diff)
		}
	})
}
