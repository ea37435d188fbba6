package install

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/manifest"
)

// native reports whether an export is a session as its own program wrote it,
// which goes back to where that has it.
func (x *Export) native() bool { return x.Manifest.Options.View == manifest.Native }

// nativeWhere is where the files of a native session go: as the manifest says.
func (x *Export) nativeWhere() (*where, error) {
	w := &where{}
	for i := range x.Manifest.Files {
		f := &x.Manifest.Files[i]
		if f.Install == nil || f.Install.Root == "" {
			return nil, fmt.Errorf("%s: it is not known where %s keeps this file: it was not taken from a store (--copy 1 makes a new session of what was said)",
				f.Path, x.Mapping.Harness)
		}
		w.files = append(w.files, f.Install.Path)
		w.parts = append(w.parts, part{path: f.Install.Path, file: f})
	}
	return w, nil
}

// restore puts a native session below the root: each file by itself, and that
// with the frames last, so that the program finds a whole session or none. A file
// of the whole store that is there stays as it is.
func (x *Export) restore(ctx context.Context, on Machine) (*Outcome, error) {
	w, err := x.nativeWhere()
	if err != nil {
		return nil, err
	}
	if err := x.unchanged(); err != nil {
		return nil, err
	}
	outcome := x.outcome(on, w)
	outcome.State = Already
	var absent []bundle
	for i, p := range slices.Backward(w.parts) {
		r, err := x.compare(on.below(p.path), *p.file, on.Root, w.files)
		switch {
		case err != nil:
			return nil, err
		case r == missing:
			absent = append(absent, bundle{p.path, []part{p}})
		case r == equal, p.file.Install.Shared:
		case r == longer || i == 0 && x.continued(ctx, p, on.below(p.path)):
			outcome.State = Resumed
		default:
			return nil, &ConflictError{on.below(p.path), x.Manifest.Target.SessionID}
		}
	}
	if n := len(absent); n > 0 && absent[n-1].path == w.parts[0].path {
		if err := x.alone(ctx, on, w); err != nil {
			return nil, err
		}
		outcome.State = Installed
	}
	return outcome, x.place(ctx, on, w, absent)
}

// alone reports whether the store has nothing else of the session's name.
func (x *Export) alone(ctx context.Context, on Machine, w *where) error {
	top, _, below := strings.Cut(w.parts[0].path, "/")
	if !below {
		return nil
	}
	id := x.Manifest.Target.SessionID
	err := filepath.WalkDir(on.below(top), func(path string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && e != nil && e.IsDir():
			return filepath.SkipDir // it is not there, or not ours to look at
		case err != nil || !strings.Contains(e.Name(), id):
			return nil
		case !x.ours(on, w, path):
			return &ConflictError{path, id}
		case e.IsDir():
			return filepath.SkipDir
		}
		return nil
	})
	return err
}

// ours reports whether a path is one of the session's own files, or a folder that
// has some.
func (x *Export) ours(on Machine, w *where, path string) bool {
	return slices.ContainsFunc(w.files, func(f string) bool {
		own := on.below(f)
		return own == path || strings.HasPrefix(own, path+string(filepath.Separator))
	})
}
