package read

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/trajectory"
)

func hazardsOf(result *Result) string {
	var list []string
	for _, h := range result.Hazards {
		text := fmt.Sprint(h.Code, " ", h.Count)
		if len(h.Lines) > 0 {
			text += fmt.Sprint(" ", h.Lines)
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// What is said of the session as a whole does not hang on a frame that the view
// leaves out, or on there being one.
func TestOnce(t *testing.T) {
	m := parse(t, `
mapping: v1
harness: test
native:
  doc: {items: [any], parent: str, notes: [any]}
  frame: {k: str!, text: str}
read:
  - format: document
    frames: {json: items}
    session: {asked: {count: it.k == "u"}}
    once:
      - {if: doc.parent != null && line == 0, hazard: subagent}
      - {if: session.asked > 1, hazard: steering}
      - {view: active, hazard: rewind}
      - {each: notes, kind: k, ignored: [known]}
    kind: k
    rules: {u: {user: text}, a: {assistant: text}, sum: {hazard: compaction}}
    active: {edits: [{on: sum, reset: true}]}
`)
	text := `{"parent":"p","notes":[{"k":"known"},{"k":"new"}],"items":[{"k":"u","text":"1"},{"k":"a","text":"2"},{"k":"u","text":"3"},{"k":"sum"}]}`
	for view, want := range map[mapping.View]string{
		mapping.Archive:    "compaction 1, subagent 1, steering 1",
		mapping.ActiveView: "inactive_branch 3, compaction 1, subagent 1, steering 1, rewind 1",
	} {
		_, result := read(t, m, input(text), Options{View: view})
		if got := hazardsOf(result); got != want {
			t.Errorf("%v: %s, want %s", view, got, want)
		}
		booked := map[string]int{}
		for _, e := range result.Ledger.Entries {
			booked[e.Bucket+" "+e.Kind] = e.Count
		}
		if booked["ignored known"] != 1 || booked["unmapped new"] != 1 {
			t.Errorf("%v: the ledger has %v", view, booked)
		}
	}
	_, result, err := tryRead(m, input(`{"parent":"p","items":[]}`), Options{})
	if e, ok := err.(*trajectory.Error); !ok || e.Code != trajectory.MissingUserRecords {
		t.Errorf("a document without frames: %v", err)
	}
	if got := hazardsOf(result); got != "subagent 1" {
		t.Errorf("of a document without frames: %s", got)
	}
}

// An edit says what it took out, unless that is out for another reason too.
func TestEditHazards(t *testing.T) {
	edit := func(id string) string { return fmt.Sprintf(`{"k":"edit","id":"e","to":%s}`+"\n", id) }
	sum := func(id string) string { return fmt.Sprintf(`{"k":"sum","id":"s","to":%s}`+"\n", id) }
	const fail = `{if: it.id == "a2" || it.id == "a4", hide: id, hazard: error_turn}`
	base := frames("u1 a2 u3 a4 u5")
	for _, c := range []struct{ name, rules, input, want string }{
		{"hidden", "edits: [" + fail + "]", base, "error_turn 2 [2 4]"},
		{"a reset after it", "edits: [" + fail + ", {on: sum, reset: true}]", base + sum("null"), ""},
		{"a reset that keeps what is behind it", "edits: [" + fail + ", {on: sum, reset: {keep_from: to}}]", base + sum(`"u3"`), "error_turn 1 [4]"},
		{"a cut before it", "edits: [" + fail + ", {on: edit, cut: to, hazard: rewind}]", base + edit(`"u3"`), "error_turn 1 [2], rewind 1 [6]"},
		{"an undo over it", "edits: [" + fail + ", {on: edit, undo: to}]", base + edit("2"), "error_turn 1 [2]"},
		{"the end", "edits: [" + fail + ", {on: u, if: it.id == \"u3\", end: true, hazard: rewind}]", base, "error_turn 1 [2], rewind 1 [3]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := active(t, c.rules, "")
			_, result := read(t, m, input(c.input), Options{View: mapping.ActiveView})
			var got []string
			for _, h := range strings.Split(hazardsOf(result), ", ") {
				if !strings.HasPrefix(h, "inactive_branch") {
					got = append(got, h)
				}
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if _, result := read(t, m, input(c.input), Options{}); hazardsOf(result) != "" {
				t.Errorf("the archive has %s", hazardsOf(result))
			}
		})
	}
}
