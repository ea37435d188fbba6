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
	Refused      error // it was not written at all
	Verdict
}

// atOnce is how many programs run beside each other.
const atOnce = 2

// Prove gives a program every source, and tells of each as soon as it is done;
// what it returns is in the order of the sources. The error is a *[MissingError]
// when the program cannot be run, or that the negative control passed: then
// nothing else counts.
func (p *Program) Prove(ctx context.Context, lab string, sources []Told, done func(Tried)) ([]Tried, error) {
	if err := errors.Join(p.Wanted(), p.Find(lab)); err != nil {
		return nil, err
	}
	m, err := engine.Open(p.Name)
	if err != nil {
		return nil, err
	}
	if m.Write == nil {
		return nil, &MissingError{p.Name, "its mapping does not write sessions yet"}
	}
	if err := p.control(ctx, lab, m, sources[0]); err != nil {
		return nil, err
	}
	out := make([]Tried, len(sources))
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(atOnce)
	for i, told := range sources {
		group.Go(func() error {
			tried, err := p.try(ctx, lab, m, told)
			out[i] = tried
			mu.Lock()
			defer mu.Unlock()
			done(tried)
			return err
		})
	}
	return out, group.Wait()
}

// try writes a session for the program and has it checked.
func (p *Program) try(ctx context.Context, lab string, m *engine.Mapping, told Told) (Tried, error) {
	tried := Tried{Source: told.From, Name: told.Name}
	dir, err := os.MkdirTemp("", "trajmap-lab-")
	if err != nil {
		return tried, err
	}
	defer os.RemoveAll(dir)
	c, err := Write(ctx, m.Mapping, told, drivers[p.Name]().options, dir)
	if err != nil {
		tried.Refused = err
		return tried, nil
	}
	tried.Verdict = p.Try(ctx, lab, c)
	return tried, nil
}

// control gives the program another session than the one that is asked for: both
// checks must tell.
func (p *Program) control(ctx context.Context, lab string, m *engine.Mapping, other Told) error {
	dir, err := os.MkdirTemp("", "trajmap-lab-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c, err := Write(ctx, m.Mapping, tell("control", control), drivers[p.Name]().options, dir)
	if err != nil {
		return err
	}
	c.Want = history.FromSession(other.Source.Session)
	v := p.Try(ctx, lab, c)
	for check, err := range map[string]error{"load": v.Load, "continue": v.Continue} {
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

// Evidence is the record of a run.
func (p *Program) Evidence(tried []Tried, on time.Time) *evidence.Program {
	e := &evidence.Program{Program: p.Name, Version: p.Version, Date: on.UTC().Format(time.DateOnly)}
	for _, t := range tried {
		s := evidence.Session{Source: t.Source, Session: t.Name, Load: verdict(t.Load), Continue: verdict(t.Continue)}
		if t.Refused != nil {
			s.Load, s.Continue = evidence.Refused, evidence.Refused
		}
		s.Reason = reason(t)
		e.Sessions = append(e.Sessions, s)
	}
	return e
}

func verdict(err error) evidence.Verdict {
	if err != nil {
		return evidence.Failed
	}
	return evidence.Proven
}

// reason says why a session is not proven, on one line and without its words.
func reason(t Tried) string {
	for _, err := range []error{t.Refused, t.Load, t.Continue} {
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
