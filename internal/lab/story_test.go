package lab

import (
	"encoding/json"
	"testing"

	"github.com/trajmap/trajmap/internal/lab/history"
)

// TestStories holds that the stories have what they are for.
func TestStories(t *testing.T) {
	for name, f := range map[string]func(*story){"edge": edge, "torture": torture, "control": control} {
		told := tell(name, f)
		entries := history.FromSession(told.Source.Session)
		open := map[string]bool{}
		for _, e := range entries {
			switch e.Kind {
			case history.Call:
				open[e.ID] = true
				if !json.Valid([]byte(e.Args)) {
					t.Errorf("%s: the arguments of %s are no JSON: %s", name, e.ID, e.Args)
				}
			case history.Result:
				delete(open, e.ID)
			}
		}
		if len(open) > 0 {
			t.Errorf("%s: calls without results: %v", name, open)
		}
		if last := entries[len(entries)-1]; last.Kind != history.Assistant {
			t.Errorf("%s ends with a %s", name, last.Kind)
		}
	}
	e := history.FromSession(tell("edge", edge).Source.Session)
	long, synthetic, twice := false, false, false
	for i := range e {
		long = long || len(e[i].Text) == 60000
		synthetic = synthetic || e[i].Kind == history.Result && e[i].ID == "call_lost"
		twice = twice || i > 0 && e[i].Kind == history.User && e[i-1].Kind == history.User
	}
	if !long || !synthetic || !twice {
		t.Errorf("long %v, synthetic %v, two users %v", long, synthetic, twice)
	}
}

// TestSources holds that every scenario is there and is one.
func TestSources(t *testing.T) {
	sources, err := Sources(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		entries := history.FromSession(s.Source.Session)
		if n := len(history.Only(entries, history.Call)); n < 2 {
			t.Errorf("%s %s has %d calls", s.From, s.Name, n)
		}
		if history.Compare(entries, entries, history.Rules{}) != nil {
			t.Errorf("%s %s is not like itself", s.From, s.Name)
		}
	}
}

func TestWords(t *testing.T) {
	got := words([]string{"pi", "--session", "{root}/s.jsonl", "{prompt}"}, "/r", "Go on")
	if len(got) != 4 || got[2] != "/r/s.jsonl" || got[3] != "Go on" {
		t.Errorf("got %q", got)
	}
}
