// Package expr compiles and runs the expressions of mappings: CEL, with JSON's
// idea of absence, a small library of total functions, and checks against the
// native shapes.
//
// A missing member, a member of something that is no object, an index out of
// range and JSON null are all null, at any depth. What remains to go wrong when
// an expression runs is a wrong type: then the value is absent, a condition
// false, and [Scope.Failed] is told.
//
// Almost every expression that occurs in a mapping is compiled to Go closures
// that read the indexed JSON in place; what has no closure is run by cel-go.
// Both give the same values: a test holds one against the other.
package expr

import (
	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/value"
)

// Program is a compiled expression, immutable and safe for concurrent use.
type Program struct {
	Source string
	Shape  *shape.Shape // of the result; nil is unknown
	IsBool bool         // statically a bool
	Texts  []string     // all values that it may have, when these are constant texts

	// Unchecked is set for a path that is GJSON's, and not held against shapes.
	Unchecked bool

	eval func(*Scope) (value.Value, bool)
	test func(*Scope) (bool, bool)
}

// Eval gives the expression's value; absent when it fails, which is reported
// to Scope.Failed.
func (p *Program) Eval(s *Scope) value.Value {
	v, ok := p.eval(s)
	if !ok {
		p.failed(s)
		return value.Value{}
	}
	return v
}

// Test reports whether the expression is true.
func (p *Program) Test(s *Scope) bool {
	b, ok := p.test(s)
	if !ok {
		p.failed(s)
	}
	return b && ok
}

func (p *Program) failed(s *Scope) {
	if s.Failed != nil {
		s.Failed(p, s.reason)
	}
}
