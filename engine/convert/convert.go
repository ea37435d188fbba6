// Package convert carries a session of one harness to another: it reads the
// active context whole, asks the portability gate, renders the target's files,
// and reads them back with the target's own mapping before it lets them go.
package convert

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/render"
	"github.com/trajmap/trajmap/engine/session"
)

// Options say how a session is carried over.
type Options struct {
	render.Options
	Session string         // of a store that holds several
	Cwd     string         // in place of the session's own
	Allow   []string       // codes of hazards that are carried all the same
	CutTail bool           // what follows the last complete turn is left out
	Turns   *session.Range // nil: all
}

// Result is a session as the target's files.
type Result struct {
	Session  *session.Session
	Export   *render.Export
	Read     *read.Result
	Findings []Finding
}

// ErrNoCwd says that the session does not say where it worked, and that the
// target's files need it.
var ErrNoCwd = errors.New("cwd_required: the session does not say in which folder it worked (give it with --cwd)")

// Convert reads a session with one mapping and writes it with another. The error
// is a *[Refusal] when the gate refuses it.
func Convert(ctx context.Context, from *mapping.Mapping, in *frame.Input, to *mapping.Mapping, o Options) (*Result, error) {
	s, result, err := Load(ctx, from, in, o)
	if err != nil {
		return nil, err
	}
	r := &Result{Session: s, Read: result}
	if to.Write == nil {
		return r, fmt.Errorf("sessions of %s are only read", to.Harness)
	}
	r.Findings = judge(to, result, s, o)
	if slices.ContainsFunc(r.Findings, Finding.Refused) {
		return r, &Refusal{r.Findings}
	}
	if s.Cwd == "" {
		return r, ErrNoCwd
	}
	if r.Export, err = render.Render(to, s, o.Options); err != nil {
		return r, err
	}
	return r, verify(ctx, to, s, r.Export)
}

// Load reads the active context of a session, whole, as messages and turns.
func Load(ctx context.Context, m *mapping.Mapping, in *frame.Input, o Options) (*session.Session, *read.Result, error) {
	b := session.NewBuilder()
	ro := read.Options{View: mapping.ActiveView, Session: o.Session}
	ro.Normalize.MaxArgs, ro.Normalize.MaxResult = normalize.Unbounded, normalize.Unbounded
	result, err := read.New(m).Read(ctx, in, ro, func(*normalize.Plan) (normalize.Sink, error) { return b, nil })
	if err != nil {
		return nil, nil, err
	}
	allow := func(code string) bool { return slices.Contains(o.Allow, code) }
	s := b.Build(session.Options{
		Group:      result.Facts["group"],
		Title:      result.Facts["title"],
		Cwd:        o.Cwd,
		Synthesize: allow("missing_result") || allow("in_flight_call") || allow("interrupted_turn"),
		CutTail:    o.CutTail,
		Turns:      o.Turns,
	})
	return s, result, nil
}

// verify reads an export back as the target would and compares what comes out.
func verify(ctx context.Context, m *mapping.Mapping, s *session.Session, e *render.Export) error {
	dir, err := os.MkdirTemp("", "trajmap")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, f := range e.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			return err
		}
	}
	in, closer, err := frame.Open(filepath.Join(dir, filepath.FromSlash(e.Files[0].Path)))
	if err != nil {
		return err
	}
	defer closer()
	back, result, err := Load(ctx, m, in, Options{})
	if err != nil {
		return fmt.Errorf("what was written cannot be read back: %w", err)
	}
	for _, entry := range result.Ledger.Entries {
		if entry.Bucket == read.Unmapped {
			return fmt.Errorf("what was written has a frame that the mapping does not know: %s", entry.Kind)
		}
	}
	if differences := Compare(s, back); len(differences) > 0 {
		return fmt.Errorf("what was written does not read back as the session: %s", differences[0])
	}
	return nil
}
