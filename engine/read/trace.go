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
	Rule(f *frame.Frame, kind string, r *mapping.Rule)
	// Step was reached; ran is false when its condition did not hold. The scope
	// is what its condition saw, its own names included.
	Step(f *frame.Frame, st *mapping.Step, ran bool, s *expr.Scope)
	// Event came from a step. Its record, if it becomes one, follows at once.
	Event(f *frame.Frame, st *mapping.Step, e *normalize.Event)
	// Booked is how a frame or a part of one ended, see [Ledger].
	Booked(f *frame.Frame, kind, bucket, reason string)
}
