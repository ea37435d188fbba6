package expr

import "github.com/trajmap/trajmap/engine/value"

// Text is the function text() of the language: what a content says, its blocks
// joined with line feeds; absent when nothing in it contributes.
func (s *Scope) Text(v value.Value) value.Value {
	args := [1]value.Value{v}
	return s.text(args[:])
}
