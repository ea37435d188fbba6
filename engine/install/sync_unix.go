//go:build unix

package install

import (
	"errors"
	"os"
	"syscall"
)

// syncDir makes the names in a folder last. Where a file system has no way to,
// it is not an error.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	err = dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, dir.Close())
}
