package read

import (
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
)

// Trace is told what the rules do with each frame, for a person who wants to
// know why. What it is passed is only valid during the call.
type Trace interface {
	// Rule was found for a frame or a part of one; kind is its path of kinds.
	Rule(f *frame.Frame, kind string, r *mapping.Rule)
	// Step was reached; ran is false when its condition did not hold.
	Step(f *frame.Frame, st *mapping.Step, ran bool)
	// Event came from a step.
	Event(f *frame.Frame, st *mapping.Step, e *normalize.Event)
}
