//go:build lab && linux

package lab

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// A SandboxError says why no sandbox can be made on this machine: then no program
// is run at all.
type SandboxError struct{ Err error }

func (e *SandboxError) Error() string { return "no sandbox can be made here: " + e.Err.Error() }
func (e *SandboxError) Unwrap() error { return e.Err }

// entered is set for the process that Enter starts.
const entered = "TRAJMAP_LAB_ENTERED"

// Enter sees that this process may make sandboxes. When it is not root, it runs
// itself once more in a user namespace, where it is, and ends as that does. The
// error is a *[SandboxError].
func Enter() error {
	err := namespaces()
	if err == nil {
		return nil
	}
	if os.Getenv(entered) != "" {
		return &SandboxError{err}
	}
	self, errSelf := os.Executable()
	if errSelf != nil {
		return &SandboxError{errSelf}
	}
	c := exec.Command(self, os.Args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.Env = append(os.Environ(), entered+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGTERM,
	}
	if err := c.Start(); err != nil {
		if errors.Is(err, syscall.ENOSPC) { // how the kernel says it
			err = errors.New("as many as this system allows are there")
		}
		return &SandboxError{fmt.Errorf("no user namespace: %w", err)}
	}
	err = c.Wait()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(max(1, exit.ExitCode()))
	case err != nil:
		return err
	}
	os.Exit(0)
	return nil
}

// namespaces tries whether namespaces can be made and mounted in.
func namespaces() error {
	// The thread ends with the goroutine.
	result := make(chan error)
	go func() {
		runtime.LockOSThread()
		result <- syscall.Unshare(syscall.CLONE_NEWNET)
	}()
	if err := <-result; err != nil {
		return fmt.Errorf("no network namespace: %w", err)
	}
	c := exec.Command("/bin/sh", "-c", "mount --make-rprivate / && mount -t proc proc /proc")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID}
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("no mounts: %w%s", err, complaint(out))
	}
	return nil
}
