package mapping

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/expr"
)

// value reads a value: a path, an expression, alternatives or a constant; nil
// after a fault.
func (d *decoder) value(n *yaml.Node, s scope) *Value {
	if n == nil {
		return nil
	}
	switch {
	case n.Kind == yaml.SequenceNode:
		return d.alternatives(n, s)
	case isConst(n):
		return d.constant(n)
	}
	if d.folded(n) {
		return nil
	}
	v := &Value{Pos: pos(n), Source: n.Value}
	if src, offset, ok := expression(n.Value); ok {
		v.Prog = d.compile(n, offset, src, s)
	} else {
		v.Prog = d.path(n, s)
	}
	if v.Prog == nil {
		return nil
	}
	return v
}

// leaf reads a value of whose shape nothing depends: on trial, it need only be
// right once.
func (d *decoder) leaf(n *yaml.Node, s scope) *Value {
	if n == nil || d.trial != nil && d.trial.sawAll(n) {
		return nil
	}
	return d.value(n, s)
}

// expression is what follows the = of a value, and where.
func expression(text string) (src string, offset int, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, blanks), "=")
	if !ok {
		return "", 0, false
	}
	src = strings.TrimLeft(rest, blanks)
	return strings.TrimRight(src, blanks), len(text) - len(src), true
}

const blanks = " \t\n"

// plainPath is a value that is a path of keys joined by dots.
func plainPath(n *yaml.Node) (string, bool) {
	if n == nil || n.Kind != yaml.ScalarNode || n.Value == "@this" {
		return "", n != nil && n.Value == "@this"
	}
	return n.Value, isPlain(n.Value)
}

// isPlain reports whether a path consists of keys alone, and not of what GJSON
// knows beyond them.
func isPlain(path string) bool {
	return path != "" && !strings.ContainsAny(path, "#|*?\\(){}[]@!\"'<>=%~")
}

func (d *decoder) path(n *yaml.Node, s scope) *expr.Program {
	if strings.HasPrefix(n.Value, "it.") {
		d.errorf(diag.BadExpression, n, "a path begins at it already").Hint =
			"write " + n.Value[len("it."):] + ", or the expression = " + n.Value
		return nil
	}
	p, issues := d.env.Path(n.Value, &s.Static)
	if len(issues) > 0 && s.names(n.Value) {
		issues[0].Hint = "this is a path on it; write = " + n.Value + " for an expression"
	}
	d.issues(n, 0, n.Value, issues, s)
	if p != nil && s.It == nil && s.hasLet(n.Value) && d.trial == nil && !d.tried.saw(n) {
		d.warnf(diag.PathLikeLet, n, "this is the field %q of it, not the value of that name", n.Value).Hint = "write = " + n.Value
	}
	if p != nil && s.It != nil && p.Unchecked && d.trial == nil {
		d.m.Unchecked.Paths++
	}
	return p
}

// names reports whether a text that was taken for a path calls something that
// only expressions can call.
func (s scope) names(text string) bool {
	first, _, _ := strings.Cut(text, ".")
	switch first {
	case "frame", "doc", "file", "files", "session", "line", "index", "ordinal", "amendment":
		return !s.out.on || first == "session" || first == "index"
	}
	return s.hasLet(first) || strings.ContainsAny(text, "(+ ")
}

func (s scope) hasLet(name string) bool {
	return slices.ContainsFunc(s.Lets, func(l expr.Let) bool { return l.Name == name })
}

// alternatives reads a list of values.
func (d *decoder) alternatives(n *yaml.Node, s scope) *Value {
	if len(n.Content) == 0 {
		d.errorf(diag.WrongForm, n, "alternatives need at least one value")
		return nil
	}
	v := &Value{Pos: pos(n)}
	var progs []*expr.Program
	ended := false
	for i, item := range items(n) {
		if item.Kind == yaml.SequenceNode {
			d.errorf(diag.WrongForm, item, "an alternative cannot be a list of alternatives")
			continue
		}
		if !d.accept(aValue, item, "an alternative") {
			continue
		}
		if ended {
			d.warnf(diag.DeadValue, item, "this alternative is never reached: a constant stands before it")
		}
		one := d.value(item, s)
		if isConst(item) {
			ended = ended || item.Content[1].Value != ""
		}
		if one == nil {
			continue
		}
		progs = append(progs, one.Prog)
		if i == 0 {
			v.Source = one.Source
		}
	}
	if len(progs) != len(n.Content) {
		return nil
	}
	v.Prog = expr.Alternatives(progs)
	return v
}

// constant reads {const: x}.
func (d *decoder) constant(n *yaml.Node) *Value {
	c := resolve(n.Content[1])
	v := &Value{Pos: pos(n), Source: c.Value}
	if d.trapped(c) {
		return nil
	}
	if c.Kind == yaml.ScalarNode {
		switch c.Tag {
		case "!!str":
			v.Prog = expr.Const(c.Value)
			return v
		case "!!bool":
			v.Prog = expr.Const(c.Value == "true")
			return v
		case "!!int":
			if i, err := strconv.ParseInt(c.Value, 10, 64); err == nil {
				v.Prog = expr.Const(i)
				return v
			}
		case "!!float":
			if f, err := strconv.ParseFloat(c.Value, 64); err == nil && f-f == 0 {
				v.Prog = expr.Const(f)
				return v
			}
		}
	}
	d.errorf(diag.WrongForm, c, "a constant is a text, a decimal number, true or false; found %s", found(c))
	return nil
}

// args reads a value or an object of values.
func (d *decoder) args(n *yaml.Node, s scope) *Value {
	if n == nil || n.Kind != yaml.MappingNode || isConst(n) {
		return d.leaf(n, s)
	}
	v := &Value{Pos: pos(n), Object: []*Member{}}
	for _, e := range d.entries(n) {
		if d.accept(arguments, e.value, e.key.Value) {
			v.Object = append(v.Object, &Member{Name: e.key.Value, Value: d.args(e.value, s)})
		}
	}
	return v
}

// condition reads a condition, which is CEL and true or false whatever the data.
func (d *decoder) condition(n *yaml.Node, s scope) *Value {
	if n == nil || d.trial.saw(n) || d.folded(n) {
		return nil
	}
	if strings.HasPrefix(n.Value, "=") && !strings.HasPrefix(n.Value, "==") {
		d.errorf(diag.BadExpression, n, "a condition is an expression already").Hint = "leave out the ="
		return nil
	}
	src := strings.TrimRight(n.Value, blanks)
	p := d.compile(n, 0, src, s)
	if p == nil {
		return nil
	}
	if !p.IsBool {
		d.errorf(diag.NotBool, n, "a condition must be true or false whatever the data").Hint =
			"compare it, such as x == true, x != null or not(x)"
		return nil
	}
	return &Value{Pos: pos(n), Source: n.Value, Prog: p}
}

func (d *decoder) folded(n *yaml.Node) bool {
	if n.Style&yaml.FoldedStyle == 0 {
		return false
	}
	d.errorf(diag.FoldedScalar, n, "an expression cannot be a folded text: its places in the file are lost").Hint = "use | or quotes"
	return true
}

// compile compiles an expression that stands in a scalar from a byte on.
func (d *decoder) compile(n *yaml.Node, offset int, src string, s scope) *expr.Program {
	d.reads.expression(src, s)
	p, issues := d.env.Compile(src, &s.Static)
	d.issues(n, offset, src, issues, s)
	if s.out.on && p != nil {
		d.places[p] = pos(n)
	}
	return p
}
