// Package read runs a mapping over an input: frames in, trajectory-v1 records
// out.
//
// A read goes over the frames more than once and holds one frame at a time.
// First the session facts are gathered, while the normaliser already plans with
// what is known so far; only when a rule asked for a fact that was not settled
// is the plan made again. Then the same rules run with contents, and records
// leave in order. Memory grows with the number of records, not with their bytes.
//
// The package knows no harness: all that is particular comes from the
// [mapping.Mapping].
package read

import (
	"context"

	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// Options says what of a session is wanted.
type Options struct {
	Normalize normalize.Options
	View      mapping.View // Archive, unless ActiveView
	Drift     bool         // hold every frame against the native schema
	Trace     Trace        // nil: none
	Alone     bool         // the input itself, though the view may be in a file beside it
	Limits    frame.Options
	// Session is the id of the session to read, of an input that holds several; ""
	// is the one that was used last.
	Session string
	// FullResults: a result of which the session has a part is read from the file
	// beside it that has the whole. One that is not there is the hazard
	// lineage_missing.
	FullResults bool
	// Head is how many frames are read, of the input alone; 0 is all of them, and
	// of the sessions that it continues.
	Head int
}

// Result is what a read found besides the records.
type Result struct {
	Mapping     *mapping.Mapping
	Format      *mapping.Format
	Path        string            // of what was read: the input, or a file that stands for it
	Chosen      string            // id of the session, of an input that holds several
	Others      int               // how many others it holds, when none was asked for
	Facts       map[string]string // the session facts that are strings
	Session     expr.Facts        // all of them, by their numbers in the format
	Diagnostics []trajectory.Diagnostic
	Hazards     []Hazard
	Ledger      Ledger
	Full        []string // files that have the whole text of results, as far as they are there
	Ran         []bool   // by mapping.Step.ID: the step's condition held at least once
}

// Reader reads the sessions of one harness, one after the other; it keeps its
// buffers between them and must not be used concurrently.
type Reader struct {
	m *mapping.Mapping
	s session
}

// New makes a reader for a mapping.
func New(m *mapping.Mapping) *Reader { return &Reader{m: m} }

// Start makes the sink for a session's records, once their plan is known.
type Start func(*normalize.Plan) (normalize.Sink, error)

// Read reads one session and passes its records to the sink that start makes.
// The result is not nil when the input could be read at all, also beside an
// error: a *[trajectory.Error], or what start or its sink returned.
func (r *Reader) Read(ctx context.Context, in *frame.Input, o Options, start Start) (*Result, error) {
	if err := o.Normalize.Validate(); err != nil {
		return nil, err
	}
	f, op, err := open(r.m, in, o)
	if err != nil {
		return nil, err
	}
	if o.View == mapping.ActiveView {
		// What would be sent next may have lost one side, or everything.
		o.Normalize.NoRoles = true
	} else {
		o.View = mapping.Archive
	}
	s := &r.s
	s.start(ctx, r.m, f, op.in, o)
	defer s.closeSources()
	if store, ok := op.stream.(handler.Store); ok {
		if s.chosen, s.others, err = chosen(store, o); err != nil {
			op.close()
			return nil, err
		}
	}
	if err := s.lineage(op); err != nil {
		return nil, err
	}
	plan, err := s.prepare()
	if err != nil {
		return s.result(nil), err
	}
	sink, err := start(plan)
	if err != nil {
		return s.result(nil), err
	}
	diagnostics, err := s.emit(plan, sink)
	if err != nil {
		return s.result(diagnostics), err
	}
	result := s.result(diagnostics)
	if s.ledger.mapped == 0 && len(s.inactive) == 0 && !o.Normalize.Partial {
		if result.Ledger.known() {
			return result, trajectory.Errorf(trajectory.InvalidInput, "this session of %s holds no conversation", r.m.Harness)
		}
		return result, trajectory.Errorf(trajectory.InvalidInput,
			"no frame of this input is mapped by %s (is it another harness's file?)", r.m.Harness)
	}
	return result, nil
}
