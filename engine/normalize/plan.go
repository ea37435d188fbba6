package normalize

import (
	"math"

	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// fate is what becomes of an event.
type fate uint8

const (
	kept      fate = iota // it becomes a record
	dropped               // nothing is said
	noisy                 // noise_record_dropped
	orphan                // orphan_tool_result
	duplicate             // duplicate_tool_result
)

// noTime is the time of an event that has none.
const noTime = math.MinInt64

// entry is what the first pass keeps of an event.
type entry struct {
	time int64 // of the event, or noTime; in a plan, of the record
	// ref is a call's number; a result's source id, in a plan its final id.
	ref  int32
	kind Kind
	fate fate
}

// Planner looks at a session as a whole. One Planner serves many sessions, one
// after the other, through Reset; it is not safe for concurrent use.
type Planner struct {
	o       Options
	entries []entry
	calls   calls
	models  models
	plan    Plan
	emitter Emitter
	rows    Canonical
}

// NewPlanner makes a Planner for one session. The options must be valid.
func NewPlanner(o Options) *Planner {
	p := new(Planner)
	p.Reset(o)
	return p
}

// Reset forgets the session, and with it its Plan and Emitter, for the next one.
func (p *Planner) Reset(o Options) {
	p.o = o
	p.entries = p.entries[:0]
	p.calls.reset()
	p.models.reset()
}

// Add takes the next event of the session. Of the contents only the beginning of
// a message, reasoning or observation is looked at, never arguments or a result.
func (p *Planner) Add(ev *Event) {
	e := entry{time: sourceTime(ev), kind: ev.Kind, ref: -1}
	switch ev.Kind {
	case ToolCall:
		e.ref = p.calls.add(ev.CallID, len(p.entries)+1)
		p.calls.list[e.ref].none = ev.Resultless
	case ToolResult:
		e.ref = p.calls.number(ev.CallID)
	default:
		e.fate = p.messageFate(ev)
	}
	p.entries = append(p.entries, e)
	if len(ev.Model) > 0 {
		p.models.count(ev.Model)
	}
}

func (p *Planner) messageFate(ev *Event) fate {
	text := trimLeft(ev.Text)
	switch {
	case len(text) == 0, ev.Kind == System && !p.o.IncludeSystem:
		return dropped
	case ev.Kind == User && isNoise(text):
		return noisy
	}
	return kept
}

// sourceTime is the event's time; one that no timestamp can express counts as
// absent.
func sourceTime(ev *Event) int64 {
	if !ev.HasTime || ev.Time < minTime || ev.Time > maxTime {
		return noTime
	}
	return ev.Time
}

// Plan is what the first pass found: the fate and the time of every event. It
// lives until its Planner is reset.
type Plan struct {
	p       *Planner
	records int // kept events
	context Context
	meta    Record
	text    []byte // what meta and context refer to
	times   *trajectory.Diagnostic
}

// Finish ends the first pass. The error is a *[trajectory.Error]: the session
// has no user or no assistant records and is not partial.
func (p *Planner) Finish(c Context) (*Plan, error) {
	pl := &p.plan
	*pl = Plan{p: p, text: pl.text[:0]}
	if c.Source == "" {
		return nil, trajectory.Errorf(trajectory.InvalidTranscript, "the session's source is not known")
	}
	users, assistants := p.settle(pl)
	if !p.o.partial() && !p.o.NoRoles {
		if users == 0 {
			return nil, trajectory.Errorf(trajectory.MissingUserRecords, "the session holds nothing that a user said")
		}
		if assistants == 0 {
			return nil, trajectory.Errorf(trajectory.MissingAssistantRecords, "the session holds nothing that an assistant said or did")
		}
	}
	pl.times = fillTimes(p.entries, pl.records, c)
	pl.setContext(c)
	return pl, nil
}

// settle pairs results with calls, now that all calls are known.
func (p *Planner) settle(pl *Plan) (users, assistants int) {
	for i := range p.entries {
		e := &p.entries[i]
		if e.kind == ToolResult {
			p.settleResult(e)
		}
		if e.fate != kept {
			continue
		}
		pl.records++
		switch e.kind {
		case User:
			users++
		case Assistant, ToolCall:
			assistants++
		}
	}
	return users, assistants
}

func (p *Planner) settleResult(e *entry) {
	source := e.ref
	e.ref, e.fate = p.calls.answer(source)
	if e.fate == orphan && p.o.partial() && len(p.calls.ids.get(source)) > 0 {
		e.fate = kept // its call is in another fragment
	}
	if e.fate == kept && p.o.OmitResults {
		e.fate = dropped
	}
}

// setContext copies the context, whose slices are the caller's, and makes the
// meta record of it.
func (pl *Plan) setContext(c Context) {
	pl.text = value.AppendEncoded(pl.text, c.Source)
	source := pl.text[:len(pl.text):len(pl.text)]
	keep := func(b []byte) []byte {
		if len(b) == 0 {
			return nil
		}
		at := len(pl.text)
		pl.text = append(pl.text, b...)
		return pl.text[at:len(pl.text):len(pl.text)]
	}
	if len(c.Model) == 0 {
		c.Model = pl.p.models.most()
	}
	c.Cwd, c.GitBranch, c.Model = keep(c.Cwd), keep(c.GitBranch), keep(c.Model)
	c.Group = keep(c.Group)
	pl.context = c
	pl.meta = Record{
		Type:      MetaRecord,
		Source:    source,
		Cwd:       c.Cwd,
		GitBranch: c.GitBranch,
		Model:     c.Model,
	}
}
