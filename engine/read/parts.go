package read

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/trajmap/trajmap/engine/beside"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
)

// PartRole says what a file is to a session.
type PartRole uint8

// The roles of parts.
const (
	Own      PartRole = iota // its frames are the session's
	Stated                   // the mapping's `files`: values look at it
	Parent                   // of a session that this one continues
	Attached                 // the mapping's `beside`: nothing looks at it
)

// Part is a file of a session, or one that is looked at when it is read.
type Part struct {
	Path string // as the input's name leads to it
	Role PartRole
	// Folder is the session's folder, where its frames are in several files.
	Folder string
	// Pack: the input is a database, of which the session is a part.
	Pack bool
}

// Parts lists the files of the session of an input, in both views, without those
// that its frames alone name; the first is the one that its frames come from. It
// reads no more of them than it takes to know the format.
func Parts(ctx context.Context, m *mapping.Mapping, in *frame.Input, o Options) ([]Part, error) {
	l := &partList{known: map[string]bool{}}
	for _, view := range []mapping.View{mapping.Archive, mapping.ActiveView} {
		o.View = view
		if err := l.view(ctx, m, in, o); err != nil {
			return nil, err
		}
	}
	return l.parts, nil
}

type partList struct {
	parts []Part
	known map[string]bool
}

// add takes a file that is there.
func (l *partList) add(p Part) {
	p.Path = filepath.Clean(p.Path)
	if l.known[p.Path] {
		return
	}
	if info, err := os.Stat(p.Path); err != nil || !info.Mode().IsRegular() {
		return
	}
	l.known[p.Path] = true
	l.parts = append(l.parts, p)
}

func (l *partList) view(ctx context.Context, m *mapping.Mapping, in *frame.Input, o Options) error {
	f, op, err := open(m, in, o)
	if err != nil {
		return err
	}
	s := &session{}
	s.start(ctx, m, f, op.in, o)
	defer s.closeSources()
	if err := s.lineage(op); err != nil {
		return err
	}
	own := s.sources[len(s.sources)-1]
	if own.in.Name == "-" || own.in.Name == "" {
		return nil
	}
	if f.Frames.Files != "" {
		names, err := beside.Glob(own.in.Name, f.Frames.Files)
		if err != nil {
			return err
		}
		for _, name := range names {
			l.add(Part{Path: filepath.Join(own.in.Name, filepath.FromSlash(name)), Role: Own, Folder: own.in.Name})
		}
	} else {
		l.add(Part{Path: own.in.Name, Role: Own, Pack: handled(f) && IsDatabase(own.in)})
	}
	if several, ok := op.stream.(interface{ Paths() ([]string, error) }); ok {
		paths, err := several.Paths()
		if err != nil {
			return err
		}
		for _, path := range paths {
			l.add(Part{Path: path, Role: Own})
		}
	}
	for _, parent := range s.sources[:len(s.sources)-1] {
		l.add(Part{Path: parent.in.Name, Role: Parent})
	}
	files := newSiblings(f, own.in)
	for _, ref := range f.Files {
		l.add(Part{Path: files.path(ref), Role: Stated})
	}
	for _, pattern := range f.Beside {
		names, err := beside.Glob(files.dir, files.quoted.Replace(pattern))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, name := range names {
			l.add(Part{Path: filepath.Join(files.dir, filepath.FromSlash(name)), Role: Attached})
		}
	}
	return nil
}

// IsDatabase reports whether an input begins as SQLite's files do.
func IsDatabase(in *frame.Input) bool {
	const magic = "SQLite format 3\x00"
	head := make([]byte, len(magic))
	n, _ := in.ReadAt(head, 0)
	return string(head[:n]) == magic
}
