package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// output is where a command's data goes: standard output, or a file that appears
// under its name when all of it is written.
type output struct {
	*bufio.Writer
	dst  io.Writer
	file *os.File // temporary, or the real one when that is no regular file; nil for standard output
	path string   // that the file will have; "" when it already has
	drop bool     // nothing came out: no file is to appear
}

// outputBuffer holds the first records back no longer than a pipe would.
const outputBuffer = 64 << 10

// create opens an output; "" and "-" stand for standard output.
func create(w *World, path string) (*output, error) {
	if path == "" || path == "-" {
		return &output{Writer: bufio.NewWriterSize(w.Stdout, outputBuffer), dst: w.Stdout}, nil
	}
	f, final, err := createFile(path)
	if err != nil {
		return nil, err
	}
	return &output{Writer: bufio.NewWriterSize(f, outputBuffer), dst: f, file: f, path: final}, nil
}

// createFile opens a temporary file beside path. What is there and is no regular
// file, such as a device or a pipe, is written to as it is.
func createFile(path string) (f *os.File, final string, err error) {
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return nil, "", &placed{path, errors.New("is a folder (give the name of a file)")}
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return f, "", err
	case err == nil:
		// A link stays one: what it leads to is replaced.
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, "", err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, "", err
	}
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.tmp", filepath.Base(path), os.Getpid()))
	f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", &placed{filepath.Dir(path), errors.New("no such folder (make it first)")}
	}
	return f, path, err
}

// forget takes back what has been written, if none of it has left yet.
func (o *output) forget(written int) {
	if o.Buffered() == written {
		o.Reset(o.dst)
	}
}

// close writes what is buffered and gives the file its name, unless the command
// failed before it was done. It sets err when that is where the failure is.
func (o *output) close(err *error) {
	var end quiet
	done := *err == nil || errors.As(*err, &end) // a quiet end is one of its own will
	if done {
		if flushErr := o.Flush(); flushErr != nil {
			done = false
			if *err == nil || !errors.Is(flushErr, syscall.EPIPE) {
				*err = flushErr
			}
		}
	}
	switch {
	case o.file == nil:
	case o.path == "":
		if closeErr := o.file.Close(); done && closeErr != nil {
			*err = closeErr
		}
	case done && !o.drop:
		if publishErr := o.publish(); publishErr != nil {
			*err = publishErr
			_ = os.Remove(o.file.Name())
		}
	default:
		_ = o.file.Close()
		_ = os.Remove(o.file.Name())
	}
}

// publish gives the temporary file its name; whoever looks sees the old content
// or all of the new one, also after a power cut.
func (o *output) publish() error {
	var err error
	if info, statErr := os.Stat(o.path); statErr == nil {
		err = o.file.Chmod(info.Mode().Perm())
	}
	err = errors.Join(err, o.file.Sync(), o.file.Close())
	if err != nil {
		return err
	}
	return os.Rename(o.file.Name(), o.path)
}
