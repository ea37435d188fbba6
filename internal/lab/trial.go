//go:build lab && linux

package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/trajmap/trajmap/engine/render"
	"github.com/trajmap/trajmap/internal/lab/history"
	"github.com/trajmap/trajmap/internal/lab/mockllm"
)

// driver is how a program is asked.
type driver struct {
	root    string            // of its sessions, below the home
	files   map[string]string // its settings, below the home
	env     []string
	options render.Options // what is asked for when it goes on
	// place puts the session where the program finds it; nil: the files are copied.
	place func(context.Context, *trial) error
	// load asks what the program has loaded, without the model.
	load func(context.Context, *trial) error
	// inert: after load, the session is as it was.
	inert bool
	// agent is how the program shows a session and goes on with it in one go, when
	// it has no command that goes on with a prompt; nil: load, and then the command
	// of the mapping.
	agent *agent
	// turn tells the request of a prompt from those that the program makes for
	// purposes of its own; nil: all are.
	turn func(mockllm.Request) bool
}

// trial is one program with one session.
type trial struct {
	*Sandbox
	*Program
	*Case
	driver
	lab string
}

// probe is what the user says when a session goes on: without a blank, since one
// of the programs puts quotes around a text that has any.
const probe = "Recall."

// Verdict is what came of a trial.
type Verdict struct {
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
	default:
		v.Load = errors.Join(v.Load, p.alone(ctx, lab, c, load))
		v.Continue = errors.Join(v.Continue, p.alone(ctx, lab, c, proceed))
		return v
	}
	// What kept the program from being asked at all counts for both.
	v.Load, v.Continue = errors.Join(v.Load, err), errors.Join(v.Continue, err)
	return v
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
	t := &trial{Sandbox: box, Program: p, Case: c, driver: drivers[p.Name](), lab: lab}
	if err := t.prepare(ctx); err != nil {
		return err
	}
	return f(ctx, t)
}

// prepare writes settings and the session into the home.
func (t *trial) prepare(ctx context.Context) error {
	for name, text := range t.files {
		if err := t.write(name, []byte(text)); err != nil {
			return err
		}
	}
	if t.place != nil {
		return t.place(ctx, t)
	}
	if err := copyTree(t.Case.Dir, filepath.Join(t.Sandbox.Dir, t.root)); err != nil {
		return err
	}
	for _, f := range t.Files {
		if len(f.Rewrite) == 0 {
			continue
		}
		data, err := os.ReadFile(filepath.Join(t.Case.Dir, f.Path))
		if err != nil {
			return err
		}
		if data, err = settle(data, f.Rewrite, t.at(t.root)); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		if err := t.write(filepath.Join(t.root, f.Path), data); err != nil {
			return err
		}
	}
	return nil
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
	return t.Run(ctx, t.variables(), stdin, append([]string{filepath.Join(t.bin(t.lab), t.Command)}, args...)...)
}

// talk starts the program to be spoken to in lines of JSON, has f speak, and
// ends it.
func (t *trial) talk(ctx context.Context, args []string, f func(*lines) error) error {
	talk, err := t.Talk(ctx, t.variables(), append([]string{filepath.Join(t.bin(t.lab), t.Command)}, args...)...)
	if err != nil {
		return err
	}
	return talk.End(f(newLines(ctx, talk.Out, talk.In)))
}

// variables are the driver's and those that the mapping asks for.
func (t *trial) variables() []string {
	out := slices.Clone(t.env)
	for name, v := range t.Resume.Env {
		out = append(out, name+"="+v)
	}
	return out
}

// saw holds what a program shows of the session, in entries of some kinds,
// against the session.
func (t *trial) saw(kinds history.Kind, got []history.Entry) error {
	return history.Compare(history.Only(t.Want, kinds), history.Only(got, kinds), t.Rules)
}

// loads asks what the program has loaded.
func (t *trial) loads(ctx context.Context) error {
	err := t.load(ctx, t)
	return errors.Join(err, t.silent())
}

// silent holds that the model was not asked.
func (t *trial) silent() error {
	if n := len(t.Model.Take()); n > 0 {
		return fmt.Errorf("to load, the program asked the model %d times", n)
	}
	return nil
}

// goesOn has the program go on and holds what it asks the model against the
// session.
func (t *trial) goesOn(ctx context.Context, proceed func(context.Context, *trial, string) error) error {
	err := proceed(ctx, t, probe)
	var turns []mockllm.Request
	for _, r := range t.Model.Take() {
		if t.turn == nil || t.turn(r) {
			turns = append(turns, r)
		}
	}
	if len(turns) == 0 {
		return errors.Join(errors.New("the model was not asked"), err)
	}
	got, err2 := history.FromRequest(turns[0].Dialect, turns[0].Body)
	if err2 != nil {
		return err2
	}
	want := append(slices.Clip(t.Want), history.Entry{Kind: history.User, Text: probe})
	return errors.Join(history.Compare(want, got, t.Rules), err)
}

// byCommand has the program go on as the mapping says.
func byCommand(ctx context.Context, t *trial, prompt string) error {
	argv := words(t.Resume.Prompt, t.at(t.root), prompt)
	switch {
	case len(argv) == 0:
		return errors.New("the mapping has no command that goes on with a prompt")
	case argv[0] != t.Command:
		return fmt.Errorf("the command to go on starts %q, not %q", argv[0], t.Command)
	case t.Resume.Cwd != project:
		return fmt.Errorf("the session's folder is %s: the lab has %s only", t.Resume.Cwd, project)
	}
	_, err := t.run(ctx, "", argv[1:]...)
	return err
}

// at is where a program sees what is below the home.
func (t *trial) at(name string) string { return path.Join(home, name) }
