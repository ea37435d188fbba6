package convert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/session"
)

// Verdict says what the gate does about a hazard.
type Verdict string

// The verdicts.
const (
	Refuse Verdict = "refuse" // unless it is allowed by name
	Carry  Verdict = "carry"  // with a notice
	Drop   Verdict = "drop"   // counted
	Never  Verdict = "never"  // cannot be allowed
)

// verdicts are the general ones, by code. A target's mapping may be stricter.
var verdicts = map[string]Verdict{
	"empty_session":         Never,
	"compaction":            Refuse,
	"compaction_opaque":     Never,
	"inactive_branch":       Carry,
	"rewind":                Carry,
	"lineage_missing":       Never,
	"in_flight_call":        Refuse,
	"missing_result":        Refuse,
	"interrupted_turn":      Refuse,
	"unanswered_prompt":     Refuse,
	"error_turn":            Carry,
	"starts_with_assistant": Carry,
	"steering":              Carry,
	"queued_prompt":         Drop,
	"image":                 Refuse,
	"document":              Refuse,
	"subagent":              Carry,
	"encrypted_reasoning":   Drop,
	"reasoning":             Drop,
	"truncated_result":      Carry,
	"persisted_result":      Carry,
	"pruned_result":         Carry,
	"context_edit":          Refuse,
	"context_cleared":       Refuse,
	"unmapped_frame":        Refuse,
	"server_tool":           Carry,
	"code_mode":             Carry,
	"uncertain_arguments":   Carry,
	"command_replay":        Refuse,
	"provider_replay":       Refuse,
	"live_session":          Refuse,
	"background_command":    Carry,
	"virtual_files":         Drop,
	"plan_mode":             Drop,
	"todos":                 Drop,
	"secret":                Drop,
}

// VerdictOf is what the gate does about a hazard when neither the target nor the
// caller says otherwise. One that it does not know is refused.
func VerdictOf(code string) (v Verdict, known bool) {
	if v, known = verdicts[code]; known {
		return v, true
	}
	return Refuse, false
}

// tail are the codes of an unfinished end, which cutting it off clears.
var tail = []string{"in_flight_call", "interrupted_turn", "unanswered_prompt", "live_session"}

// Finding is a hazard with what the gate made of it.
type Finding struct {
	Code    string  `json:"code"`
	Verdict Verdict `json:"verdict"`
	Allowed bool    `json:"allowed,omitempty"`
	Count   int     `json:"count"`
	Lines   []int   `json:"lines,omitempty"`
}

// Refused reports whether the finding stops a conversion.
func (f Finding) Refused() bool {
	return f.Verdict == Never || f.Verdict == Refuse && !f.Allowed
}

// A Refusal has everything for which a session was refused.
type Refusal struct{ Findings []Finding }

func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString("the session cannot be carried on safely:")
	for _, f := range r.Findings {
		if !f.Refused() {
			continue
		}
		fmt.Fprintf(&b, "\n  %s", f.Code)
		if f.Count > 1 {
			fmt.Fprintf(&b, ", %d times", f.Count)
		}
		if len(f.Lines) > 0 {
			fmt.Fprintf(&b, ", line %d", f.Lines[0])
		}
		switch {
		case f.Verdict == Never:
			b.WriteString(" (there is no way around it)")
		case slices.Contains(tail, f.Code):
			fmt.Fprintf(&b, " (--cut-tail leaves the unfinished end out; --allow %s carries it)", f.Code)
		default:
			fmt.Fprintf(&b, " (--allow %s carries it all the same)", f.Code)
		}
	}
	return b.String()
}

// judge holds the hazards of a read, and what the session itself shows, against
// the verdicts.
func judge(target *mapping.Mapping, result *read.Result, s *session.Session, o Options) []Finding {
	var findings []Finding
	add := func(code string, count int, lines []int) {
		v, _ := VerdictOf(code)
		if stricter, ok := target.Write.Gate[code]; ok {
			v = Verdict(stricter)
		}
		if o.CutTail && slices.Contains(tail, code) {
			v = Carry
		}
		findings = append(findings, Finding{Code: code, Verdict: v, Allowed: slices.Contains(o.Allow, code), Count: count, Lines: lines})
	}
	for _, h := range result.Hazards {
		add(h.Code, h.Count, h.Lines)
	}
	unmapped, line := 0, 0
	for _, e := range result.Ledger.Entries {
		if e.Bucket == read.Unmapped {
			if unmapped += e.Count; line == 0 {
				line = e.Line
			}
		}
	}
	if unmapped > 0 {
		add("unmapped_frame", unmapped, lines(line))
	}
	if len(s.Turns) == 0 {
		add("empty_session", 1, nil)
	}
	if n := len(s.Turns); n > 0 {
		if len(s.Turns[0].Users) == 0 {
			add("starts_with_assistant", 1, nil)
		}
		if len(s.Turns[n-1].Steps) == 0 {
			add("unanswered_prompt", 1, nil)
		}
	}
	return findings
}

func lines(line int) []int {
	if line == 0 {
		return nil
	}
	return []int{line}
}
