package evidence

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
	"time"
)

// TestFiles holds what runs have written: complete, and nothing by hand.
func TestFiles(t *testing.T) {
	names, err := fs.Glob(files, "*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		program := strings.TrimSuffix(name, ".json")
		p, err := Of(program)
		if err != nil {
			t.Error(err)
			continue
		}
		if p.Program != program || p.Version == "" || len(p.Sessions) == 0 {
			t.Errorf("%s is not complete", name)
		}
		if _, err := time.Parse(time.DateOnly, p.Date); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if h := p.Handoff; h != nil && (h.Command == "" || len(h.Then) == 0 && h.Verdict == Proven || (h.Verdict == Proven || h.Verdict == Untried) != (h.Reason == "")) {
			t.Errorf("%s: the handoff is not complete", name)
		}
		for _, s := range p.Sessions {
			for _, v := range []Verdict{s.Load, s.Continue} {
				if v != Proven && v != Failed && v != Refused && (v != Untried || v == s.Load) {
					t.Errorf("%s: %s %s has the verdict %q", name, s.Source, s.Session, v)
				}
			}
			if proven := s.Load == Proven && (s.Continue == Proven || s.Continue == Untried); proven != (s.Reason == "") {
				t.Errorf("%s: %s %s: the reason does not go with the verdict", name, s.Source, s.Session)
			}
		}
		data, _ := files.ReadFile(name)
		var again bytes.Buffer
		e := json.NewEncoder(&again)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(p); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, again.Bytes()) {
			t.Errorf("%s is not as a run writes it", name)
		}
	}
}

func TestOf(t *testing.T) {
	if p, err := Of("no-such-program"); p != nil || err != nil {
		t.Errorf("got %v, %v", p, err)
	}
}

func TestFrom(t *testing.T) {
	p := Program{Sessions: []Session{
		{Source: "a", Load: Proven, Continue: Proven},
		{Source: "a", Load: Proven, Continue: Failed},
		{Source: "b", Load: Refused, Continue: Refused},
	}}
	if proven, all := p.From("a"); proven != 1 || all != 2 {
		t.Errorf("got %d of %d", proven, all)
	}
}

func TestWorse(t *testing.T) {
	program := func(load, proceed, handoff Verdict) *Program {
		return &Program{Version: "1", Handoff: &Handoff{Command: "handoff", Verdict: handoff}, Sessions: []Session{
			{Source: "a", Session: "x", Load: load, Continue: proceed},
			{Source: "a", Session: "y", Load: Proven, Continue: Proven},
		}}
	}
	all := program(Proven, Proven, Proven)
	part := program(Proven, Proven, Proven)
	part.Handoff, part.Sessions = nil, part.Sessions[:1]
	newer := program(Proven, Proven, Proven)
	newer.Version = "2"
	for _, c := range []struct {
		name          string
		now, recorded *Program
		worse         int
	}{
		{"the same", all, all, 0},
		{"a part of it", part, all, 0},
		{"nothing recorded, all proven", all, nil, 0},
		{"nothing recorded, one failed", program(Failed, Failed, Proven), nil, 2},
		{"not continued", program(Proven, Failed, Proven), all, 1},
		{"refused now", program(Refused, Refused, Proven), all, 2},
		{"refused as before", program(Refused, Refused, Proven), program(Refused, Refused, Proven), 0},
		{"failed as before", program(Failed, Failed, Failed), program(Failed, Failed, Failed), 0},
		{"failed in place of refused", program(Failed, Failed, Proven), program(Refused, Refused, Proven), 2},
		{"better", all, program(Failed, Untried, Failed), 0},
		{"no handoff", program(Proven, Proven, Failed), all, 1},
		{"a handoff that was not recorded", program(Proven, Proven, Failed), part, 1},
		{"another version", newer, all, 1},
	} {
		if got := c.now.Worse(c.recorded); len(got) != c.worse {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
