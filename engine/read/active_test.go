package read

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/mapping"
)

// active is a mapping whose frames are {k: kind, id, p: parent, ...} and say
// their id; what stands under `active:` is the case's.
func active(t *testing.T, rules, extra string) *mapping.Mapping {
	t.Helper()
	indent := func(text, by string) string {
		return by + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+by)
	}
	return parse(t, fmt.Sprintf(`mapping: v1
harness: made-up
read:
  - format: lines
    native: none
    frames: jsonl
    key: id
%s
    kind: k
    ignored: [x, mark]
    rules:
      u: {user: id}
      a: {assistant: id}
      sum: [{view: active, user: id}]
      edit: []
    active:
%s
`, indent(extra, "    "), indent(rules, "      ")))
}

const tree = "tree: {id: id, parent: p, tip: true}\n"

func TestTree(t *testing.T) {
	for _, c := range []struct{ name, rules, input, want string }{
		{"one chain", tree, "u1 a2<u1 u3<a2", "u1 a2 u3"},
		{"the later branch", tree, "u1 a2<u1 a3<u1", "u1 a3"},
		{"two roots", tree, "u1 a2<u1 u3 a4<u3", "u3 a4"},
		{"an unknown parent is a root", tree, "u1 a2<u1 u3<gone a4<u3", "u3 a4"},
		{"a cycle ends the way", tree, "u1<a2 a2<u1 u3<a2", "u1 a2 u3"},
		{"a cycle has no tip", tree, "u1<a2 a2<u1", ""},
		{"its own parent", tree, "u1<u1 a2<u1", "u1 a2"},
		{"out of order", tree, "a2<u1 u3<a2 u1", "u1 a2 u3"},
		{"without tip the last frame is the leaf", "tree: {id: id, parent: p}", "a2<u1 u1", "u1"},
		{"an id twice: the later one", tree, "u1 a2<u1 a2<u1 u3<a2", "u1 a2 u3"},
		{"a leaf that does not count", "tree: {id: id, parent: p, leaf_if: it.k != \"x\"}", "u1 a2<u1 x3<u1", "u1 a2"},
		{"frames outside the tree stay", "tree: {id: id, parent: p, nodes: it.k != \"sum\"}", "sum9 u1 a2<u1 a3<u1", "sum9 u1 a3"},
		{"siblings come back with what hangs under them", "tree: {id: id, parent: p, tip: true, with: m}",
			"u1 a2<u1:m a3<a2:m u4<a2 u5<a3 a6<u5", "u1 a2 a3 u4 u5 a6"},
		{"but not what was tried under the last of them", "tree: {id: id, parent: p, tip: true, with: m}",
			"u1 a2<u1:m a3<a2:m u4<a3 u5<a3", "u1 a2 a3 u5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := active(t, c.rules, "")
			if got := said(t, m, frames(c.input), Options{View: mapping.ActiveView}); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestPointer(t *testing.T) {
	rules := "tree: {id: id, parent: p, tip: true, nodes: it.k != \"mark\", pointer: {on: mark, leaf: leaf, exact: exact}}"
	mark := func(leaf, exact string) string {
		return fmt.Sprintf(`{"k":"mark","leaf":%s,"exact":%s}`+"\n", leaf, exact)
	}
	chain := frames("u1 a2<u1 u3<a2 a4<u3")
	for _, c := range []struct{ name, input, want string }{
		{"on the chain: nothing", chain + mark(`"a2"`, "false"), "u1 a2 u3 a4"},
		{"off the chain: it wins over newer frames", frames("u1 a2<u1") + mark(`"a2"`, "false") + frames("a3<u1"), "u1 a2"},
		{"exact: cut there", chain + mark(`"a2"`, "true"), "u1 a2"},
		{"exact: what was added under it afterwards", chain + mark(`"a2"`, "true") + frames("u5<a2 a6<u5"), "u1 a2 u5 a6"},
		{"exact and null: empty", chain + mark("null", "true"), ""},
		{"null alone: nothing", chain + mark("null", "false"), "u1 a2 u3 a4"},
		{"unknown: nothing", chain + mark(`"gone"`, "true"), "u1 a2 u3 a4"},
		{"the last one counts", chain + mark(`"a2"`, "true") + mark(`"u3"`, "true"), "u1 a2 u3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := said(t, active(t, rules, ""), c.input, Options{View: mapping.ActiveView}); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestRepair(t *testing.T) {
	rules := "tree: {id: id, parent: p, tip: true, repair: {time: t, within: 5s, same: s}}"
	row := func(id, parent string, seconds int, same string) string {
		return fmt.Sprintf(`{"k":"%s","id":"%s","p":"%s","t":"2026-01-01T00:00:%02dZ","s":%s}`+"\n", id[:1], id, parent, seconds, same)
	}
	for _, c := range []struct{ name, input, want string }{
		{"soon after", row("u1", "", 0, "1") + row("a2", "gone", 5, "1"), "u1 a2"},
		{"too late", row("u1", "", 0, "1") + row("a2", "gone", 6, "1"), "a2"},
		{"of another kind", row("u1", "", 0, "1") + row("a2", "gone", 1, "2"), "a2"},
		{"back in time", row("u1", "", 9, "1") + row("a2", "gone", 8, "1"), "a2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := said(t, active(t, rules, ""), c.input, Options{View: mapping.ActiveView}); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestEdits(t *testing.T) {
	edit := func(id string) string { return fmt.Sprintf(`{"k":"edit","id":"e","to":%s}`+"\n", id) }
	sum := func(id string) string { return fmt.Sprintf(`{"k":"sum","id":"s","to":%s}`+"\n", id) }
	base := frames("u1 a2 u3 a4")
	for _, c := range []struct{ name, rules, input, want string }{
		{"reset", "edits: [{on: sum, reset: true}]", base + sum("null") + frames("u5"), "s u5"},
		{"keep, also what is not live", "edits: [{on: edit, cut: to}, {on: sum, reset: {keep: to, kept: after}}]",
			base + edit(`"u3"`) + sum(`["a2","u3"]`), "s a2 u3"},
		{"keep from", "edits: [{on: sum, reset: {keep_from: to, kept: after}}]", base + sum(`"u3"`), "s u3 a4"},
		{"keep from, before it", "edits: [{on: sum, reset: {keep_from: to}}]", base + sum(`"u3"`), "u3 a4 s"},
		{"keep from what is gone", "edits: [{on: sum, reset: {keep_from: to}}]", base + sum(`"x"`), "s"},
		{"keep if", "edits: [{on: sum, reset: {keep_if: it.k == \"u\"}}]", base + sum("null"), "u1 u3 s"},
		{"undo", "edits: [{on: edit, undo: to}]", base + edit("1") + frames("u5"), "u1 a2 u5"},
		{"undo more than there are", "edits: [{on: edit, undo: to}]", base + edit("9") + frames("u5"), "u5"},
		{"undo nothing", "edits: [{on: edit, undo: to}]", base + edit("null"), "u1 a2 u3 a4"},
		{"cut", "edits: [{on: edit, cut: to}]", base + edit(`"a2"`) + frames("u5"), "u1 u5"},
		{"cut at what is unknown: all", "edits: [{on: edit, cut: to}]", base + edit(`"x"`) + frames("u5"), "u5"},
		{"hide", "edits: [{on: edit, hide: to}]", base + edit(`["u1","a4"]`), "a2 u3"},
		{"hide itself", "edits: [{on: a, if: it.id == \"a4\", hide: id}]", base, "u1 a2 u3"},
		{"end", "edits: [{on: u, if: it.id == \"u3\", end: true}]", base + frames("u5"), "u1 a2"},
		{"the first that matches", "edits: [{on: u, if: it.id == \"u3\", end: true}, {on: u, reset: true}]", base, "u1 a2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := said(t, active(t, c.rules, ""), c.input, Options{View: mapping.ActiveView}); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAmend(t *testing.T) {
	m := parse(t, `mapping: v1
harness: made-up
read:
  - format: lines
    native: none
    frames: jsonl
    key: id
    kind: k
    rules:
      u:
        - {if: amendment != null && amendment.text == null, ignore: hidden}
        - user: [= amendment.text, id]
      a: {assistant: id}
      edit: []
    active:
      edits: [{on: edit, amend: to}]
`)
	in := frames("u1 a2 u3 u4") +
		`{"k":"edit","to":"u1","text":"new"}` + "\n" + `{"k":"edit","to":"u3"}` + "\n" +
		`{"k":"edit","to":"u4"}` + "\n" + `{"k":"edit","to":"u4","text":"again"}` + "\n"
	if got, want := said(t, m, in, Options{View: mapping.ActiveView}), "new a2 again"; got != want {
		t.Errorf("active: got %q, want %q", got, want)
	}
	if got, want := said(t, m, in, Options{}), "u1 a2 u3 u4"; got != want {
		t.Errorf("archive: got %q, want %q", got, want)
	}
}

func TestUpsertAndOrder(t *testing.T) {
	upsert := active(t, "edits: []", "upsert: true")
	in := frames("u1 a2") + `{"k":"u","id":"u1","v":2}` + "\n" + frames("u3")
	if got, want := said(t, upsert, in, Options{}), "u1 a2 u3"; got != want {
		t.Errorf("upsert: got %q, want %q", got, want)
	}
	order := active(t, "edits: []", "order: n")
	in = `{"k":"a","id":"a2","n":2}` + "\n" + `{"k":"u","id":"u1","n":1}` + "\n"
	if got, want := said(t, order, in, Options{}), "u1 a2"; got != want {
		t.Errorf("order: got %q, want %q", got, want)
	}
	if got, want := said(t, order, in+frames("u3"), Options{}), "a2 u1 u3"; got != want {
		t.Errorf("a frame without a number: got %q, want %q", got, want)
	}
}

// TestBooks counts what the active view leaves out.
func TestBooks(t *testing.T) {
	m := active(t, tree, "")
	_, result := read(t, m, input(frames("u1 a2<u1 a3<u1 x4<a3")), Options{View: mapping.ActiveView})
	var inactive int
	for _, h := range result.Hazards {
		if h.Code == "inactive_branch" {
			inactive = h.Count
		}
	}
	if inactive != 1 {
		t.Errorf("%d frames with events are inactive, want 1", inactive)
	}
	frames := 0
	for _, e := range result.Ledger.Entries {
		frames += e.Count
	}
	if frames != 4 || result.Ledger.Frames != 4 {
		t.Errorf("the ledger books %d of %d frames, want 4 of 4", frames, result.Ledger.Frames)
	}
}

// frames writes frames for "k1 k2<parent k3<parent:with", whose kind is the
// first letter of their id, or "sum".
func frames(list string) string {
	var b strings.Builder
	for _, f := range strings.Fields(list) {
		f, with, _ := strings.Cut(f, ":")
		id, parent, _ := strings.Cut(f, "<")
		kind := strings.TrimRight(id, "0123456789")
		fmt.Fprintf(&b, `{"k":%q,"id":%q`, kind, id)
		if parent != "" {
			fmt.Fprintf(&b, `,"p":%q`, parent)
		}
		if with != "" {
			fmt.Fprintf(&b, `,"m":%q`, with)
		}
		b.WriteString("}\n")
	}
	return b.String()
}
