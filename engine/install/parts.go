package install

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/render"
)

// part is something of a session below the program's home: a file of the export
// or a store that a handler makes of one.
type part struct {
	path string         // below the root
	file *manifest.File // nil for a store
	step *manifest.Step // of a store
	by   *handler.Storer
}

// bundle is what gets its name at once: a file, a folder of the session's own,
// or a session in a store of many.
type bundle struct {
	path  string // below the root
	parts []part
}

// single reports whether the bundle is one file of the export, which has no
// folder of its own.
func (b *bundle) single() bool {
	return len(b.parts) == 1 && b.parts[0].file != nil && b.path == b.parts[0].path
}

// shared reports whether the bundle is a session in a store of many.
func (b *bundle) shared() bool { return b.parts[0].by != nil && b.parts[0].by.Shared }

// where is where everything of a session goes on a machine.
type where struct {
	files   []string // paths of the files of the export, in the manifest's order
	parts   []part   // stores, then files
	bundles []bundle // those in stores of many last
}

// where makes the paths again, with what only this machine knows.
func (x *Export) where(on Machine) (*where, error) {
	p, err := x.placeOn(on)
	if err != nil {
		return nil, err
	}
	w := &where{}
	if w.files, err = render.Paths(x.Mapping, p); err != nil {
		return nil, err
	}
	stores, err := render.Stores(x.Mapping, p)
	if err != nil {
		return nil, err
	}
	for i := range x.Manifest.Prepare {
		step := &x.Manifest.Prepare[i]
		if step.Handler == "" || len(stores) == 0 {
			continue
		}
		by, err := handler.LookupStorer(step.Handler)
		if err != nil {
			return nil, err
		}
		w.parts = append(w.parts, part{path: stores[0], step: step, by: by})
		stores = stores[1:]
	}
	for i := range x.Manifest.Files {
		if f := &x.Manifest.Files[i]; f.Install != nil && !x.imports() {
			w.parts = append(w.parts, part{path: w.files[i], file: f})
		}
	}
	w.bundles = bundles(w.parts, x.Manifest.Target.SessionID)
	return w, nil
}

// bundles groups parts by the folder that is named after the session.
func bundles(parts []part, id string) []bundle {
	var list, last []bundle
	for _, p := range parts {
		b := bundle{own(p.path, id), []part{p}}
		if b.shared() {
			last = append(last, b)
			continue
		}
		i := slices.IndexFunc(list, func(other bundle) bool { return other.path == b.path })
		if i >= 0 {
			list[i].parts = append(list[i].parts, p)
		} else {
			list = append(list, b)
		}
	}
	for i := range list {
		if b := &list[i]; !b.single() && b.path == b.parts[0].path {
			b.path = path.Dir(b.path) // a store never stands alone
		}
	}
	return append(list, last...)
}

// own is the part of a path that ends with the first name which holds the
// session's id; all of it when there is none.
func own(path, id string) string {
	names := strings.Split(path, "/")
	for i, name := range names {
		if strings.Contains(name, id) {
			return strings.Join(names[:i+1], "/")
		}
	}
	return path
}

// below is a path below the root of a machine.
func (on Machine) below(path string) string { return filepath.Join(on.Root, filepath.FromSlash(path)) }
