package database

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite/vfs"

	"github.com/trajmap/trajmap/engine/frame"
)

// live reports whether a program has the database open, or a rollback is to be
// looked after: then SQLite's own locks are needed. They keep no writer of a log
// waiting, and need no file that is not there.
func live(path string) bool {
	return exists(path+"-wal") && exists(path+"-shm") || exists(path+"-journal")
}

func exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// files are a database and its log, for SQLite to read without a lock and
// without a file of its own beside them.
type files struct {
	vfs, name string
	main      part
	log       part // its input is nil when there is none
}

// part is one of the files and what it was like when it was opened.
type part struct {
	path string
	io.ReaderAt
	size  int64
	close func() error
	stamp
}

// stamp tells whether a file has changed.
type stamp struct {
	size  int64
	mtime time.Time
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime()}
}

func openFiles(in *frame.Input, path string) (*files, error) {
	f := &files{main: part{ReaderAt: in, size: in.Size, close: func() error { return nil }}}
	f.main.stamp = stampOf(path)
	if f.main.stamp != (stamp{}) {
		// The input's own size may be that of a part of it.
		if err := f.main.open(path); err != nil {
			return nil, err
		}
		switch err := f.log.open(path + "-wal"); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			f.main.close()
			return nil, err
		}
	}
	var err error
	if f.vfs, err = registered(); err != nil {
		f.main.close()
		return nil, err
	}
	f.name = opened.add(f)
	return f, nil
}

func (p *part) open(path string) error {
	in, done, err := frame.Open(path)
	if err != nil {
		return err
	}
	*p = part{path: path, ReaderAt: in, size: in.Size, close: done, stamp: stampOf(path)}
	return nil
}

func (f *files) close() {
	opened.remove(f.name)
	f.main.close()
	if f.log.close != nil {
		f.log.close()
	}
}

// unchanged reports whether the files are what they were.
func (f *files) unchanged() bool {
	return f.main.path == "" || stampOf(f.main.path) == f.main.stamp && stampOf(f.main.path+"-wal") == f.log.stamp
}

// registered is the name of the one VFS through which SQLite sees what is in
// opened.
var registered = sync.OnceValues(func() (string, error) {
	name, _, err := vfs.New(opened)
	return name, err
})

var opened = &registry{files: map[string]*files{}}

// registry is the folder in which SQLite finds open files.
type registry struct {
	mu    sync.Mutex
	last  int
	files map[string]*files
}

func (r *registry) add(f *files) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	name := strconv.Itoa(r.last)
	r.files[name] = f
	return name
}

func (r *registry) remove(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.files, name)
}

// Open opens a database or its log, which may be empty. Of what else SQLite
// looks for beside a database there is nothing.
func (r *registry) Open(name string) (fs.File, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	base, log := strings.CutSuffix(name, "-wal")
	f := r.files[base]
	switch {
	case f == nil:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case !log:
		return &reader{name: name, SectionReader: io.NewSectionReader(f.main, 0, f.main.size)}, nil
	case f.log.ReaderAt == nil:
		return &reader{name: name, SectionReader: io.NewSectionReader(strings.NewReader(""), 0, 0)}, nil
	}
	return &reader{name: name, SectionReader: io.NewSectionReader(f.log, 0, f.log.size)}, nil
}

// Stat says whether there is a file: an empty log is none.
func (r *registry) Stat(name string) (fs.FileInfo, error) {
	r.mu.Lock()
	f := r.files[strings.TrimSuffix(name, "-wal")]
	r.mu.Unlock()
	if f == nil || strings.HasSuffix(name, "-wal") && f.log.ReaderAt == nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	file, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	return file.Stat()
}

// reader is an open file.
type reader struct {
	name string
	*io.SectionReader
}

func (r *reader) Close() error               { return nil }
func (r *reader) Stat() (fs.FileInfo, error) { return r, nil }
func (r *reader) Name() string               { return r.name }
func (r *reader) Mode() fs.FileMode          { return 0o400 }
func (r *reader) ModTime() time.Time         { return time.Time{} }
func (r *reader) IsDir() bool                { return false }
func (r *reader) Sys() any                   { return nil }
