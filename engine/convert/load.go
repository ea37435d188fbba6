package convert

import (
	"context"
	"fmt"
	"slices"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/session"
)

// Source is a session that is to be carried over: its active context, whole.
type Source struct {
	Mapping *mapping.Mapping // nil: the records are from a snapshot
	Session *session.Session
	Read    *read.Result
	// Snapshot is the id of the snapshot that it was read from, "" for none.
	Snapshot string
}

// Close forgets the session's texts.
func (s *Source) Close() error { return s.Session.Close() }

// A RangeError is of turns that a session does not have.
type RangeError struct{ Range, Turns session.Range }

func (e *RangeError) Error() string {
	return fmt.Sprintf("the session has the turns 1 to %d, not %d to %d", e.Turns.To, e.Range.From, e.Range.To)
}

// Load reads the active context of a session, without bounds, as messages and
// turns. Its texts are in a temporary file until the source is closed.
func Load(ctx context.Context, m *mapping.Mapping, in *frame.Input, o Options) (*Source, error) {
	return load(ctx, m, in, o, read.Options{FullResults: o.FullResults}, session.NewBuilder())
}

func load(ctx context.Context, m *mapping.Mapping, in *frame.Input, o Options, ro read.Options, b *session.Builder) (*Source, error) {
	ro.View, ro.Session = mapping.ActiveView, o.Session
	ro.Normalize.MaxArgs, ro.Normalize.MaxResult = normalize.Unbounded, normalize.Unbounded
	result, err := read.New(m).Read(ctx, in, ro, func(*normalize.Plan) (normalize.Sink, error) { return b, nil })
	if err != nil {
		b.Discard()
		return nil, err
	}
	source, err := Build(b, result, o)
	if err == nil {
		source.Mapping = m
	}
	return source, err
}

// Build makes a session of the records of a read. The builder must not be used
// again.
func Build(b *session.Builder, result *read.Result, o Options) (*Source, error) {
	allow := func(code string) bool { return slices.Contains(o.Allow, code) }
	s := b.Build(session.Options{
		Group:      result.Facts["group"],
		Title:      result.Facts["title"],
		Cwd:        o.Cwd,
		Synthesize: allow("missing_result") || allow("in_flight_call") || allow("interrupted_turn"),
		CutTail:    o.CutTail,
		Turns:      o.Turns,
	})
	if r := o.Turns; r != nil && (r.From < 1 || r.From > r.To || r.To > s.Whole) {
		_ = s.Close()
		return nil, &RangeError{*r, session.Range{From: 1, To: s.Whole}}
	}
	return &Source{Session: s, Read: result}, nil
}
