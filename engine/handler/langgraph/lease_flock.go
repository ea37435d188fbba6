//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package langgraph

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// errHeld says that a program has the thread open.
var errHeld = errors.New("the thread is open in a program: close it there, and try again")

// lease keeps programs from opening the thread until done is called. A program
// that has opened one before (deepagents-code from 0.1.80 on) holds locks on files
// of it in a folder beside the database. Without such files nobody holds it.
func lease(path, thread string) (done func(), err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	sum := sha256.Sum256([]byte(thread))
	stem := filepath.Join(path+".owners", hex.EncodeToString(sum[:]))
	var held []*os.File
	done = func() {
		for _, f := range held {
			f.Close() // and with it the lock
		}
	}
	for _, suffix := range []string{".writer", ".client"} {
		f, err := os.OpenFile(stem+suffix, os.O_RDWR, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			held = append(held, f)
			err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		}
		if err != nil {
			done()
			if errors.Is(err, syscall.EWOULDBLOCK) {
				err = errHeld
			}
			return nil, err
		}
	}
	return done, nil
}
