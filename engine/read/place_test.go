package read

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
)

// A summary stands where the harness puts it, not where it was written.
func TestPlace(t *testing.T) {
	const base = "u1 a2 x9 u3 a4"
	sum := func(gone, at string) string {
		return fmt.Sprintf(`{"k":"sum","id":"s","to":%s,"at":%s}`+"\n", gone, at)
	}
	for _, c := range []struct{ name, rules, input, want string }{
		{"behind so many", "edits: [{on: sum, hide: to, place: at}]", sum(`["a2"]`, "1"), "u1 s u3 a4 u5"},
		{"behind none", "edits: [{on: sum, hide: to, place: at}]", sum(`["a2"]`, "0"), "s u1 u3 a4 u5"},
		{"all count", "edits: [{on: sum, hide: to, place: at}]", sum(`["a2"]`, "3"), "u1 u3 s a4 u5"},
		{"only those among", `edits: [{on: sum, hide: to, place: at, among: it.k != "x"}]`, sum(`["a2"]`, "2"), "u1 u3 s a4 u5"},
		{"behind more than there are", "edits: [{on: sum, hide: to, place: at}]", sum(`["a2"]`, "99"), "u1 u3 a4 s u5"},
		{"without a place the end", "edits: [{on: sum, hide: to, place: at}]", sum(`["a2"]`, "null"), "u1 u3 a4 s u5"},
		{"no place", "edits: [{on: sum, hide: to, place: at}]", sum(`["a2"]`, "-1"), "u1 u3 a4 s u5"},
		{"after an undo", "edits: [{on: sum, undo: to, place: at}]", sum("1", "1"), "u1 s a2 u5"},
		{"keep all but the first", "edits: [{on: sum, reset: {keep_after: to, kept: after}}]", sum("3", "null"), "s u3 a4 u5"},
		{"before it", "edits: [{on: sum, reset: {keep_after: to}}]", sum("3", "null"), "u3 a4 s u5"},
		{"of those among", `edits: [{on: sum, reset: {keep_after: to, kept: after}, among: it.k == "u"}]`, sum("1", "null"), "s u3 a4 u5"},
		{"all", "edits: [{on: sum, reset: {keep_after: to, kept: after}}]", sum("0", "null"), "s u1 a2 u3 a4 u5"},
		{"none", "edits: [{on: sum, reset: {keep_after: to, kept: after}}]", sum("99", "null"), "s u5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := active(t, c.rules, "")
			if got := said(t, m, frames(base)+c.input+frames("u5"), Options{View: mapping.ActiveView}); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestLinear(t *testing.T) {
	const rules = `tree: {id: id, parent: p, linear: true, leaf_if: it.k != "x"}`
	for _, c := range []struct{ name, input, want string }{
		{"no parents at all", "u1 a2 u3", "u1 a2 u3"},
		{"parents from some frame on", "u1 a2 u3<a2 a4<u3", "u1 a2 u3 a4"},
		{"a branch of what had none", "u1 a2 u3 a4 u5<a2", "u1 a2 u5"},
		{"a root that says so", "u1 a2 u3<none a4<u3", "u3 a4"},
		{"a leaf that does not count", "u1 a2 u3<a2 x4<u3", "u1 a2 u3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := said(t, active(t, rules, ""), frames(c.input), Options{View: mapping.ActiveView}); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// The leaf may be named in a file beside the session.
func TestStatedLeaf(t *testing.T) {
	m := active(t, `tree: {id: id, parent: p, leaf: '= files.state.empty == true ? "" : files.state.leaf'}`, "files: {state: state.json}")
	for _, c := range []struct{ name, state, want string }{
		{"a frame", `{"leaf":"a2"}`, "u1 a2"},
		{"one that is not there", `{"leaf":"a9"}`, "u1 a3"},
		{"none", `{}`, "u1 a3"},
		{"no JSON", `{`, "u1 a3"},
		{"nothing is active", `{"empty":true}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := store(t, map[string]string{"state.json": c.state, "s.jsonl": frames("u1 a2<u1 a3<u1")})
			var texts []string
			sink := sinkFunc(func(r *normalize.Record) error {
				if d := r.Decode(); d.Type != normalize.MetaRecord {
					texts = append(texts, d.Content)
				}
				return nil
			})
			_, err := New(m).Read(t.Context(), file(t, dir, "s.jsonl"), Options{View: mapping.ActiveView},
				func(*normalize.Plan) (normalize.Sink, error) { return sink, nil })
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(texts, " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
