package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/schema"
)

// validateCmd checks records, whoever made them.
type validateCmd struct {
	Files   []string `arg:"" name:"file" help:"Records as JSON lines, as an array or in an envelope; trajectory-v1 or canonical rows; - for standard input."`
	Partial bool     `help:"The records are a fragment: meta, roles and the calls of results may be missing."`
	findings
}

// Run checks the files and prints what it found.
func (c *validateCmd) Run(w *World) error {
	v, err := validator()
	if err != nil {
		return err
	}
	var found diag.List
	failed := 0
	for _, file := range c.Files {
		list, err := c.validate(v, file)
		found = append(found, list...)
		if err != nil {
			failed++
			w.fail(&placed{file, err})
		}
	}
	closing := plural(len(c.Files), "file") + ": " + plural(len(found), "problem")
	if failed > 0 {
		closing += ", " + group(failed) + " not read"
	}
	if err := c.print(w, found, closing); err != nil {
		return err
	}
	if failed > 0 {
		return quiet(exitFailed)
	}
	return verdict(found)
}

// validate is what there is to say about one file.
func (c *validateCmd) validate(v *trajectory.Validator, file string) (found diag.List, err error) {
	var in io.Reader = os.Stdin
	if file != "-" {
		if isFolder(file) {
			return nil, frame.ErrDirectory
		}
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	more := 0
	err = v.Validate(in, c.Partial, func(p trajectory.Problem) {
		if len(found) == mostProblems {
			more++
			return
		}
		message := p.Message
		if p.Path != "" {
			message = p.Path + ": " + message
		}
		if p.Record > 0 {
			message = fmt.Sprintf("record %d: %s", p.Record, message)
		}
		found = append(found, diag.Finding{Code: diag.BadRecord, File: file, Line: p.Line, Message: message})
	})
	if more > 0 {
		found = append(found, diag.Finding{Code: diag.BadRecord, File: file, Message: "and " + plural(more, "more problem")})
	}
	return found, err
}

// mostProblems is how many problems of one file are told: a file of the wrong
// kind has one in each line.
const mostProblems = 1000

func validator() (*trajectory.Validator, error) {
	records, err := schema.FS.ReadFile("trajectory-v1.schema.json")
	if err != nil {
		return nil, err
	}
	rows, err := schema.FS.ReadFile("trajectory-canonical-v1.schema.json")
	if err != nil {
		return nil, err
	}
	return trajectory.NewValidator(records, rows)
}
