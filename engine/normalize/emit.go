package normalize

import (
	"errors"

	"github.com/trajmap/trajmap/engine/trajectory"
)

// ErrChanged says that the second pass met other events than the first: the
// input was written to while it was read. Reading it again helps.
var ErrChanged = errors.New("the input changed while it was read")

// Sink takes finished records. A record and its slices are only valid during
// the call.
type Sink interface {
	Record(r *Record) error
}

// Emitter is the second pass over a session.
type Emitter struct {
	pl    *Plan
	sink  Sink
	err   error
	next  int // event
	index int // records given, the meta record counted
	rec   Record
	diags []trajectory.Diagnostic

	ordinals [5]int // by bucket, within the native record
	args     arguments
	result   []byte
}

// Emit begins the second pass. It gives the meta record, unless the input begins
// at an offset.
func (pl *Plan) Emit(sink Sink) *Emitter {
	e := &pl.p.emitter
	*e = Emitter{pl: pl, sink: sink, index: 1, args: e.args, result: e.result}
	if pl.p.o.BaseOffset == 0 {
		e.err = sink.Record(&pl.meta)
	}
	return e
}

// Add takes the events that the [Planner] has seen, in the same order, and gives
// their records to the sink. The error is the sink's, or [ErrChanged].
func (e *Emitter) Add(ev *Event) error {
	if e.err != nil {
		return e.err
	}
	p := e.pl.p
	if e.next >= len(p.entries) {
		return e.fail(ErrChanged)
	}
	entry := &p.entries[e.next]
	source := sourceTime(ev)
	if entry.kind != ev.Kind || source != noTime && entry.time != source {
		return e.fail(ErrChanged)
	}
	e.next++
	ordinal := e.ordinal(ev)
	switch entry.fate {
	case dropped:
		return nil
	case noisy:
		e.say(ev, trajectory.NoiseRecordDropped, "Dropped a user message that the harness wrote itself.")
		return nil
	case orphan:
		e.say(ev, trajectory.OrphanToolResult, "Dropped a tool result without a call.")
		return nil
	case duplicate:
		e.say(ev, trajectory.DuplicateToolResult, "Dropped a further result of a tool call that has one.")
		return nil
	}
	e.rec = Record{
		Index: e.index, Content: ev.Text, Time: entry.time, HasSourceTime: source != noTime,
		Model: ev.Model, ID: ev.Record, Step: ev.Step, Group: ev.Group, Line: ev.Line,
		Offset: ev.Offset, OffsetUnit: ev.OffsetUnit, HasSeq: ev.HasSeq, Seq: ev.Seq,
		Component: ev.Component, Ordinal: ordinal,
	}
	switch ev.Kind {
	case ToolCall:
		e.call(ev, p.calls.list[entry.ref])
	case ToolResult:
		e.answer(ev, p.calls.ids.get(entry.ref))
	default:
		e.rec.Type = proseTypes[ev.Kind]
	}
	e.index++
	return e.fail(e.sink.Record(&e.rec))
}

var proseTypes = [...]Type{
	User: UserRecord, Assistant: AssistantRecord, System: SystemRecord,
	Reasoning: ReasoningRecord, Observation: ObservationRecord,
}

func (e *Emitter) call(ev *Event, c call) {
	r := &e.rec
	r.Type = CallRecord
	r.Content = nil
	r.CallID = e.pl.p.calls.ids.get(c.id)
	r.Name, r.Resultless = ev.Name, ev.Resultless
	if c.made {
		e.say(ev, trajectory.ToolCallIDSynthesized, "A tool call has no id: made one up.")
	}
	if c.renamed {
		e.say(ev, trajectory.DuplicateToolCallID, "Two tool calls share an id: renamed the later one.")
	}
	if len(r.Name) == 0 {
		r.Name = unknownTool
		e.say(ev, trajectory.UnknownToolName, "A tool call names no tool: put unknown_tool.")
	}
	var changed argsChange
	r.Args, changed = e.args.text(ev, e.pl.p.o.maxArgs())
	if changed.reshaped {
		e.say(ev, trajectory.ToolArgumentsReshaped, "A tool call's arguments are no JSON object: wrapped them.")
	}
	if changed.truncated {
		e.say(ev, trajectory.ToolArgumentsTruncated, "Shortened a tool call's arguments to the bound.")
	}
}

var unknownTool = []byte("unknown_tool")

func (e *Emitter) answer(ev *Event, id []byte) {
	r := &e.rec
	r.Type = ResultRecord
	r.CallID = id
	r.OK = ev.OK
	limit := e.pl.p.o.maxResult()
	if limit == Unbounded || len(ev.Text) <= limit {
		return
	}
	short, cut := truncate(e.result[:0], ev.Text, limit, e.pl.p.o.HeadOnly)
	if cut {
		e.result, r.Content = short, short
		e.say(ev, trajectory.ToolResultTruncated, "Shortened a tool result to the bound.")
	}
}

// buckets are the kinds that ordinals are counted in.
var buckets = [...]uint8{
	User: 0, Assistant: 0, System: 0, Reasoning: 1, Observation: 2, ToolCall: 3, ToolResult: 4,
}

// ordinal counts an event, dropped or not, among those of its kind in one native
// record.
func (e *Emitter) ordinal(ev *Event) int {
	if ev.Component == 0 {
		e.ordinals = [5]int{}
	}
	n := &e.ordinals[buckets[ev.Kind]]
	*n++
	return *n - 1
}

func (e *Emitter) say(ev *Event, code, message string) {
	e.diags = append(e.diags, trajectory.Diagnostic{
		Code: code, Message: message, InputLine: ev.Line, RecordIndex: e.index,
	})
}

func (e *Emitter) fail(err error) error {
	if err != nil {
		e.err = err
	}
	return err
}

// Close ends the second pass and gives what the normaliser noticed, in the
// contract's order: by event, then what concerns the session.
func (e *Emitter) Close() ([]trajectory.Diagnostic, error) {
	if e.err == nil && e.next != len(e.pl.p.entries) {
		e.err = ErrChanged
	}
	if e.err != nil {
		return nil, e.err
	}
	if e.pl.times != nil {
		e.diags = append(e.diags, *e.pl.times)
	}
	return e.diags, nil
}
