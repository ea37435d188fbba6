// Package convert carries a session of one harness to another: it reads the
// active context whole, asks the portability gate, renders the target's files,
// and reads them back with the target's own mapping before it lets them go.
package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/render"
	"github.com/trajmap/trajmap/engine/session"
)

// Options say how a session is carried over.
type Options struct {
	render.Options
	Session string   // of a store that holds several
	Cwd     string   // in place of the session's own
	Allow   []string // codes of hazards that are carried all the same
	CutTail bool     // what follows the last complete turn is left out
	// FullResults: of results that are only there in part, the whole is carried.
	FullResults bool
	Turns       *session.Range // nil: all
	// AllowUntested: the target's program may be of a version that nobody tried.
	AllowUntested bool
}

// Result is a session as the target's files.
type Result struct {
	*Source
	Target   *mapping.Mapping
	Export   *render.Export
	Resume   *render.Resume // nil when the mapping does not say how
	Steps    []render.Step
	Findings []Finding
	Loss     Losses
	// Reencoded are the calls with arguments that the target's program, which keeps
	// numbers as doubles, has otherwise.
	Reencoded int
	// Parted: which calls were made at once is not to be seen any more.
	Parted  bool
	Options Options
}

// Convert reads a session with one mapping and writes it with another, into a
// folder that is there and empty. The error is a *[Refusal] when the gate
// refuses it; the result then has what was found. Whatever the error, the caller
// closes a result that is not nil.
func Convert(ctx context.Context, from *mapping.Mapping, in *frame.Input, to *mapping.Mapping, o Options, dir string) (*Result, error) {
	source, err := Load(ctx, from, in, o)
	if err != nil {
		return nil, err
	}
	return Write(ctx, source, to, o, dir)
}

// Write is [Convert] of a session that has been loaded, with the same options.
func Write(ctx context.Context, source *Source, to *mapping.Mapping, o Options, dir string) (*Result, error) {
	r := &Result{Source: source, Target: to, Options: o}
	if to.Write == nil {
		return r, fmt.Errorf("sessions of %s are only read", to.Harness)
	}
	if err := accepts(to, o); err != nil {
		return r, err
	}
	s := source.Session
	r.Findings = judge(to, source.Read, s, o)
	if slices.ContainsFunc(r.Findings, Finding.Refused) {
		return r, &Refusal{r.Findings}
	}
	if err := place(s.Cwd); err != nil {
		return r, err
	}
	if to.Write.Gate["starts_with_assistant"] == string(Refuse) {
		s.Preface() // it has been allowed
	}
	var err error
	if r.Export, err = render.Render(to, s, o.Options, below(dir)); err != nil {
		return r, err
	}
	if r.noted(); slices.ContainsFunc(r.Findings, Finding.Refused) {
		return r, &Refusal{r.Findings}
	}
	if to.Resume != nil {
		if r.Resume, err = render.Commands(to, s, r.Export, o.Options); err != nil {
			return r, err
		}
	}
	if r.Steps, err = render.Steps(to, s, r.Export, o.Options); err != nil {
		return r, err
	}
	if to.Write.Doubles {
		r.Reencoded = reencoded(s)
	}
	r.Loss, r.Parted, err = verify(ctx, to, s, r.Export, dir, len(o.Own) > 0)
	return r, err
}

// below creates the files of an export in a folder.
func below(dir string) render.Create {
	return func(path string) (io.WriteCloser, error) {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
}

// verify reads an export back as the target would, compares what comes out, and
// makes the books. Options of the target's own may cost which calls were made at
// once: parted says that they have.
func verify(ctx context.Context, m *mapping.Mapping, s *session.Session, e *render.Export, dir string, own bool) (l Losses, parted bool, err error) {
	in, closer, err := frame.Open(filepath.Join(dir, filepath.FromSlash(e.Files[0].Path)))
	if err != nil {
		return nil, false, err
	}
	defer closer()
	back, err := load(ctx, m, in, Options{}, read.Options{Drift: true}, session.NewBuilderAgainst(s))
	if err != nil {
		return nil, false, fmt.Errorf("reading and writing of this harness do not agree: what was written cannot be read back: %w", err)
	}
	defer back.Close()
	for _, entry := range back.Read.Ledger.Entries {
		if entry.Bucket == read.Unmapped {
			return nil, false, fmt.Errorf("reading and writing of this harness do not agree: what was written has a frame that the mapping does not know: %s", entry.Kind)
		}
	}
	for _, key := range back.Read.Ledger.Keys {
		return nil, false, fmt.Errorf("reading and writing of this harness do not agree: what was written is not as the mapping knows it: %s: %s", key.Path, key.Problem)
	}
	c := Written(m)(s, back.Session)
	if err := errors.Join(s.Err(), back.Session.Err()); err != nil {
		return nil, false, err
	}
	if own && len(c.Differences) > 0 {
		c, parted = Parted(s, back.Session), true
	}
	if len(c.Differences) > 0 {
		return nil, false, fmt.Errorf("reading and writing of this harness do not agree: what was written does not read back as the session: %s", c.Differences[0])
	}
	l, err = account(s, back.Session, c)
	return l, parted, err
}
