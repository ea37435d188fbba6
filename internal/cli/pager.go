package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// page lets a person read what is written. What is longer than the screen goes
// to the program that $PAGER names, or else to less; the rest, and everything
// where there is no such program, where $PAGER is empty or cat, or where the
// terminal is a dumb one, goes to standard output as it is.
func (w *World) page(write func(io.Writer) error) error {
	path, argv := w.pager()
	if path == "" {
		return write(w.Stdout)
	}
	p := &pager{World: w, path: path, argv: argv}
	return errors.Join(p.left(write(p)), p.close())
}

// pager finds the program; "" for none.
func (w *World) pager() (path string, argv []string) {
	name, set := os.LookupEnv("PAGER")
	if !set {
		name = "less -R"
	}
	argv = strings.Fields(name)
	if len(argv) == 0 || argv[0] == "cat" || w.Getenv("TERM") == "dumb" {
		return "", nil
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return "", nil
	}
	return path, argv
}

// pager holds back what it is given until that is longer than the screen, then it
// starts the program.
type pager struct {
	*World
	path string
	argv []string

	held  bytes.Buffer
	lines int
	cmd   *exec.Cmd
	in    io.WriteCloser // of cmd
}

func (p *pager) Write(text []byte) (int, error) {
	if p.in != nil {
		return p.in.Write(text)
	}
	p.held.Write(text)
	// The last row is the shell's.
	if p.lines += bytes.Count(text, []byte("\n")); p.lines >= p.Rows {
		if err := p.start(); err != nil {
			return 0, err
		}
	}
	return len(text), nil
}

// start starts the program, or writes on as if there were none.
func (p *pager) start() error {
	cmd := exec.Command(p.path, p.argv[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.Env = p.Stdout, p.Stderr, os.Environ()
	if _, set := os.LookupEnv("LESS"); !set {
		cmd.Env = append(cmd.Env, "LESS=RX") // colours, and the text stays when it ends
	}
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.in = plain{p.Stdout}
	} else {
		p.cmd, p.in = cmd, in
	}
	_, err = p.held.WriteTo(p.in)
	return err
}

// plain is standard output in the place of a program.
type plain struct{ io.Writer }

func (plain) Close() error { return nil }

// left forgives that the program was left before it had seen everything.
func (p *pager) left(err error) error {
	if p.cmd != nil && (errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed)) {
		return nil
	}
	return err
}

// close writes what is still held back, or waits for the program.
func (p *pager) close() error {
	switch {
	case p.in == nil:
		_, err := p.held.WriteTo(p.Stdout)
		return err
	case p.cmd == nil:
		return nil
	}
	p.in.Close()
	return p.cmd.Wait()
}
