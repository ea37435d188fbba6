package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/install"
	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/internal/terminal"
)

// handoffCmd carries a session over and puts it where the other harness finds it.
type handoffCmd struct {
	carry

	Root string `placeholder:"DIR" help:"Home of the harness, in place of the one that it would use."`
	Exec bool   `help:"Go on at once: start the harness in this terminal."`
}

// Help says what becomes of the session.
func (*handoffCmd) Help() string {
	return "The session is written where the harness looks for its own, read back and compared, and the command that resumes it is printed. " +
		"Nothing that is there is overwritten. What cannot be carried safely is refused (exit code 3), with every reason at once. " +
		"\n\nFor example, the session that was used last: trajmap handoff latest --to HARNESS"
}

// Run carries the session over, installs it and tells how to go on.
func (c *handoffCmd) Run(ctx context.Context, w *World) error {
	dir, err := os.MkdirTemp("", "trajmap-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r, m, err := c.write(ctx, w, dir)
	if r != nil {
		defer r.Close()
	}
	if err != nil {
		return c.failed(w, r, err)
	}
	on, err := w.machine(m, c.Root)
	if err != nil {
		return err
	}
	on.AllowUntested = c.AllowUntested
	x, err := install.Open(dir, func(string) (*mapping.Mapping, error) { return r.Target, nil })
	if err != nil {
		return err
	}
	done, err := x.Install(ctx, on)
	if err != nil {
		return err
	}
	c.notes(w, m)
	w.say(map[install.State]string{
		install.Installed: "installed session " + m.Target.SessionID + " of " + m.Target.Harness + " (" + origin(r, m) + ")",
		install.Already:   "session " + m.Target.SessionID + " of " + m.Target.Harness + " is there already",
		install.Resumed:   "session " + m.Target.SessionID + " of " + m.Target.Harness + " is there already and has been gone on with (--copy 1 makes another one)",
	}[done.State])
	if c.JSON {
		if err := w.printOutcome(m, done); err != nil {
			return err
		}
	}
	return w.goOn(done, c.Exec, c.JSON)
}

// origin says of what a session was made.
func origin(r *convert.Result, m *manifest.Manifest) string {
	from := m.Source.Harness
	if m.Source.SessionID != "" {
		from += ":" + m.Source.SessionID
	}
	return plural(len(r.Session.Turns), "turn") + " of " + terminal.Line(from)
}

// goOn tells how to go on with a session, or does it.
func (w *World) goOn(done *install.Outcome, start, told bool) error {
	switch {
	case done.Resume == nil:
		return nil
	case done.Resume.NeedsModel:
		w.say("a model must be named when it is resumed (--model, and --provider where there is one)")
	}
	if info, err := os.Stat(done.Resume.Cwd); done.Resume.Cwd != "" && (err != nil || !info.IsDir()) {
		w.say("the session's folder " + done.Resume.Cwd + " is not on this machine (--cwd names another)")
		start = false
	}
	if start {
		return replaceProcess(done.Resume)
	}
	if told {
		return nil
	}
	if _, err := fmt.Fprintln(w.Stdout, commandLine(done.Resume)); err != nil {
		return &outputError{err}
	}
	return nil
}

// printOutcome writes where a session is, as data.
func (w *World) printOutcome(m *manifest.Manifest, done *install.Outcome) error {
	data, err := manifest.Canonical(map[string]any{
		"kind": "trajmap-handoff", "version": 1,
		"state": done.State, "files": append([]string{}, done.Files...),
		"resume": done.Resume, "prompt": append([]string{}, done.Prompt...), "acp": append([]string{}, done.ACP...),
		"manifest": m,
	})
	if err != nil {
		return err
	}
	if _, err := w.Stdout.Write(data); err != nil {
		return &outputError{err}
	}
	return nil
}

// machine is what installing depends on. root is "" for the harness's own home.
func (w *World) machine(m *manifest.Manifest, root string) (install.Machine, error) {
	on := install.Machine{Root: root, Home: w.Getenv("HOME"), Temp: os.TempDir(), Run: run}
	if home, err := os.UserHomeDir(); err == nil && on.Home == "" {
		on.Home = home
	}
	if root == "" {
		on.Default = true
		home := mapping.Root{Places: m.Target.Home}
		on.Root, _ = home.Expand(w.Getenv, on.Home)
		if on.Root == "" {
			return on, usagef("name it with --root", "it is not known where the home of %s is", m.Target.Harness)
		}
	}
	var err error
	on.Root, err = filepath.Abs(on.Root)
	return on, err
}

// run runs a program of a harness and gives what it prints. It prints into a
// file: some programs end before a pipe has taken all they said.
func run(ctx context.Context, c *manifest.Command) ([]byte, error) {
	out, err := os.CreateTemp("", "trajmap-*") // mode 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd := exec.CommandContext(ctx, c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout = c.Cwd, environment(c), out
	err = cmd.Run()
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		err = &install.ExitError{Program: c.Argv[0], Code: failed.ExitCode()}
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New(c.Argv[0] + " is not installed, or not in a folder of PATH")
	}
	said, errRead := os.ReadFile(out.Name())
	return said, errors.Join(err, errRead)
}

// environment is that of this process, with the variables of a command.
func environment(c *manifest.Command) []string {
	env := os.Environ()
	for name, value := range c.Env {
		env = append(env, name+"="+value)
	}
	if c.Cwd != "" {
		env = append(env, "PWD="+c.Cwd)
	}
	return env
}

// prepareCmd makes an export ready where it lies.
type prepareCmd struct {
	Dir           string `arg:"" help:"Folder that trajmap convert has written."`
	AllowUntested bool   `help:"Make it ready for a version of the program with which it was not tried."`
	JSON          bool   `help:"Print where the session is and how to go on, as JSON."`
}

// Run prepares the export and tells how to go on.
func (c *prepareCmd) Run(ctx context.Context, w *World) error {
	catalog, err := w.catalog()
	if err != nil {
		return err
	}
	x, err := install.Open(c.Dir, func(harness string) (*mapping.Mapping, error) {
		m, err := catalog.Open(harness)
		if err != nil {
			return nil, err
		}
		return m.Mapping, nil
	})
	if err != nil {
		return err
	}
	on, err := w.machine(x.Manifest, x.Dir)
	if err != nil {
		return err
	}
	on.AllowUntested = c.AllowUntested
	if sum := x.Manifest.Target.MappingSHA256; sum != x.Mapping.SHA256 {
		w.say("the mapping of " + x.Mapping.Harness + " has changed since " + strings.TrimSuffix(c.Dir, "/") + " was written")
	}
	done, err := x.Prepare(ctx, on)
	if err != nil {
		return err
	}
	if c.JSON {
		if err := w.printOutcome(x.Manifest, done); err != nil {
			return err
		}
	}
	return w.goOn(done, false, c.JSON)
}
