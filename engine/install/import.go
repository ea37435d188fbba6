package install

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/manifest"
)

// importInto lets the program take the session in, and sees that it has.
func (x *Export) importInto(ctx context.Context, on Machine, w *where) (*Outcome, error) {
	outcome := x.outcome(on, w)
	if info, err := os.Stat(x.Manifest.Session.Cwd); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("the session's folder %s is not on this machine, and %s takes sessions in there only (name another with --cwd)",
			x.Manifest.Session.Cwd, x.Mapping.Harness)
	}
	ours, err := x.load(ctx, x.at(x.Manifest.Files[0].Path), "")
	if err != nil {
		return nil, err
	}
	defer ours.Close()
	for i := range x.Manifest.Prepare {
		step := &importing{x: x, on: on, w: w, Step: &x.Manifest.Prepare[i]}
		if outcome.State, err = step.run(ctx, ours); err != nil {
			return nil, err
		}
	}
	return outcome, nil
}

type importing struct {
	x  *Export
	on Machine
	w  *where
	*manifest.Step
}

// run lets the program take the session in, unless it has it. A program that
// fails while its store is locked looks like one that has no such session: so
// what it has afterwards decides what is said, and what is taken away.
func (s *importing) run(ctx context.Context, ours *convert.Source) (State, error) {
	there, err := s.show(ctx)
	if err != nil {
		return "", err
	}
	if there != nil {
		defer there.Close()
		return s.state(there, ours)
	}
	_, failure := s.call(ctx, s.Argv)
	if failure != nil {
		failure = fmt.Errorf("%s did not take the session in: %w", s.Argv[0], failure)
	}
	there, err = s.show(context.WithoutCancel(ctx))
	var unreadable *unreadableError
	switch {
	case errors.As(err, &unreadable):
		return "", s.undone(ctx, errors.Join(failure, err))
	case err != nil:
		return "", errors.Join(failure, err)
	case there == nil && failure != nil:
		return "", failure // it has none of it
	case there == nil:
		return "", s.undone(ctx, fmt.Errorf("%s says that it has taken the session in, and does not show it", s.Argv[0]))
	}
	defer there.Close()
	d := convert.Kept(ours.Session, there.Session).Differences
	switch {
	case len(d) == 0:
		return Installed, nil
	case convert.Begins(there.Session, ours.Session):
		return Resumed, nil // it had it all the time
	case failure == nil:
		failure = fmt.Errorf("%s has not taken in what it was given: %s", s.Argv[0], d[0])
	}
	return "", s.undone(ctx, failure)
}

// state is how a session that is there stands to ours.
func (s *importing) state(there, ours *convert.Source) (State, error) {
	switch {
	case !convert.Begins(there.Session, ours.Session):
		return "", &ConflictError{s.Argv[0], s.x.Manifest.Target.SessionID}
	case convert.Begins(ours.Session, there.Session):
		return Already, nil
	}
	return Resumed, nil
}

// An unreadableError is of a session that a program shows in a form that cannot
// be read.
type unreadableError struct {
	program string
	err     error
}

func (e *unreadableError) Error() string {
	return fmt.Sprintf("what %s shows of the session cannot be read: %v", e.program, e.err)
}

func (e *unreadableError) Unwrap() error { return e.err }

// show is the session as the program has it; nil when it has none.
func (s *importing) show(ctx context.Context) (*convert.Source, error) {
	out, err := s.call(ctx, s.Show)
	var failed *ExitError
	if errors.As(err, &failed) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp("", "trajmap-*") // mode 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(out)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	source, err := s.x.load(ctx, file.Name(), "")
	if err != nil {
		return nil, &unreadableError{s.Argv[0], err}
	}
	return source, nil
}

// undone takes away what was imported in part.
func (s *importing) undone(ctx context.Context, err error) error {
	if len(s.Undo) == 0 {
		return err
	}
	if _, undoErr := s.call(context.WithoutCancel(ctx), s.Undo); undoErr != nil {
		var failed *ExitError
		if !errors.As(undoErr, &failed) {
			return errors.Join(err, fmt.Errorf("and it could not be taken away again: %w", undoErr))
		}
	}
	return err
}

// An ExitError is of a program that ran and failed.
type ExitError struct {
	Program string
	Code    int
}

func (e *ExitError) Error() string {
	return fmt.Sprintf("%s ended with exit code %d", e.Program, e.Code)
}

// call runs a command of the step in the session's folder.
func (s *importing) call(ctx context.Context, argv []string) ([]byte, error) {
	c := &manifest.Command{Argv: argv, Cwd: s.Cwd, Env: s.Env}
	if s.on.Default {
		c.Env = nil // it finds its home by itself
	}
	return s.on.Run(ctx, s.x.command(c, s.on, s.w))
}
