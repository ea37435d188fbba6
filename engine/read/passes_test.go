package read

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
)

// counting counts the bytes that are read.
type counting struct {
	io.ReaderAt
	n int64
}

func (c *counting) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	c.n += int64(n)
	return n, err
}

// TestPasses reads a session no more often than it must: once to plan and once for
// the records, and once more where a rule got an answer that the rest of the
// session does not bear out.
func TestPasses(t *testing.T) {
	row := func(kind, more string) string {
		return fmt.Sprintf(`{"type":%q,"text":%q%s}`+"\n", kind, strings.Repeat("x", 1000), more)
	}
	rows := strings.Repeat(row("user", "")+row("assistant", ""), 1000)
	written := func(format string) string {
		return `
mapping: v1
harness: test
read:
  - format: lines
    native: none
    frames: jsonl
    kind: type
    ` + strings.ReplaceAll(strings.TrimSpace(format), "\n", "\n    ") + "\n"
	}
	const plain = `
rules:
  user: {user: text}
  assistant: {assistant: text}`
	const asks = `
session: {odd: {last: odd}}
rules:
  user: {if: session.odd == null, user: text}
  assistant: {assistant: text}`
	const adopts = `
adopt_call_ids: true
rules:
  user: {user: text}
  assistant:
    - {assistant: text}
    - {if: it.call != null, tool_call: {id: call.id, name: call.name}}
    - {if: it.result != null, tool_result: {call: result, content: text}}`
	const sorted = `
key: id
upsert: true
order: n
rules:
  user: {user: text}
  assistant: {assistant: text}`
	const tree = `
active: {tree: {id: id, parent: up}}
rules:
  user: {user: text}
  assistant: {assistant: text}`
	const treeAsks = `
session: {odd: {last: odd}}
active: {tree: {id: id, parent: up}}
rules:
  user: {if: session.odd == null, user: text}
  assistant: {assistant: text}`
	many := func(more func(i int) string) string {
		var b strings.Builder
		for i := range 2000 {
			b.WriteString(row("user", more(i)))
		}
		return b.String()
	}
	chain := row("user", `,"id":"-1"`) + many(func(i int) string { return fmt.Sprintf(`,"id":"%d","up":"%d"`, i, i-1) })
	inOrder := many(func(i int) string { return fmt.Sprintf(`,"id":"%d","n":%d`, i, i) })
	twice := many(func(i int) string { return fmt.Sprintf(`,"id":"%d","n":%d`, i/2, i) })
	for _, test := range []struct {
		name, format, text string
		passes             int
	}{
		{"no facts", plain, rows, 2},
		{"a fact that stays as it was", asks, rows, 2},
		{"a fact that changes before it is asked for", asks, row("assistant", `,"odd":1`) + row("user", "") + rows + row("user", ""), 2},
		{"a fact that changes in the end", asks, rows + row("assistant", `,"odd":1`), 3},
		{"ids of calls that are there", adopts, rows + row("assistant", `,"call":{"id":"a","name":"f"}`) + row("assistant", `,"result":"a"`), 2},
		// A pass for the ids, and the plan again.
		{"ids of calls that are not", adopts, rows + row("assistant", `,"call":{"name":"f"}`) + row("assistant", `,"result":"a"`), 4},
		{"frames in an order of theirs", sorted, rows, 3},
		{"frames that are in their order", sorted, inOrder, 2},
		{"frames that replace others", sorted, twice, 3},
		{"the active view, where there is none", plain, rows, 2},
		{"the active view of a chain", tree, chain, 2},
		{"the active view of a chain with a branch", tree, chain[:len(chain)/8] + row("user", `,"id":"x","up":"5"`) + chain[len(chain)/8:], 3},
		{"the active view, and a fact that changes in the end", treeAsks, chain + row("user", `,"id":"x","up":"1999","odd":1`) + row("user", `,"id":"y","up":"x"`), 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := &counting{ReaderAt: strings.NewReader(test.text)}
			in := &frame.Input{Name: "-", ReaderAt: source, Size: int64(len(test.text))}
			o := Options{}
			if strings.HasPrefix(test.name, "the active view") {
				o.View = mapping.ActiveView
			}
			o.Normalize.NoRoles = true
			read(t, parse(t, written(test.format)), in, o)
			// Detection, and what a window still holds, count for less than half a pass.
			if passes := int((source.n + in.Size/2) / in.Size); passes != test.passes {
				t.Errorf("%.2f passes, want %d", float64(source.n)/float64(in.Size), test.passes)
			}
		})
	}
}
