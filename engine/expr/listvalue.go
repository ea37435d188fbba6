package expr

import "github.com/trajmap/trajmap/engine/value"

// A computed list lives as items on the scope's stack until somebody needs it
// as one value: then its JSON is written and indexed.

// pop forgets what was pushed since the stack had this height.
func (s *Scope) pop(base int) { s.stack = s.stack[:base] }

// pushList pushes the items of list(v) and gives the height before.
func (s *Scope) pushList(v value.Value) int {
	base := len(s.stack)
	switch v.Kind() {
	case value.Null:
	case value.Array:
		for item := range v.Items() {
			s.stack = append(s.stack, item)
		}
	default:
		s.stack = append(s.stack, v)
	}
	return base
}

// listOf is the list of some values.
func (s *Scope) listOf(items []value.Value) value.Value {
	if len(items) == 0 {
		return emptyList
	}
	if whole, ok := value.ListOf(items); ok {
		return whole
	}
	return s.Arena.JSON(func(dst []byte) []byte {
		dst = append(dst, '[')
		for i, v := range items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendRaw(dst, v)
		}
		return append(dst, ']')
	})
}

func appendRaw(dst []byte, v value.Value) []byte {
	if !v.Exists() {
		return append(dst, "null"...)
	}
	return append(dst, v.Raw()...)
}

// contains reports whether v is among the items of list(l).
func (s *Scope) contains(l, v value.Value) bool {
	if l.Kind() != value.Array {
		return !l.IsNull() && s.equal(l, v)
	}
	for item := range l.Items() {
		if s.equal(item, v) {
			return true
		}
	}
	return false
}
