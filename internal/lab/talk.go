//go:build lab && linux

package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// Talk is a program that is spoken to while it runs.
type Talk struct {
	In  io.WriteCloser
	Out io.ReadCloser

	cmd  *exec.Cmd
	errs bytes.Buffer
}

// Talk starts a program to be spoken to.
func (s *Sandbox) Talk(ctx context.Context, env []string, argv ...string) (*Talk, error) {
	t := &Talk{cmd: s.command(ctx, env, argv)}
	t.cmd.Stderr = &t.errs
	var err, err2 error
	t.In, err = t.cmd.StdinPipe()
	t.Out, err2 = t.cmd.StdoutPipe()
	if err = errors.Join(err, err2); err != nil {
		return nil, err
	}
	return t, s.start(t.cmd)
}

// End ends the program, and adds to an error how it complained.
func (t *Talk) End(err error) error {
	t.In.Close()
	t.cmd.Process.Kill()
	t.cmd.Wait() // killed: how it ended says nothing
	if err != nil {
		return fmt.Errorf("%w%s", err, complaint(t.errs.Bytes()))
	}
	return nil
}
