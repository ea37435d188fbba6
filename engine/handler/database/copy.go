package database

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// attempts is how often a database is copied before it counts as too busy.
const attempts = 5

// logHead is the head of a write-ahead log, and of a journal: it changes when
// the log begins anew.
const logHead = 32

// openCopy opens a copy of the database together with its log.
func (db *DB) openCopy(path, suffix string) error {
	dir, err := os.MkdirTemp("", "trajmap-*") // mode 0700
	if err != nil {
		return err
	}
	db.done = func() error { return os.RemoveAll(dir) }
	to := filepath.Join(dir, "copy.db")
	for range attempts {
		before, err := head(path + suffix)
		if err != nil {
			return err
		}
		// The database first: what moves out of the log meanwhile is in the
		// log's copy as well, unless the log has begun anew.
		if err := copyFile(path, to); err != nil {
			return err
		}
		if err := copyFile(path+suffix, to+suffix); err != nil {
			return err
		}
		after, err := head(path + suffix)
		if err != nil {
			return err
		}
		if bytes.Equal(before, after) {
			return db.begin(to, "mode=rw")
		}
	}
	return trajectory.Errorf(trajectory.InvalidInput, "%s: the database changes too fast to be read (end the program that writes it)", db.name)
}

// head is how a log begins; nothing where there is none.
func head(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, logHead)
	n, err := io.ReadFull(f, b)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	return b[:n], nil
}

// copyFile copies a file; one that is not there gives none.
func copyFile(from, to string) error {
	src, err := os.Open(from)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer src.Close()
	return write(to, src)
}

func write(to string, src io.Reader) error {
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}

// spool writes an input to a temporary file.
func spool(in *frame.Input) (path string, remove func() error, err error) {
	dir, err := os.MkdirTemp("", "trajmap-*") // mode 0700
	if err != nil {
		return "", func() error { return nil }, fmt.Errorf("keep %s: %w", in.Name, err)
	}
	remove = func() error { return os.RemoveAll(dir) }
	path = filepath.Join(dir, "copy.db")
	if err := write(path, io.NewSectionReader(in, 0, in.Size)); err != nil {
		return "", remove, fmt.Errorf("keep %s in %s: %w", in.Name, dir, err)
	}
	return path, remove, nil
}
