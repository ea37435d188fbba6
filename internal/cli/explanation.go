package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/value"
)

// explanation writes down what a read does, frame by frame.
type explanation struct {
	m      *engine.Mapping
	only   int  // line, or number of the frame where there are no lines; 0: all
	full   bool // records whole
	frames []*paragraph

	at    *paragraph      // nil: the frame at hand is not wanted
	stack []*mapping.Step // that the read is in
	event bool            // one was given and is not yet a record
}

// start takes the session's records.
func (x *explanation) start(*normalize.Plan) (normalize.Sink, error) { return x, nil }

// stand opens the paragraph of the frame at hand, and reports whether it is
// wanted.
func (x *explanation) stand(at read.At) bool {
	line, nth := at.Frame.Line, at.Index+1
	if x.only > 0 && x.only != line && (line > 0 || x.only != nth) {
		x.settle()
		x.at = nil
		return false
	}
	if x.at == nil || x.at.index != nth {
		x.settle()
		// What came in pieces becomes a record when it has ended, frames later.
		for _, p := range slices.Backward(x.frames) {
			if p.index == nth && p.line == line {
				x.at = p
				return true
			}
		}
		title := fmt.Sprintf("frame %d", nth)
		if line > 0 {
			title = fmt.Sprintf("line %d", line)
			if x.at != nil && x.at.line == line {
				title += fmt.Sprintf(", frame %d in it", nth-x.at.index)
			}
		}
		x.at = &paragraph{line: line, index: nth, title: title}
		x.frames = append(x.frames, x.at)
		x.stack = x.stack[:0]
	}
	return true
}

// printf adds a line at the depth of the steps that the read is in.
func (x *explanation) printf(format string, args ...any) {
	x.at.text.WriteString(strings.Repeat("  ", len(x.stack)+1))
	fmt.Fprintf(&x.at.text, format, args...)
	x.at.text.WriteByte('\n')
}

// settle says of the last event that it became no record.
func (x *explanation) settle() {
	if x.event && x.at != nil {
		x.printf("  no record")
	}
	x.event = false
}

// Rule notes the rule for a kind.
func (x *explanation) Rule(at read.At, kind string, r *mapping.Rule) {
	if !x.stand(at) {
		return
	}
	x.settle()
	x.leave(func(b *mapping.Block) bool { return hasRule(b, r) })
	x.printf("%s: rule %s (line %d)", kindName(kind), strings.Join(r.Kinds, ", "), r.Pos.Line)
}

// Step notes a step, its names and its condition.
func (x *explanation) Step(at read.At, st *mapping.Step, ran bool) {
	if !x.stand(at) {
		return
	}
	x.settle()
	x.leave(func(b *mapping.Block) bool { return hasStep(b, st) })
	for _, l := range st.Lets {
		x.printf("  let %s = %s", l.Name, show(at.Scope.Let(l.Slot)))
	}
	cond := ""
	if st.If != nil {
		cond = "if " + st.If.Source + seen(st.If.Source, at.Scope)
	}
	if !ran {
		x.printf("- line %d: %s: skipped, not %s", st.Pos.Line, verb(st), strings.TrimPrefix(cond, "if "))
		return
	}
	if cond != "" {
		cond = ", " + cond
	}
	x.printf("- line %d: %s%s", st.Pos.Line, verb(st), cond)
	if st.Block != nil {
		x.stack = append(x.stack, st)
	}
}

// Event waits for the record that it becomes.
func (x *explanation) Event(at read.At, _ *mapping.Step, _ *normalize.Event) {
	if x.stand(at) {
		x.event = true
	}
}

// Record notes a record.
func (x *explanation) Record(r *normalize.Record) error {
	if x.at == nil || !x.event {
		return nil // the meta record, which no frame alone gives
	}
	x.event = false
	line := string(r.AppendV1(nil))
	if !x.full {
		line = shorten(line, 160)
	}
	x.printf("  record %d: %s", r.Index, line)
	return nil
}

// Booked notes how a frame or a part of one ended, unless that goes without
// saying.
func (x *explanation) Booked(at read.At, kind, bucket, reason string) {
	if !x.stand(at) || bucket == read.Mapped {
		return
	}
	x.settle()
	if reason != "" {
		bucket += ": " + reason
	}
	x.printf("%s: %s", kindName(kind), bucket)
}

// leave takes the steps off the stack that the read is no longer in: holds says
// of a block whether the read is right in it.
func (x *explanation) leave(holds func(*mapping.Block) bool) {
	for len(x.stack) > 0 && !holds(x.stack[len(x.stack)-1].Block) {
		x.stack = x.stack[:len(x.stack)-1]
	}
}

func hasRule(b *mapping.Block, r *mapping.Rule) bool {
	for _, own := range b.Rules {
		if own == r {
			return true
		}
	}
	return false
}

func hasStep(b *mapping.Block, st *mapping.Step) bool {
	lists := [][]*mapping.Step{b.Before, b.Do}
	for _, r := range b.Rules {
		lists = append(lists, r.Steps)
	}
	for _, list := range lists {
		for _, own := range list {
			if own == st {
				return true
			}
		}
	}
	return false
}

func kindName(kind string) string {
	if kind == "" {
		return "no kind"
	}
	return kind
}

// verb is a step as a mapping would write its key.
func verb(st *mapping.Step) string {
	switch st.Verb {
	case mapping.Message:
		role := st.Event.Role
		if role == "" {
			role = "message"
		}
		if st.Join != nil {
			role += ", a piece of one"
		}
		return role
	case mapping.ToolCall:
		return "tool_call"
	case mapping.ToolResult:
		return "tool_result"
	case mapping.With:
		return "with " + st.Value.Source
	case mapping.Each:
		return "each " + st.Value.Source
	case mapping.Do:
		return "do"
	case mapping.Drop:
		return "drop " + st.Code
	case mapping.Ignore:
		return "ignore " + st.Code
	case mapping.Hazard:
		return "hazard " + st.Code
	}
	return "nothing"
}

// operand is a path in a condition whose value a person wants to see.
var operand = regexp.MustCompile(`\b(it|frame|doc|amendment)((?:\.[A-Za-z_][A-Za-z0-9_]*)+)(\(?)`)

// seen are the values of the paths in a condition: " (it.a.b: …, it.c: absent)".
func seen(source string, s *expr.Scope) string {
	roots := map[string]value.Value{"it": s.It, "frame": s.Frame, "doc": s.Doc, "amendment": s.Amendment}
	var parts []string
	known := map[string]bool{}
	for _, m := range operand.FindAllStringSubmatch(source, -1) {
		path := strings.Split(m[2][1:], ".")
		if m[3] != "" { // the last is a function
			path = path[:len(path)-1]
		}
		name := strings.Join(append([]string{m[1]}, path...), ".")
		if known[name] || len(path) == 0 {
			continue
		}
		known[name] = true
		v := roots[m[1]]
		for _, key := range path {
			v = v.Get(key)
		}
		parts = append(parts, name+": "+show(v))
	}
	if len(parts) == 0 {
		return ""
	}
	return "  (" + strings.Join(parts, ", ") + ")"
}

// show is a value for people.
func show(v value.Value) string {
	if !v.Exists() {
		return "absent"
	}
	return shorten(string(v.AppendJSON(nil)), 80)
}

// shorten cuts a line for people, in the middle.
func shorten(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most*2/3]) + " … " + string(r[len(r)-most/3:])
}
