package cli

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/internal/evidence"
)

// driftCmd compares inputs with what a mapping knows.
type driftCmd struct {
	Mapping string   `arg:"" help:"Name or file of a mapping; auto recognises each input."`
	Inputs  []string `arg:"" optional:"" name:"input" help:"Session files, folders of them, sessions as for apply, or - for standard input."`
	findings
}

// drifted is what one input holds that its mapping does not know.
type drifted struct {
	target
	m        *engine.Mapping
	ledger   read.Ledger
	failures []trajectory.Diagnostic // of expressions
	ranges   []evidence.Departure
}

// Run reads the inputs and prints what is not known: once for all of them, with
// the number and the first place. The exit code is 3 when there is anything.
func (c *driftCmd) Run(ctx context.Context, w *World) error {
	pick, given, err := w.inputs(ctx, "drift", c.Mapping, c.Inputs)
	if err != nil {
		return err
	}
	targets := targets{given: given, pick: pick, every: true}
	p := progress{World: w, began: time.Now()}
	sum := &drift{counts: map[string]int{}}
	failed := 0
	err = inOrder(ctx, targets.all(ctx),
		func(ctx context.Context, rs readers, t target) []drifted { return c.read(ctx, pick, rs, t) },
		func(files []drifted) error {
			p.clear()
			if files[0].m != nil {
				sum.sessions++
			}
			for _, d := range files {
				if stops(d.err) {
					return d.err
				}
				if d.err != nil {
					failed++
					w.fail(&placed{d.path, d.err})
				}
				if d.m != nil {
					sum.add(&d)
				}
			}
			return nil
		},
		func() { p.show(plural(sum.sessions, "session")) },
	)
	p.clear()
	if err != nil {
		return err
	}
	closing := fmt.Sprintf("%s, %s: %s", plural(sum.sessions, "session"), plural(sum.frames, "frame"), plural(len(sum.list), "difference"))
	if sum.sessions == 0 && failed == 0 {
		failed++
		closing = "no input is one that " + pick.String() + " recognises"
	}
	if failed > 0 && sum.sessions > 0 {
		closing += ", " + group(failed) + " not read"
	}
	if err := c.print(w, sum.findings(), closing); err != nil {
		return err
	}
	switch {
	case len(sum.list) > 0:
		return quiet(exitDrift)
	case failed > 0:
		return quiet(exitFailed)
	}
	return nil
}

// read reads one input. A folder may have a file for each view.
func (c *driftCmd) read(ctx context.Context, pick *picker, rs readers, t target) []drifted {
	fails := func(err error) []drifted {
		t.err = err
		return []drifted{{target: t}}
	}
	if t.err != nil {
		return fails(t.err)
	}
	from, err := pick.open(ctx, &t)
	if err != nil {
		return fails(err)
	}
	defer from.close()
	in, m := from.in, from.m
	if m == nil {
		return fails(nil)
	}
	all := []drifted{c.view(ctx, rs, m, t, in, engine.Archive)}
	if t.folder && slices.ContainsFunc(m.Formats, func(f *mapping.Format) bool { return f.View != mapping.AnyView }) {
		if sent := c.view(ctx, rs, m, t, in, engine.Active); sent.m != nil && sent.path != all[0].path {
			all = append(all, sent)
		}
	}
	return all
}

// view reads what an input has for a view, for its ledger.
func (c *driftCmd) view(ctx context.Context, rs readers, m *engine.Mapping, t target, in *engine.Input, view mapping.View) (d drifted) {
	d.target = t
	ranges := &evidence.Ranges{}
	ranges.Reset()
	o := read.Options{Drift: true, Alone: true, View: view, Trace: ranges, Session: t.session, Normalize: normalize.Options{Partial: true}}
	result, err := rs.of(m).Read(ctx, in, o, func(*normalize.Plan) (normalize.Sink, error) { return nowhere{}, nil })
	if result == nil {
		d.err = err
		return d
	}
	var fault *trajectory.Error
	if err != nil && !errors.As(err, &fault) {
		d.err = err // else what could be read counts
	}
	d.path = t.label(result)
	d.m, d.ledger, d.ranges = m, result.Ledger, ranges.Departures()
	for _, one := range result.Diagnostics {
		if one.Code == trajectory.ExpressionFailed {
			d.failures = append(d.failures, one)
		}
	}
	return d
}

// nowhere takes records that are not wanted.
type nowhere struct{}

// Record does nothing.
func (nowhere) Record(*normalize.Record) error { return nil }

// drift is what many inputs hold that is not known: each difference once.
type drift struct {
	sessions, frames int
	list             diag.List // in the order of their first places
	counts           map[string]int
}

func (s *drift) add(d *drifted) {
	s.frames += d.ledger.Frames
	harness := d.m.Harness + ": "
	unmapped := map[string]bool{} // by the name of the schema's problem with it
	for _, e := range d.ledger.Entries {
		if e.Bucket == read.Unmapped {
			unmapped[shape.Problem{Drift: shape.UnknownKind, Found: path.Base(e.Kind)}.String()] = true
			s.note(diag.UnmappedKind, d.path, e.Line, e.Count, fmt.Sprintf("%skind %q has no rule and is not ignored", harness, e.Kind))
		}
	}
	for _, k := range d.ledger.Keys {
		if unmapped[k.Problem] {
			continue // has been said
		}
		at := k.Path
		if at == "" {
			at = "the frame"
		}
		s.note(diag.SchemaDrift, d.path, k.Line, k.Count, harness+at+": "+k.Problem)
	}
	for _, f := range d.failures {
		s.note(diag.FailedValue, d.path, f.InputLine, f.Count, harness+f.Message)
	}
	for _, r := range d.ranges {
		s.note(diag.OutOfRange, d.path, r.Line, r.Count, fmt.Sprintf("%s%s (line %d of the mapping)", harness, r, r.Pos.Line))
	}
}

// note counts one difference.
func (s *drift) note(code, file string, line, count int, message string) {
	key := code + message
	if s.counts[key] == 0 {
		s.list = append(s.list, diag.Finding{Code: code, File: file, Line: line, Message: message})
	}
	s.counts[key] += count
}

// findings are the differences with their numbers.
func (s *drift) findings() diag.List {
	out := make(diag.List, len(s.list))
	for i, f := range s.list {
		f.Hint = plural(s.counts[f.Code+f.Message], "time")
		out[i] = f
	}
	return out
}
