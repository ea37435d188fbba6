package expr

import (
	"bytes"
	"slices"

	"github.com/trajmap/trajmap/engine/value"
)

// equalityCode is == and !=, most often with a constant.
func (n *node) equalityCode() code {
	if c := n.typeTest(); c.native() {
		return c
	}
	codes, ok := codesOf(n.args)
	if !ok || !sameTypes(n.args[0].typ, n.args[1].typ) {
		return code{}
	}
	a, b := codes[0], codes[1]
	if a.konst != nil {
		a, b = b, a
	}
	want := n.op == opEq
	switch {
	case b.konst != nil && a.konst == nil:
		return equalsConst(a, *b.konst, want)
	case a.num != nil && b.num != nil:
		x, y := a.num, b.num
		return code{test: func(s *Scope) (bool, bool) {
			i, ok := x(s)
			j, ok2 := y(s)
			return (i == j) == want, ok && ok2
		}}
	case a.test != nil && b.test != nil:
		x, y := a.test, b.test
		return code{test: func(s *Scope) (bool, bool) {
			i, ok := x(s)
			j, ok2 := y(s)
			return (i == j) == want, ok && ok2
		}}
	}
	x, y := a.value(), b.value()
	return code{test: func(s *Scope) (bool, bool) {
		v, ok := x(s)
		if !ok {
			return false, false
		}
		w, ok := y(s)
		return ok && s.equal(v, w) == want, ok
	}}
}

// sameTypes reports whether CEL lets values of two types be compared: equal
// types, or one that is not known.
func sameTypes(a, b typ) bool { return a == b || a == dynType || b == dynType }

func equalsConst(a code, k value.Value, want bool) code {
	if a.num != nil && k.Kind() == value.Number {
		if n, ok := k.Int(); ok {
			num := a.num
			return code{test: func(s *Scope) (bool, bool) {
				i, ok := num(s)
				return (i == n) == want, ok
			}}
		}
	}
	val := a.value()
	switch k.Kind() {
	case value.Null:
		return code{test: func(s *Scope) (bool, bool) {
			v, ok := val(s)
			return v.IsNull() == want, ok
		}}
	case value.Bool:
		is, _ := k.Bool()
		return code{test: func(s *Scope) (bool, bool) {
			v, ok := val(s)
			b, isBool := v.Bool()
			return (isBool && b == is) == want, ok
		}}
	case value.String:
		if text := k.Str(); !k.Escaped() {
			return code{test: func(s *Scope) (bool, bool) {
				v, ok := val(s)
				if !v.Escaped() {
					return (v.IsString() && string(v.Body()) == text) == want, ok
				}
				return equalStrings(v, k) == want, ok
			}}
		}
	}
	return code{test: func(s *Scope) (bool, bool) {
		v, ok := val(s)
		return ok && s.equal(v, k) == want, ok
	}}
}

// typeTest is type(x) == T.
func (n *node) typeTest() code {
	of, name := n.args[0], n.args[1]
	if of.op == opType {
		of, name = name, of
	}
	if of.op != opCall || of.name != "type" || name.op != opType || len(of.args) != 1 {
		return code{}
	}
	c := of.args[0].code()
	if !c.native() {
		return code{}
	}
	val, want, equal := c.value(), name.name, n.op == opEq
	return code{test: func(s *Scope) (bool, bool) {
		v, ok := val(s)
		return (celTypeName(v) == want) == equal, ok
	}}
}

func celTypeName(v value.Value) string {
	switch v.Kind() {
	case value.Number:
		if n, _ := numberOf(v); n.isInt {
			return "int"
		}
		return "double"
	case value.Null:
		return "null_type"
	case value.Object:
		return "map"
	}
	return v.Kind().String()
}

// inCode is membership: of a list, of an object's keys.
func (n *node) inCode() code {
	of, item := n.args[1], n.args[0].code()
	if !item.native() || !canHold(of.typ) {
		return code{}
	}
	val := item.value()
	if of.op == opIdent && of.ref.typ == factMapType {
		key := of.ref.key
		return code{test: func(s *Scope) (bool, bool) {
			v, ok := val(s)
			return v.IsString() && !key(s, v.Str()).IsNull(), ok
		}}
	}
	list := of.code()
	switch {
	case !list.native():
		return code{}
	case of.op == opList && !slices.ContainsFunc(of.args, func(e *node) bool { return sameTypes(e.typ, n.args[0].typ) }):
		if len(of.args) > 0 {
			return code{}
		}
	}
	if set, ok := stringSet(list.konst); ok {
		return code{test: func(s *Scope) (bool, bool) {
			v, ok := val(s)
			return set.has(v), ok
		}}
	}
	in := list.value()
	return code{test: func(s *Scope) (bool, bool) {
		v, ok := val(s)
		if !ok {
			return false, false
		}
		l, ok := in(s)
		switch {
		case !ok:
			return false, false
		case l.Kind() == value.Array:
			return s.contains(l, v), true
		case l.Kind() == value.Object:
			return v.IsString() && l.Get(v.Str()).Exists(), true
		}
		s.failKind("expected a list after in, not", l)
		return false, false
	}}
}

// set is a constant list of strings.
type set struct {
	few  []string
	many map[string]bool
}

func stringSet(list *value.Value) (set, bool) {
	const few = 4
	var s set
	if list == nil {
		return s, false
	}
	for v := range list.Items() {
		if !v.IsString() {
			return s, false
		}
		s.few = append(s.few, v.Str())
	}
	if len(s.few) > few {
		s.many = map[string]bool{}
		for _, k := range s.few {
			s.many[k] = true
		}
	}
	return s, true
}

func (s set) has(v value.Value) bool {
	if !v.IsString() {
		return false
	}
	b := v.Body()
	var buf [128]byte
	if v.Escaped() {
		b = value.AppendDecoded(buf[:0], b)
	}
	if s.many != nil {
		return s.many[string(b)]
	}
	for _, k := range s.few {
		if string(b) == k {
			return true
		}
	}
	return false
}

// comparisonCode is <, <=, > and >=.
func (n *node) comparisonCode() code {
	codes, ok := codesOf(n.args)
	if !ok || !orderable(n.args[0].typ) || !orderable(n.args[1].typ) || !sameTypes(n.args[0].typ, n.args[1].typ) {
		return code{}
	}
	fits := map[op]func(int) bool{
		opLt: func(c int) bool { return c < 0 }, opLe: func(c int) bool { return c <= 0 },
		opGt: func(c int) bool { return c > 0 }, opGe: func(c int) bool { return c >= 0 },
	}[n.op]
	a, b := codes[0], codes[1]
	if a.isInt() && b.isInt() {
		x, y := a.int(), b.int()
		return code{test: func(s *Scope) (bool, bool) {
			i, ok := x(s)
			if !ok {
				return false, false
			}
			j, ok := y(s)
			return fits(order(i, j)), ok
		}}
	}
	if b.isInt() {
		x, y := a.value(), b.int()
		return code{test: func(s *Scope) (bool, bool) {
			v, ok := x(s)
			if !ok {
				return false, false
			}
			j, ok := y(s)
			if !ok {
				return false, false
			}
			n, ok := numberOf(v)
			if !ok {
				s.failKind("cannot compare a number with", v)
			}
			return ok && fits(n.compare(number{isInt: true, n: j})), ok
		}}
	}
	x, y := a.value(), b.value()
	return code{test: func(s *Scope) (bool, bool) {
		v, ok := x(s)
		if !ok {
			return false, false
		}
		w, ok := y(s)
		if !ok {
			return false, false
		}
		c, ok := s.compare(v, w)
		return ok && fits(c), ok
	}}
}

func orderable(t typ) bool {
	return t == dynType || t == intType || t == doubleType || t == stringType || t == boolType
}

// isInt reports whether the code is an integer whatever happens.
func (c code) isInt() bool {
	if c.konst != nil {
		_, ok := c.konst.Int()
		return ok
	}
	return c.num != nil
}

// compare orders two numbers, strings or bools; anything else is a failure.
func (s *Scope) compare(a, b value.Value) (int, bool) {
	if c, ok := compareNumbers(a, b); ok {
		return c, true
	}
	switch kind := a.Kind(); {
	case kind != b.Kind():
	case kind == value.String:
		return compareStrings(a, b), true
	case kind == value.Bool:
		x, _ := a.Bool()
		y, _ := b.Bool()
		switch {
		case x == y:
			return 0, true
		case y:
			return -1, true
		}
		return 1, true
	}
	s.reason = "cannot compare " + a.Kind().String() + " with " + b.Kind().String()
	return 0, false
}

// compareStrings orders decoded strings by their bytes, which is the order of
// code points.
func compareStrings(a, b value.Value) int {
	var bufA, bufB [256]byte
	x, y := a.Body(), b.Body()
	if a.Escaped() {
		x = value.AppendDecoded(bufA[:0], x)
	}
	if b.Escaped() {
		y = value.AppendDecoded(bufB[:0], y)
	}
	return bytes.Compare(x, y)
}
