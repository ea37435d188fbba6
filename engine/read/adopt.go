package read

import (
	"slices"

	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/value"
)

// adoption gives calls that the harness wrote down without an id those of their
// results, which are known only behind the frame of the calls. It has a pass of
// its own, once a call without an id has been met while the session was planned.
type adoption struct {
	wanted bool
	ids    map[int][]string // by frame: of its calls without an id; nil before the pass

	// Of the frame that is looked at, and of those directly behind it.
	open    bool
	frame   int
	named   []string // ids that calls have
	unnamed int      // calls without one
	results []string // calls that results name
}

// adopt runs the rules to see which calls lack an id.
func (s *session) adopt() error {
	a := &s.adoption
	*a = adoption{ids: map[int][]string{}}
	s.pass = adopting
	err := s.frames(s.frame)
	a.settle()
	return err
}

// note takes an event of that pass.
func (a *adoption) note(frame int, e *normalize.Event) {
	switch {
	case e.Kind == normalize.ToolResult && a.open:
		a.results = append(a.results, string(e.CallID))
	case e.Kind == normalize.ToolCall:
		if !a.open || a.frame != frame || len(a.results) > 0 {
			a.settle()
			a.open, a.frame = true, frame
		}
		if len(e.CallID) == 0 {
			a.unnamed++
		} else {
			a.named = append(a.named, string(e.CallID))
		}
	case a.frame != frame:
		a.settle()
	}
}

// settle ends the results of a frame's calls. They fit when there are as many
// without a call of their own as there are calls without an id.
func (a *adoption) settle() {
	foreign := slices.DeleteFunc(a.results, func(id string) bool { return slices.Contains(a.named, id) })
	if a.unnamed > 0 && len(foreign) == a.unnamed {
		a.ids[a.frame] = slices.Clone(foreign)
	}
	a.open, a.named, a.unnamed, a.results = false, a.named[:0], 0, a.results[:0]
}

// adopted is the id of the next call without one of the frame at hand; absent
// when it has to be made up.
func (s *session) adopted() value.Value {
	n := s.at.unnamed
	s.at.unnamed++
	s.adoption.wanted = s.pass == planning && s.adoption.ids == nil
	ids := s.adoption.ids[s.at.index]
	if s.pass == adopting || n >= len(ids) || ids[n] == "" {
		return value.Value{}
	}
	return s.arena.Text(func(dst []byte) []byte { return append(dst, ids[n]...) })
}
