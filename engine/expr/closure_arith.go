package expr

import (
	"math"

	"github.com/trajmap/trajmap/engine/value"
)

// addCode is +: of strings, numbers and lists.
func (n *node) addCode() code {
	a, b := n.args[0].typ, n.args[1].typ
	if !sameTypes(a, b) {
		return code{}
	}
	if n.typ == stringType {
		return n.concatCode()
	}
	codes, ok := codesOf(n.args)
	if !ok {
		return code{}
	}
	switch n.typ {
	case intType:
		return n.arithmeticCode()
	case listType:
		x, y := codes[0].items(), codes[1].items()
		if a != b {
			x, y = onlyList(codes[0]), onlyList(codes[1])
		}
		return code{push: func(s *Scope) bool { return x(s) && y(s) }}
	case dynType:
		return dynamicAdd(codes[0].value(), codes[1].value())
	}
	return n.arithmeticCode()
}

// onlyList is items without the keys of objects.
func onlyList(c code) func(*Scope) bool {
	if c.push != nil {
		return c.push
	}
	val := c.value()
	return func(s *Scope) bool {
		v, ok := val(s)
		if ok && v.Kind() != value.Array {
			s.failKind("cannot add a list and", v)
			return false
		}
		s.pushList(v)
		return ok
	}
}

// summands are the operands of a chain of + on strings.
func summands(n *node) []*node {
	if n.op != opAdd || n.typ != stringType {
		return []*node{n}
	}
	return append(summands(n.args[0]), summands(n.args[1])...)
}

// concatCode joins strings by their literals.
func (n *node) concatCode() code {
	codes, ok := codesOf(summands(n))
	if !ok {
		return code{}
	}
	parts := values(codes)
	return code{val: func(s *Scope) (value.Value, bool) {
		base := len(s.stack)
		for _, part := range parts {
			v, ok := part(s)
			if ok && !v.IsString() {
				s.failKind("cannot add a string and", v)
				ok = false
			}
			if !ok {
				s.pop(base)
				return value.Value{}, false
			}
			s.stack = append(s.stack, v)
		}
		v := s.join(s.stack[base:], emptyText)
		s.pop(base)
		return v, true
	}}
}

// dynamicAdd is + of values whose types are known only when they are there.
func dynamicAdd(x, y func(*Scope) (value.Value, bool)) code {
	return code{val: func(s *Scope) (value.Value, bool) {
		v, ok := x(s)
		if !ok {
			return v, false
		}
		w, ok := y(s)
		if !ok {
			return w, false
		}
		switch kind := v.Kind(); {
		case kind != w.Kind():
		case kind == value.Number:
			return s.arithmetic(opAdd, v, w)
		case kind == value.String:
			base := len(s.stack)
			s.stack = append(s.stack, v, w)
			sum := s.join(s.stack[base:], emptyText)
			s.pop(base)
			return sum, true
		case kind == value.Array:
			base := s.pushList(v)
			s.pushList(w)
			sum := s.listOf(s.stack[base:])
			s.pop(base)
			return sum, true
		}
		s.reason = "cannot add " + v.Kind().String() + " and " + w.Kind().String()
		return value.Value{}, false
	}}
}

// arithmeticCode is + - * / % on numbers, and the unary minus.
func (n *node) arithmeticCode() code {
	codes, ok := codesOf(n.args)
	if !ok {
		return code{}
	}
	for _, a := range n.args {
		if a.typ != intType && a.typ != doubleType && a.typ != dynType || !sameTypes(a.typ, n.args[0].typ) {
			return code{}
		}
	}
	o := n.op
	if n.typ == intType && n.args[0].typ == intType && (o == opNeg || n.args[1].typ == intType) {
		return integers(o, codes)
	}
	x := codes[0].value()
	if o == opNeg {
		return code{val: func(s *Scope) (value.Value, bool) {
			v, ok := x(s)
			if !ok {
				return v, false
			}
			return s.negate(v)
		}}
	}
	y := codes[1].value()
	return code{val: func(s *Scope) (value.Value, bool) {
		v, ok := x(s)
		if !ok {
			return v, false
		}
		w, ok := y(s)
		if !ok {
			return w, false
		}
		return s.arithmetic(o, v, w)
	}}
}

func integers(o op, codes []code) code {
	x := codes[0].int()
	if o == opNeg {
		return code{num: func(s *Scope) (int64, bool) {
			i, ok := x(s)
			if !ok {
				return 0, false
			}
			return s.integer(opSub, 0, i)
		}}
	}
	y := codes[1].int()
	return code{num: func(s *Scope) (int64, bool) {
		i, ok := x(s)
		if !ok {
			return 0, false
		}
		j, ok := y(s)
		if !ok {
			return 0, false
		}
		return s.integer(o, i, j)
	}}
}

func (s *Scope) negate(v value.Value) (value.Value, bool) {
	n, ok := numberOf(v)
	switch {
	case !ok:
		s.failKind("cannot negate", v)
		return value.Value{}, false
	case n.isInt:
		i, ok := s.integer(opSub, 0, n.n)
		return s.Arena.Int(i), ok
	}
	return s.double(-n.f)
}

// arithmetic is an operation on two integers or two doubles.
func (s *Scope) arithmetic(o op, a, b value.Value) (value.Value, bool) {
	x, ok := numberOf(a)
	y, ok2 := numberOf(b)
	switch {
	case !ok || !ok2 || x.isInt != y.isInt || o == opMod && !x.isInt:
		s.reason = "cannot calculate with " + numberKind(a) + " and " + numberKind(b)
		return value.Value{}, false
	case x.isInt:
		i, ok := s.integer(o, x.n, y.n)
		if !ok {
			return value.Value{}, false
		}
		return s.Arena.Int(i), true
	}
	switch o {
	case opAdd:
		return s.double(x.f + y.f)
	case opSub:
		return s.double(x.f - y.f)
	case opMul:
		return s.double(x.f * y.f)
	}
	return s.double(x.f / y.f)
}

func numberKind(v value.Value) string {
	if v.Kind() == value.Number {
		return celTypeName(v)
	}
	return v.Kind().String()
}

// double is the value of a result, which is none when JSON has no such number.
func (s *Scope) double(f float64) (value.Value, bool) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		s.reason = notJSON
		return value.Value{}, false
	}
	return s.Arena.JSON(func(dst []byte) []byte { return appendDouble(dst, f) }), true
}

const notJSON = "the result is no JSON value"

// integer is an operation on integers, which fails instead of overflowing.
func (s *Scope) integer(o op, a, b int64) (int64, bool) {
	overflow := false
	var n int64
	switch o {
	case opAdd:
		n = a + b
		overflow = (n > a) != (b > 0)
	case opSub:
		n = a - b
		overflow = (n < a) != (b > 0)
	case opMul:
		n = a * b
		overflow = a != 0 && (n/a != b || a == -1 && b == math.MinInt64)
	default:
		if b == 0 {
			s.reason = "division by zero"
			return 0, false
		}
		if o == opMod {
			overflow = a == math.MinInt64 && b == -1
			if !overflow {
				n = a % b
			}
			break
		}
		overflow = a == math.MinInt64 && b == -1
		if !overflow {
			n = a / b
		}
	}
	if overflow {
		s.reason = "integer overflow"
	}
	return n, !overflow
}
