package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// explainCmd shows what the rules do.
type explainCmd struct {
	Mapping string `arg:"" help:"Name or file of a mapping; auto recognises the input."`
	Input   string `arg:"" optional:"" help:"Session file, a session as for apply, or - for standard input."`
	Line    int    `placeholder:"N" help:"Only this line of the input; of a document without lines its Nth frame."`
	View    string `enum:"archive,active" default:"archive" placeholder:"VIEW" help:"archive or active, as for apply."`
}

// Run prints a paragraph for each frame: the rule that was found, the steps that
// ran or did not and why, and the records that came of them.
func (c *explainCmd) Run(ctx context.Context, w *World) error {
	var args []string
	if c.Input != "" {
		args = []string{c.Input}
	}
	pick, given, err := w.inputs(ctx, "explain", c.Mapping, args)
	if err != nil {
		return err
	}
	t := given[0]
	if t.err != nil {
		return &placed{t.path, t.err}
	}
	t.folder = t.folder || isFolder(t.path)
	from, err := pick.open(ctx, &t)
	if err != nil {
		return &placed{t.path, err}
	}
	defer from.close()
	in, m := from.in, from.m
	x := &explanation{m: m, only: c.Line, full: c.Line > 0}
	// A session that is refused for what it lacks is just the one to look at.
	o := read.Options{Trace: x, View: engine.Archive, Alone: true, Session: t.session, Normalize: normalize.Options{NoRoles: true}}
	if c.View == "active" {
		o.View = engine.Active
	}
	result, err := read.New(m.Mapping).Read(ctx, in, o, x.start)
	if result == nil {
		return &placed{t.path, err}
	}
	for i := range result.Diagnostics {
		x.diagnostic(&result.Diagnostics[i])
	}
	if printErr := x.print(w, result); printErr != nil {
		return &outputError{printErr}
	}
	if err != nil {
		return &placed{t.path, err}
	}
	if c.Line > 0 && len(x.frames) == 0 {
		return &placed{t.path, trajectory.Errorf(trajectory.InvalidInput, "no frame begins at line %d, or it is not read in this view", c.Line)}
	}
	return nil
}

// paragraph is about one frame.
type paragraph struct {
	line, index int
	title       string
	text        strings.Builder
	notes       []string
}

// diagnostic adds what was noticed about a line to its paragraph.
func (x *explanation) diagnostic(d *trajectory.Diagnostic) {
	if d.InputLine == 0 || x.only > 0 && d.InputLine != x.only {
		return
	}
	note := d.Code + ": " + d.Message
	for _, p := range x.frames {
		if p.line == d.InputLine {
			p.notes = append(p.notes, note)
			return
		}
	}
	x.frames = append(x.frames, &paragraph{line: d.InputLine, title: fmt.Sprintf("line %d", d.InputLine), notes: []string{note}})
	slices.SortStableFunc(x.frames, func(a, b *paragraph) int { return cmp.Compare(a.line, b.line) })
}

func (x *explanation) print(w *World, result *read.Result) error {
	out := bufio.NewWriter(w.Stdout)
	fmt.Fprintf(out, "%s, format %s\n", result.Mapping.File, result.Format.Name)
	for _, p := range x.frames {
		fmt.Fprintf(out, "\n%s\n%s", p.title, p.text.String())
		for _, n := range p.notes {
			fmt.Fprintf(out, "  ! %s\n", n)
		}
	}
	return out.Flush()
}
