package lab

import (
	"encoding/json"
	"testing"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/internal/lab/history"
)

// TestStories holds that the stories have what they are for.
func TestStories(t *testing.T) {
	for _, s := range append([]story{another}, stories...) {
		told, err := s.told(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		open := map[string]bool{}
		for _, e := range told.Want {
			switch e.Kind {
			case history.Call:
				open[e.ID] = true
				if !json.Valid([]byte(e.Args)) {
					t.Errorf("%s: the arguments of %s are no JSON: %s", s.name, e.ID, e.Args)
				}
			case history.Result:
				delete(open, e.ID)
			}
		}
		if len(open) > 0 {
			t.Errorf("%s: calls without results: %v", s.name, open)
		}
		if last := told.Want[len(told.Want)-1]; last.Kind != history.Assistant {
			t.Errorf("%s ends with a %s", s.name, last.Kind)
		}
	}
	long, synthetic, twice := false, false, false
	for _, s := range stories {
		told, err := s.told(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range told.Want {
			long = long || len(e.Text) == 60000
			synthetic = synthetic || s.name == "lost" && e.Kind == history.Result && e.ID == "call_lost"
			twice = twice || i > 0 && e.Kind == history.User && told.Want[i-1].Kind == history.User
		}
	}
	if !long || !synthetic || !twice {
		t.Errorf("long %v, synthetic %v, two users %v", long, synthetic, twice)
	}
}

// TestSources holds that every harness that is read has a session, that each is
// one, and that the reader of none of them lost what was told.
func TestSources(t *testing.T) {
	sources, err := Sources(t.Context(), "../..", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{"trajectory": true} // the stories
	for _, s := range sources {
		there[s.From] = true
		if n := len(history.Only(s.Want, history.Call)); n < 1 {
			t.Errorf("%s %s has no calls", s.From, s.Name)
		}
		if history.Compare(s.Want, s.Want, history.Rules{}) != nil {
			t.Errorf("%s %s is not like itself", s.From, s.Name)
		}
	}
	for _, e := range catalog.Entries() {
		if !there[e.Name] {
			t.Errorf("no session of %s is carried anywhere", e.Name)
		}
	}
}
