package read

import (
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/value"
)

// The texts of an event, by their place in draft.values.
const (
	textOf = iota
	callOf
	nameOf
	recordOf
	stepOf
	modelOf
	texts
)

// draft is the event that is being put together.
type draft struct {
	normalize.Event
	values  [texts]value.Value // strings, or absent
	args    value.Value
	object  []*mapping.Member // args that the mapping composes
	scratch [texts][]byte
	buf     []byte // of the arguments
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
	e.Event, e.values, e.args, e.object = normalize.Event{}, [texts]value.Value{}, value.Value{}, nil
	switch st.Verb {
	case mapping.Message:
		kind, ok := s.role(spec)
		if !ok {
			return nil
		}
		e.Kind = kind
		if e.values[textOf] = s.content(s.eval(spec.Content)); !e.values[textOf].Exists() {
			return nil
		}
	case mapping.ToolCall:
		e.Kind = normalize.ToolCall
		if e.values[callOf] = s.scalar(s.eval(spec.ID)); s.format.Adopt && len(e.text(callOf)) == 0 {
			e.values[callOf] = s.adopted()
		}
		e.values[nameOf] = s.scalar(s.eval(spec.Name))
		e.Resultless = spec.Resultless != nil && spec.Resultless.Prog.Test(&s.scope)
		if spec.Args != nil && spec.Args.Object != nil {
			e.object = spec.Args.Object
		} else {
			e.args = s.eval(spec.Args)
		}
	case mapping.ToolResult:
		e.Kind = normalize.ToolResult
		e.values[callOf] = s.scalar(s.eval(spec.Call))
		e.values[textOf] = s.content(s.eval(spec.Content))
		if ok, known := s.eval(spec.OK).Bool(); known && ok {
			e.OK = normalize.True
		} else if known {
			e.OK = normalize.False
		}
		if spec.Full != nil {
			s.full(spec.Full)
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

// place sets what says when and where an event was, and by which model.
func (s *session) place(spec *mapping.Event) {
	e, p, defaults := &s.events, &s.at, &s.format.Event
	if spec.Time != nil {
		e.Time, e.HasTime = millis(spec.Time.Prog.Eval(&s.scope))
	} else {
		e.Time, e.HasTime = s.frameTime()
	}
	if defaults.Monotonic && e.HasTime {
		e.Time = max(e.Time, p.latest)
		p.latest = e.Time
	}
	e.values[modelOf] = s.own(spec.Model, defaults.Model, &p.model)
	e.values[recordOf] = s.own(spec.Record, defaults.Record, &p.record)
	e.values[stepOf] = s.own(spec.Step, defaults.Step, &p.step)
	if seq := spec.Sequence; seq != nil {
		e.Seq, e.HasSeq = seq.Prog.Eval(&s.scope).Int()
	} else if defaults.Sequence != nil {
		e.Seq, e.HasSeq = s.onFrame(defaults.Sequence).Int()
	}
	e.Component = p.components.next(e.values[recordOf].Body())
	if spec.Component != nil {
		n, _ := spec.Component.Prog.Eval(&s.scope).Int()
		e.Component = int(n)
	}
	s.locate(&e.Event)
}

// locate sets where an event's frame is.
func (s *session) locate(e *normalize.Event) {
	p := &s.at
	e.Line, e.Group = p.Line, s.sources[s.source].group
	switch {
	case s.format.Frames.Lines:
		e.Offset, e.OffsetUnit = p.Offset, normalize.Byte
	case s.format.Frames.Handler != "" && e.HasSeq:
		// The number that the source gives its records says where they are. How many
		// frames a handler makes of what stands before them does not.
	default:
		e.Offset, e.OffsetUnit = int64(p.index), normalize.Ordinal
	}
}

// own is a step's own value, or else the frame's.
func (s *session) own(own, frame *mapping.Value, kept *onFrame) value.Value {
	if own != nil {
		return s.scalar(own.Prog.Eval(&s.scope))
	}
	if frame != nil {
		return s.frameScalar(kept, frame)
	}
	return value.Value{}
}

// deliver hands the event to the pass.
func (s *session) deliver(st *mapping.Step) error {
	e := &s.events
	switch s.pass {
	case planning:
		e.CallID = e.text(callOf)
		e.Model = e.text(modelOf)
		e.Text = e.beginning()
		s.log.add(s.doc.Source(), st, e)
	case adopting:
		e.CallID = e.text(callOf)
	case emitting:
		e.fill()
		s.composing = e.object != nil
		s.arguments()
		s.composing = false
	}
	return s.hand(st)
}

// hand gives the event to the pass, after the one that was held back for it.
func (s *session) hand(st *mapping.Step) error {
	if st.Join != nil {
		return s.piece(st)
	}
	if err := s.release(); err != nil {
		return err
	}
	e := &s.events.Event
	switch s.pass {
	case planning:
		s.planner.Add(e)
	case weighing:
		s.choice.count(e)
	case adopting:
		s.adoption.note(s.at.index, e)
	case emitting:
		if s.o.Trace != nil {
			s.o.Trace.Event(s.traced(), st, e)
		}
		return s.emitOne(e)
	}
	return nil
}

// emitOne gives an event to the normaliser.
func (s *session) emitOne(e *normalize.Event) error {
	if tail, open := s.unanswered[s.event]; open && tail {
		s.hazards.note("in_flight_call", "", e.Line)
	} else if open {
		s.hazards.note("missing_result", "", e.Line)
	}
	s.event++
	return s.emitter.Add(e)
}
