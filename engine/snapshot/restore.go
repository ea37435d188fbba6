package snapshot

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/render"
)

// ErrDatabase says that a session cannot be put back as it was, because its
// harness keeps it in a database with others.
var ErrDatabase = errors.New("database_session: the session comes from a database, of which a snapshot has what was read: it cannot be put back as it was")

// Restore writes the native files of a snapshot into a folder, with the places
// that they have below the home of their harness, and gives the manifest of that
// export. source is the session, read from them. The error is [ErrDatabase], or of
// writing.
func (o *Opened) Restore(m *mapping.Mapping, source *convert.Source, dir string) (*manifest.Manifest, error) {
	stores := o.Raw.Encoding == Readout || o.Raw.Readout
	by := source.Read.Format.Frames.Handler
	if stores && !o.storable(by) {
		hint := ""
		if m.Write != nil {
			hint = " (--copy 1 makes a new session of what was said)"
		}
		return nil, fmt.Errorf("%w%s", ErrDatabase, hint)
	}
	s := source.Session
	home, prefix := homeOf(m, o.Source.Locator.Path)
	out := &manifest.Manifest{
		Kind: manifest.Kind, Version: manifest.Version,
		Source:  manifest.Source{Harness: s.Source, SessionID: o.Source.SessionID, SnapshotID: o.ID, RecordsSHA256: s.Seed},
		Target:  manifest.Target{Harness: m.Harness, SessionID: o.Source.SessionID, MappingSHA256: m.SHA256, Home: []string{}},
		Session: manifest.Session{Cwd: o.Source.Cwd, Title: o.Source.Title, CreatedAt: timeText(s.Created)},
		Options: manifest.Options{View: manifest.Native, Reasoning: "keep", Allow: []string{}},
		Prepare: []manifest.Step{{Step: "place", Verify: "each file is read back and its SHA-256 compared"}},
		Loss:    convert.Lossless(s), IDs: manifest.IDs{Rewritten: map[string]string{}}, Diagnostics: []manifest.Diagnostic{},
	}
	root := ""
	if home != nil {
		out.Target.Home, root = home.Places, home.Places[0]
	}
	secrets := 0
	for i, f := range o.Files() {
		path := prefix + f.Name
		install := &manifest.Install{Root: root, Path: path, Shared: f.Shared}
		if stores && i == 0 {
			out.Prepare = append([]manifest.Step{{
				Step: "store", Handler: by, Path: path, File: readoutsFolder + "/" + m.Harness + ".readout.json",
				Verify: "the store is read back and compared with the file",
			}}, out.Prepare...)
			path, install = out.Prepare[0].File, nil
		}
		if err := copyFile(filepath.Join(o.tree, filepath.FromSlash(f.Name)), filepath.Join(dir, filepath.FromSlash(path))); err != nil {
			return nil, err
		}
		out.Files = append(out.Files, manifest.File{
			Path: path, SHA256: f.SHA256, Bytes: f.Bytes, Mode: "0600",
			Install: install,
		})
		secrets += f.Secrets
	}
	if secrets > 0 {
		out.Diagnostics = append(out.Diagnostics, manifest.Diagnostic{Code: secretCode, Count: secrets})
	}
	out.Resume = resume(m, source, out)
	return out, nil
}

// readoutsFolder is the folder of an export that readouts are in, until a handler
// makes stores of them.
const readoutsFolder = "readouts"

// storable reports whether a handler makes a store of what the snapshot has of a
// database.
func (o *Opened) storable(by string) bool {
	storer, err := handler.LookupStorer(by)
	if by == "" || err != nil || storer.Shared {
		return false
	}
	in, done, err := open(filepath.Join(o.tree, filepath.FromSlash(o.Raw.Name)))
	if err != nil {
		return false
	}
	defer done()
	return !read.IsReadout(in)
}

// homeOf is the folder of a harness that a session's path is below, and the path's
// own folders where that is not the one its program is told of. It is nil when the
// harness would not find it there.
func homeOf(m *mapping.Mapping, path string) (home *mapping.Root, prefix string) {
	names := namesOf(path)
	for p, store := range patterns(m) {
		if p.Folder == strings.HasSuffix(path, "/") && match(p.Segments, names, nil) {
			return told(m, store.Roots)
		}
	}
	return nil, ""
}

// told is the first of a store's roots that is a single folder; where the harness
// is told of a folder above it, that.
func told(m *mapping.Mapping, roots []*mapping.Root) (*mapping.Root, string) {
	i := slices.IndexFunc(roots, func(r *mapping.Root) bool {
		return !slices.ContainsFunc(r.Places, func(p string) bool { return strings.Contains(p, "*") })
	})
	if i < 0 {
		return nil, ""
	}
	if m.Write != nil && m.Write.Home != nil {
		above, own := last(m.Write.Home.Places), last(roots[i].Places)
		if below, ok := strings.CutPrefix(own+"/", above+"/"); ok {
			return m.Write.Home, below
		}
	}
	return roots[i], ""
}

func last(list []string) string { return list[len(list)-1] }

// resume is how the harness goes on with the session, as far as its mapping says.
func resume(m *mapping.Mapping, source *convert.Source, of *manifest.Manifest) manifest.Resume {
	if m.Resume == nil || m.Write == nil {
		return manifest.Resume{}
	}
	e := &render.Export{ID: of.Target.SessionID}
	for i, f := range m.Write.Files {
		if i < len(of.Files) {
			e.Files = append(e.Files, render.File{Name: f.Name, Path: of.Files[i].Path, SHA256: of.Files[i].SHA256, Size: of.Files[i].Bytes})
		}
	}
	c, err := render.Commands(m, source.Session, e, render.Options{})
	if err != nil {
		return manifest.Resume{}
	}
	return convert.ResumeOf(c)
}
