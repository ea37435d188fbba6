package read

import (
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/value"
)

// draft is the event that is being put together, with its buffers.
type draft struct {
	normalize.Event
	scratch [6][]byte // text, call id, name, record, step, model
	args    []byte
}

var roles = map[string]normalize.Kind{
	"user":        normalize.User,
	"assistant":   normalize.Assistant,
	"system":      normalize.System,
	"reasoning":   normalize.Reasoning,
	"observation": normalize.Observation,
}

// emitEvent evaluates a step's event and hands it on.
func (s *session) emitEvent(st *mapping.Step) error {
	e, spec := &s.events, st.Event
	s.at.gives = true
	e.Event = normalize.Event{}
	full := s.pass == emitting
	switch st.Verb {
	case mapping.Message:
		kind, ok := s.role(spec)
		if !ok {
			return nil
		}
		e.Kind = kind
		if e.Text = s.contentText(s.eval(spec.Content), &e.scratch[0]); e.Text == nil {
			return nil
		}
	case mapping.ToolCall:
		e.Kind = normalize.ToolCall
		e.CallID = scalarText(s.eval(spec.ID), &e.scratch[1])
		if full {
			e.Name = scalarText(s.eval(spec.Name), &e.scratch[2])
			s.arguments(spec.Args)
		}
	case mapping.ToolResult:
		e.Kind = normalize.ToolResult
		e.CallID = scalarText(s.eval(spec.Call), &e.scratch[1])
		if full {
			e.Text = s.contentText(s.eval(spec.Content), &e.scratch[0])
			if ok, known := s.eval(spec.OK).Bool(); known && ok {
				e.OK = normalize.True
			} else if known {
				e.OK = normalize.False
			}
		}
	}
	s.place(spec)
	return s.deliver(st)
}

func (s *session) eval(v *mapping.Value) value.Value {
	if v == nil {
		return value.Value{}
	}
	return v.Prog.Eval(&s.scope)
}

func (s *session) role(spec *mapping.Event) (normalize.Kind, bool) {
	if spec.RoleOf == nil {
		kind, ok := roles[spec.Role]
		return kind, ok
	}
	v := spec.RoleOf.Prog.Eval(&s.scope)
	if v.Escaped() {
		kind, ok := roles[v.Str()]
		return kind, ok
	}
	kind, ok := roles[string(v.Body())]
	return kind, ok
}

// arguments sets a call's arguments: a string as the source has it, anything
// else as JSON, an empty object where there are none.
func (s *session) arguments(v *mapping.Value) {
	e := &s.events
	e.args, e.IsJSON = e.args[:0], true
	switch {
	case v == nil:
		e.args = append(e.args, "{}"...)
	case v.Object != nil:
		e.args = append(e.args, '{')
		for _, m := range v.Object {
			out := m.Value.Prog.Eval(&s.scope)
			if out.IsNull() {
				continue
			}
			if len(e.args) > 1 {
				e.args = append(e.args, ',')
			}
			e.args = append(e.args, '"')
			e.args = value.AppendEncoded(e.args, m.Name)
			e.args = append(e.args, '"', ':')
			e.args = out.AppendJSON(e.args)
		}
		e.args = append(e.args, '}')
	default:
		switch out := v.Prog.Eval(&s.scope); out.Kind() {
		case value.Null:
			e.args = append(e.args, "{}"...)
		case value.String:
			e.args, e.IsJSON = value.AppendDecoded(e.args, out.Body()), false
		default:
			e.args, e.IsJSON = out.AppendJSON(e.args), out.Kind() == value.Object
		}
	}
	e.Args = e.args
}

// place sets what says when and where an event was, and by which model.
func (s *session) place(spec *mapping.Event) {
	e, p, defaults := &s.events, &s.at, &s.format.Event
	e.Line, e.Group = p.Line, s.sources[s.source].group
	if spec.Time != nil {
		e.Time, e.HasTime = millis(spec.Time.Prog.Eval(&s.scope))
	} else {
		e.Time, e.HasTime = s.frameTime()
	}
	if defaults.Monotonic && e.HasTime {
		e.Time = max(e.Time, p.latest)
		p.latest = e.Time
	}
	e.Model = s.own(spec.Model, defaults.Model, &p.model, &e.scratch[5])
	if s.pass != emitting {
		return
	}
	e.Record = s.own(spec.Record, defaults.Record, &p.record, &e.scratch[3])
	e.Step = s.own(spec.Step, defaults.Step, &p.step, &e.scratch[4])
	if seq := spec.Sequence; seq != nil {
		e.Seq, e.HasSeq = seq.Prog.Eval(&s.scope).Int()
	} else if defaults.Sequence != nil {
		e.Seq, e.HasSeq = s.onFrame(defaults.Sequence).Int()
	}
	e.Component = p.components.next(e.Record)
	if s.format.Frames.Lines {
		e.Offset, e.OffsetUnit = p.Offset, normalize.Byte
	} else {
		e.Offset, e.OffsetUnit = int64(p.index), normalize.Ordinal
	}
}

// own is a step's own value as text, or else the frame's.
func (s *session) own(own, frame *mapping.Value, kept *text, scratch *[]byte) []byte {
	if own != nil {
		return scalarText(own.Prog.Eval(&s.scope), scratch)
	}
	if frame != nil {
		return s.frameText(kept, frame)
	}
	return nil
}

// deliver hands the event to the pass.
func (s *session) deliver(st *mapping.Step) error {
	switch s.pass {
	case planning:
		s.planner.Add(&s.events.Event)
	case weighing:
		s.choice.weigh(&s.events.Event)
	case emitting:
		if s.o.Trace != nil {
			s.o.Trace.Event(s.traced(), st, &s.events.Event)
		}
		s.pending()
		if s.emitter != nil {
			return s.emitter.Add(&s.events.Event)
		}
	}
	return nil
}

// pending notes a call that has no result.
func (s *session) pending() {
	if tail, open := s.unanswered[s.event]; open && tail {
		s.hazards.note("in_flight_call", s.at.Line)
	} else if open {
		s.hazards.note("missing_result", s.at.Line)
	}
	s.event++
}
