package mapping

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// verbs are the keys that make a step do something, apart from blocks.
var verbs = map[string]Verb{
	"user": Message, "assistant": Message, "system": Message, "reasoning": Message, "observation": Message,
	"message": Message, "tool_call": ToolCall, "tool_result": ToolResult,
	"with": With, "each": Each, "drop": Drop, "ignore": Ignore, "hazard": Hazard,
}

// inBlock are the keys that a block consists of.
var inBlock = map[string]bool{
	"before": true, "kind": true, "rules": true, "ignored": true, "unmapped": true, "do": true, "use": true,
}

// reserved are the names that `let` cannot take.
var reserved = map[string]bool{
	"it": true, "frame": true, "doc": true, "amendment": true, "file": true, "files": true, "session": true, "line": true, "index": true, "ordinal": true,
	"true": true, "false": true, "null": true, "in": true,
}

// steps reads a step or a list of steps; n may be nil.
func (d *decoder) steps(n *yaml.Node, s scope) []*Step {
	if n == nil || n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		return nil
	}
	if n.Kind == yaml.ScalarNode {
		if !d.trapped(n) {
			d.errorf(diag.WrongForm, n, "expected a step or a list of steps, found %s", found(n)).Hint = "[] when there is nothing to do"
		}
		return nil
	}
	var list []*Step
	for _, item := range items(n) {
		if st := d.step(item, s); st != nil {
			list = append(list, st)
		}
	}
	return list
}

func (d *decoder) step(n *yaml.Node, s scope) *Step {
	o := d.object(n, "step")
	if o == nil {
		return nil
	}
	st := &Step{Pos: pos(n), Versions: d.versions(o), View: viewOf(o)}
	if d.trial == nil {
		st.ID = len(d.m.Steps)
		d.m.Steps = append(d.m.Steps, st)
	}
	if lets := o.at("let"); lets != nil {
		s = d.let(st, lets, s)
	}
	st.If = d.condition(o.at("if"), s)
	d.verb(st, o, s)
	if key := o.keyAt("verdict"); key != nil && st.Verb != Hazard {
		d.errorf(diag.Conflict, key, "only a hazard has a verdict")
	}
	if key := o.keyAt("join"); key != nil {
		if st.Verb != Message && st.Verb != ToolCall {
			d.errorf(diag.Conflict, key, "only messages and calls can be joined")
		}
		if o.is("join") {
			st.Join = &Value{Pos: pos(key), Source: "true", Prog: expr.Const(true)}
		} else {
			st.Join = d.value(o.at("join"), s)
		}
	}
	return st
}

// viewOf is the view that a step or a format is limited to.
func viewOf(o *object) View {
	switch o.text("view") {
	case "archive":
		return Archive
	case "active":
		return ActiveView
	}
	return AnyView
}

// let reads the names of a step; what comes after them sees them.
func (d *decoder) let(st *Step, n *yaml.Node, s scope) scope {
	for _, e := range d.entries(n) {
		name := e.key.Value
		if !d.name(identifier, e.key) {
			continue
		}
		if reserved[name] || s.out.on && isWriteWord(name) {
			d.errorf(diag.RepeatedName, e.key, "%q is the language's own name", name)
			continue
		}
		l := &Let{Pos: pos(e.key), Name: name, Slot: len(s.Lets)}
		if d.accept(aValue, e.value, name) {
			l.Value = d.value(e.value, s)
		}
		st.Lets = append(st.Lets, l)
		s = s.with(e.key, known(name, l.Value))
		d.letKeys[e.key] = true
		d.lets = max(d.lets, len(s.Lets))
	}
	return s
}

// known is a name for a value, which is nil after a fault.
func known(name string, v *Value) expr.Let {
	let := expr.Let{Name: name}
	if v != nil {
		let.Shape, let.Bool = v.Prog.Shape, v.Prog.IsBool
	}
	return let
}

// verb reads what a step does.
func (d *decoder) verb(st *Step, o *object, s scope) {
	var first, block *yaml.Node
	for i := range o.entries {
		key := o.entries[i].key
		if inBlock[key.Value] && block == nil {
			block = key
		}
		verb, is := verbs[key.Value]
		if !is {
			continue
		}
		if first != nil {
			d.errorf(diag.Conflict, key, "a step has one verb, and this one has %s already", first.Value).Hint = "make two steps of it"
			return
		}
		first, st.Verb = key, verb
	}
	switch {
	case first == nil && block == nil:
		if len(o.faulty) == 0 {
			d.errorf(diag.MissingKey, o.node, "a step needs a verb, and this one has none").Len = 1
		}
		return
	case first == nil:
		st.Verb = Do
		if st.Block = d.block(o, s); st.Block == nil && block.Value == "before" {
			d.errorf(diag.MissingKey, block, "before needs a block: kind with rules, do, or use")
		}
		return
	}
	n := o.at(first.Value)
	switch st.Verb {
	case With, Each:
		st.Value = d.value(n, s)
		below := s.into(st.Value, n)
		if st.Verb == Each {
			below = s.item(st.Value)
		}
		if st.Block = d.block(o, below); st.Block == nil && (block == nil || block.Value == "before") {
			d.errorf(diag.MissingKey, first, "%s needs a block: kind with rules, do, or use", first.Value)
		}
		return
	case Drop, Ignore, Hazard:
		st.Code = n.Value
		if st.Verb == Drop {
			d.dropCode(n)
			st.Count = d.value(o.at("count"), s)
		}
		if st.Verb == Hazard {
			st.Verdict = o.text("verdict")
		}
	default:
		st.Event = d.event(first.Value, n, s)
	}
	if block != nil {
		d.errorf(diag.Conflict, block, "a step has one verb, and this one has %s beside a block", first.Value).Hint = "make two steps of it"
	}
}

// dropCodes are the diagnostics of the contract that a drop may give.
var dropCodes = []string{
	trajectory.InjectedContextDropped, trajectory.NoiseRecordDropped,
	trajectory.SidechainRecordDropped, trajectory.InactiveBranchDropped,
}

// dropCode warns of a code that is almost one of the contract's.
func (d *decoder) dropCode(n *yaml.Node) {
	for _, c := range dropCodes {
		if c == n.Value {
			return
		}
	}
	if near := diag.Nearest(n.Value, dropCodes); near != "" {
		d.warnf(diag.BadValue, n, "%q is no code of the contract", n.Value).Hint = fmt.Sprintf("did you mean %q?", near)
	}
}
