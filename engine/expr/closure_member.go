package expr

import (
	"math"

	"github.com/trajmap/trajmap/engine/value"
)

// memberCode is a select or an index. Constant keys in a row become one closure.
func (n *node) memberCode() code {
	base, keys := chain(n)
	if len(keys) == 0 {
		return n.indexCode()
	}
	if base.op == opIdent && base.ref.typ == factMapType {
		key, first, rest := base.ref.key, keys[0], keys[1:]
		return path(func(s *Scope) (value.Value, bool) { return key(s, first), true }, rest)
	}
	if base.op == opIdent && base.ref.isIt {
		return pathOnIt(keys)
	}
	c := base.code()
	if !c.native() || !canHold(base.typ) {
		return code{}
	}
	return path(c.value(), keys)
}

// canHold reports whether values of a type may have members or items: where
// not, cel-go has something to say.
func canHold(t typ) bool { return t == dynType || t == listType || t == mapType || t == factMapType }

// chain follows selects and constant string indexes down to what they begin on.
func chain(n *node) (base *node, keys []string) {
	switch {
	case n.op == opSelect:
		base, keys = chain(n.args[0])
		return base, append(keys, n.name)
	case n.op == opIndex && n.args[1].op == opLiteral && n.args[1].typ == stringType:
		base, keys = chain(n.args[0])
		return base, append(keys, n.args[1].konst.Str())
	}
	return n, nil
}

func pathOnIt(keys []string) code {
	first := keys[0]
	switch len(keys) {
	case 1:
		return code{val: func(s *Scope) (value.Value, bool) { return s.It.Get(first), true }}
	case 2:
		second := keys[1]
		return code{val: func(s *Scope) (value.Value, bool) { return s.It.Get(first).Get(second), true }}
	}
	return path(func(s *Scope) (value.Value, bool) { return s.It, true }, keys)
}

func path(base func(*Scope) (value.Value, bool), keys []string) code {
	return code{val: func(s *Scope) (value.Value, bool) {
		v, ok := base(s)
		for _, k := range keys {
			v = v.Get(k)
		}
		return v, ok
	}}
}

// indexCode is an index that is no constant string.
func (n *node) indexCode() code {
	of, key := n.args[0], n.args[1].code()
	if !key.native() || !canHold(of.typ) {
		return code{}
	}
	if of.op == opIdent && of.ref.typ == factMapType {
		return factIndex(of.ref, key.value())
	}
	base := of.code()
	if !base.native() {
		return code{}
	}
	if base.val == nil && base.push != nil && n.args[1].typ == intType {
		return computedIndex(base.push, key.int())
	}
	val := base.value()
	if n.args[1].typ == intType {
		at := key.int()
		return code{val: func(s *Scope) (value.Value, bool) {
			v, ok := val(s)
			if !ok {
				return v, false
			}
			i, ok := at(s)
			return item(v, i), ok
		}}
	}
	at := key.value()
	return code{val: func(s *Scope) (value.Value, bool) {
		v, ok := val(s)
		if !ok {
			return v, false
		}
		k, ok := at(s)
		return lookUp(v, k), ok
	}}
}

func factIndex(ref *name, at func(*Scope) (value.Value, bool)) code {
	key := ref.key
	return code{val: func(s *Scope) (value.Value, bool) {
		k, ok := at(s)
		if !ok || !k.IsString() {
			return value.Value{}, ok
		}
		return key(s, k.Str()), true
	}}
}

// computedIndex indexes a list that need not be made for that.
func computedIndex(push func(*Scope) bool, at func(*Scope) (int64, bool)) code {
	return code{val: func(s *Scope) (v value.Value, ok bool) {
		base := len(s.stack)
		var i int64
		if ok = push(s); ok {
			end := len(s.stack)
			if i, ok = at(s); ok && i >= 0 && i < int64(end-base) {
				v = s.stack[base+int(i)]
			}
		}
		s.pop(base)
		return v, ok
	}}
}

func item(v value.Value, i int64) value.Value {
	if i < 0 || i > math.MaxInt32 {
		return value.Value{}
	}
	return v.Index(int(i))
}

// lookUp is v[key] for any two values.
func lookUp(v, key value.Value) value.Value {
	switch {
	case key.IsString():
		return v.Get(key.Str())
	case key.Kind() == value.Number:
		n, _ := numberOf(key)
		if !n.isInt && n.f == math.Trunc(n.f) && math.Abs(n.f) < math.MaxInt32 {
			return item(v, int64(n.f))
		}
		if n.isInt {
			return item(v, n.n)
		}
	}
	return value.Value{}
}
