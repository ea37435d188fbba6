package render

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/session"
)

// Place is all that the paths of a session's files may depend on.
type Place struct {
	ID, Cwd, Title string
	Created        int64
	// Home and Temp are folders of the machine where the files are put; "" as long
	// as they are only written.
	Home, Temp string
}

// placeOf is where a session is written to.
func placeOf(s *session.Session, id string) Place {
	return Place{ID: id, Cwd: s.Cwd, Created: s.Created, Title: s.Title}
}

// Paths are the paths of a session's files, in the order of the mapping, below
// the folder that is the harness's home.
func Paths(m *mapping.Mapping, p Place) ([]string, error) {
	files, _, err := places(m, p)
	return files, err
}

// Stores are the paths of the stores that handlers write for a session, in the
// order of the mapping, below the folder that is the harness's home.
func Stores(m *mapping.Mapping, p Place) ([]string, error) {
	_, stores, err := places(m, p)
	return stores, err
}

// places evaluates all paths of a session.
func places(m *mapping.Mapping, p Place) (files, stores []string, err error) {
	r := newRenderer(m, &session.Session{}, Options{})
	r.it(func(dst []byte) []byte {
		w := object(dst)
		w.str("id", p.ID)
		w.str("cwd", p.Cwd)
		w.str("title", p.Title)
		w.int("created", p.Created)
		return w.end()
	})
	r.scope.Lets[mapping.PlaceName] = r.arenas[0].JSON(func(dst []byte) []byte { return appendPlace(dst, p) })
	// Names that no path asks for are not evaluated: what they read is not there.
	lazy := func(lets []*mapping.Let) {
		for _, l := range lets {
			r.scope.Bind(l.Slot, l.Value.Prog)
		}
	}
	lazy(m.Write.Lets)
	own := func(t *mapping.Template) (string, error) {
		path, err := r.path(t)
		if err == nil && (slices.Contains(files, path) || slices.Contains(stores, path)) {
			err = r.fail(t.Pos, "a file before this one has the same path")
		}
		return path, err
	}
	for _, f := range m.Write.Files {
		r.scope.It = r.view
		lazy(f.Lets)
		path, err := own(f.Path)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, path)
	}
	for _, step := range m.Write.Prepare {
		if step.Path == nil {
			continue
		}
		r.scope.It = r.view
		path, err := own(step.Path)
		if err != nil {
			return nil, nil, err
		}
		stores = append(stores, path)
	}
	return files, stores, r.failure
}

// path evaluates the path of a file.
func (r *renderer) path(t *mapping.Template) (string, error) {
	path, err := r.string(t)
	switch {
	case err != nil:
		return "", err
	case r.failure != nil:
		return "", r.failure
	case !local(path):
		return "", r.fail(t.Pos, "the path of a file leaves the export")
	}
	return path, nil
}

// local reports whether a path stays below the folder that it is relative to.
func local(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if name == "." || name == ".." {
			return false // even if it comes back
		}
	}
	return filepath.IsLocal(filepath.FromSlash(path)) && utf8.ValidString(path) && !strings.ContainsRune(path, 0)
}
