package expr

import (
	"github.com/trajmap/trajmap/engine/value"
)

// code is a part of an expression as closures: one that gives its value in the
// form that it has by nature, of which the other forms are made. They report
// false when they fail, having noted why. The zero code is what has no closure.
type code struct {
	val   func(*Scope) (value.Value, bool)
	test  func(*Scope) (b, ok bool)  // of a bool
	num   func(*Scope) (int64, bool) // of an integer
	push  func(*Scope) bool          // of a list: its items onto the stack
	konst *value.Value               // a constant, which val gives too
}

func (c code) native() bool { return c.val != nil || c.test != nil || c.num != nil || c.push != nil }

func fixed(v value.Value) code {
	c := code{konst: &v, val: func(*Scope) (value.Value, bool) { return v, true }}
	if n, ok := v.Int(); ok {
		c.num = func(*Scope) (int64, bool) { return n, true }
	}
	return c
}

// value is the code as a JSON value.
func (c code) value() func(*Scope) (value.Value, bool) {
	switch {
	case c.val != nil:
		return c.val
	case c.test != nil:
		return func(s *Scope) (value.Value, bool) {
			b, ok := c.test(s)
			if !ok {
				return value.Value{}, false
			}
			return value.Of(b), true
		}
	case c.num != nil:
		return func(s *Scope) (value.Value, bool) {
			n, ok := c.num(s)
			if !ok {
				return value.Value{}, false
			}
			return s.Arena.Int(n), true
		}
	}
	return func(s *Scope) (value.Value, bool) {
		base := len(s.stack)
		ok := c.push(s)
		var v value.Value
		if ok {
			v = s.listOf(s.stack[base:])
		}
		s.pop(base)
		return v, ok
	}
}

// bool is the code as a bool; any other value is a failure.
func (c code) bool() func(*Scope) (b, ok bool) {
	if c.test != nil {
		return c.test
	}
	val := c.value()
	return func(s *Scope) (bool, bool) {
		v, ok := val(s)
		if !ok {
			return false, false
		}
		b, ok := v.Bool()
		if !ok {
			s.failKind("expected a bool, not", v)
		}
		return b, ok
	}
}

// int is the code as an integer; any other value is a failure.
func (c code) int() func(*Scope) (int64, bool) {
	if c.num != nil {
		return c.num
	}
	val := c.value()
	return func(s *Scope) (int64, bool) {
		v, ok := val(s)
		if !ok {
			return 0, false
		}
		n, ok := v.Int()
		if !ok {
			s.failKind("expected an integer, not", v)
		}
		return n, ok
	}
}

// items is the code as what a macro runs over: a list's items, an object's keys;
// any other value is a failure.
func (c code) items() func(*Scope) bool {
	if c.push != nil {
		return c.push
	}
	val := c.value()
	return func(s *Scope) bool {
		v, ok := val(s)
		if !ok {
			return false
		}
		switch v.Kind() {
		case value.Array:
			s.pushList(v)
		case value.Object:
			for _, k := range keys(v) {
				s.stack = append(s.stack, s.Arena.String(k))
			}
		default:
			s.failKind("expected a list, not", v)
			return false
		}
		return true
	}
}

// fail notes why an expression has no value. The reason must not hold content.
func (s *Scope) fail(reason string) { s.reason = reason }

// failKind notes that a value has the wrong type.
func (s *Scope) failKind(reason string, v value.Value) { s.reason = reason + " " + v.Kind().String() }

// codegen turns checked nodes into closures.
type codegen struct{}

func (g *codegen) code(n *node) code {
	switch n.op {
	case opLiteral:
		if n.typ == otherType {
			return code{}
		}
		return fixed(n.konst)
	case opIdent:
		return g.name(n.ref)
	case opVariable:
		d := n.depth
		return code{val: func(s *Scope) (value.Value, bool) { return s.vars[d], true }}
	case opSelect, opIndex:
		return g.member(n)
	case opList:
		return g.list(n.args)
	case opMap:
		return g.object(n.args)
	case opMacro:
		return g.macro(n)
	case opCall, opMethod:
		return g.call(n)
	case opCond:
		return g.cond(n)
	case opNot:
		return g.not(n)
	case opAnd, opOr:
		return g.logic(n)
	case opEq, opNe:
		return g.equality(n)
	case opLt, opLe, opGt, opGe:
		return g.comparison(n)
	case opIn:
		return g.in(n)
	case opAdd:
		return g.add(n)
	case opSub, opMul, opDiv, opMod, opNeg:
		return g.arithmetic(n)
	}
	return code{}
}

// all is the code of several nodes, and whether all have closures.
func (g *codegen) all(list []*node) ([]code, bool) {
	codes := make([]code, len(list))
	for i, n := range list {
		if codes[i] = g.code(n); !codes[i].native() {
			return nil, false
		}
	}
	return codes, true
}

func (g *codegen) name(ref *name) code {
	switch ref.typ {
	case factMapType:
		return code{}
	case intType:
		return code{num: ref.count}
	}
	get := ref.get
	return code{val: func(s *Scope) (value.Value, bool) { return get(s), true }}
}

func (g *codegen) cond(n *node) code {
	codes, ok := g.all(n.args)
	if !ok || n.args[1].typ != n.args[2].typ && n.args[1].typ != dynType && n.args[2].typ != dynType {
		return code{}
	}
	test, yes, no := codes[0].bool(), codes[1], codes[2]
	var c code
	switch n.typ {
	case boolType:
		yes, no := yes.bool(), no.bool()
		c.test = func(s *Scope) (bool, bool) {
			b, ok := test(s)
			switch {
			case !ok:
				return false, false
			case b:
				return yes(s)
			}
			return no(s)
		}
		return c
	case intType:
		yes, no := yes.int(), no.int()
		c.num = func(s *Scope) (int64, bool) {
			b, ok := test(s)
			switch {
			case !ok:
				return 0, false
			case b:
				return yes(s)
			}
			return no(s)
		}
		return c
	case listType:
		yes, no := yes.items(), no.items()
		c.push = func(s *Scope) bool {
			b, ok := test(s)
			switch {
			case !ok:
				return false
			case b:
				return yes(s)
			}
			return no(s)
		}
	}
	yesVal, noVal := yes.value(), no.value()
	c.val = func(s *Scope) (value.Value, bool) {
		b, ok := test(s)
		switch {
		case !ok:
			return value.Value{}, false
		case b:
			return yesVal(s)
		}
		return noVal(s)
	}
	return c
}

func (g *codegen) not(n *node) code {
	c := g.code(n.args[0])
	if !c.native() {
		return code{}
	}
	of := c.bool()
	return code{test: func(s *Scope) (bool, bool) {
		b, ok := of(s)
		return !b, ok
	}}
}

// logic is && and ||: an operand that decides makes up for a failure of the other.
func (g *codegen) logic(n *node) code {
	codes, ok := g.all(n.args)
	if !ok {
		return code{}
	}
	left, right := codes[0].bool(), codes[1].bool()
	decides := n.op == opOr
	return code{test: func(s *Scope) (bool, bool) {
		a, okA := left(s)
		if okA && a == decides {
			return a, true
		}
		b, okB := right(s)
		if okB && b == decides {
			return b, true
		}
		return !decides, okA && okB
	}}
}
