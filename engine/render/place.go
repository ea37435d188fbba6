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

// Paths are the paths of a session's files, in the order of the mapping, below
// the folder that is the harness's home.
func Paths(m *mapping.Mapping, p Place) ([]string, error) {
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
	var paths []string
	for _, f := range m.Write.Files {
		r.scope.It = r.view
		lazy(f.Lets)
		path, err := r.path(f)
		if err != nil {
			return nil, err
		}
		if slices.Contains(paths, path) {
			return nil, r.fail(f.Path.Pos, "a file before this one has the same path")
		}
		paths = append(paths, path)
	}
	return paths, r.failure
}

// path evaluates the path of a file.
func (r *renderer) path(f *mapping.OutFile) (string, error) {
	path, err := r.string(f.Path)
	switch {
	case err != nil:
		return "", err
	case r.failure != nil:
		return "", r.failure
	case !local(path):
		return "", r.fail(f.Path.Pos, "the path of a file leaves the export")
	}
	return path, nil
}

// local reports whether a path stays below the folder that it is relative to.
func local(path string) bool {
	return filepath.IsLocal(filepath.FromSlash(path)) && utf8.ValidString(path) && !strings.ContainsRune(path, 0)
}
