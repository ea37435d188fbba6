// Package survival measures what of a session is still there after it was written
// for another harness: one session of each source is written for each target and
// read back with the target's own mapping.
package survival

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/session"
)

// Source is what a session has to lose.
type Source struct {
	Harness string
	Case    string // the golden case that it is
	Turns   int
	Calls   int
	Good    int  // results of calls that are known to have gone well
	Failed  int  // and of those that are known to have failed
	Title   bool // one of its own, not the first prompt
	Cwd     bool
	Branch  bool
	Models  bool           // replies say of which model they are
	Left    map[string]int // records that no target takes, by kind: reasoning, system, observation
}

// Pair is what became of a source at a target.
type Pair struct {
	Source, Target string
	Refused        []string // hazards for which it is refused unless they are allowed; then what is said below is of that

	Never       bool // one of the hazards cannot be allowed: nothing was written
	Texts       int  // that were joined with others
	Assumed     int  // outcomes that were unknown and are not any more
	GoodLost    int  // calls that went well, of which that is not known any more
	FailedLost  int  // calls that failed, likewise
	Synthesized int  // results, or prompts, that were made up
	IDs         int  // of calls that have another one

	Title, Cwd, Branch, Models, Times bool // are the same when read back
}

// Matrix is what was measured.
type Matrix struct {
	Sources []*Source
	Targets []string
	Pairs   []*Pair // by target, then source
}

// Of gives the pairs of a target.
func (m *Matrix) Of(target string) []*Pair {
	return slices.DeleteFunc(slices.Clone(m.Pairs), func(p *Pair) bool { return p.Target != target })
}

// Source is a source by its harness.
func (m *Matrix) Source(harness string) *Source {
	return m.Sources[slices.IndexFunc(m.Sources, func(s *Source) bool { return s.Harness == harness })]
}

// Measure writes the sources' sessions for all mappings that can be written. Root
// is the project's folder. What is written wrong is an error.
func Measure(ctx context.Context, root string, mappings []*engine.Mapping) (*Matrix, error) {
	matrix := &Matrix{}
	for _, to := range mappings {
		if to.Write != nil {
			matrix.Targets = append(matrix.Targets, to.Harness)
		}
	}
	for _, from := range mappings {
		source, err := load(ctx, root, from.Harness)
		if err != nil {
			return nil, err
		}
		matrix.Sources = append(matrix.Sources, describe(from.Harness, source))
		for _, to := range mappings {
			if to.Write == nil {
				continue
			}
			p, err := pair(ctx, source, from, to)
			if err != nil {
				source.Close()
				return nil, errors.Join(errors.New(from.Harness+" to "+to.Harness), err)
			}
			matrix.Pairs = append(matrix.Pairs, p)
		}
		source.Close()
	}
	slices.SortStableFunc(matrix.Pairs, func(a, b *Pair) int {
		return slices.Index(matrix.Targets, a.Target) - slices.Index(matrix.Targets, b.Target)
	})
	return matrix, nil
}

func describe(harness string, source *convert.Source) *Source {
	s := source.Session
	out := &Source{
		Harness: harness, Case: sessions[harness], Turns: len(s.Turns), Calls: len(s.Calls),
		Title: titled(source), Cwd: source.Read.Facts["cwd"] != "", Branch: s.GitBranch != "", Models: strings.Trim(models(s), "\n") != "",
		Left: map[string]int{},
	}
	for kind, name := range leftBehind {
		if n := s.Kept[kind]; n > 0 {
			out.Left[name] = n
		}
	}
	for _, c := range s.Calls {
		switch ok := outcome(c); {
		case ok == nil:
		case *ok:
			out.Good++
		default:
			out.Failed++
		}
	}
	return out
}

// leftBehind are the kinds of records that no target takes.
var leftBehind = map[normalize.Type]string{
	normalize.ReasoningRecord: "reasoning", normalize.SystemRecord: "system", normalize.ObservationRecord: "observation",
}

// outcome is how a call ended; nil when that is not known.
func outcome(c *session.Call) *bool {
	if c.Result == nil {
		return nil
	}
	return c.Result.OK
}

// titled reports whether a session has a title of its own.
func titled(s *convert.Source) bool { return s.Read.Facts["title"] != "" }

// pair writes a session for a target and reads it back.
func pair(ctx context.Context, source *convert.Source, from, to *engine.Mapping) (*Pair, error) {
	p := &Pair{Source: from.Harness, Target: to.Harness}
	dir, err := os.MkdirTemp("", "survival-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	o := convert.Options{Allow: unanswered}
	r, err := convert.Write(ctx, source, to.Mapping, o, dir)
	var refusal *convert.Refusal
	if errors.As(err, &refusal) {
		for _, f := range refusal.Findings {
			if f.Refused() {
				p.Refused = append(p.Refused, f.Code)
			}
		}
		o.Allow = append(slices.Clone(unanswered), p.Refused...)
		if r, err = convert.Write(ctx, source, to.Mapping, o, dir); errors.As(err, &refusal) {
			p.Never = true
			return p, nil
		}
	}
	if err != nil {
		return nil, err
	}
	for _, kind := range []string{"user", "assistant"} {
		p.Texts += r.Loss[kind].Joined
		p.Synthesized += r.Loss[kind].Synthesized
	}
	results := r.Loss["tool_result"]
	p.Synthesized += results.Synthesized
	p.IDs = len(r.Manifest().IDs.Rewritten)
	back, err := read(ctx, to, filepath.Join(dir, filepath.FromSlash(r.Export.Files[0].Path)))
	if err != nil {
		return nil, err
	}
	defer back.Close()
	a, b := source.Session, back.Session
	for i, c := range a.Calls { // as many: that has been compared
		switch was, is := outcome(c), outcome(b.Calls[i]); {
		case was == nil && is != nil:
			p.Assumed++
		case was != nil && is == nil && *was:
			p.GoodLost++
		case was != nil && is == nil:
			p.FailedLost++
		}
	}
	if p.Assumed != results.StatusAssumed || p.GoodLost+p.FailedLost != results.StatusLost {
		return nil, fmt.Errorf("the books say %d outcomes assumed and %d lost: %+v", results.StatusAssumed, results.StatusLost, *p)
	}
	p.Title = back.Read.Facts["title"] == source.Read.Facts["title"]
	p.Cwd = back.Read.Facts["cwd"] == a.Cwd
	p.Branch, p.Models = a.GitBranch == b.GitBranch, models(a) == models(b)
	p.Times = slices.Equal(times(a), times(b))
	return p, nil
}

// models are the models of the replies, as one text.
func models(s *session.Session) (list string) {
	for _, m := range s.Messages {
		if m.Role == session.Assistant {
			list += m.Model + "\n"
		}
	}
	return list
}

// times are those of all that was said and answered.
func times(s *session.Session) (list []int64) {
	for _, m := range s.Messages {
		if m.Role.Note() {
			continue
		}
		list = append(list, m.Time)
		for _, c := range m.Calls {
			if c.Result != nil {
				list = append(list, c.Result.Time)
			}
		}
	}
	return list
}
