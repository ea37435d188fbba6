//go:build lab && linux

package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trajmap/trajmap/docs/evidence"
	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/internal/lab/history"
)

// Tried is a session that a program was given.
type Tried struct {
	Source, Name string
	Verdict
}

// Proof is all that a program was seen to do.
type Proof struct {
	Handoff  *Handoff
	Sessions []Tried // in the order of the sources
}

// Bench is what programs are proven with.
type Bench struct {
	Root    string // the repository
	Lab     string // where programs are installed
	Sources []Told
	AtOnce  int // how many sessions are tried beside each other
}

// Prove gives a program every source, and tells of each as soon as it is done.
// The error is a *[MissingError] when the program cannot be run, or that a
// negative control passed: then nothing else counts.
func (b *Bench) Prove(ctx context.Context, p *Program, done func(Tried)) (*Proof, error) {
	if err := errors.Join(p.Wanted(), p.Find(b.Lab)); err != nil {
		return nil, err
	}
	m, err := engine.Open(p.Name)
	if err != nil {
		return nil, err
	}
	if m.Write == nil {
		return nil, &MissingError{p.Name, "its mapping does not write sessions yet"}
	}
	if err := b.control(ctx, p); err != nil {
		return nil, err
	}
	proof := &Proof{Sessions: make([]Tried, len(b.Sources))}
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(b.AtOnce)
	group.Go(func() error {
		proof.Handoff = p.HandOff(ctx, b.Lab, b.Root)
		return nil
	})
	for i, told := range b.Sources {
		group.Go(func() error {
			tried := Tried{told.From, told.Name, p.Try(ctx, b.Lab, carried(told))}
			proof.Sessions[i] = tried
			mu.Lock()
			defer mu.Unlock()
			done(tried)
			return nil
		})
	}
	return proof, group.Wait()
}

// control gives the program another session than the one that is asked for: both
// checks must tell. So must the comparison when nothing at all is sent.
func (b *Bench) control(ctx context.Context, p *Program) error {
	for _, told := range b.Sources {
		for _, nothing := range [][]history.Entry{nil, {{Kind: history.User, Text: probe}}} {
			if history.Compare(told.Want, nothing, p.Rules) == nil {
				return fmt.Errorf("%s: %s %s is no different from an empty session: it proves nothing", p.Name, told.From, told.Name)
			}
		}
	}
	if err := b.pinned(ctx, p); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "trajmap-lab-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	told, err := another.told(ctx, dir)
	if err != nil {
		return err
	}
	c := carried(told)
	c.Want = b.Sources[0].Want
	v := p.Try(ctx, b.Lab, c)
	if v.Refused != nil {
		return fmt.Errorf("%s: the negative control could not be run: %w", p.Name, v.Refused)
	}
	checks := map[string]error{"load": v.Load, "continue": v.Continue}
	if !p.GoesOn() {
		delete(checks, "continue")
	}
	for check, err := range checks {
		var d *history.Difference
		switch {
		case err == nil:
			return fmt.Errorf("%s: the check %q passes for another session: it proves nothing", p.Name, check)
		case !errors.As(err, &d):
			return fmt.Errorf("%s: the negative control of %q could not be run: %w", p.Name, check, err)
		}
	}
	return nil
}

// pinned holds the version that a program tells against the one that is proven.
func (b *Bench) pinned(ctx context.Context, p *Program) error {
	args := drivers[p.Name]().version
	if len(args) == 0 {
		return nil
	}
	none := &Case{place: func(context.Context, *trial) (*Session, error) { return nil, nil }}
	return p.alone(ctx, b.Lab, none, func(ctx context.Context, t *trial) error {
		out, err := t.run(ctx, "", args...)
		if err != nil {
			return err
		}
		if told := strings.TrimSpace(string(out.Stdout)); told != p.Version {
			return &MissingError{p.Name, fmt.Sprintf("it is of version %.40s, and pinned is %s", told, p.Version)}
		}
		return nil
	})
}

// Evidence is the record of a run.
func (p *Program) Evidence(proof *Proof, on time.Time) *evidence.Program {
	e := &evidence.Program{Program: p.Name, Version: p.Version, Date: on.UTC().Format(time.DateOnly)}
	h := proof.Handoff
	e.Handoff = &evidence.Handoff{Command: h.Command, Then: h.Then, Env: h.Env, Verdict: verdict(h.Err), Reason: reason(h.Err)}
	if h.Err == nil && !p.GoesOn() {
		e.Handoff.Verdict = evidence.Untried
	}
	for _, t := range proof.Sessions {
		s := evidence.Session{
			Source: t.Source, Session: t.Name, Load: verdict(t.Load), Continue: verdict(t.Continue), Reason: reason(t.Refused, t.Load, t.Continue),
		}
		switch {
		case t.Refused != nil:
			s.Load, s.Continue = evidence.Refused, evidence.Refused
		case !p.GoesOn():
			s.Continue = evidence.Untried
		}
		e.Sessions = append(e.Sessions, s)
	}
	return e
}

func verdict(err error) evidence.Verdict {
	var refused *RefusedError
	switch {
	case errors.As(err, &refused):
		return evidence.Refused
	case err != nil:
		return evidence.Failed
	}
	return evidence.Proven
}

// reason says why a session is not proven, on one line and without its words.
func reason(errs ...error) string {
	for _, err := range errs {
		var d *history.Difference
		if errors.As(err, &d) {
			return fmt.Sprintf("entry %d: %s", d.At, d.What)
		}
		if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			return first
		}
	}
	return ""
}

// WriteEvidence puts a record into the repository.
func WriteEvidence(root string, e *evidence.Program) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(e); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "docs", "evidence", e.Program+".json"), b.Bytes(), 0o644)
}
