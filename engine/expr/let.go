package expr

import "github.com/trajmap/trajmap/engine/value"

// bound is a local name whose value nobody has asked for yet. Expressions are
// pure, so that it does not matter when one runs, and most names are only
// wanted in one of the passes over an input.
type bound struct {
	prog           *Program
	it             value.Value
	index, ordinal int
}

// Bind gives a local name the value that p has where the scope stands now. It
// is evaluated when an expression first asks for it, with the arena of the
// frame: a name must not be asked for on another one.
func (s *Scope) Bind(slot int, p *Program) {
	if len(s.bound) < len(s.Lets) {
		s.bound = append(s.bound, make([]bound, len(s.Lets)-len(s.bound))...)
	}
	s.bound[slot] = bound{p, s.It, s.Index, s.Ordinal}
}

// Let is the value of a local name.
func (s *Scope) Let(slot int) value.Value {
	if slot < len(s.bound) && s.bound[slot].prog != nil {
		b := s.bound[slot]
		s.bound[slot].prog = nil
		it, index, ordinal := s.It, s.Index, s.Ordinal
		s.It, s.Index, s.Ordinal = b.it, b.index, b.ordinal
		s.Lets[slot] = b.prog.Eval(s)
		s.It, s.Index, s.Ordinal = it, index, ordinal
	}
	if slot >= len(s.Lets) {
		return value.Value{}
	}
	return s.Lets[slot]
}
