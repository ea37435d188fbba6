package read

import (
	"bytes"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
)

// pieces puts together again what a harness has written down in pieces as it
// streamed. An event of a step with `join` is held back until it is known that
// nothing more comes of it.
//
// Which event goes on with the one before is decided when the rules run for the
// plan. The last pass does what was decided then, because it does not see the
// frames between.
type pieces struct {
	held    normalize.Event // whose texts are in bufs
	bufs    [texts][]byte
	args    []byte
	key     []byte // what the pieces have in common
	open    bool   // there is one
	at      At     // of held, for a trace
	step    *mapping.Step
	joined  int    // pieces seen in this pass
	decided []bool // by piece: it goes on with the one before
}

// reset begins a pass.
func (p *pieces) reset(ps pass) {
	p.open, p.joined = false, 0
	if ps == planning {
		p.decided = p.decided[:0]
	}
}

// goesOn reports whether the event at hand goes on with the one that is held.
func (s *session) goesOn(st *mapping.Step) bool {
	p, e := &s.pieces, &s.events
	n := p.joined
	p.joined++
	if s.pass == emitting {
		return p.decided[n]
	}
	key := st.Join.Prog.Eval(&s.scope).AppendJSON(nil)
	more := p.open && p.held.Kind == e.Kind && bytes.Equal(p.key, key)
	if e.Kind == normalize.ToolCall {
		more = more && len(e.CallID) == 0
	}
	p.key = key
	if s.pass == planning {
		p.decided = append(p.decided, more)
	}
	return more
}

// piece takes an event of a step with `join`.
func (s *session) piece(st *mapping.Step) error {
	p, e := &s.pieces, &s.events.Event
	if s.goesOn(st) {
		if s.pass == weighing {
			s.choice.at.hasEvents = true // and not one more prompt
		}
		p.more(e)
		return nil
	}
	if err := s.release(); err != nil {
		return err
	}
	if s.pass == weighing {
		s.choice.count(e)
	}
	p.hold(e)
	p.step = st
	if s.o.Trace != nil {
		p.at = s.traced()
		fr := *p.at.Frame
		p.at.Frame = &fr
	}
	return nil
}

// release gives the event that is held to the pass.
func (s *session) release() error {
	p := &s.pieces
	if !p.open {
		return nil
	}
	p.open = false
	switch s.pass {
	case planning:
		s.planner.Add(&p.held)
	case emitting:
		if s.o.Trace != nil {
			s.o.Trace.Event(p.at, p.step, &p.held)
		}
		return s.emitOne(&p.held)
	}
	return nil
}

// hold keeps an event.
func (p *pieces) hold(e *normalize.Event) {
	p.open, p.held = true, *e
	for n, text := range []*[]byte{&p.held.Text, &p.held.CallID, &p.held.Name, &p.held.Record, &p.held.Step, &p.held.Model} {
		if *text != nil {
			p.bufs[n] = append(p.bufs[n][:0], *text...)
			*text = p.bufs[n]
		}
	}
	p.args = append(p.args[:0], e.Args...)
	p.held.Args = p.args
}

// more appends a further piece. Arguments that are an object are not from a
// stream: those of a call that was written down before any had come, or of a piece
// that has none.
func (p *pieces) more(e *normalize.Event) {
	p.bufs[textOf] = append(p.bufs[textOf], e.Text...)
	if p.held.Text != nil {
		p.held.Text = p.bufs[textOf]
	}
	if e.IsJSON {
		return
	}
	if p.held.IsJSON {
		p.args, p.held.IsJSON = p.args[:0], false
	}
	p.args = append(p.args, e.Args...)
	p.held.Args = p.args
}
