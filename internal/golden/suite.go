package golden

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/internal/evidence"
)

// Suite runs the cases of one mapping.
type Suite struct {
	Mapping *engine.Mapping
	Update  bool // write the expected files instead of comparing
	// Options reads flags of `trajmap apply`; canonical says that they ask for
	// rows of the canonical view.
	Options func(args []string) (o read.Options, canonical bool, err error)

	Runs    int // reads so far
	Written int // expected files written so far
	ran     map[mapping.Pos]bool
	ranges  evidence.Ranges
}

// views are the expected files of a case.
var views = []struct {
	view mapping.View
	file string
}{
	{engine.Archive, "expected.json"},
	{engine.Active, "expected.active.json"},
}

// Run runs a case in each view that it has an expected file for, the archive
// always. What it finds is about the case; the error is of what keeps it from
// being run.
func (s *Suite) Run(ctx context.Context, c *Case) (diag.List, error) {
	var found diag.List
	for _, v := range views {
		file := filepath.Join(c.Dir, v.file)
		want, err := os.ReadFile(file)
		missing := errors.Is(err, fs.ErrNotExist)
		if err != nil && !missing {
			return found, err
		}
		if missing && v.view != engine.Archive {
			continue
		}
		got, problem, err := s.output(ctx, c, v.view)
		if err != nil {
			return found, err
		}
		switch {
		case problem != "":
			found = append(found, diag.Finding{Code: diag.GoldenDiffers, File: file, Message: problem})
		case s.Update:
			if !bytes.Equal(want, got) {
				if err := os.WriteFile(file, got, 0o666); err != nil {
					return found, err
				}
				s.Written++
			}
		case missing:
			found = append(found, diag.Finding{Code: diag.GoldenDiffers, File: file,
				Message: "the case has no expected file", Hint: "trajmap test --update writes it; then read it against the input"})
		default:
			if d := difference(file, want, got); d != nil {
				found = append(found, *d)
			}
		}
	}
	return found, nil
}

// output reads the case's sessions. The problem is of a read that ended in an
// error that was not expected, or did not end in the one that was.
func (s *Suite) output(ctx context.Context, c *Case, view mapping.View) (out []byte, problem string, err error) {
	o, canonical, err := s.Options(c.Args)
	if err != nil {
		return nil, "", fmt.Errorf("%s: args: %w", filepath.Join(c.Dir, "case.yaml"), err)
	}
	o.View, o.Trace = view, &s.ranges
	sources, err := c.sources(s.Mapping)
	if err != nil {
		return nil, "", err
	}
	var sessions []*session
	failed := ""
	for _, src := range sources {
		one := &session{name: src.name, canonical: canonical}
		if err := s.read(ctx, src, o, one); err != nil {
			var fault *trajectory.Error
			if !errors.As(err, &fault) {
				return nil, "", err
			}
			one.failed, failed = fault.Code, fault.Code
			if fault.Code != c.Fails {
				return nil, fmt.Sprintf("the read ends in an error: %v (`fails: %s` in case.yaml expects it)", fault, fault.Code), nil
			}
		}
		sessions = append(sessions, one)
	}
	if failed != c.Fails {
		return nil, fmt.Sprintf("no read ends in the error %s that case.yaml expects", c.Fails), nil
	}
	out, err = render(sessions)
	return out, "", err
}

func (s *Suite) read(ctx context.Context, src source, o read.Options, one *session) error {
	in, done, err := src.open()
	if err != nil {
		return err
	}
	defer done()
	s.Runs++
	s.ranges.Reset()
	one.result, err = read.New(s.Mapping.Mapping).Read(ctx, in, o, one.begin)
	if one.result != nil {
		s.note(one.result.Ran)
	}
	return err
}
