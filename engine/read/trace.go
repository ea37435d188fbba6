package read

import (
	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
)

// Trace is told what the rules do with each frame, for a person who wants to
// know why. What it is passed is only valid during the call.
type Trace interface {
	// Rule was found for a frame or a part of one; kind is its path of kinds.
	Rule(at At, kind string, r *mapping.Rule)
	// Step was reached; ran is false when its condition did not hold. The scope
	// is what its condition saw, its own names included.
	Step(at At, st *mapping.Step, ran bool)
	// Event came from a step. Its record, if it becomes one, follows at once.
	Event(at At, st *mapping.Step, e *normalize.Event)
	// Booked is how a frame or a part of one ended, see [Ledger].
	Booked(at At, kind, bucket, reason string)
}

// At is where a read stands.
type At struct {
	Format *mapping.Format
	Frame  *frame.Frame
	Index  int         // among all frames, those included that others hold
	Scope  *expr.Scope // Scope.Frame is the frame, or the one of its own that it holds
}

// traced is where the read stands, for a trace.
func (s *session) traced() At { return At{s.format, &s.at.Frame, s.at.index, &s.scope} }
