package install

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/render"
)

// present looks for the session anywhere in the program's store, and tells which
// of its bundles are not there. The error is a *[ConflictError] when something
// else has its name.
func (x *Export) present(ctx context.Context, on Machine, w *where) (State, []bundle, error) {
	state := Already
	var absent []bundle
	for _, b := range w.bundles {
		found, err := x.search(ctx, on, b)
		if err != nil {
			return "", nil, err
		}
		if len(found) == 0 {
			absent = append(absent, b)
			continue
		}
		switch r, err := x.holds(ctx, on, w, b, found); {
		case err != nil:
			return "", nil, err
		case r == longer:
			state = Resumed
		case r != equal:
			return "", nil, &ConflictError{found[0], x.Manifest.Target.SessionID}
		}
	}
	return state, absent, nil
}

// holds says how what was found stands to a bundle.
func (x *Export) holds(ctx context.Context, on Machine, w *where, b bundle, found []string) (relation, error) {
	state := equal
	for _, p := range b.parts {
		best := missing
		for _, path := range found {
			r, err := x.relation(ctx, on, w, p, x.counterpart(path, p.path))
			if err != nil {
				return different, err
			}
			best = max(best, r)
		}
		state = min(state, best)
	}
	// Other things are named after a session as well, such as its locks.
	for _, path := range found {
		if state < longer && x.continued(ctx, b.parts[0], x.counterpart(path, b.parts[0].path)) {
			return longer, nil
		}
	}
	return state, nil
}

// relation says how what is there stands to a part.
func (x *Export) relation(ctx context.Context, on Machine, w *where, p part, path string) (relation, error) {
	if p.step != nil {
		return x.relate(ctx, p, path)
	}
	r, err := x.compare(path, *p.file, on.Root, w.files)
	if kept := x.kept(p); kept != "" && err == nil && r < longer {
		// What it was before the program went on with it in another form.
		was, err := x.compare(filepath.Join(filepath.Dir(path), kept), *p.file, on.Root, w.files)
		if err == nil && was == equal {
			return longer, nil
		}
	}
	return r, err
}

// kept is the name under which the program keeps a file as it was; "" when it
// does not.
func (x *Export) kept(p part) string {
	for i := range x.Manifest.Files {
		if p.file == &x.Manifest.Files[i] {
			return x.Mapping.Write.Files[i].Kept
		}
	}
	return ""
}

// continued reports whether the session in a file or store begins with what was
// exported, though its bytes do not, or files beside it are others.
func (x *Export) continued(ctx context.Context, p part, path string) bool {
	if p.step != nil {
		r, err := x.relate(ctx, p, path)
		return err == nil && r >= longer
	}
	there, err := x.load(ctx, path, "")
	if err != nil {
		return false
	}
	defer there.Close()
	ours, err := x.load(ctx, x.at(x.Manifest.Files[0].Path), "")
	if err != nil {
		return false
	}
	defer ours.Close()
	return convert.Begins(there.Session, ours.Session)
}

// counterpart is the file that a path has, below another file or folder that is
// named after the session.
func (x *Export) counterpart(found, path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if strings.Contains(part, x.Manifest.Target.SessionID) {
			return filepath.Join(append([]string{found}, parts[i+1:]...)...)
		}
	}
	return found
}

// search finds what there is of a bundle: what is named after the session in the
// folders where such are, or the session in a store of many.
func (x *Export) search(ctx context.Context, on Machine, b bundle) ([]string, error) {
	if b.shared() {
		r, err := x.relate(ctx, b.parts[0], on.below(b.path))
		if err != nil || r == missing {
			return nil, err
		}
		return []string{on.below(b.path)}, nil
	}
	var found []string
	for _, folder := range append([]string{x.folder(b)}, x.Mapping.Write.Also...) {
		err := filepath.WalkDir(on.below(folder), func(path string, e fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil && e != nil && e.IsDir():
				return filepath.SkipDir // it is not there, or not ours to look at
			case err != nil:
				return nil
			case strings.HasPrefix(e.Name(), tempPrefix):
				if e.IsDir() {
					return filepath.SkipDir
				}
				return nil
			case strings.Contains(e.Name(), x.Manifest.Target.SessionID):
				found = append(found, path)
				if e.IsDir() {
					return filepath.SkipDir
				}
			}
			return nil
		})
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
	}
	return found, nil
}

// folder is where such bundles of all sessions are: the beginning that the paths
// of its files have in common, whatever the session.
func (x *Export) folder(b bundle) string {
	other := render.Place{ID: "0", Cwd: "/0", Title: "0", Home: "/1", Temp: "/2"}
	files, err := render.Paths(x.Mapping, other)
	stores, err2 := render.Stores(x.Mapping, other)
	if err != nil || err2 != nil {
		return "."
	}
	// The one that goes the furthest along with the bundle's is its own.
	best := 0
	a := strings.Split(b.parts[0].path, "/")
	for _, path := range append(files, stores...) {
		o := strings.Split(path, "/")
		n := 0
		for n < min(len(a), len(o))-1 && a[n] == o[n] {
			n++
		}
		best = max(best, n)
	}
	if best == 0 {
		return "."
	}
	return strings.Join(a[:best], "/")
}
