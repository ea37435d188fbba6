package expr

import (
	"github.com/trajmap/trajmap/engine/value"
)

// listCode is a list literal.
func listCode(items []*node) code {
	codes, ok := codesOf(items)
	if !ok {
		return code{}
	}
	if v, ok := constantList(codes); ok {
		return fixed(v)
	}
	vals := values(codes)
	return code{push: func(s *Scope) bool {
		for _, val := range vals {
			v, ok := val(s)
			if !ok {
				return false
			}
			s.stack = append(s.stack, v)
		}
		return true
	}}
}

func values(codes []code) []func(*Scope) (value.Value, bool) {
	list := make([]func(*Scope) (value.Value, bool), len(codes))
	for i, c := range codes {
		list[i] = c.value()
	}
	return list
}

func constantList(codes []code) (value.Value, bool) {
	json := []byte{'['}
	for i, c := range codes {
		if c.konst == nil {
			return value.Value{}, false
		}
		if i > 0 {
			json = append(json, ',')
		}
		json = appendRaw(json, *c.konst)
	}
	return value.MustParse(string(append(json, ']'))), true
}

// mapCode is a map literal. Its members stand in the order in which they are
// written; keys that are no constants are left to cel-go.
func mapCode(entries []*node) code {
	codes, ok := codesOf(entries)
	if !ok {
		return code{}
	}
	seen := map[string]bool{}
	for i := 0; i < len(entries); i += 2 {
		k := codes[i].konst
		if k == nil || !k.IsString() || seen[k.Str()] {
			return code{}
		}
		seen[k.Str()] = true
	}
	vals := values(codes)
	return code{val: func(s *Scope) (value.Value, bool) {
		base := len(s.stack)
		for _, val := range vals {
			v, ok := val(s)
			if !ok {
				s.pop(base)
				return v, false
			}
			s.stack = append(s.stack, v)
		}
		v := s.Arena.JSON(func(dst []byte) []byte {
			dst = append(dst, '{')
			for i, v := range s.stack[base:] {
				switch {
				case i%2 == 1:
					dst = append(dst, ':')
				case i > 0:
					dst = append(dst, ',')
				}
				dst = appendRaw(dst, v)
			}
			return append(dst, '}')
		})
		s.pop(base)
		return v, true
	}}
}

// bind gives a macro's variable a value and returns the one it had.
func (s *Scope) bind(depth int, v value.Value) value.Value {
	for len(s.vars) <= depth {
		s.vars = append(s.vars, value.Value{})
	}
	old := s.vars[depth]
	s.vars[depth] = v
	return old
}

// macroCode is a call with a variable.
func (n *node) macroCode() code {
	over := n.args[0].code()
	if !over.native() || !canHold(n.args[0].typ) {
		return code{}
	}
	codes, ok := codesOf(n.args[2:])
	if !ok {
		return code{}
	}
	items, last := over.items(), codes[len(codes)-1]
	switch n.name {
	case "exists":
		return quantifier(items, codes[0].bool(), n.depth, true)
	case "all":
		return quantifier(items, codes[0].bool(), n.depth, false)
	case "exists_one":
		return existsOne(items, codes[0].bool(), n.depth)
	case "filter":
		return filter(items, codes[0].bool(), n.depth)
	case "map":
		if len(codes) == 2 {
			items = filter(items, codes[0].bool(), n.depth).push
		}
		return transform(items, last.value(), n.depth)
	}
	return code{}
}

// quantifier looks for an item for which the condition is what decides: true
// for exists, false for all. Such an item makes up for failures at others.
func quantifier(items func(*Scope) bool, cond func(*Scope) (bool, bool), depth int, decides bool) code {
	return code{test: func(s *Scope) (result, ok bool) {
		base := len(s.stack)
		if ok = items(s); ok {
			result = !decides
			old := s.bind(depth, value.Value{})
			for i, end := base, len(s.stack); i < end; i++ {
				s.vars[depth] = s.stack[i]
				b, fine := cond(s)
				if fine && b == decides {
					result, ok = decides, true
					break
				}
				ok = ok && fine
			}
			s.vars[depth] = old
		}
		s.pop(base)
		return result, ok
	}}
}

func existsOne(items func(*Scope) bool, cond func(*Scope) (bool, bool), depth int) code {
	kept := filter(items, cond, depth).push
	return code{test: func(s *Scope) (bool, bool) {
		base := len(s.stack)
		ok := kept(s)
		one := len(s.stack) == base+1
		s.pop(base)
		return one, ok
	}}
}

func filter(items func(*Scope) bool, cond func(*Scope) (bool, bool), depth int) code {
	return code{push: func(s *Scope) bool {
		base := len(s.stack)
		if !items(s) {
			return false
		}
		kept, ok := base, true
		old := s.bind(depth, value.Value{})
		for i, end := base, len(s.stack); i < end && ok; i++ {
			v := s.stack[i]
			s.vars[depth] = v
			var b bool
			if b, ok = cond(s); b && ok {
				s.stack[kept] = v
				kept++
			}
		}
		s.vars[depth] = old
		s.pop(kept)
		return ok
	}}
}

func transform(items func(*Scope) bool, val func(*Scope) (value.Value, bool), depth int) code {
	return code{push: func(s *Scope) bool {
		base := len(s.stack)
		if !items(s) {
			return false
		}
		ok := true
		old := s.bind(depth, value.Value{})
		for i, end := base, len(s.stack); i < end && ok; i++ {
			s.vars[depth] = s.stack[i]
			var v value.Value
			if v, ok = val(s); ok {
				s.stack[i] = v
			}
		}
		s.vars[depth] = old
		return ok
	}}
}
