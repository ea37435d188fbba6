package cli

import (
	"context"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/database"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/snapshot"
	"github.com/trajmap/trajmap/internal/discover"
)

// target is an input of a command, or one that was found in a folder.
type target struct {
	path    string
	root    int               // place among the paths that were given
	folder  bool              // a session that is a folder of files
	session string            // id, of one of several sessions of an input that was found
	m       *engine.Mapping   // of the store that it was found in; nil: it was given as a path
	listed  *discover.Session // as which it was found there
	found   bool              // in a folder: it is left out when no mapping recognises it
	err     error             // why there is nothing to read
	snap    *snapshot.Opened  // the snapshot that it turned out to be
	active  bool              // of a snapshot whose mapping is not known, the active context is wanted
}

// open opens the target's session.
func (t target) open() (*engine.Input, func() error, error) {
	if t.folder {
		return engine.Folder(t.path), func() error { return nil }, nil
	}
	return engine.OpenInput(t.path)
}

// file is where the lines are that a read tells of: the target, or a file that
// was read for it.
func (t target) file(r *read.Result) string {
	if r == nil || r.Path == "" || t.snap != nil || os.IsPathSeparator(r.Path[len(r.Path)-1]) {
		return t.path
	}
	return r.Path
}

// label names in a message what was read.
func (t target) label(r *read.Result) string {
	if t.session != "" {
		return t.file(r) + "#" + t.session
	}
	return t.file(r)
}

// targets are the inputs of a command: files as given, and of folders all files
// below them in lexical order, hidden ones too, for that is how stores are kept.
// Links are followed, except to what is found anyway.
type targets struct {
	given   []target
	pick    *picker
	session string // the one that is wanted, "" for all
	every   bool   // also of an input that was given, each of its sessions is a target
}

// single reports whether there is one input that is no folder.
func (ts *targets) single() bool {
	return len(ts.given) == 1 && (ts.given[0].m != nil || !isFolder(ts.given[0].path) || isSnapshotFolder(ts.given[0].path))
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return path != "-" && err == nil && info.IsDir()
}

// all gives the targets; only folders are opened.
func (ts *targets) all(ctx context.Context) iter.Seq[target] {
	return func(yield func(target) bool) {
		for _, t := range ts.given {
			if t.m != nil || !isFolder(t.path) || isSnapshotFolder(t.path) {
				if !ts.file(ctx, t, yield) {
					return
				}
				continue
			}
			w := walk{ctx: ctx, targets: ts, root: t.root, yield: yield}
			if !w.top(t.path) {
				return
			}
		}
	}
}

// file gives a file, or each of the sessions that it holds; false ends it.
func (ts *targets) file(ctx context.Context, t target, yield func(target) bool) bool {
	if ts.session == "" && t.m == nil && (t.found || ts.every) && database.Named(t.path) {
		for _, id := range ts.pick.sessions(ctx, t) {
			t.session = id
			if !yield(t) {
				return false
			}
		}
	}
	return t.session != "" || yield(t)
}

// walk goes through one folder.
type walk struct {
	*targets
	ctx     context.Context
	root    int
	first   string   // the folder
	folders bool     // a folder may be a session
	roots   []string // real paths of the folder and of those that links led to
	yield   func(target) bool
}

// Each method reports whether to go on.

func (w *walk) top(path string) bool {
	folders, err := w.pick.readsFolders()
	if err != nil {
		return w.yield(target{path: path, root: w.root, err: err})
	}
	w.first, w.folders = path, folders
	if real, err := filepath.EvalSymlinks(path); err == nil {
		w.roots = []string{absolute(real)}
	}
	return w.folder(path)
}

func (w *walk) folder(path string) bool {
	if w.ctx.Err() != nil {
		return false
	}
	if isSnapshotFolder(path) {
		return w.yield(target{path: path, root: w.root, found: true})
	}
	if w.folders {
		if m, err := w.pick.recognise(w.ctx, engine.Folder(path)); err != nil || m != nil {
			return w.session(path, m, err)
		}
	}
	list, err := os.ReadDir(path) // what could be listed comes with an error, too
	if err != nil && !w.yield(target{path: path, root: w.root, err: err}) {
		return false
	}
	for _, e := range list {
		if !w.entry(filepath.Join(path, e.Name()), e.Type()) {
			return false
		}
	}
	return true
}

// session gives a folder that is a session, and those in it, unless that session
// is what was asked for.
func (w *walk) session(path string, m *engine.Mapping, err error) bool {
	if !w.yield(target{path: path, root: w.root, folder: true, err: err}) {
		return false
	}
	return m == nil || path == w.first || w.inside(path, path, m.OwnFiles())
}

// inside gives the sessions that lie in the folder of another, such as those of
// subagents: folders, and files named like one that the outer session is read from.
func (w *walk) inside(session, path string, own []string) bool {
	if len(own) == 0 || w.ctx.Err() != nil {
		return w.ctx.Err() == nil
	}
	list, err := os.ReadDir(path)
	if err != nil && !w.yield(target{path: path, root: w.root, err: err}) {
		return false
	}
	for _, e := range list {
		at := filepath.Join(path, e.Name())
		on := true
		switch {
		case e.IsDir():
			if m, err := w.pick.recognise(w.ctx, engine.Folder(at)); err != nil || m != nil {
				on = w.session(at, m, err)
			} else {
				on = w.inside(session, at, own)
			}
		case e.Type().IsRegular() && namesake(session, at, own):
			on = w.yield(target{path: at, root: w.root, found: true})
		}
		if !on {
			return false
		}
	}
	return true
}

// namesake reports whether a file in a session's folder is named like one of the
// session's own files, but is not it.
func namesake(session, path string, own []string) bool {
	named := false
	for _, name := range own {
		name = filepath.FromSlash(name)
		if path == filepath.Join(session, name) {
			return false
		}
		named = named || filepath.Base(path) == filepath.Base(name)
	}
	return named
}

func (w *walk) entry(path string, mode fs.FileMode) bool {
	if mode&fs.ModeSymlink != 0 {
		return w.link(path)
	}
	switch {
	case mode.IsDir():
		return w.folder(path)
	case mode.IsRegular():
		return w.file(w.ctx, target{path: path, root: w.root, found: true}, w.yield)
	}
	return true // a pipe, a socket, a device
}

// link follows a link that leads out of the folder. One that leads nowhere is no
// input.
func (w *walk) link(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return true
	}
	info, err := os.Stat(real)
	if err != nil {
		return true
	}
	real = absolute(real)
	for _, root := range w.roots {
		if within(real, root) || info.IsDir() && within(root, real) {
			return true
		}
	}
	if info.IsDir() {
		w.roots = append(w.roots, real)
	}
	return w.entry(path, info.Mode().Type())
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// within reports whether a path is a folder or lies below it.
func within(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
