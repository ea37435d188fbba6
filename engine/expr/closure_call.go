package expr

import (
	"regexp"
	"unicode/utf8"

	"github.com/trajmap/trajmap/engine/value"
)

// call is a call of a function or method; of CEL's own those that mappings use.
func (g *codegen) call(n *node) code {
	if f := functionsByName[n.name]; f != nil && n.op == opCall {
		return g.library(f, n)
	}
	switch {
	case n.name == "dyn" && n.op == opCall && len(n.args) == 1:
		return g.code(n.args[0])
	case n.name == "size" && len(n.args) == 1:
		return g.size(n.args[0])
	case n.name == "matches" && len(n.args) == 2:
		return g.matches(n)
	case n.name == "substring" && n.op == opMethod:
		return g.substring(n)
	case n.name == "join" && n.op == opMethod:
		return g.joined(n)
	}
	if test := stringTests[n.name]; test != nil && n.op == opMethod && len(n.args) == 2 {
		return g.stringTest(n, test)
	}
	return code{}
}

// library is a call of one of our own functions.
func (g *codegen) library(f *function, n *node) code {
	codes, ok := g.all(n.args)
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

func (g *codegen) size(of *node) code {
	c := g.code(of)
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

// stringTests are the methods that ask a string for another.
var stringTests = map[string]func(s *Scope, v, arg value.Value) bool{
	"startsWith": func(_ *Scope, v, arg value.Value) bool { return prefixed(v.Body(), arg.Body()) },
	"endsWith":   (*Scope).hasSuffix,
	"contains":   (*Scope).hasPart,
}

func (g *codegen) stringTest(n *node, test func(s *Scope, v, arg value.Value) bool) code {
	codes, ok := g.all(n.args)
	if !ok || !sameTypes(n.args[0].typ, stringType) || !sameTypes(n.args[1].typ, stringType) {
		return code{}
	}
	of, arg := codes[0].value(), codes[1].value()
	method := n.name
	return code{test: func(s *Scope) (bool, bool) {
		v, ok := of(s)
		if !ok {
			return false, false
		}
		a, ok := arg(s)
		if !ok {
			return false, false
		}
		if !s.stringOnly(method, v) || !s.stringOnly(method, a) {
			return false, false
		}
		return test(s, v, a), true
	}}
}

// stringOnly reports whether a method's operand is a string; else it is a failure.
func (s *Scope) stringOnly(method string, v value.Value) bool {
	if !v.IsString() {
		s.reason = method + " needs a string, not " + v.Kind().String()
	}
	return v.IsString()
}

// matches is a search for a constant regular expression.
func (g *codegen) matches(n *node) code {
	codes, ok := g.all(n.args)
	if !ok || codes[1].konst == nil || !codes[1].konst.IsString() || !sameTypes(n.args[0].typ, stringType) {
		return code{}
	}
	re, err := regexp.Compile(codes[1].konst.Str())
	if err != nil {
		return code{}
	}
	of := codes[0].value()
	return code{test: func(s *Scope) (bool, bool) {
		v, ok := of(s)
		if !ok || !s.stringOnly("matches", v) {
			return false, false
		}
		return re.Match(s.decode(v)), true
	}}
}

// substring is s.substring(from) and s.substring(from, to), in code points.
func (g *codegen) substring(n *node) code {
	codes, ok := g.all(n.args)
	if !ok || len(codes) > 3 || len(codes) < 2 || !sameTypes(n.args[0].typ, stringType) {
		return code{}
	}
	for _, a := range n.args[1:] {
		if a.typ != intType {
			return code{}
		}
	}
	of, from := codes[0].value(), codes[1].int()
	var to func(*Scope) (int64, bool)
	if len(codes) == 3 {
		to = codes[2].int()
	}
	return code{val: func(s *Scope) (value.Value, bool) {
		v, ok := of(s)
		if !ok || !s.stringOnly("substring", v) {
			return value.Value{}, false
		}
		start, ok := from(s)
		if !ok {
			return value.Value{}, false
		}
		end := int64(-1)
		if to != nil {
			if end, ok = to(s); !ok {
				return value.Value{}, false
			}
			if end < start {
				s.reason = "substring with an end before its start"
				return value.Value{}, false
			}
		}
		return s.substring(v, start, end)
	}}
}

// substring is the part of a string between two code points; an end of -1 is
// that of the string.
func (s *Scope) substring(v value.Value, start, end int64) (value.Value, bool) {
	s.buf = value.AppendText(s.buf[:0], v.Body())
	all := s.buf
	size := int64(value.CodePoints(all))
	if end < 0 {
		end = size
	}
	if start < 0 || start > size || end > size {
		s.reason = "substring beyond the string"
		return value.Value{}, false
	}
	from := value.Head(all, int(start))
	part := all[from:]
	part = part[:value.Head(part, int(end-start))]
	return s.Arena.Text(func(dst []byte) []byte { return append(dst, part...) }), true
}

// joined is list.join(sep), of strings.
func (g *codegen) joined(n *node) code {
	codes, ok := g.all(n.args)
	if !ok || len(codes) > 2 || !canHold(n.args[0].typ) || len(codes) == 2 && !sameTypes(n.args[1].typ, stringType) {
		return code{}
	}
	push := onlyList(codes[0])
	sep := fixed(emptyText).value()
	if len(codes) == 2 {
		sep = codes[1].value()
	}
	return code{val: func(s *Scope) (v value.Value, ok bool) {
		base := len(s.stack)
		defer s.pop(base)
		if !push(s) {
			return v, false
		}
		between, ok := sep(s)
		if !ok || !s.stringOnly("join", between) {
			return v, false
		}
		for _, item := range s.stack[base:] {
			if !s.stringOnly("join", item) {
				return v, false
			}
		}
		return s.join(s.stack[base:], between), true
	}}
}
