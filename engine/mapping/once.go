package mapping

import (
	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// once reads the steps that are about the session as a whole. They look at the
// document, and no frame is there that an event could come from.
func (d *decoder) once(n *yaml.Node, s scope) []*Step {
	if n == nil {
		return nil
	}
	s.It, s.Frame, s.Amendment, s.placed, s.path = s.Doc, nil, nil, false, ""
	steps := d.steps(n, s)
	for _, st := range steps {
		d.eventless(st)
	}
	return steps
}

// eventless reports events in a step and in what it contains.
func (d *decoder) eventless(st *Step) {
	if st.Event != nil {
		d.report.Errorf(diag.Conflict, st.Pos.Line, st.Pos.Col, 0, "there is no frame here that an event could be of").Hint =
			"once holds hazards and what is left out: with, each, do, drop, ignore, hazard"
	}
	if st.Block == nil {
		return
	}
	for _, list := range [][]*Step{st.Block.Before, st.Block.Do} {
		for _, below := range list {
			d.eventless(below)
		}
	}
	for _, rule := range st.Block.Rules {
		for _, below := range rule.Steps {
			d.eventless(below)
		}
	}
}
