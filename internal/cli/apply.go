package cli

import (
	"context"
	"errors"
	"strconv"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
)

// applyCmd is the main job: native session files in, records out.
type applyCmd struct {
	Mapping string   `arg:"" help:"Name or file of a mapping; auto recognises each input. A session named by HARNESS:ID or latest needs none."`
	Inputs  []string `arg:"" optional:"" name:"input" help:"Session files, folders of them, sessions as HARNESS:ID, latest or latest:HARNESS, or - for standard input."`

	Format  string `enum:"jsonl,json" default:"jsonl" placeholder:"FORM" help:"jsonl: a record a line, diagnostics on standard error; json: an envelope a session."`
	As      string `enum:"trajectory,canonical" default:"trajectory" placeholder:"FORM" help:"trajectory: trajectory-v1 records; canonical: rows for ingestion."`
	View    string `enum:"archive,active" default:"archive" placeholder:"VIEW" help:"archive: all that was written; active: what the agent would send to its model next."`
	Out     string `short:"o" name:"output" placeholder:"FILE" help:"Write to a file, which appears only when all is done."`
	Session string `placeholder:"ID" aliases:"thread" help:"Only the session with this id."`

	bounds

	System         string `enum:"omit,include" default:"omit" placeholder:"WHAT" help:"System messages: omit or include."`
	Group          string `placeholder:"ID" help:"Group of the records, where the input does not say which session it is."`
	BaseOffset     int64  `placeholder:"N" help:"Byte of its file at which the input begins; it is a fragment then, without a meta record."`
	Partial        bool   `help:"The input is a fragment: roles may be missing, and the calls of results."`
	FullResults    bool   `help:"Of results that the session has only in part, take the whole from the files beside it."`
	Strict         bool   `help:"Frames that the mapping does not know are an error."`
	AllDiagnostics bool   `help:"Say every diagnostic, not only the first 20 of a code."`
	Report         string `placeholder:"FILE" help:"Write what became of every frame, a JSON object a session, to a file or - for standard output."`
}

// bounds are the limits of contents.
type bounds struct {
	MaxArgs        limit  `placeholder:"N|none" help:"Most code points of a call's arguments (20000)."`
	MaxResult      limit  `placeholder:"N|none" help:"Most code points of a result (2500)."`
	Unbounded      bool   `help:"Neither is limited."`
	ResultStrategy string `enum:"head-tail,head" default:"head-tail" placeholder:"WAY" help:"What is kept of a result that is too long: head-tail or head."`
	Results        string `enum:"include,omit" default:"include" placeholder:"WHAT" help:"Results of calls: include or omit."`
}

// limit is a bound: a number, or none. Zero stands for the default.
type limit int

// UnmarshalText reads N or none.
func (l *limit) UnmarshalText(text []byte) error {
	if string(text) == "none" {
		*l = normalize.Unbounded
		return nil
	}
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 {
		return errors.New("must be a whole number above 0, or none")
	}
	*l = limit(n)
	return nil
}

// options are what the flags ask of a read.
func (c *applyCmd) options() (read.Options, error) {
	o := read.Options{Normalize: normalize.Options{
		MaxArgs:       int(c.MaxArgs),
		MaxResult:     int(c.MaxResult),
		HeadOnly:      c.ResultStrategy == "head",
		OmitResults:   c.Results == "omit",
		IncludeSystem: c.System == "include",
		Partial:       c.Partial,
		BaseOffset:    c.BaseOffset,
		Group:         c.Group,
	}}
	o.Session, o.FullResults = c.Session, c.FullResults
	if c.View == "active" {
		o.View = engine.Active
	}
	if c.Unbounded {
		if c.MaxArgs != 0 || c.MaxResult != 0 {
			return o, usagef("give one of them", "--unbounded and a bound exclude each other")
		}
		o.Normalize.MaxArgs, o.Normalize.MaxResult = normalize.Unbounded, normalize.Unbounded
	}
	if err := o.Normalize.Validate(); err != nil {
		return o, usagef("", "%v", err)
	}
	switch {
	case c.BaseOffset > 0 && len(c.Inputs) > 1:
		return o, usagef("convert fragments one by one", "--base-offset is of one input")
	case c.Report == "-" && (c.Out == "" || c.Out == "-"):
		return o, usagef("give the records a file with -o, or the report one", "records and report cannot both go to standard output")
	}
	return o, nil
}

// Run converts the inputs in order. One that fails does not keep the others from
// being converted.
func (c *applyCmd) Run(ctx context.Context, w *World) (err error) {
	o, err := c.options()
	if err != nil {
		return err
	}
	pick, given, err := w.inputs(ctx, "apply", c.Mapping, c.Inputs)
	if err != nil {
		return err
	}
	out, err := create(w, c.Out)
	if err != nil {
		return err
	}
	defer out.close(&err)
	report, err := create(w, c.Report)
	if err != nil {
		return err
	}
	defer report.close(&err)

	job := &conversion{
		World: w, applyCmd: c, o: o, pick: pick,
		targets: targets{given: given, pick: pick, session: c.Session},
		out:     out, reports: report,
	}
	return job.run(ctx)
}
