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
		if h := p.Handoff; h != nil && (h.Command == "" || len(h.Then) == 0 && h.Verdict == Proven || (h.Verdict == Proven) != (h.Reason == "")) {
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
