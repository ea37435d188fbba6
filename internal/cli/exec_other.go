//go:build !unix

package cli

import (
	"errors"
	"os"
	"os/exec"

	"github.com/trajmap/trajmap/engine/manifest"
)

// replaceProcess runs the program of a command and ends as it does.
func replaceProcess(c *manifest.Command) error {
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Env = c.Cwd, environment(c)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return quiet(failed.ExitCode())
	}
	return err
}
