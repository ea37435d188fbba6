package convert

import (
	"fmt"
	"slices"
	"strconv"
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
	"truncated_result":      Carry,
	"persisted_result":      Carry,
	"pruned_result":         Carry,
	"context_edit":          Refuse,
	"context_cleared":       Refuse,
	"unmapped_frame":        Refuse,
	"unreadable_part":       Refuse,
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
	"target_will_truncate":  Carry,
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
	// Kinds are those of the frames that the mapping does not know, the first few.
	Kinds []string `json:"kinds,omitempty"`
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
		if len(f.Kinds) > 0 {
			b.WriteString(": " + strings.Join(f.Kinds, ", "))
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

// strictness is the order of the verdicts.
var strictness = []Verdict{Drop, Carry, Refuse, Never}

// stricter is the stricter one of two verdicts. One that is unknown is none.
func stricter(a, b Verdict) Verdict {
	if slices.Index(strictness, b) > slices.Index(strictness, a) {
		return b
	}
	return a
}

// Judge holds what was found in the active context of a session against the general
// verdicts: what it takes to go on with it anywhere.
func Judge(result *read.Result, s *session.Session) []Finding {
	return judge(nil, result, s, Options{})
}

// judge holds the hazards of a read, and what the session itself shows, against
// the verdicts: the general one, in its place the target's if there is one, and the source's
// where that is stricter.
func judge(target *mapping.Mapping, result *read.Result, s *session.Session, o Options) []Finding {
	j := &judging{target: target, o: o, cleared: cleared(s, o)}
	add := j.add
	for _, h := range result.Hazards {
		add(h.Code, h.Verdict, h.Count, h.Lines)
	}
	unmapped, line := 0, 0
	var kinds []string
	for _, e := range result.Ledger.Entries {
		if e.Bucket != read.Unmapped {
			continue
		}
		if unmapped += e.Count; line == 0 {
			line = e.Line
		}
		if len(kinds) < maxKinds {
			kinds = append(kinds, shortKind(e.Kind))
		}
	}
	if unmapped > 0 {
		add("unmapped_frame", "", unmapped, lines(line), kinds...)
	}
	for _, code := range shown(s) {
		if !slices.ContainsFunc(j.findings, func(f Finding) bool { return f.Code == code }) {
			add(code, "", 1, nil)
		}
	}
	return j.findings
}

// noted judges what the target's mapping has noted while it wrote.
func (r *Result) noted() {
	j := &judging{target: r.Target, o: r.Options, findings: r.Findings}
	for _, h := range r.Export.Hazards {
		j.add(h.Code, h.Verdict, h.Count, nil)
	}
	r.Findings = j.findings
}

// judging is the state of the gate.
type judging struct {
	target   *mapping.Mapping // nil: any
	o        Options
	cleared  []string
	findings []Finding
}

// add judges a hazard. own is the verdict of the mapping that noted it, which
// counts where it is the stricter one.
func (j *judging) add(code, own string, count int, lines []int, kinds ...string) {
	v, _ := VerdictOf(code)
	if j.target != nil {
		if of, ok := j.target.Write.Gate[code]; ok {
			v = Verdict(of)
		}
	}
	v = stricter(v, Verdict(own))
	if slices.Contains(j.cleared, code) {
		v = Carry
	}
	if i := slices.IndexFunc(j.findings, func(f Finding) bool { return f.Code == code && f.Verdict == v }); i >= 0 {
		f := &j.findings[i]
		f.Count, f.Kinds = f.Count+count, append(f.Kinds, kinds...)
		return
	}
	j.findings = append(j.findings, Finding{
		Code: code, Verdict: v, Allowed: slices.Contains(j.o.Allow, code), Count: count, Lines: lines, Kinds: kinds,
	})
}

// cleared are the codes that no longer say anything against a session of which
// the end is left out.
func cleared(s *session.Session, o Options) []string {
	switch {
	case o.CutTail:
		return tail
	case o.Turns != nil && o.Turns.To < s.Whole:
		return []string{"in_flight_call", "live_session"} // they are of the end, by what they mean
	}
	return nil
}

// shown are the codes of what the session itself shows, whatever it was read
// from.
func shown(s *session.Session) []string {
	if len(s.Turns) == 0 {
		return []string{"empty_session"}
	}
	var codes []string
	if len(s.Turns[0].Users) == 0 {
		codes = append(codes, "starts_with_assistant")
	}
	switch last := s.Turns[len(s.Turns)-1]; {
	case len(last.Steps) == 0:
		codes = append(codes, "unanswered_prompt")
	case !last.Complete && !slices.ContainsFunc(last.Steps, unanswered):
		codes = append(codes, "interrupted_turn") // it has no closing answer
	}
	return codes
}

// unanswered reports whether a reply has calls without a result, of which the
// read has told.
func unanswered(m *session.Message) bool {
	return slices.ContainsFunc(m.Calls, func(c *session.Call) bool { return !c.Resultless && (c.Result == nil || c.Result.Synthesized) })
}

// maxKinds is how many unknown kinds a finding names.
const maxKinds = 10

// shortKind is a kind as it is told to people: one that is no name is cut.
func shortKind(kind string) string {
	kind = strconv.Quote(kind)
	if len(kind) > maxKind {
		kind = strings.ToValidUTF8(kind[:maxKind], "") + `…"`
	}
	return kind
}

const maxKind = 48

func lines(line int) []int {
	if line == 0 {
		return nil
	}
	return []int{line}
}
