//go:build unix

package cli

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/trajmap/trajmap/engine/manifest"
)

// replaceProcess becomes the program of a command.
func replaceProcess(c *manifest.Command) error {
	path, err := exec.LookPath(c.Argv[0])
	if err != nil {
		return err
	}
	if err := os.Chdir(c.Cwd); err != nil {
		return err
	}
	return syscall.Exec(path, c.Argv, environment(c))
}
