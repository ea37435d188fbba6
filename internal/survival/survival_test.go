package survival

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
)

// all are the shipped mappings.
func all(t *testing.T) (mappings []*engine.Mapping) {
	t.Helper()
	catalog, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range catalog.Entries() {
		m, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		mappings = append(mappings, m)
	}
	return mappings
}

// TestMeasure wants every pair measured, and some of which it is known what they
// lose.
func TestMeasure(t *testing.T) {
	mappings := all(t)
	m, err := Measure(t.Context(), "../..", mappings)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Sources) != len(mappings) || len(m.Pairs) != len(m.Sources)*len(m.Targets) || len(m.Targets) < 9 {
		t.Errorf("%d mappings: %d sources, %d targets, %d pairs", len(mappings), len(m.Sources), len(m.Targets), len(m.Pairs))
	}
	for _, s := range m.Sources {
		if s.Turns == 0 || s.Calls == 0 {
			t.Errorf("%s: the session that stands for it says little: %+v", s.Harness, *s)
		}
	}
	hard := Source{Harness: "trajectory", Case: "hard", Turns: 1, Calls: 3, Good: 1, Failed: 1, Cwd: true, Branch: true,
		Left: map[string]int{"reasoning": 1, "observation": 1}}
	if diff := cmp.Diff(hard, *m.Source("trajectory")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	pairs := map[string]Pair{}
	for _, p := range m.Pairs {
		pairs[p.Source+" "+p.Target] = *p
	}
	for _, want := range []Pair{
		{Source: "claude-code", Target: "claude-code", Cwd: true, Branch: true, Models: true, Times: true},
		{Source: "trajectory", Target: "claude-code", IDs: 1, Cwd: true, Branch: true, Models: true, Times: true},
		{Source: "trajectory", Target: "codex", GoodLost: 1, FailedLost: 1, IDs: 1, Title: true, Cwd: true, Branch: true, Models: true, Times: true},
		{Source: "trajectory", Target: "cline", GoodLost: 1, Texts: 1, IDs: 1, Cwd: true, Branch: true, Times: true},
		{Source: "trajectory", Target: "pi", Assumed: 1, Texts: 1, IDs: 1, Cwd: true, Models: true, Times: true},
	} {
		if diff := cmp.Diff(want, pairs[want.Source+" "+want.Target]); diff != "" {
			t.Errorf("%s to %s (-want +got):\n%s", want.Source, want.Target, diff)
		}
	}
}

// TestNoSession is of a harness for which no session stands.
func TestNoSession(t *testing.T) {
	m, err := engine.Parse("new.yaml", []byte("mapping: v1\nharness: new\nread:\n  - {format: log, native: none, frames: jsonl, do: {user: text}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Measure(t.Context(), "../..", []*engine.Mapping{m}); err == nil || err.Error() != "no session stands for new: name a golden case" {
		t.Errorf("%v", err)
	}
}
