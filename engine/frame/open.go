package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrDirectory is wrapped by Open's error for a folder.
var ErrDirectory = errors.New("is a folder, not a file")

// spoolMost is how much of a pipe is held in memory.
const spoolMost = 1 << 20

// Open opens a file, or for "-" standard input. What can only be read once, such
// as a pipe, is read to its end here; when it is long, into a temporary file that
// nobody else can read. The function given closes the input and deletes that.
// Errors wrap the cause: [fs.ErrNotExist], [fs.ErrPermission], [ErrDirectory].
func Open(path string) (*Input, func() error, error) {
	if path == "-" {
		return open(os.Stdin, path, func() error { return nil })
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	in, done, err := open(f, path, f.Close)
	if err != nil {
		f.Close()
	}
	return in, done, err
}

func open(f *os.File, path string, done func() error) (*Input, func() error, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, nil, err
	case info.IsDir():
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: ErrDirectory}
	case info.Mode().IsRegular():
		start, err := f.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, nil, err
		}
		size := max(0, info.Size()-start)
		return &Input{path, io.NewSectionReader(f, start, size), size}, done, nil
	}
	in, remove, err := spool(f, path)
	if err != nil {
		return nil, nil, err
	}
	return in, func() error { return errors.Join(remove(), done()) }, nil
}

// spool reads a stream to its end.
func spool(r io.Reader, name string) (in *Input, remove func() error, err error) {
	var head bytes.Buffer
	n, err := io.CopyN(&head, r, spoolMost+1)
	if err == io.EOF {
		return &Input{name, bytes.NewReader(head.Bytes()), n}, func() error { return nil }, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", name, err)
	}
	f, err := os.CreateTemp("", "trajmap-*") // mode 0600
	if err != nil {
		return nil, nil, fmt.Errorf("keep %s: %w", name, err)
	}
	// Where an open file can be deleted, nothing stays behind whatever happens.
	gone := os.Remove(f.Name()) == nil
	remove = func() error {
		err := f.Close()
		if !gone {
			err = errors.Join(err, os.Remove(f.Name()))
		}
		return err
	}
	size, err := io.Copy(f, io.MultiReader(&head, r))
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("keep %s in %s: %w", name, f.Name(), err), remove())
	}
	return &Input{name, f, size}, remove, nil
}
