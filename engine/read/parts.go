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
func (l *partList) add(path string, role PartRole, pack bool) {
	path = filepath.Clean(path)
	if l.known[path] {
		return
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return
	}
	l.known[path] = true
	l.parts = append(l.parts, Part{path, role, pack})
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
			l.add(filepath.Join(own.in.Name, filepath.FromSlash(name)), Own, false)
		}
	} else {
		l.add(own.in.Name, Own, handled(f) && IsDatabase(own.in))
	}
	for _, parent := range s.sources[:len(s.sources)-1] {
		l.add(parent.in.Name, Parent, false)
	}
	files := newSiblings(f, own.in)
	for _, ref := range f.Files {
		l.add(files.path(ref), Stated, false)
	}
	for _, pattern := range f.Beside {
		names, err := beside.Glob(files.dir, files.quoted.Replace(pattern))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, name := range names {
			l.add(filepath.Join(files.dir, filepath.FromSlash(name)), Attached, false)
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
