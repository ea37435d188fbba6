package frame

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Files cuts a folder: each file whose path below it matches the glob is a
// frame, in the order of their names, in which digits compare as numbers: 9
// stands before 10. Nothing outside of the folder is read,
// whatever links lead there. The error of one file does not end the stream.
func Files(dir, glob string, o Options) Stream {
	return &files{dir: dir, glob: glob, limit: o.Most()}
}

var errIrregular = errors.New("is not a regular file")

type files struct {
	dir, glob string
	limit     int64
	names     []string
	listed    bool
	index     int
	next, at  scratch
}

func (s *files) Next() (Frame, error) {
	if !s.listed {
		if err := s.list(); err != nil {
			return Frame{}, err
		}
	}
	if s.index == len(s.names) {
		return Frame{}, io.EOF
	}
	f := Frame{Index: s.index}
	s.index++
	return s.read(&s.next, f)
}

func (s *files) list() error {
	dir, err := os.OpenRoot(s.dir)
	if err != nil {
		return err
	}
	defer dir.Close()
	s.names, err = fs.Glob(dir.FS(), s.glob)
	if err != nil {
		return fmt.Errorf("the pattern %q: %w", s.glob, err)
	}
	slices.SortFunc(s.names, compareNames)
	// Glob says nothing of a folder that it cannot read.
	if below := path.Dir(s.glob); len(s.names) == 0 && !strings.ContainsAny(below, `*?[\`) {
		if _, err := fs.ReadDir(dir.FS(), below); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	s.listed = true
	return nil
}

// read gives the frame with the index of f.
func (s *files) read(mem *scratch, f Frame) (Frame, error) {
	if f.Index < 0 || f.Index >= len(s.names) {
		return Frame{}, fmt.Errorf("%s: no file %d: %w", s.dir, f.Index, fs.ErrNotExist)
	}
	dir, err := os.OpenRoot(s.dir)
	if err != nil {
		return Frame{}, err
	}
	defer dir.Close()
	name := s.names[f.Index]
	// Looked at first, because opening a pipe would wait for its writer.
	info, err := dir.Stat(name)
	if err != nil {
		return Frame{}, err
	}
	if !info.Mode().IsRegular() {
		return Frame{}, &fs.PathError{Op: "read", Path: filepath.Join(s.dir, name), Err: errIrregular}
	}
	file, err := dir.Open(name)
	if err != nil {
		return Frame{}, err
	}
	defer file.Close()
	mem.recycle()
	f = Frame{Index: f.Index, Length: info.Size(), File: name}
	return mem.frame(&Input{file.Name(), file, f.Length}, f, s.limit)
}

func (s *files) Rewind() error {
	s.index = 0
	return nil
}

func (s *files) At(f Frame) (Frame, error) { return s.read(&s.at, f) }

func (s *files) Doc() []byte { return nil }
