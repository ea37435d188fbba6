package cli

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// page lets a person read what is written, with the program that $PAGER names or
// else less. Without one, or where $PAGER is empty or cat, it goes to standard
// output as it is.
func (w *World) page(write func(io.Writer) error) error {
	pager, set := os.LookupEnv("PAGER")
	if !set {
		pager = "less -R"
	}
	argv := strings.Fields(pager)
	if len(argv) == 0 || argv[0] == "cat" {
		return write(w.Stdout)
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return write(w.Stdout)
	}
	cmd := exec.Command(path, argv[1:]...)
	cmd.Stdout, cmd.Stderr = w.Stdout, w.Stderr
	cmd.Env = os.Environ()
	if _, set := os.LookupEnv("LESS"); !set {
		cmd.Env = append(cmd.Env, "LESS=FRX") // ends at once when all fits the screen
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return write(w.Stdout)
	}
	err = write(in)
	in.Close()
	waitErr := cmd.Wait()
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) {
		err = nil // it has been left early
	}
	return errors.Join(err, waitErr)
}
