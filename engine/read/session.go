package read

import (
	"context"
	"strconv"
	"strings"

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
	gathering pass = iota // session facts
	weighing              // which frames give events: for the active view
	adopting              // which calls take the ids of their results
	planning              // which events there are, and the books: ledger, hazards, diagnostics
	emitting              // records
)

// session is the state of one read.
type session struct {
	ctx      context.Context
	m        *mapping.Mapping
	format   *mapping.Format
	in       *frame.Input
	o        Options
	sources  []source   // of frames, oldest session first, the input last
	source   int        // the one at hand
	order    []entry    // the frames to read, in this order; nil: all, as they come
	choice   *selection // while the frames are being chosen
	adoption adoption
	chosen   string // id of the session, of an input that holds several
	others   int    // how many others it holds, when none was asked for

	scope expr.Scope
	arena value.Arena
	doc   value.Doc // the frame at hand
	outer value.Doc // the document around the frames
	extra value.Doc // the amending frame
	facts facts

	pass    pass
	view    mapping.View // whose steps run
	at      position
	planner *normalize.Planner
	emitter *normalize.Emitter
	events  draft
	pieces  pieces
	ruled   bool // a rule, or steps for all kinds, ran on the frame at hand

	number     int          // of the frame at hand, in the order of the pass
	event      int          // of the emitting pass
	unanswered map[int]bool // calls without a result, by event

	ledger       Ledger
	account      *account
	gives        []gives // by frame, from the planning pass
	log          eventLog
	reader       logReader
	hazards      hazards
	diagnostics  []trajectory.Diagnostic
	failures     failures // of expressions outside of the rules
	inRules      bool
	ruleFailures failures       // of the last planning pass
	composing    bool           // arguments, of which planning saw only that there are some
	items        []int          // by mapping.Step.ID: what an `each` has met in this pass
	repeated     map[string]int // diagnostics that are counted, by what they count
	keys         map[Key]int    // of the ledger: place in Ledger.Keys
	ran          []bool
	siblings     *siblings
	fulls        fulls
	// before is what was in the books before planning.
	before struct{ hazards, diagnostics, invalid, failures int }
	// inactive are the frames that the view leaves out, by their kind.
	inactive map[string]*Entry
}

// gives is what a frame of the input is good for.
type gives uint8

const (
	nothing    gives = iota // no JSON object
	noEvents                // nothing that the emitting pass has to look at
	someEvents              // events that are in the log
	rerun                   // events that the rules have to make again
)

// position is the frame at hand and what its events have in common. Whatever
// is evaluated on the frame is evaluated at most once.
type position struct {
	frame.Frame
	sub   int32 // among the frames that Expand made of one
	index int   // among all frames, expanded ones included

	record, step, model onFrame
	time                int64
	hasTime, timeKnown  bool
	latest              int64 // greatest time so far, for monotonic
	gives               bool  // the last pass has to look at it
	unnamed             int   // calls without an id, so far
	components          components
}

func (s *session) start(ctx context.Context, m *mapping.Mapping, f *mapping.Format, in *frame.Input, o Options) {
	s.ctx, s.m, s.format, s.in, s.o = ctx, m, f, in, o
	s.order, s.sources, s.source, s.choice = nil, nil, 0, nil
	s.adoption = adoption{}
	s.chosen, s.others = "", 0
	s.at.Frame = frame.Frame{}
	s.view, s.inactive = o.View, nil
	s.ledger, s.account = Ledger{}, nil
	s.hazards, s.diagnostics, s.unanswered = nil, nil, nil
	s.failures, s.ruleFailures, s.composing = nil, nil, false
	s.repeated, s.keys = map[string]int{}, nil
	s.before.hazards, s.before.diagnostics, s.before.invalid, s.before.failures, s.inRules = 0, 0, 0, 0, false
	s.ran, s.items = make([]bool, len(m.Steps)), make([]int, len(m.Steps))
	s.facts.start(f.Session)
	s.fulls = fulls{}
	lets := s.scope.Lets
	if cap(lets) < f.Lets {
		lets = make([]value.Value, f.Lets)
	}
	s.siblings = newSiblings(f, in)
	s.scope = expr.Scope{
		Lets:  lets[:f.Lets],
		Files: s.siblings.get,
		File:  s.file,
		Facts: &s.facts,
		Arena: &s.arena,
	}
	s.scope.Failed = s.failed
	if s.planner == nil {
		s.planner = normalize.NewPlanner(o.Normalize)
	}
}

// failed notes an expression that met a value of the wrong type. Of the rules,
// the planning pass alone sees every frame; all it does not evaluate are the
// members of composed arguments.
func (s *session) failed(p *expr.Program, reason string) {
	list := &s.failures
	if s.inRules {
		if s.pass != planning && !s.composing {
			return
		}
		list = &s.ruleFailures
	}
	list.note(p, reason, s.at.Line)
}

// failure is an expression that failed, with its diagnostic.
type failure struct {
	program *expr.Program
	trajectory.Diagnostic
}

type failures []failure

func (l *failures) note(p *expr.Program, reason string, line int) {
	for i := range *l {
		if f := &(*l)[i]; f.program == p {
			f.Count++
			return
		}
	}
	*l = append(*l, failure{p, trajectory.Diagnostic{
		Code:      trajectory.ExpressionFailed,
		Message:   "an expression of the mapping failed: " + p.Source + ": " + reason,
		InputLine: line,
		Count:     1,
	}})
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
	it, index, ordinal := s.scope.It, s.scope.Index, s.scope.Ordinal
	s.scope.It, s.scope.Index, s.scope.Ordinal = s.scope.Frame, s.at.index, s.at.index
	out := v.Prog.Eval(&s.scope)
	s.scope.It, s.scope.Index, s.scope.Ordinal = it, index, ordinal
	return out
}

// frameTie orders frames of equal time: the record id, else the offset.
func (s *session) frameTie() []byte {
	if s.format.Event.Record != nil {
		if v := s.frameScalar(&s.at.record, s.format.Event.Record); v.Exists() {
			return v.Body()
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
	if native := s.format.Native; native != nil {
		s.differences(native.Frame, it, "", s.at.Line)
	}
}

// checkAround holds the document around the frames against the native schema.
func (s *session) checkAround() {
	if native := s.format.Native; native != nil && s.scope.Doc.Kind() == value.Object {
		s.differences(native.Doc, s.scope.Doc, "doc", 0)
	}
}

// differences counts what a value has that its shape does not say. Its paths begin
// with the name of the value; the frame needs none.
func (s *session) differences(want *shape.Shape, v value.Value, name string, line int) {
	want.Check(v, func(path string, problem shape.Problem) {
		if name != "" {
			path = strings.TrimSuffix(name+"."+path, ".")
		}
		k := Key{Path: path, Problem: problem.String()}
		if s.keys == nil {
			s.keys = map[Key]int{}
		}
		n, ok := s.keys[k]
		if !ok {
			n = len(s.ledger.Keys)
			s.keys[k] = n
			k.Line = line
			s.ledger.Keys = append(s.ledger.Keys, k)
		}
		s.ledger.Keys[n].Count++
	})
}
