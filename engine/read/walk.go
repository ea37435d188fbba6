package read

import (
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// outcome is how a step left the frame or item that it ran on.
type outcome struct {
	bucket string // "" goes on; else the item has ended in this bucket
	reason string
}

// frame runs the format's rules on a frame.
func (s *session) frame(it value.Value) error {
	s.account, s.inRules = &s.ledger.root, true
	defer func() { s.inRules = false }()
	if with := s.format.With; with != nil {
		s.scope.It = with.Prog.Eval(&s.scope)
	}
	s.ruled = false
	joined := s.pieces.joined
	_, err := s.item(s.format.Block)
	if err == nil && s.ruled && s.pieces.joined == joined {
		err = s.release() // what came in pieces has ended
	}
	return err
}

// item runs a block on `it` as a frame or part of its own: dropping and
// ignoring end here.
func (s *session) item(b *mapping.Block) (outcome, error) {
	parent := s.account
	out, err := s.block(b)
	if out.bucket != "" && s.account == parent && s.booking() {
		// Ended before its kind was looked at.
		if b.Kind != nil {
			s.account = parent.child(s.kind(b))
			s.enter(out)
		} else if b == s.format.Block {
			s.enter(out)
		}
	}
	s.account = parent
	return outcome{}, err
}

// kind is the kind of `it` as a block sees it.
func (s *session) kind(b *mapping.Block) []byte {
	if b.Kind == nil {
		return nil
	}
	v := b.Kind.Prog.Eval(&s.scope)
	if v.Escaped() {
		return []byte(v.Str())
	}
	return v.Body()
}

// booking reports whether this pass tells kinds apart for the ledger or a trace.
func (s *session) booking() bool { return s.pass == planning || s.tracing() }

// tracing reports whether somebody wants to know what this pass does.
func (s *session) tracing() bool { return s.o.Trace != nil && s.pass == emitting }

// enter books the item at hand.
func (s *session) enter(out outcome) {
	if s.pass == planning {
		s.account.add(out.bucket, out.reason, s.at.Line)
		if out.bucket == Mapped {
			s.ledger.mapped++
		}
	} else if s.tracing() {
		s.o.Trace.Booked(s.traced(), s.account.path(), out.bucket, out.reason)
	}
}

// block runs a block on `it`. When it tells kinds apart, s.account moves to the
// kind's account, and stays there for the caller to see.
func (s *session) block(b *mapping.Block) (outcome, error) {
	if out, err := s.steps(b.Before); out.bucket != "" || err != nil {
		return out, err
	}
	if b.Kind == nil {
		s.ruled = true
		out, err := s.steps(b.Do)
		if b == s.format.Block && out.bucket == "" {
			s.enter(outcome{bucket: Mapped})
		}
		return out, err
	}
	kind := s.kind(b)
	booking := s.booking()
	if booking {
		s.account = s.account.child(kind)
	}
	rule := b.Table[string(kind)]
	if rule == nil {
		return s.unruled(b, kind), nil
	}
	s.ruled = true
	account := s.account
	if s.tracing() {
		s.o.Trace.Rule(s.traced(), account.path(), rule)
	}
	out, err := s.steps(rule.Steps)
	if booking {
		s.account = account
		if out.bucket == "" {
			s.enter(outcome{bucket: Mapped})
		} else {
			s.enter(out)
		}
	}
	return out, err
}

// unruled books a kind without a rule. The item has not been ended by a step:
// what stands after it in an enclosing rule still runs.
func (s *session) unruled(b *mapping.Block, kind []byte) outcome {
	if !s.booking() {
		return outcome{}
	}
	if b.Ignores(kind) {
		s.enter(outcome{bucket: Ignored})
		return outcome{}
	}
	s.enter(outcome{bucket: Unmapped})
	if s.pass != planning {
		return outcome{}
	}
	if b.Unmapped == trajectory.UnmappedFrame {
		path := s.account.path()
		s.counted(b.Unmapped, path, "the mapping does not know this kind: "+quoteKind(path), s.at.Line)
	} else {
		s.diagnose(b.Unmapped, "a part of a kind that is not carried was left out")
	}
	return outcome{}
}

// quoteKind bounds a native kind for a message: it is a format's word, but
// comes from the input.
func quoteKind(kind string) string {
	const limit = 80
	if len(kind) > limit {
		kind = kind[:limit] + "…"
	}
	return `"` + string(value.AppendEncoded(nil, kind)) + `"`
}

// diagnose adds a diagnostic about the frame at hand.
func (s *session) diagnose(code, message string) {
	if file := s.at.File; file != "" {
		message += " (" + file + ")"
	}
	s.diagnostics = append(s.diagnostics, trajectory.Diagnostic{Code: code, Message: message, InputLine: s.at.Line})
}

func (s *session) steps(steps []*mapping.Step) (outcome, error) {
	for _, st := range steps {
		if out, err := s.step(st); out.bucket != "" || err != nil {
			return out, err
		}
	}
	return outcome{}, nil
}

func (s *session) step(st *mapping.Step) (outcome, error) {
	if st.View != mapping.AnyView && st.View != s.view {
		return outcome{}, nil
	}
	for _, l := range st.Lets {
		s.scope.Bind(l.Slot, l.Value.Prog)
	}
	if st.If != nil && !st.If.Prog.Test(&s.scope) {
		if s.tracing() {
			s.o.Trace.Step(s.traced(), st, false)
		}
		return outcome{}, nil
	}
	if s.pass == planning {
		s.ran[st.ID] = true
	} else if s.tracing() {
		s.o.Trace.Step(s.traced(), st, true)
	}
	switch st.Verb {
	case mapping.Message, mapping.ToolCall, mapping.ToolResult:
		return outcome{}, s.emitEvent(st)
	case mapping.With:
		return outcome{}, s.with(st.Value.Prog.Eval(&s.scope), st.Block)
	case mapping.Each:
		return outcome{}, s.eachItem(st)
	case mapping.Do:
		return s.block(st.Block)
	case mapping.Drop:
		if s.pass == planning {
			s.diagnose(st.Code, dropMessage(st.Code))
			if st.Count != nil {
				n, _ := st.Count.Prog.Eval(&s.scope).Int()
				s.diagnostics[len(s.diagnostics)-1].Count = int(n)
			}
		}
		return outcome{Dropped, st.Code}, nil
	case mapping.Ignore:
		return outcome{Ignored, st.Code}, nil
	case mapping.Hazard:
		if s.pass == planning {
			s.hazards.note(st.Code, st.Verdict, s.at.Line)
		}
	}
	return outcome{}, nil
}

func dropMessage(code string) string {
	switch code {
	case trajectory.InjectedContextDropped:
		return "text that the program injected was left out"
	case trajectory.SidechainRecordDropped:
		return "a subagent's row was left out"
	case trajectory.NoiseRecordDropped:
		return "a row that is no part of the conversation was left out"
	case trajectory.UnreadableFile:
		return "files that belong to a row are missing"
	}
	return "a row was left out"
}

// with runs a block on another value, unless that is absent.
func (s *session) with(v value.Value, b *mapping.Block) error {
	if v.IsNull() {
		return nil
	}
	it := s.scope.It
	s.scope.It = v
	_, err := s.item(b)
	s.scope.It = it
	return err
}

// eachItem runs a block on each item of a list, on a single object, or on a
// string as the one text block that it stands for.
func (s *session) eachItem(st *mapping.Step) error {
	switch v := st.Value.Prog.Eval(&s.scope); v.Kind() {
	case value.Object:
		return s.indexed(v, 0, st)
	case value.String:
		return s.indexed(s.textBlock(v), 0, st)
	case value.Array:
		c := v.Cursor()
		for i := 0; ; i++ {
			item, ok := c.Next()
			if !ok {
				return nil
			}
			if err := s.indexed(item, i, st); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *session) indexed(v value.Value, i int, st *mapping.Step) error {
	it, index, ordinal := s.scope.It, s.scope.Index, s.scope.Ordinal
	s.scope.It, s.scope.Index, s.scope.Ordinal = v, i, s.items[st.ID]
	s.items[st.ID]++
	_, err := s.item(st.Block)
	s.scope.It, s.scope.Index, s.scope.Ordinal = it, index, ordinal
	return err
}

func (s *session) textBlock(v value.Value) value.Value {
	return s.arena.JSON(func(dst []byte) []byte {
		dst = append(dst, `{"type":"text","text":`...)
		dst = append(dst, v.Raw()...)
		return append(dst, '}')
	})
}
