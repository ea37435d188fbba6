package discover

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/trajmap/trajmap/engine/mapping"
)

// walk goes through the stores of one mapping. Folders are listed once, however
// many patterns lead through them.
type walk struct {
	ctx     context.Context
	listed  map[string][]fs.DirEntry
	claimed map[string]bool // paths that are of a layout already
	problem func(path string, err error)
}

// hit is a path that fits a pattern.
type hit struct {
	path  string
	parts []mapping.Part
	info  fs.FileInfo
}

// roots are the folders that a root stands for.
func (w *walk) roots(r *mapping.Root, p Places) []string {
	path, pattern := r.Expand(p.Getenv, p.Home)
	if path == "" {
		return nil
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	folders := []string{path}
	if pattern == "" {
		return folders
	}
	for name := range strings.SplitSeq(pattern, "/") {
		var below []string
		for _, folder := range folders {
			if !strings.Contains(name, "*") {
				below = append(below, filepath.Join(folder, name))
				continue
			}
			for _, e := range w.list(folder) {
				if mapping.MatchStars(name, e.Name()) {
					below = append(below, filepath.Join(folder, e.Name()))
				}
			}
		}
		folders = below
	}
	return folders
}

// find visits the paths below a root that fit a pattern and are of no earlier
// one.
func (w *walk) find(root string, p *mapping.Pattern, visit func(hit)) {
	w.step(root, p, p.Segments, nil, func(h hit) {
		if !w.claimed[h.path] {
			w.claimed[h.path] = true
			visit(h)
		}
	})
}

func (w *walk) step(dir string, p *mapping.Pattern, segments []mapping.Segment, above []mapping.Part, visit func(hit)) {
	if w.ctx.Err() != nil {
		return
	}
	if len(segments) == 0 {
		w.end(dir, nil, p, above, visit)
		return
	}
	s, rest := &segments[0], segments[1:]
	switch {
	case s.Any:
		w.step(dir, p, rest, above, visit)
		for _, e := range w.list(dir) {
			if e.IsDir() { // links may lead round in circles
				w.step(filepath.Join(dir, e.Name()), p, segments, above, visit)
			}
		}
	case s.Literal != "":
		w.step(filepath.Join(dir, s.Literal), p, rest, above, visit)
	default:
		for _, e := range w.list(dir) {
			parts, fits := s.Match(e.Name(), above)
			switch {
			case !fits:
			case len(rest) == 0:
				w.end(filepath.Join(dir, e.Name()), e, p, parts, visit)
			case !e.Type().IsRegular():
				w.step(filepath.Join(dir, e.Name()), p, rest, parts, visit)
			}
		}
	}
}

// end looks at a path that fits the whole pattern. An empty file is no session.
func (w *walk) end(path string, e fs.DirEntry, p *mapping.Pattern, parts []mapping.Part, visit func(hit)) {
	var info fs.FileInfo
	var err error
	if e != nil && e.Type()&fs.ModeSymlink == 0 {
		info, err = e.Info()
	} else {
		info, err = os.Stat(path)
	}
	switch {
	case err != nil:
		w.failed(path, err)
	case p.Folder && info.IsDir(), !p.Folder && info.Mode().IsRegular() && info.Size() > 0:
		visit(hit{path, parts, info})
	}
}

// list is what a folder holds; nothing when it is not there.
func (w *walk) list(dir string) []fs.DirEntry {
	if list, ok := w.listed[dir]; ok {
		return list
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		w.failed(dir, err)
	}
	w.listed[dir] = slices.Clip(list)
	return list
}

// failed reports a path that cannot be looked at, but not one that is not there.
func (w *walk) failed(path string, err error) {
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		w.problem(path, err)
	}
}
