//go:build linux

package langgraph

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/handler"
)

func TestMain(m *testing.M) {
	if spec := os.Getenv("TRAJMAP_VICTIM"); spec != "" {
		os.Exit(victim(spec))
	}
	os.Exit(m.Run())
}

// victim writes a thread into a store, and does not survive it: PATH|kill|STEP,
// or is refused all bytes of a file beyond some: PATH|limit|BYTES.
func victim(spec string) int {
	parts := strings.Split(spec, "|")
	n, _ := strconv.Atoi(parts[2])
	if parts[1] == "limit" {
		signal.Ignore(syscall.SIGXFSZ)
		if syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: uint64(n), Max: uint64(n)}) != nil {
			return 9
		}
	} else {
		seen := 0
		before = func(string) error {
			if seen++; seen == n {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
			return nil
		}
	}
	if err := store(context.Background(), input(big()), handler.Place{Path: parts[0], ID: "t"}); err != nil {
		return 1
	}
	return 0
}

// big is a document that fills some pages.
func big() string { return document("Done.", strings.Repeat("long ", 100_000)) }

func runVictim(t *testing.T, path, how string, n int) error {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), fmt.Sprintf("TRAJMAP_VICTIM=%s|%s|%d", path, how, n))
	err = cmd.Run()
	if cmd.ProcessState.ExitCode() == 9 {
		t.Fatal("the victim could not begin")
	}
	return err
}

// kinds of stores that a thread is written into.
var kinds = map[string]func(*testing.T) (path string, was map[string]string){
	"none": func(t *testing.T) (string, map[string]string) {
		return filepath.Join(t.TempDir(), "sessions.db"), map[string]string{}
	},
	"rollback": func(t *testing.T) (string, map[string]string) { return others(t, "DELETE") },
	"log":      func(t *testing.T) (string, map[string]string) { return others(t, "WAL") },
}

// others is a store with other threads in it.
func others(t *testing.T, journal string) (string, map[string]string) {
	s := newSaver(t)
	s.exec("PRAGMA journal_mode=" + journal)
	for i := range 20 {
		s.exec("INSERT INTO checkpoints VALUES(?, '', '1', NULL, 'msgpack', ?, '{}')", fmt.Sprint("other-", i), make([]byte, 5000+i))
		s.exec("INSERT INTO writes(thread_id, checkpoint_id, task_id, idx, channel) VALUES(?, '1', 'a', 0, 'messages')", fmt.Sprint("other-", i))
	}
	if err := s.db.Close(); err != nil {
		t.Fatal(err)
	}
	return s.path, dump(t, s.path)
}

// holds checks that a store has what it had, and the thread whole or not at all.
func holds(t *testing.T, path string, was map[string]string) (whole bool) {
	t.Helper()
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) && len(was) == 0 {
		return false
	}
	now := dump(t, path)
	for key, row := range was {
		if now[key] != row {
			t.Errorf("%s has changed", key)
		}
		delete(now, key)
	}
	if len(now) > 1 {
		t.Errorf("%d rows have come", len(now))
	}
	found, err := look(t, path, big())
	if err != nil || (found == handler.Begun) != (len(now) == 1) {
		t.Errorf("%d rows have come, found %d, %v", len(now), found, err)
	}
	return len(now) == 1
}

// TestKilled kills whoever writes at every step. Others' threads are as they
// were, and the next one succeeds.
func TestKilled(t *testing.T) {
	for name, make := range kinds {
		t.Run(name, func(t *testing.T) {
			for n := 1; ; n++ {
				path, was := make(t)
				killed := runVictim(t, path, "kill", n) != nil
				if whole := holds(t, path, was); whole != !killed {
					t.Errorf("step %d: killed %t, there %t", n, killed, whole)
				}
				err := store(context.Background(), input(big()), handler.Place{Path: path, ID: "t"})
				if killed && err != nil || !killed && !errors.Is(err, handler.ErrPresent) {
					t.Errorf("after step %d: %v", n, err)
				}
				holds(t, path, was)
				if !killed {
					if n < 4 {
						t.Errorf("only %d steps", n)
					}
					break
				}
			}
		})
	}
}

// TestFails lets every step fail. Nothing is left of it.
func TestFails(t *testing.T) {
	for name, make := range kinds {
		t.Run(name, func(t *testing.T) {
			for n := 1; ; n++ {
				path, was := make(t)
				seen := 0
				before = func(string) error {
					if seen++; seen == n {
						return syscall.EIO
					}
					return nil
				}
				err := store(context.Background(), input(big()), handler.Place{Path: path, ID: "t"})
				before = func(string) error { return nil }
				if seen < n {
					if err != nil {
						t.Error(err)
					}
					break
				}
				if !errors.Is(err, syscall.EIO) {
					t.Errorf("step %d: %v", n, err)
				}
				if holds(t, path, was) {
					t.Errorf("step %d: it is there", n)
				}
				if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".trajmap*")); len(left) > 0 {
					t.Errorf("step %d: %v was left", n, left)
				}
			}
		})
	}
}

// TestFullDisk lets the system refuse to write more than some bytes.
func TestFullDisk(t *testing.T) {
	for name, make := range kinds {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{0, 1, 4096, 100_000, 400_000} {
				path, was := make(t)
				if err := runVictim(t, path, "limit", n); err == nil {
					t.Errorf("%d bytes: it was written", n)
				}
				if holds(t, path, was) {
					t.Errorf("%d bytes: it is there", n)
				}
				if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".trajmap*")); len(left) > 0 {
					t.Errorf("%d bytes: %v was left", n, left)
				}
			}
		})
	}
}

// TestLocked waits for another writer, and then gives up.
func TestLocked(t *testing.T) {
	wait := patience
	patience = 50_000_000
	defer func() { patience = wait }()
	for _, journal := range []string{"DELETE", "WAL"} {
		path, was := others(t, journal)
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
			t.Fatal(err)
		}
		if err := put(t, path, big()); err == nil || !strings.Contains(err.Error(), "locked by another program") {
			t.Errorf("%s: %v", journal, err)
		}
		if _, err := db.Exec("ROLLBACK"); err != nil {
			t.Fatal(err)
		}
		if holds(t, path, was) {
			t.Errorf("%s: it is there", journal)
		}
		// A program that only has it open is in nobody's way.
		if err := put(t, path, big()); err != nil {
			t.Errorf("%s: %v", journal, err)
		}
		if !holds(t, path, was) {
			t.Errorf("%s: it is not there", journal)
		}
		db.Close()
	}
}

// TestReadOnly meets a database, and a folder, that must not be written to.
func TestReadOnly(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("nothing is forbidden to this user")
	}
	path, was := others(t, "DELETE")
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	if err := put(t, path, big()); err == nil || !strings.Contains(err.Error(), "must not be written to") {
		t.Error(err)
	}
	if holds(t, path, was) {
		t.Error("it is there")
	}
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := put(t, filepath.Join(folder, "sessions.db"), big()); !errors.Is(err, os.ErrPermission) {
		t.Error(err)
	}
}

// TestMeanwhile has others write between the steps: a database comes to be where
// one was to be made, and another thread, or this one, comes into it.
func TestMeanwhile(t *testing.T) {
	defer func() { before = func(string) error { return nil } }()
	var path string
	act := func(step string, f func()) {
		before = func(at string) error {
			if at == step {
				before = func(string) error { return nil }
				f()
			}
			return nil
		}
	}
	path = filepath.Join(t.TempDir(), "sessions.db")
	var was map[string]string
	act("name", func() {
		other, rows := others(t, "WAL")
		was = rows
		if err := os.Rename(other, path); err != nil {
			t.Fatal(err)
		}
	})
	if err := put(t, path, big()); err != nil {
		t.Error(err)
	}
	if !holds(t, path, was) {
		t.Error("it is not there")
	}

	path = filepath.Join(t.TempDir(), "sessions.db")
	act("name", func() {
		if err := store(context.Background(), input(document()), handler.Place{Path: path, ID: "t"}); err != nil {
			t.Fatal(err)
		}
	})
	if err := put(t, path, big()); !errors.Is(err, handler.ErrPresent) {
		t.Error(err)
	}
	if got := dump(t, path); len(got) != 1 {
		t.Errorf("%d rows", len(got))
	}
	if found, err := look(t, path, document()); found != handler.Begun || err != nil {
		t.Errorf("found %d, %v", found, err)
	}
}

// TestLinked writes into the database that a link leads to, and makes none where
// a link leads nowhere.
func TestLinked(t *testing.T) {
	real, was := others(t, "WAL")
	path := filepath.Join(t.TempDir(), "sessions.db")
	if err := os.Symlink(real, path); err != nil {
		t.Fatal(err)
	}
	if err := put(t, path, big()); err != nil {
		t.Fatal(err)
	}
	if !holds(t, real, was) {
		t.Error("it is not there")
	}
	nowhere := filepath.Join(t.TempDir(), "sessions.db")
	if err := os.Symlink(filepath.Join(t.TempDir(), "none.db"), nowhere); err != nil {
		t.Fatal(err)
	}
	if err := put(t, nowhere, big()); err == nil || !strings.Contains(err.Error(), "must not be written to") {
		t.Error(err)
	}
}

// TestHeld respects the lock of a program that has the thread open.
func TestHeld(t *testing.T) {
	path, was := others(t, "WAL")
	sum := sha256.Sum256([]byte("t"))
	stem := filepath.Join(path+".owners", hex.EncodeToString(sum[:]))
	if err := os.Mkdir(path+".owners", 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, stem+".owner", "token")
	for _, suffix := range []string{".client", ".writer"} {
		f, err := os.Create(stem + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
			t.Fatal(err)
		}
		if err := put(t, path, big()); !errors.Is(err, errHeld) {
			t.Errorf("%s: %v", suffix, err)
		}
		if holds(t, path, was) {
			t.Error("it is there")
		}
		f.Close()
	}
	files := func() []string {
		list, _ := filepath.Glob(path + ".owners/*")
		return list
	}
	had := files()
	if err := put(t, path, big()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(had, files()); diff != "" {
		t.Error(diff)
	}
	// It is given free again.
	f, err := os.Open(stem + ".client")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		t.Error(err)
	}
}
