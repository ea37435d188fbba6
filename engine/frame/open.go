package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"
)

// ErrDirectory is wrapped by Open's error for a folder.
var ErrDirectory = errors.New("is a folder, not a file")

// spoolMost is how much of a pipe is held in memory.
const spoolMost = 1 << 20

// Open opens a file, or for "-" standard input. What zstd has compressed is
// unpacked. That, and what can only be read once, such as a pipe, is read to its
// end here; when it is long, into a temporary file that nobody else can read. The
// function given closes the input and deletes that. Errors wrap the cause:
// [fs.ErrNotExist], [fs.ErrPermission], [ErrDirectory].
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
		if in := io.NewSectionReader(f, start, size); !packed(in) {
			return &Input{path, in, size}, done, nil
		}
	}
	in, remove, err := spool(f, path)
	if err != nil {
		return nil, nil, err
	}
	if !packed(in) {
		return in, func() error { return errors.Join(remove(), done()) }, nil
	}
	whole, removeWhole, err := unpack(in)
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return whole, func() error { return errors.Join(removeWhole(), remove(), done()) }, nil
}

// packed reports whether an input begins as what zstd has compressed.
func packed(in io.ReaderAt) bool {
	var head [4]byte
	_, err := in.ReadAt(head[:], 0)
	return err == nil && string(head[:]) == "\x28\xb5\x2f\xfd"
}

// unpackedMost bounds what a compressed input may be when it is unpacked, and
// windowMemory the memory that this takes.
const (
	unpackedMost = 8 << 30
	windowMemory = 256 << 20
)

// unpack undoes the compression of an input.
func unpack(in *Input) (*Input, func() error, error) {
	z, err := zstd.NewReader(io.NewSectionReader(in, 0, in.Size), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(windowMemory))
	if err != nil {
		return nil, nil, fmt.Errorf("unpack %s: %w", in.Name, err)
	}
	defer z.Close()
	whole, remove, err := spool(io.LimitReader(z, unpackedMost+1), in.Name)
	if err != nil {
		return nil, nil, err
	}
	if whole.Size > unpackedMost {
		return nil, nil, errors.Join(fmt.Errorf("%s: more than %d GiB when it is unpacked", in.Name, unpackedMost>>30), remove())
	}
	return whole, remove, nil
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
