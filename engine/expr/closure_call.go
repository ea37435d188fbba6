package expr

import (
	"unicode/utf8"

	"github.com/trajmap/trajmap/engine/value"
)

// callCode is a call of a function or method; of CEL's own those that mappings use.
func (n *node) callCode() code {
	if f := functionsByName[n.name]; f != nil && n.op == opCall {
		return f.code(n)
	}
	switch {
	case n.name == "dyn" && n.op == opCall && len(n.args) == 1:
		return n.args[0].code()
	case n.name == "size" && len(n.args) == 1:
		return sizeCode(n.args[0])
	case n.name == "lists.range" && len(n.args) == 1:
		return rangeCode(n.args[0])
	}
	return n.stringCode()
}

// code is a call of one of our own functions.
func (f *function) code(n *node) code {
	codes, ok := codesOf(n.args)
	if !ok {
		return code{}
	}
	if f == fnLines && codes[0].push != nil {
		return linesOf(codes[0].push)
	}
	args := values(codes)
	c := code{val: f.unary(args)}
	if c.val == nil {
		c.val = f.many(args)
	}
	switch f.gives {
	case boolType:
		val := c.val
		return code{test: func(s *Scope) (bool, bool) {
			v, ok := val(s)
			b, _ := v.Bool()
			return b, ok
		}}
	case listType:
		c.push = codes[0].push
		if c.push == nil {
			of := args[0]
			c.push = func(s *Scope) bool {
				v, ok := of(s)
				s.pushList(v)
				return ok
			}
		}
	}
	return c
}

// unary is a call of a function with one argument that needs no stack.
func (f *function) unary(args []func(*Scope) (value.Value, bool)) func(*Scope) (value.Value, bool) {
	if len(args) != 1 {
		return nil
	}
	of := args[0]
	switch f {
	case fnStr:
		return func(s *Scope) (value.Value, bool) {
			v, ok := of(s)
			if !ok {
				return v, false
			}
			return s.str(v), true
		}
	case fnNot:
		return func(s *Scope) (value.Value, bool) {
			v, ok := of(s)
			if b, isBool := v.Bool(); isBool && ok {
				return value.Of(!b), true
			}
			return value.Value{}, ok
		}
	}
	return nil
}

// many is a call with its arguments on the stack.
func (f *function) many(args []func(*Scope) (value.Value, bool)) func(*Scope) (value.Value, bool) {
	run := f.run
	return func(s *Scope) (value.Value, bool) {
		base := len(s.stack)
		for _, arg := range args {
			v, ok := arg(s)
			if !ok {
				s.pop(base)
				return value.Value{}, false
			}
			s.stack = append(s.stack, v)
		}
		v := run(s, s.stack[base:])
		s.pop(base)
		return v, true
	}
}

// linesOf is lines(l) of a list that need not be made for that.
func linesOf(push func(*Scope) bool) code {
	return code{val: func(s *Scope) (v value.Value, ok bool) {
		base := len(s.stack)
		if ok = push(s); ok {
			v = s.lines(s.stack[base:])
		}
		s.pop(base)
		return v, ok
	}}
}

func sizeCode(of *node) code {
	c := of.code()
	if !c.native() || of.typ != stringType && !canHold(of.typ) {
		return code{}
	}
	if c.val == nil && c.push != nil {
		push := c.push
		return code{num: func(s *Scope) (int64, bool) {
			base := len(s.stack)
			ok := push(s)
			n := len(s.stack) - base
			s.pop(base)
			return int64(n), ok
		}}
	}
	val := c.value()
	return code{num: func(s *Scope) (int64, bool) {
		v, ok := val(s)
		if !ok {
			return 0, false
		}
		switch v.Kind() {
		case value.String:
			return s.runes(v), true
		case value.Array:
			return int64(v.Len()), true
		case value.Object:
			return int64(len(members(v))), true
		}
		s.failKind("expected something that has a size, not", v)
		return 0, false
	}}
}

// runes is the number of a string's code points.
func (s *Scope) runes(v value.Value) int64 {
	if !v.Escaped() {
		return int64(utf8.RuneCount(v.Body()))
	}
	s.buf = value.AppendText(s.buf[:0], v.Body())
	return int64(value.CodePoints(s.buf))
}

// rangeCode is lists.range(n), the list of the integers from 0 below n.
func rangeCode(count *node) code {
	const most = 1_000_000 // cel-go's own limit
	c := count.code()
	if !c.native() || count.typ != intType {
		return code{}
	}
	num := c.int()
	return code{push: func(s *Scope) bool {
		n, ok := num(s)
		if ok && (n < 0 || n > most) {
			s.reason = "range needs a number from 0 to a million"
			return false
		}
		for i := range n {
			s.stack = append(s.stack, s.Arena.Int(i))
		}
		return ok
	}}
}
