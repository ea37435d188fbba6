package convert

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/trajectory"
)

// A mapping's gate is checked against the hazards that are known; the gate has a
// verdict on these and no others.
func TestHazardsAreKnown(t *testing.T) {
	if diff := cmp.Diff(slices.Sorted(maps.Keys(verdicts)), trajectory.Hazards); diff != "" {
		t.Errorf("trajectory.Hazards (-verdicts +listed):\n%s", diff)
	}
}
