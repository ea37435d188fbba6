//go:build lab && linux

package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/trajmap/trajmap/internal/lab/mockllm"
)

// Sandbox is a place for programs: a folder that they see as their home, and a
// network that has loopback alone, where the model listens.
type Sandbox struct {
	Dir   string // the home, from outside
	Model *mockllm.Server

	homes  string      // an empty folder
	jobs   chan func() // run on the thread that is in the network namespace
	server *http.Server
}

// NewSandbox makes a sandbox that keeps its home below dir.
func NewSandbox(dir string, script mockllm.Script) (*Sandbox, error) {
	s := &Sandbox{Dir: filepath.Join(dir, "home"), homes: filepath.Join(dir, "homes"), Model: mockllm.New(script), jobs: make(chan func())}
	for _, folder := range []string{filepath.Join(s.Dir, "project"), filepath.Join(s.Dir, ".tmp"), s.homes} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
	}
	ready := make(chan error)
	go s.thread(ready)
	if err := <-ready; err != nil {
		return nil, err
	}
	listener, err := s.listen()
	if err != nil {
		close(s.jobs)
		return nil, err
	}
	s.server = &http.Server{Handler: s.Model, ReadHeaderTimeout: time.Minute}
	go s.server.Serve(listener)
	return s, nil
}

// Close ends the model and gives the namespace up. What programs wrote stays.
func (s *Sandbox) Close() error {
	err := s.server.Close()
	close(s.jobs)
	return err
}

// thread holds one thread in a network namespace of its own. It is never
// unlocked, so that it ends with the goroutine instead of serving others.
func (s *Sandbox) thread(ready chan<- error) {
	runtime.LockOSThread()
	if err := syscall.Unshare(syscall.CLONE_NEWNET); err != nil {
		ready <- &SandboxError{fmt.Errorf("no network namespace: %w", err)}
		return
	}
	ready <- nil
	for job := range s.jobs {
		job()
	}
}

// inside runs a function in the network namespace.
func (s *Sandbox) inside(f func()) {
	done := make(chan struct{})
	s.jobs <- func() { f(); close(done) }
	<-done
}

func (s *Sandbox) listen() (l net.Listener, err error) {
	s.inside(func() {
		var out []byte
		if out, err = exec.Command("ip", "link", "set", "lo", "up").CombinedOutput(); err != nil {
			err = fmt.Errorf("loopback cannot be set up: %w: %s", err, out)
			return
		}
		l, err = net.Listen("tcp", address)
	})
	return l, err
}

// enter makes the private mounts and becomes the program. It is process 1 of
// its namespace: what it leaves running ends with it. Where this machine has no
// folder for the home, the folder of homes becomes one that has, with all that is
// there still in it.
const enter = `set -e
homes=$1; shift
mount --make-rprivate /
mount -t proc proc /proc
if ! [ -d ` + home + ` ]; then
	mount --rbind /home "$homes"
	mount -t tmpfs tmpfs /home
	for name in $(ls "$homes"); do
		mkdir "/home/$name"
		mount --rbind "$homes/$name" "/home/$name"
	done
	mkdir ` + home + `
fi
mount --bind "$0" ` + home + `
cd ` + project + `
exec "$@"`

// searchPath is where programs are looked for when nothing else is said.
const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// command prepares a program to run inside.
func (s *Sandbox) command(ctx context.Context, env, argv []string) *exec.Cmd {
	c := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", enter, s.Dir, s.homes}, argv...)...)
	c.Env = append([]string{
		"PATH=" + searchPath,
		"HOME=" + home, "TMPDIR=" + home + "/.tmp", "LANG=C.UTF-8", "TERM=xterm-256color", "NO_COLOR=1",
	}, env...)
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS}
	c.WaitDelay = 2 * time.Second
	return c
}

func (s *Sandbox) start(c *exec.Cmd) (err error) {
	s.inside(func() { err = c.Start() })
	return err
}

// Output is what a program said.
type Output struct {
	Stdout, Stderr []byte
}

// Run runs a program to its end. An error says how it ended and how it
// complained.
func (s *Sandbox) Run(ctx context.Context, env []string, stdin string, argv ...string) (Output, error) {
	c := s.command(ctx, env, argv)
	// A file, since some programs end before a pipe has taken all they said.
	out, err := os.CreateTemp("", "trajmap-lab-")
	if err != nil {
		return Output{}, err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	var errs bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(stdin), out, &errs
	err = s.start(c)
	if err == nil {
		err = c.Wait()
	}
	said, err2 := os.ReadFile(out.Name())
	err = errors.Join(err, err2)
	if ctx.Err() != nil {
		err = fmt.Errorf("no end within the time: %w", ctx.Err())
	}
	if err != nil {
		err = fmt.Errorf("%s: %w%s", filepath.Base(argv[0]), err, complaint(errs.Bytes(), said))
	}
	return Output{said, errs.Bytes()}, err
}

// complaint is the end of what a program printed.
func complaint(streams ...[]byte) string {
	for _, b := range streams {
		if text := strings.TrimSpace(string(b)); text != "" {
			return ": " + text[max(0, len(text)-400):]
		}
	}
	return ""
}
