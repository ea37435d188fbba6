// Package evidence has what real programs were seen to do with written sessions.
//
// The files beside it are written by runs of the lab alone, one a program. What
// has no file, or no line in it, is not proven.
package evidence

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
)

//go:embed *
var files embed.FS

// Program is what was seen of one program.
type Program struct {
	Program  string    `json:"program"` // its mapping
	Version  string    `json:"version"`
	Date     string    `json:"date"` // of the run, 2026-11-30
	Handoff  *Handoff  `json:"handoff,omitempty"`
	Sessions []Session `json:"sessions"`
}

// Handoff is what came of handing a session over as a user does it: it lay in the
// home of the program that wrote it and was named by its id, and the command that
// trajmap gave was run.
type Handoff struct {
	Command string            `json:"command"`
	Then    []string          `json:"then"`          // {prompt} stands for what was said next
	Env     map[string]string `json:"env,omitempty"` // what it needed of variables
	Verdict Verdict           `json:"verdict"`
	Reason  string            `json:"reason,omitempty"` // why not
}

// Session is what came of one session.
type Session struct {
	Source   string  `json:"source"`  // harness that it comes from
	Session  string  `json:"session"` // which of its sessions
	Load     Verdict `json:"load"`
	Continue Verdict `json:"continue"`
	Reason   string  `json:"reason,omitempty"` // why not
}

// Verdict is what a check gave.
type Verdict string

// The verdicts.
const (
	Proven  Verdict = "proven"
	Failed  Verdict = "failed"
	Refused Verdict = "refused" // nothing was written: the session is not carried there
	Untried Verdict = "untried" // there is no way to ask the program without its vendor's service
)

// Of gives the evidence about a program, nil when there is none.
func Of(program string) (*Program, error) {
	data, err := files.ReadFile(program + ".json")
	if err != nil {
		return nil, nil
	}
	p := &Program{}
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("evidence of %s: %w", program, err)
	}
	return p, nil
}

// Worse says in words what a run proved less of than was recorded. What the run
// did not try is not held against it; what was not recorded must be proven.
func (p *Program) Worse(recorded *Program) []string {
	if recorded == nil {
		recorded = &Program{Version: p.Version}
	}
	var list []string
	if p.Version != recorded.Version {
		list = append(list, fmt.Sprintf("version %s is run, and %s is recorded", p.Version, recorded.Version))
	}
	was := map[[2]string]Session{}
	for _, s := range recorded.Sessions {
		was[[2]string{s.Source, s.Session}] = s
	}
	check := func(what string, now, was Verdict, reason string) {
		if now != was && now != Proven && was != Failed {
			list = append(list, fmt.Sprintf("%s: %s, recorded is %s: %s", what, now, cmp.Or(was, "nothing"), reason))
		}
	}
	for _, s := range p.Sessions {
		old := was[[2]string{s.Source, s.Session}]
		check(s.Source+" "+s.Session+": load", s.Load, old.Load, s.Reason)
		check(s.Source+" "+s.Session+": continue", s.Continue, old.Continue, s.Reason)
	}
	if h := p.Handoff; h != nil {
		old := recorded.Handoff
		if old == nil {
			old = &Handoff{}
		}
		check(h.Command, h.Verdict, old.Verdict, h.Reason)
	}
	return list
}

// From counts the sessions of a source, and those of them that a program both
// loaded and continued whole.
func (p *Program) From(source string) (proven, all int) {
	for _, s := range p.Sessions {
		if s.Source != source {
			continue
		}
		all++
		if s.Load == Proven && s.Continue == Proven {
			proven++
		}
	}
	return proven, all
}
