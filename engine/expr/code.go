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

// code is the closures of a checked node.
func (n *node) code() code {
	switch n.op {
	case opLiteral:
		if n.typ == otherType {
			return code{}
		}
		return fixed(n.konst)
	case opIdent:
		return n.ref.code()
	case opVariable:
		d := n.depth
		return code{val: func(s *Scope) (value.Value, bool) { return s.vars[d], true }}
	case opSelect, opIndex:
		return n.memberCode()
	case opList:
		return listCode(n.args)
	case opMap:
		return mapCode(n.args)
	case opMacro:
		return n.macroCode()
	case opCall, opMethod:
		return n.callCode()
	case opCond:
		return n.condCode()
	case opNot:
		return n.notCode()
	case opAnd, opOr:
		return n.logicCode()
	case opEq, opNe:
		return n.equalityCode()
	case opLt, opLe, opGt, opGe:
		return n.comparisonCode()
	case opIn:
		return n.inCode()
	case opAdd:
		return n.addCode()
	case opSub, opMul, opDiv, opMod, opNeg:
		return n.arithmeticCode()
	}
	return code{}
}

// codesOf is the code of several nodes, and whether all have closures.
func codesOf(list []*node) ([]code, bool) {
	codes := make([]code, len(list))
	for i, n := range list {
		if codes[i] = n.code(); !codes[i].native() {
			return nil, false
		}
	}
	return codes, true
}

// code is the closures of a name.
func (n *name) code() code {
	switch n.typ {
	case factMapType:
		return code{}
	case intType:
		return code{num: n.count}
	}
	get := n.get
	return code{val: func(s *Scope) (value.Value, bool) { return get(s), true }}
}
