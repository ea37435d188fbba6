package read

import (
	"bytes"
	"context"
	"io"
	"strconv"

	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// pass says what the rules are run for.
type pass uint8

const (
	planning pass = iota // which events there are: their contents matter little
	weighing             // which frames give events: for the active view
	emitting             // records, diagnostics, hazards and the ledger
)

// session is the state of one read.
type session struct {
	ctx     context.Context
	m       *mapping.Mapping
	format  *mapping.Format
	in      *frame.Input
	o       Options
	sources []source // of frames, oldest session first, the input last
	source  int      // the one at hand
	order   []entry  // the frames to read, in this order; nil: all, as they come
	choice  *selection

	scope expr.Scope
	arena value.Arena
	doc   value.Doc // the frame at hand
	outer value.Doc // the document around the frames
	extra value.Doc // the amending frame
	facts facts

	pass    pass
	at      position
	planner *normalize.Planner
	emitter *normalize.Emitter
	events  draft

	event      int          // of the emitting pass
	unanswered map[int]bool // calls without a result, by event

	ledger      Ledger
	account     *account
	hazards     hazards
	diagnostics []trajectory.Diagnostic
	repeated    map[string]int // diagnostics that are counted, by what they count
	keys        map[Key]int    // of the ledger: place in Ledger.Keys
	ran         []bool
}

// position is the frame at hand and what its events have in common. Whatever
// is evaluated on the frame is evaluated at most once.
type position struct {
	frame.Frame
	sub   int32 // among the frames that Expand made of one
	index int   // among all frames, expanded ones included

	record, step, model text
	time                int64
	hasTime, timeKnown  bool
	latest              int64 // greatest time so far, for monotonic
	components          components
}

func (s *session) start(ctx context.Context, m *mapping.Mapping, f *mapping.Format, in *frame.Input, o Options) {
	s.ctx, s.m, s.format, s.in, s.o = ctx, m, f, in, o
	s.order, s.sources, s.source, s.choice = nil, nil, 0, nil
	s.ledger, s.account = Ledger{}, nil
	s.hazards, s.diagnostics, s.unanswered = nil, nil, nil
	s.repeated, s.keys = map[string]int{}, nil
	s.ran = make([]bool, len(m.Steps))
	s.facts.start(f.Session)
	lets := s.scope.Lets
	if cap(lets) < f.Lets {
		lets = make([]value.Value, f.Lets)
	}
	s.scope = expr.Scope{
		Lets:  lets[:f.Lets],
		Files: newSiblings(f, in).get,
		Facts: &s.facts,
		Arena: &s.arena,
	}
	s.scope.Failed = s.failed
	if s.planner == nil {
		s.planner = normalize.NewPlanner(o.Normalize)
	}
}

// failed notes an expression that met a value of the wrong type. The last pass
// evaluates all that the others do, so it alone counts; facts and the active
// view have only the first.
func (s *session) failed(p *expr.Program, reason string) {
	if s.pass == planning && s.facts.complete || s.pass == weighing {
		return
	}
	s.counted(trajectory.ExpressionFailed, p.Source, "an expression of the mapping failed: "+p.Source+": "+reason, s.at.Line)
}

// counted adds a diagnostic of which there is one for each subject.
func (s *session) counted(code, subject, message string, line int) {
	key := code + "\x00" + subject
	if n, ok := s.repeated[key]; ok {
		s.diagnostics[n].Count++
		return
	}
	s.repeated[key] = len(s.diagnostics)
	s.diagnostics = append(s.diagnostics, trajectory.Diagnostic{Code: code, Message: message, InputLine: line, Count: 1})
}

// frames runs visit on every frame of the session that is a JSON object, in the
// order of this read. The scope stands on it.
func (s *session) frames(visit func(it value.Value) error) error {
	if s.order != nil {
		return s.ordered(visit)
	}
	index := 0
	for n := range s.sources {
		if err := s.sourceFrames(n, &index, visit); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) sourceFrames(n int, index *int, visit func(it value.Value) error) error {
	src := &s.sources[n]
	s.source = n
	if err := src.stream.Rewind(); err != nil {
		return err
	}
	for {
		fr, err := src.stream.Next()
		if err == io.EOF || err == nil && src.until > 0 && fr.Offset >= src.until {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if src.group != nil {
			fr.Line = 0 // lines are those of the input itself
		}
		s.at.Frame = fr
		if !s.parse(&s.doc, fr) {
			continue
		}
		if err := s.each(index, visit); err != nil {
			return err
		}
	}
}

// ordered runs visit on the chosen frames.
func (s *session) ordered(visit func(it value.Value) error) error {
	for i := range s.order {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		e := &s.order[i]
		var err error
		s.scope.Amendment = value.Value{}
		if e.amend != nil {
			if s.scope.Amendment, err = s.fetch(&s.extra, e.amend, bytes.Clone); err != nil {
				return err
			}
		}
		it, err := s.fetch(&s.doc, e, func(data []byte) []byte { return data })
		if err != nil {
			return err
		}
		s.at.Frame, s.source = e.Frame, e.source
		if s.pass == emitting {
			s.ledger.Frames++
		}
		if err := s.visit(it, e.sub, e.index, visit); err != nil {
			return err
		}
	}
	return nil
}

// fetch reads one chosen frame again. What a stream gives is only good until it
// is asked again, so keep says whether to copy it.
func (s *session) fetch(doc *value.Doc, e *entry, keep func([]byte) []byte) (value.Value, error) {
	fr, err := s.sources[e.source].stream.At(e.Frame)
	if err != nil {
		return value.Value{}, err
	}
	if doc.Parse(keep(fr.Data)) != nil {
		return value.Value{}, trajectory.Errorf(trajectory.InvalidInput, "the input changed while it was read")
	}
	return s.sub(doc.Root(), e.sub), nil
}

// sub is the frame itself, or one of those that it holds.
func (s *session) sub(root value.Value, n int32) value.Value {
	if n == 0 {
		return root
	}
	for _, path := range s.format.Expand {
		s.scope.It, s.scope.Frame = root, root
		for item := range path.Prog.Eval(&s.scope).Items() {
			if item.Kind() != value.Object {
				continue
			}
			if n--; n == 0 {
				return item
			}
		}
	}
	return value.Value{}
}

// parse indexes a frame; false when it is not a JSON object.
func (s *session) parse(doc *value.Doc, fr frame.Frame) bool {
	code, what := "", ""
	switch {
	case fr.TooBig:
		code, what = trajectory.FrameTooLarge, "a frame is longer than the limit"
	case doc.Parse(fr.Data) != nil:
		code, what = trajectory.InvalidJSONLine, "a line is not JSON"
	case doc.Root().Kind() != value.Object:
		code, what = trajectory.NonObjectJSONLine, "a line is JSON but not an object"
	default:
		if s.pass == emitting {
			s.ledger.Frames++
		}
		return true
	}
	if s.pass == emitting || s.pass == weighing {
		s.ledger.Invalid++
		s.diagnostics = append(s.diagnostics, trajectory.Diagnostic{Code: code, Message: what, InputLine: fr.Line})
	}
	return false
}

// each visits the parsed frame, and then the frames that it holds.
func (s *session) each(index *int, visit func(it value.Value) error) error {
	root := s.doc.Root()
	if err := s.visit(root, 0, *index, visit); err != nil {
		return err
	}
	*index++
	sub := int32(0)
	for _, path := range s.format.Expand {
		s.scope.It, s.scope.Frame = root, root
		for item := range path.Prog.Eval(&s.scope).Items() {
			if item.Kind() != value.Object {
				continue
			}
			sub++
			if err := s.visit(item, sub, *index, visit); err != nil {
				return err
			}
			*index++
		}
	}
	return nil
}

// visit sets the scope on a frame.
func (s *session) visit(it value.Value, sub int32, index int, visit func(it value.Value) error) error {
	s.arena.Reset()
	p := &s.at
	p.sub, p.index = sub, index
	p.record.known, p.step.known, p.model.known, p.timeKnown = false, false, false, false
	p.latest = 0
	p.components.reset()
	s.scope.It, s.scope.Frame = it, it
	s.scope.Line, s.scope.Index = p.Line, index
	return visit(it)
}

// frameTime is the format's `event.time` on the frame.
func (s *session) frameTime() (int64, bool) {
	p := &s.at
	if !p.timeKnown {
		p.timeKnown = true
		p.time, p.hasTime = 0, false
		if v := s.format.Event.Time; v != nil {
			p.time, p.hasTime = s.timeOf(v)
		}
	}
	return p.time, p.hasTime
}

// timeOf evaluates a time on the frame. Alternatives are tried until one is a
// time: a native field may hold something else.
func (s *session) timeOf(v *mapping.Value) (int64, bool) {
	return millis(s.onFrame(v))
}

// onFrame evaluates a value on the frame, whatever `it` is now.
func (s *session) onFrame(v *mapping.Value) value.Value {
	it := s.scope.It
	s.scope.It = s.scope.Frame
	out := v.Prog.Eval(&s.scope)
	s.scope.It = it
	return out
}

// frameTie orders frames of equal time: the record id, else the offset.
func (s *session) frameTie() []byte {
	if s.format.Event.Record != nil {
		if b := s.frameText(&s.at.record, s.format.Event.Record); b != nil {
			return b
		}
	}
	return strconv.AppendInt([]byte{'@'}, s.at.Offset, 10)
}

// around parses the document around the frames.
func (s *session) around() {
	if text := s.sources[len(s.sources)-1].stream.Doc(); text != nil && s.outer.Parse(text) == nil {
		s.scope.Doc = s.outer.Root()
	}
}

// check holds the frame against the native schema.
func (s *session) check(it value.Value) {
	if s.format.Native == nil || s.format.Native.Frame == nil {
		return
	}
	s.format.Native.Frame.Check(it, func(path string, problem shape.Problem) {
		k := Key{Path: path, Problem: problem.String()}
		if s.keys == nil {
			s.keys = map[Key]int{}
		}
		n, ok := s.keys[k]
		if !ok {
			n = len(s.ledger.Keys)
			s.keys[k] = n
			k.Line = s.at.Line
			s.ledger.Keys = append(s.ledger.Keys, k)
		}
		s.ledger.Keys[n].Count++
	})
}
