package golden

import (
	"cmp"
	"slices"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/mapping"
)

// note adds the steps that a read ran. A step is told by its place: a block that
// is used twice is compiled twice, and written once.
func (s *Suite) note(ran []bool) {
	if s.ran == nil {
		s.ran = map[mapping.Pos]bool{}
	}
	for i, st := range s.Mapping.Steps {
		if ran[i] {
			s.ran[st.Pos] = true
		}
	}
}

// Coverage is how many of the mapping's steps the cases ran, and which not.
func (s *Suite) Coverage() (ran, all int, missed []mapping.Pos) {
	seen := map[mapping.Pos]bool{}
	for _, st := range s.Mapping.Steps {
		if seen[st.Pos] {
			continue
		}
		seen[st.Pos] = true
		all++
		if s.ran[st.Pos] {
			ran++
		} else {
			missed = append(missed, st.Pos)
		}
	}
	slices.SortFunc(missed, func(a, b mapping.Pos) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return ran, all, missed
}

// Findings are what all cases together say about the mapping: the steps that
// none ran, as warnings, and what occurred outside of its versions.
func (s *Suite) Findings() diag.List {
	var found diag.List
	_, _, missed := s.Coverage()
	for _, p := range missed {
		found = append(found, diag.Finding{Code: diag.StepNeverRan, Severity: diag.Warning,
			File: s.Mapping.File, Line: p.Line, Col: p.Col, Message: "no case runs this step"})
	}
	for _, d := range s.ranges.Departures() {
		found = append(found, diag.Finding{Code: diag.OutOfRange,
			File: s.Mapping.File, Line: d.Pos.Line, Col: d.Pos.Col, Message: d.String()})
	}
	return found
}
