package read

import (
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// prepare makes the plan of the session: everything about its records that
// needs more than the frame at hand.
func (s *session) prepare() (*normalize.Plan, error) {
	s.pass, s.source = gathering, len(s.sources)-1
	s.around()
	s.stated(0)
	s.before.failures = len(s.failures)
	switch {
	case s.listed():
		planned, err := s.choose()
		if err != nil {
			return nil, err
		}
		switch {
		case planned && s.adoption.wanted:
			return s.plan()
		case planned:
			return s.finish()
		}
		s.before.hazards, s.before.diagnostics, s.before.invalid = len(s.hazards), len(s.diagnostics), s.ledger.Invalid
		return s.plan()
	case len(s.sources) > 1:
		if err := s.gatherAll(); err != nil {
			return nil, err
		}
		return s.plan()
	}
	s.open()
	err := s.frames(func(it value.Value) error {
		s.gatherFrame(it)
		if s.facts.refuted {
			return nil // it has to be planned anew
		}
		return s.planFrame(it)
	})
	if err != nil {
		return nil, err
	}
	if !s.settle() {
		// Facts that read no other are right already.
		if s.facts.last > 0 && len(s.failures) == s.before.failures {
			err = s.gatherFrom(1)
		} else if s.facts.last > 0 {
			err = s.gatherAll()
		}
		if err != nil {
			return nil, err
		}
		return s.plan()
	}
	if s.adoption.wanted {
		return s.plan()
	}
	return s.finish()
}

// finish ends the planning pass.
func (s *session) finish() (*normalize.Plan, error) {
	if err := s.once(); err != nil {
		return nil, err
	}
	return s.planner.Finish(s.context())
}

// once runs the steps that are about the session as a whole.
func (s *session) once() error {
	if len(s.format.Once) == 0 {
		return nil
	}
	s.account, s.inRules = &s.ledger.root, true
	defer func() { s.inRules = false }()
	s.arena.Reset()
	s.at.Frame = frame.Frame{}
	s.scope.It, s.scope.Frame, s.scope.Amendment = s.scope.Doc, value.Value{}, value.Value{}
	s.scope.Line, s.scope.Index, s.scope.Ordinal = 0, 0, 0
	_, err := s.steps(s.format.Once)
	return err
}

// listed reports whether the frames are not simply read as they come.
func (s *session) listed() bool {
	return s.o.View == mapping.ActiveView && s.format.Active != nil || s.format.Upsert || s.format.Order != nil
}

// plan runs the rules for the planner alone; all facts are known.
func (s *session) plan() (*normalize.Plan, error) {
	for {
		if s.adoption.wanted {
			if err := s.adopt(); err != nil {
				return nil, err
			}
		}
		s.open()
		if err := s.frames(s.planFrame); err != nil {
			return nil, err
		}
		if !s.adoption.wanted {
			return s.finish()
		}
	}
}

// open begins a planning pass: the books are kept in the last one.
func (s *session) open() {
	s.pass = planning
	s.planner.Reset(s.o.Normalize)
	s.ledger = Ledger{Invalid: s.before.invalid}
	s.hazards, s.diagnostics = s.hazards[:s.before.hazards], s.diagnostics[:s.before.diagnostics]
	clear(s.repeated)
	clear(s.keys)
	s.gives, s.ruleFailures = s.gives[:0], s.ruleFailures[:0]
	s.log.reset(s.m)
	if s.o.Drift {
		s.checkAround()
	}
}

// planFrame runs the rules for the plan and the books.
func (s *session) planFrame(it value.Value) error {
	if s.o.Drift {
		s.check(it)
	}
	return s.frame(it)
}

// gatherAll takes the facts of all frames: the input's own first, for it is its
// session and not its parent's whose name and place are wanted.
func (s *session) gatherAll() error { return s.gatherFrom(0) }

// gatherFrom takes the facts of a stage and of those after it.
func (s *session) gatherFrom(first int) error {
	visit := func(it value.Value) error {
		s.gatherFrame(it)
		return nil
	}
	s.pass = gathering
	s.facts.restart(first)
	s.failures = s.failures[:s.before.failures]
	// A fact that reads another needs that one's last word.
	for stage := first; stage <= s.facts.last; stage++ {
		s.facts.stage = stage
		if stage > 0 {
			s.stated(stage)
		}
		index := 0
		for n := len(s.sources) - 1; n >= 0; n-- {
			if err := s.sourceFrames(n, &index, visit); err != nil {
				return err
			}
		}
	}
	s.settle()
	return nil
}

// gatherFrame takes the facts of a frame and leaves the scope as it was.
func (s *session) gatherFrame(it value.Value) {
	if len(s.facts.list) == 0 {
		return
	}
	var kind []byte
	if len(s.facts.byKind) > 0 {
		kind = s.topKind(it)
	}
	s.gather(kind)
}

// context is what the normaliser needs to know of the session.
func (s *session) context() normalize.Context {
	c := normalize.Context{Source: s.m.Source, GroupRequired: s.m.GroupRequired}
	for i := range s.facts.list {
		f := &s.facts.list[i]
		v := f.value()
		switch f.Name {
		case "group":
			c.Group, c.GroupAmbiguous = factText(v), f.mixed
		case "cwd":
			c.Cwd = factText(v)
		case "git_branch":
			c.GitBranch = factText(v)
		case "model":
			c.Model = factText(v)
		case "created_at":
			c.CreatedAt, c.HasCreatedAt = millis(v)
		case "duration":
			c.Duration, _ = v.Int()
		}
	}
	return c
}

func factText(v value.Value) []byte {
	if blank(v) {
		return nil
	}
	return appendText(nil, v)
}

// emit runs the rules with contents and passes the records on.
func (s *session) emit(plan *normalize.Plan, sink normalize.Sink) ([]trajectory.Diagnostic, error) {
	s.pass = emitting
	s.emitter, s.unanswered, s.event = plan.Emit(sink), plan.Unanswered(), 0
	s.reader.buf, s.reader.last = s.log.buf, 0
	err := s.frames(s.frame)
	diagnostics, closeErr := s.emitter.Close()
	s.emitter = nil
	if err == nil {
		err = closeErr
	}
	return diagnostics, err
}

// result puts together what the read found.
func (s *session) result(normalised []trajectory.Diagnostic) *Result {
	s.ledger.close(s.inactive)
	r := &Result{
		Mapping:     s.m,
		Format:      s.format,
		Path:        s.in.Name,
		Chosen:      s.chosen,
		Others:      s.others,
		Facts:       map[string]string{},
		Diagnostics: s.diagnostics,
		Hazards:     s.hazards,
		Ledger:      s.ledger,
		Full:        s.fulls.found,
		Ran:         s.ran,
	}
	for _, list := range []failures{s.failures, s.ruleFailures} {
		for i := range list {
			r.Diagnostics = append(r.Diagnostics, list[i].Diagnostic)
		}
	}
	r.Diagnostics = append(r.Diagnostics, normalised...)
	for i := range s.facts.list {
		f := &s.facts.list[i]
		if v := f.value(); v.IsString() {
			r.Facts[f.Name] = v.Str()
		}
	}
	facts := s.facts
	r.Session = &facts // the next read makes its own
	return r
}
