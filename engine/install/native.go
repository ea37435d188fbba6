package install

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/manifest"
)

// native reports whether an export is a session as its own program wrote it,
// which goes back to where that has it.
func (x *Export) native() bool { return x.Manifest.Options.View == manifest.Native }

// nativeWhere is where the files of a native session go: as the manifest says. The
// bundle with the frames is the first. A store gets its name with the folder that it
// is in.
func (x *Export) nativeWhere() (*where, error) {
	w := &where{}
	for i := range x.Manifest.Prepare {
		step := &x.Manifest.Prepare[i]
		if step.Handler == "" {
			continue
		}
		by, err := handler.LookupStorer(step.Handler)
		if err != nil {
			return nil, err
		}
		if by.Shared || !strings.Contains(step.Path, "/") || x.Mapping.Write == nil {
			return nil, fmt.Errorf("the store of %s is not one of a single session", x.Mapping.Harness)
		}
		p := part{path: step.Path, step: step, by: by}
		w.parts = append(w.parts, p)
		w.bundles = append(w.bundles, bundle{path.Dir(step.Path), []part{p}})
	}
	stores := len(w.bundles)
	for i := range x.Manifest.Files {
		f := &x.Manifest.Files[i]
		if f.Install == nil && stores > 0 { // a handler makes a store of it
			w.files = append(w.files, f.Path)
			continue
		}
		if f.Install == nil || f.Install.Root == "" {
			return nil, fmt.Errorf("%s: it is not known where %s keeps this file: it was not taken from a store (--copy 1 makes a new session of what was said)",
				f.Path, x.Mapping.Harness)
		}
		p := part{path: f.Install.Path, file: f}
		w.files, w.parts = append(w.files, p.path), append(w.parts, p)
		at := slices.IndexFunc(w.bundles[:stores], func(b bundle) bool { return strings.HasPrefix(p.path, b.path+"/") })
		if at >= 0 {
			w.bundles[at].parts = append(w.bundles[at].parts, p)
		} else {
			w.bundles = append(w.bundles, bundle{p.path, []part{p}})
		}
	}
	return w, nil
}

// restore puts a native session below the root: each bundle by itself, and that
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
	if w.parts[0].step != nil { // a store of the program's own kind
		if err := x.tested(ctx, on); err != nil {
			return nil, err
		}
	}
	outcome := x.outcome(on, w)
	outcome.State = Already
	var absent []bundle
	for i, b := range slices.Backward(w.bundles) {
		p := b.parts[0]
		r, err := x.standing(ctx, on, w, p)
		switch {
		case err != nil:
			return nil, err
		case r == missing:
			absent = append(absent, b)
		case r == equal, p.file != nil && p.file.Install.Shared:
		case r == longer || i == 0 && x.continued(ctx, p, on.below(p.path)):
			outcome.State = Resumed
		default:
			return nil, &ConflictError{on.below(p.path), x.Manifest.Target.SessionID}
		}
	}
	if n := len(absent); n > 0 && absent[n-1].path == w.bundles[0].path {
		if err := x.alone(ctx, on, w); err != nil {
			return nil, err
		}
		outcome.State = Installed
	}
	return outcome, x.place(ctx, on, w, absent)
}

// standing says how what is in the place of a part stands to it.
func (x *Export) standing(ctx context.Context, on Machine, w *where, p part) (relation, error) {
	if p.step != nil {
		return x.relate(ctx, p, on.below(p.path))
	}
	return x.compare(on.below(p.path), *p.file, on.Root, w.files)
}

// prepareNative makes a native session ready as it lies: only stores are to be
// made.
func (x *Export) prepareNative(ctx context.Context, on Machine) (*Outcome, error) {
	on.Root, on.Default = x.Dir, false
	w, err := x.nativeWhere()
	if err != nil {
		return nil, err
	}
	if err := x.unchanged(); err != nil {
		return nil, err
	}
	outcome := x.outcome(on, w)
	outcome.State = Installed
	if w.parts[0].step == nil {
		return outcome, nil
	}
	if err := x.tested(ctx, on); err != nil {
		return nil, err
	}
	return outcome, x.settleStores(ctx, on, w)
}

// alone reports whether the store has nothing else of the session's name.
func (x *Export) alone(ctx context.Context, on Machine, w *where) error {
	top, _, below := strings.Cut(w.parts[0].path, "/")
	if !below {
		return nil
	}
	id := x.Manifest.Target.SessionID
	err := filepath.WalkDir(on.below(top), func(at string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && e != nil && e.IsDir():
			return filepath.SkipDir // it is not there, or not ours to look at
		case err != nil || !strings.Contains(e.Name(), id):
			return nil
		case !x.ours(on, w, at):
			return &ConflictError{at, id}
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
	return slices.ContainsFunc(w.parts, func(p part) bool {
		own := on.below(p.path)
		return own == path || strings.HasPrefix(own, path+string(filepath.Separator))
	})
}
