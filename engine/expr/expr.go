// Package expr compiles and runs the expressions of mappings.
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
	eval   func(*Scope) value.Value
	test   func(*Scope) bool
}

// Eval gives the expression's value; absent when it fails, which is reported
// to Scope.Failed.
func (p *Program) Eval(s *Scope) value.Value { return p.eval(s) }

// Test reports whether the expression is true.
func (p *Program) Test(s *Scope) bool { return p.test(s) }
