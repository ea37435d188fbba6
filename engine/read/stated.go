package read

import (
	"bytes"

	"github.com/trajmap/trajmap/engine/mapping"
)

// stated evaluates the facts of a stage that need no frames: what the document or
// a file beside the input states, and what other facts come to.
func (s *session) stated(stage int) {
	it := s.scope.It
	defer func() { s.scope.It = it }()
	for i := range s.facts.list {
		f := &s.facts.list[i]
		switch {
		case !f.Stated() || f.Stage != stage:
		case f.Agg == mapping.Bare:
			s.scope.It = s.scope.Doc
			if v := f.Value.Prog.Eval(&s.scope); !blank(v) {
				f.held, f.has = bytes.Clone(v.Raw()), true
			}
		default:
			s.takeAll(f)
		}
	}
}

// takeAll looks at the items of a file beside the input for a fact.
func (s *session) takeAll(f *fact) {
	frame := s.scope.Frame
	for item := range s.scope.Files(f.Of).Items() {
		s.arena.Reset()
		s.scope.It, s.scope.Frame = item, item
		s.take(f)
	}
	s.scope.Frame = frame
}

// settle ends the gathering of facts; false when a rule got an answer before that
// the whole session does not bear out.
func (s *session) settle() bool {
	s.facts.complete = true
	for stage := 1; stage <= s.facts.lastBare; stage++ {
		s.stated(stage)
	}
	good := s.facts.borneOut()
	s.facts.refuted = false
	for i := range s.facts.list {
		f := &s.facts.list[i]
		f.asked, f.said, f.refuted = nil, false, false
	}
	return good
}
