package expr

import (
	"github.com/google/cel-go/cel"

	"github.com/trajmap/trajmap/engine/value"
)

// Compile compiles a CEL expression, written without the leading `=`. There is
// a program only when there are no issues.
func (e *Env) Compile(src string, static *Static) (*Program, []Issue) {
	is := &issues{src: src}
	n := parse(src, is)
	if n == nil {
		return nil, is.sorted()
	}
	c := &checker{issues: is, env: e, static: static}
	if static.Nulls {
		c.nulls = map[*node]bool{}
		tail(n, func(n *node) { c.nulls[n] = true })
	}
	c.check(n)
	if len(is.list) > 0 {
		return nil, is.sorted()
	}
	p := &Program{Source: src, Shape: n.shape, IsBool: n.typ == boolType, Texts: texts(n)}
	if code := n.code(); code.native() {
		p.runs(code)
		return p, nil
	}
	run := e.slow(src, static, is)
	if len(is.list) > 0 {
		return nil, is.sorted()
	}
	p.eval, p.test = run.eval, run.test
	return p, nil
}

// runs makes closures the program's.
func (p *Program) runs(c code) {
	p.eval = c.value()
	if p.test = c.test; c.test == nil {
		eval := p.eval
		p.test = func(s *Scope) (bool, bool) {
			v, ok := eval(s)
			b, _ := v.Bool()
			return b, ok
		}
	}
}

// forValue is the program of a value that cannot fail.
func forValue(src string, get func(*Scope) value.Value) *Program {
	p := &Program{Source: src}
	p.runs(code{val: func(s *Scope) (value.Value, bool) { return get(s), true }})
	return p
}

// slow has cel-go check an expression that has no closure, and makes it run
// with it.
func (e *Env) slow(src string, static *Static, is *issues) *slow {
	run := &slow{names: static.all()}
	var vars []cel.EnvOption
	for id, n := range run.names {
		vars = append(vars, cel.Variable(id, n.typ.celType()))
	}
	var err error
	if run.env, err = e.cel.Extend(vars...); err != nil {
		is.add(0, 1, err.Error(), "")
		return nil
	}
	checked, found := run.env.Compile(src)
	for _, e := range found.Errors() {
		is.fromCEL(e)
	}
	if len(is.list) == 0 && !isJSON(checked.OutputType()) {
		is.add(0, len(src), "the result is of type "+checked.OutputType().String()+", which JSON does not have", "")
	}
	run.ast = checked
	return run
}

// isJSON reports whether values of a type can be JSON values.
func isJSON(t *cel.Type) bool { return t.Kind() == cel.UintKind || fromCELType(t) != otherType }
