package read

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A verdict makes an entry of its own: which of them is refused can be seen.
func TestHazardVerdicts(t *testing.T) {
	var h hazards
	h.note("steering", "", 3)
	h.note("steering", "refuse", 5)
	h.note("steering", "", 7)
	h.note("steering", "refuse", 0)
	want := hazards{
		{Code: "steering", Count: 2, Lines: []int{3, 7}},
		{Code: "steering", Count: 2, Lines: []int{5}, Verdict: "refuse"},
	}
	if diff := cmp.Diff(want, h); diff != "" {
		t.Error(diff)
	}
}
