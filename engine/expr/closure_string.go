package expr

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/value"
)

// stringCode is one of CEL's methods of strings, of those that mappings use.
func (n *node) stringCode() code {
	switch {
	case n.name == "matches" && len(n.args) == 2:
		return n.matchesCode()
	case n.op != opMethod:
		return code{}
	case n.name == "substring":
		return n.substringCode()
	case n.name == "join":
		return n.joinCode()
	}
	m, ok := stringMethods[n.name]
	if !ok || len(n.args) != m.strings {
		return code{}
	}
	return m.code(n)
}

// stringMethod is a method on a string with strings for arguments. One of its
// functions is set.
type stringMethod struct {
	strings int // that it takes, its own among them
	test    func(s *Scope, v []value.Value) bool
	num     func(s *Scope, v []value.Value) int64
	val     func(v []string) string
	push    func(s *Scope, v []value.Value)
}

var stringMethods = map[string]stringMethod{
	"startsWith":  {strings: 2, test: func(_ *Scope, v []value.Value) bool { return prefixed(v[0].Body(), v[1].Body()) }},
	"endsWith":    {strings: 2, test: func(s *Scope, v []value.Value) bool { return s.hasSuffix(v[0], v[1]) }},
	"contains":    {strings: 2, test: func(s *Scope, v []value.Value) bool { return s.hasPart(v[0], v[1]) }},
	"indexOf":     {strings: 2, num: func(s *Scope, v []value.Value) int64 { return s.find(v[0], v[1], bytes.Index) }},
	"lastIndexOf": {strings: 2, num: func(s *Scope, v []value.Value) int64 { return s.find(v[0], v[1], bytes.LastIndex) }},
	"split":       {strings: 2, push: func(s *Scope, v []value.Value) { s.split(v[0], v[1]) }},
	"replace":     {strings: 3, val: func(v []string) string { return strings.ReplaceAll(v[0], v[1], v[2]) }},
	"lowerAscii":  {strings: 1, val: func(v []string) string { return shifted(v[0], 'A') }},
	"upperAscii":  {strings: 1, val: func(v []string) string { return shifted(v[0], 'a') }},
	"trim":        {strings: 1, val: func(v []string) string { return strings.TrimSpace(v[0]) }},
}

func (m stringMethod) code(n *node) code {
	codes, ok := codesOf(n.args)
	if !ok || slices.ContainsFunc(n.args, func(a *node) bool { return !sameTypes(a.typ, stringType) }) {
		return code{}
	}
	vals, name := values(codes), n.name
	operands := func(s *Scope) bool { // onto the stack
		for _, val := range vals {
			v, ok := val(s)
			if !ok || !s.stringOnly(name, v) {
				return false
			}
			s.stack = append(s.stack, v)
		}
		return true
	}
	switch {
	case m.test != nil:
		return code{test: func(s *Scope) (b, ok bool) {
			base := len(s.stack)
			if ok = operands(s); ok {
				b = m.test(s, s.stack[base:])
			}
			s.pop(base)
			return b, ok
		}}
	case m.num != nil:
		return code{num: func(s *Scope) (i int64, ok bool) {
			base := len(s.stack)
			if ok = operands(s); ok {
				i = m.num(s, s.stack[base:])
			}
			s.pop(base)
			return i, ok
		}}
	case m.push != nil:
		return code{push: func(s *Scope) bool {
			base := len(s.stack)
			if !operands(s) {
				return false
			}
			of := [2]value.Value(s.stack[base:])
			s.pop(base)
			m.push(s, of[:])
			return true
		}}
	}
	return code{val: func(s *Scope) (v value.Value, ok bool) {
		base := len(s.stack)
		if ok = operands(s); ok {
			var of [3]string
			for i, v := range s.stack[base:] {
				of[i] = v.Str()
			}
			v = s.Arena.String(m.val(of[:len(vals)]))
		}
		s.pop(base)
		return v, ok
	}}
}

// shifted gives the 26 letters from first on their other case.
func shifted(s string, first byte) string {
	b := []byte(s)
	for i, c := range b {
		if c-first < 26 {
			b[i] ^= 'a' - 'A'
		}
	}
	return string(b)
}

// hasSuffix reports whether the string v ends with the string suffix.
func (s *Scope) hasSuffix(v, suffix value.Value) bool {
	var buf [128]byte
	want := value.AppendDecoded(buf[:0], suffix.Body())
	return bytes.HasSuffix(s.decode(v), want)
}

// hasPart reports whether the string part occurs in the string v.
func (s *Scope) hasPart(v, part value.Value) bool {
	var buf [128]byte
	want := value.AppendDecoded(buf[:0], part.Body())
	return bytes.Contains(s.decode(v), want)
}

// find is where the string part occurs in the string v, in code points, or -1.
func (s *Scope) find(v, part value.Value, search func(s, sep []byte) int) int64 {
	var buf [128]byte
	want := value.AppendDecoded(buf[:0], part.Body())
	all := s.decode(v)
	at := search(all, want)
	if at < 0 {
		return -1
	}
	n := int64(0)
	for _, c := range all[:at] {
		if c&0xc0 != 0x80 {
			n++
		}
	}
	return n
}

// split pushes the parts of the string v between the strings sep.
func (s *Scope) split(v, sep value.Value) {
	for _, part := range strings.Split(v.Str(), sep.Str()) {
		s.stack = append(s.stack, s.Arena.String(part))
	}
}

// stringOnly reports whether a method's operand is a string; else it is a failure.
func (s *Scope) stringOnly(method string, v value.Value) bool {
	if !v.IsString() {
		s.reason = method + " needs a string, not " + v.Kind().String()
	}
	return v.IsString()
}

// matchesCode is a search for a constant regular expression.
func (n *node) matchesCode() code {
	codes, ok := codesOf(n.args)
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

// substringCode is s.substring(from) and s.substring(from, to), in code points.
func (n *node) substringCode() code {
	codes, ok := codesOf(n.args)
	if !ok || len(codes) > 3 || len(codes) < 2 || !sameTypes(n.args[0].typ, stringType) {
		return code{}
	}
	for _, a := range n.args[1:] {
		if !sameTypes(a.typ, intType) {
			return code{}
		}
	}
	of, from := codes[0].value(), place(n.args[1], codes[1])
	var to func(*Scope) (int64, bool)
	if len(codes) == 3 {
		to = place(n.args[2], codes[2])
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

// place is a code point that an expression names.
func place(n *node, c code) func(*Scope) (int64, bool) {
	if n.typ == intType {
		return c.int()
	}
	val := c.value()
	return func(s *Scope) (int64, bool) {
		v, ok := val(s)
		if !ok {
			return 0, false
		}
		i, ok := v.Int()
		if !ok {
			s.reason = "substring needs an integer, not " + v.Kind().String()
		}
		return i, ok
	}
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

// joinCode is list.join(sep), of strings.
func (n *node) joinCode() code {
	codes, ok := codesOf(n.args)
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
