//go:build lab && linux

package lab

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/trajmap/trajmap/internal/lab/mockllm"
)

// driver is how a program is asked.
type driver struct {
	files map[string]string // its settings, below the home
	env   []string
	// What is asked for when it goes on; "" for what its settings say.
	model, provider string
	// version are the arguments that have the program tell its version, when the
	// installer does not know it.
	version []string
	// load asks what the program has loaded, without the model.
	load func(context.Context, *trial) error
	// inert: after load, the session is as it was.
	inert bool
	// agent is how the program shows a session and goes on with it in one go, when
	// it has no command that goes on with a prompt; nil: load, and then the command
	// that trajmap gives.
	agent *agent
	// turn tells the request of a prompt from those that the program makes for
	// purposes of its own; nil: all are.
	turn func(mockllm.Request) bool
	// loadOnly: the program has nothing that goes on, or needs its vendor's service
	// for that.
	loadOnly bool
	// untested: trajmap is told to write for a version that nobody has tried.
	untested bool
}

// trial is one program with one session.
type trial struct {
	*Sandbox
	*Program
	*Session
	driver
	*Case
	lab string
}

// GoesOn reports whether the program can be had to go on here.
func (p *Program) GoesOn() bool { return !drivers[p.Name]().loadOnly }

// Verdict is what came of a trial.
type Verdict struct {
	Refused        error // a *[RefusedError]: nothing was written
	Load, Continue error // nil: proven
	LoadTime       time.Duration
	ContinueTime   time.Duration
}

// patience is how long a program may take for what it is asked in one home.
const patience = 4 * time.Minute

// Try runs both checks on a case, in a home of its own each, unless the first
// leaves nothing behind or is part of the second.
func (p *Program) Try(ctx context.Context, lab string, c *Case) (v Verdict) {
	d := drivers[p.Name]()
	load := func(ctx context.Context, t *trial) error {
		return v.took(&v.Load, &v.LoadTime, func() error { return t.loads(ctx) })
	}
	proceed := func(ctx context.Context, t *trial) error {
		return v.took(&v.Continue, &v.ContinueTime, func() error { return t.goesOn(ctx, byCommand) })
	}
	var err error
	switch {
	case d.agent != nil:
		err = p.alone(ctx, lab, c, func(ctx context.Context, t *trial) error { return t.asAgent(ctx, &v) })
	case d.inert:
		err = p.alone(ctx, lab, c, func(ctx context.Context, t *trial) error { return errors.Join(load(ctx, t), proceed(ctx, t)) })
	case d.loadOnly:
		v.Load = errors.Join(v.Load, p.alone(ctx, lab, c, load))
		v.refused(v.Load)
		return v
	default:
		v.Load = errors.Join(v.Load, p.alone(ctx, lab, c, load))
		if v.refused(v.Load) {
			return v
		}
		v.Continue = errors.Join(v.Continue, p.alone(ctx, lab, c, proceed))
		return v
	}
	// What kept the program from being asked at all counts for both.
	v.Load, v.Continue = errors.Join(v.Load, err), errors.Join(v.Continue, err)
	v.refused(err)
	return v
}

// refused notes when there was nothing to be tried.
func (v *Verdict) refused(err error) bool {
	var refused *RefusedError
	if errors.As(err, &refused) {
		*v = Verdict{Refused: refused}
	}
	return v.Refused != nil
}

// took runs a check and notes what came of it; the error that it gives is nil.
func (v *Verdict) took(verdict *error, spent *time.Duration, f func() error) error {
	begun := time.Now()
	*verdict = f()
	*spent = time.Since(begun)
	return nil
}

// alone runs a check in a fresh home that holds the session.
func (p *Program) alone(ctx context.Context, lab string, c *Case, f func(context.Context, *trial) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	dir, err := os.MkdirTemp("", "trajmap-lab-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	box, err := NewSandbox(dir, mockllm.Script{Default: mockllm.Step{Text: "Tested."}})
	if err != nil {
		return err
	}
	defer box.Close()
	t := &trial{Sandbox: box, Program: p, driver: drivers[p.Name](), Case: c, lab: lab}
	for name, text := range t.files {
		if err := t.write(name, []byte(text)); err != nil {
			return err
		}
	}
	if t.Session, err = c.place(ctx, t); err != nil {
		return err
	}
	return f(ctx, t)
}

// write writes a file below the home.
func (t *trial) write(name string, data []byte) error {
	name = filepath.Join(t.Sandbox.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o600)
}

// run runs the program.
func (t *trial) run(ctx context.Context, stdin string, args ...string) (Output, error) {
	return t.Run(ctx, t.variables(), stdin, append([]string{t.Command}, args...)...)
}

// talk starts the program to be spoken to in lines of JSON, has f speak, and
// ends it.
func (t *trial) talk(ctx context.Context, args []string, f func(*lines) error) error {
	talk, err := t.Talk(ctx, t.variables(), append([]string{t.Command}, args...)...)
	if err != nil {
		return err
	}
	return talk.End(f(newLines(ctx, talk.Out, talk.In)))
}

// variables are the driver's, those that the session needs, and where the program
// and trajmap are.
func (t *trial) variables() []string {
	out := append(slices.Clone(t.env), "PATH="+t.bin(t.lab)+":"+Command(t.lab)+":"+searchPath)
	if t.Session != nil {
		for name, v := range t.Resume.Env {
			out = append(out, name+"="+v)
		}
	}
	return out
}
