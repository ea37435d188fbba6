package read

import (
	"bytes"
	"cmp"
	"io"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// frames runs visit on every frame of the session that is a JSON object, in the
// order of this read. The scope stands on it.
func (s *session) frames(visit func(it value.Value) error) error {
	clear(s.items)
	s.pieces.reset(s.pass)
	if err := s.all(visit); err != nil {
		return err
	}
	return s.release()
}

func (s *session) all(visit func(it value.Value) error) error {
	if s.order != nil {
		return s.ordered(visit)
	}
	index := 0
	s.number = 0
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
	for ; ; s.number++ {
		fr, err := src.stream.Next()
		if err == io.EOF || err == nil && src.until > 0 && fr.Offset >= src.until {
			return nil
		}
		if err != nil {
			return err
		}
		if s.o.Head > 0 && fr.Index >= s.o.Head {
			return nil
		}
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if src.group != nil {
			fr.Line = 0 // lines are those of the input itself
		}
		s.at.Frame = fr
		if done, err := s.shortcut(*index, func() (frame.Frame, error) { return fr, nil }); err != nil {
			return err
		} else if done {
			if s.gives[s.number] != nothing {
				*index++
			}
			continue
		}
		if !s.parse(&s.doc, fr) {
			continue
		}
		if err := s.each(index, visit); err != nil {
			return err
		}
	}
}

// shortcut spares the last pass the rules, for a frame without events and for
// one whose events are in the log.
func (s *session) shortcut(index int, data func() (frame.Frame, error)) (done bool, err error) {
	if s.pass != emitting || s.o.Trace != nil {
		return false, nil
	}
	switch s.gives[s.number] {
	case rerun:
		s.reader.counts(s.items)
		return false, nil
	case someEvents:
		fr, err := data()
		if err != nil {
			return true, err
		}
		s.at.index = index
		return true, s.replay(fr)
	}
	return true, nil
}

// begin notes that the planning of a frame begins.
func (s *session) begin() {
	if s.pass == planning {
		s.at.gives = false
		s.log.begin(s.items, len(s.format.Expand) > 0)
	}
}

// end notes what the frame was good for.
func (s *session) end() {
	if s.pass == planning {
		s.gives = append(s.gives, s.log.end(s.at.gives))
	}
}

// ordered runs visit on the chosen frames.
func (s *session) ordered(visit func(it value.Value) error) error {
	for i := range s.order {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		e := &s.order[i]
		s.at.Frame, s.source, s.number = e.frame(), int(e.source), i
		at := func() (frame.Frame, error) { return s.sources[e.source].stream.At(s.at.Frame) }
		if done, err := s.shortcut(int(e.index), at); err != nil {
			return err
		} else if done {
			continue
		}
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
		if s.pass == planning {
			s.ledger.Frames++
		}
		s.begin()
		if err := s.visit(it, e.sub, int(e.index), visit); err != nil {
			return err
		}
		s.end()
	}
	return nil
}

// fetch reads one chosen frame again. What a stream gives is only good until it
// is asked again, so keep says whether to copy it.
func (s *session) fetch(doc *value.Doc, e *entry, keep func([]byte) []byte) (value.Value, error) {
	fr, err := s.sources[e.source].stream.At(e.frame())
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
	if len(fr.Lost) > 0 {
		s.unplan()
	}
	if s.pass == planning || s.pass == weighing {
		for _, l := range fr.Lost {
			s.lose(l)
		}
	}
	code, what, torn := "", cmp.Or(fr.File, "a line"), false
	switch {
	case fr.TooBig:
		code, what = trajectory.FrameTooLarge, cmp.Or(fr.File, "a frame")+" is longer than the limit"
	case fr.Data == nil && fr.Lost != nil: // its own file, as was said
		if s.pass == planning {
			s.gives = append(s.gives, nothing)
		}
		return false
	case doc.Parse(fr.Data) != nil:
		code, what = trajectory.InvalidJSONLine, what+" is not JSON"
		torn = s.torn(fr)
	case doc.Root().Kind() != value.Object:
		code, what = trajectory.NonObjectJSONLine, what+" is JSON but not an object"
	default:
		if s.pass == planning {
			s.ledger.Frames++
		}
		return true
	}
	s.unplan()
	if s.pass == planning {
		s.gives = append(s.gives, nothing)
	}
	if s.pass == planning || s.pass == weighing {
		s.ledger.Invalid++
		if torn {
			s.hazards.note("live_session", "", fr.Line)
		}
		// What the list of a document holds beside objects is no line.
		if code != trajectory.NonObjectJSONLine || s.format.Frames.JSON == nil {
			s.diagnostics = append(s.diagnostics, trajectory.Diagnostic{Code: code, Message: what, InputLine: fr.Line})
		}
	}
	return false
}

// unplan gives up a plan that is made while frames are chosen: what is no frame is
// told before all else.
func (s *session) unplan() {
	if s.choice != nil && s.choice.plans {
		s.choice.plans, s.choice.crooked = false, true
	}
}

// torn reports whether a line is the input's last and has no end: it may be
// written to at this moment.
func (s *session) torn(fr frame.Frame) bool {
	in := s.sources[s.source].in
	return fr.Line > 0 && s.source == len(s.sources)-1 && in != nil && fr.Offset+fr.Length >= in.Size
}

// lose notes a file that belongs to a frame and is not in it.
func (s *session) lose(l frame.Lost) {
	s.ledger.Invalid++
	s.diagnostics = append(s.diagnostics, trajectory.Diagnostic{Code: trajectory.UnreadableFile, Message: l.File + " " + l.Reason})
	s.hazards.note(unreadable, "", 0)
}

// each visits the parsed frame, and then the frames that it holds.
func (s *session) each(index *int, visit func(it value.Value) error) error {
	root := s.doc.Root()
	s.begin()
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
	s.end()
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
	p.unnamed = 0
	s.scope.It, s.scope.Frame = it, it
	s.scope.Line, s.scope.Index, s.scope.Ordinal = p.Line, index, index
	return visit(it)
}
