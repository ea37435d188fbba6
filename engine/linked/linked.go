// Package linked puts the frames of a session together that lies in many files
// below one folder: its own file, one for each frame, and more for the lists that
// a frame holds. The mapping says where they are, see [mapping.Linked].
//
// Files are opened one at a time, and memory holds their names and one frame. Ids
// come from names alone, and no link is followed: nothing outside of the folders
// that the mapping names is read.
package linked

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// Open opens the session whose own file is the input. The function that it gives
// ends its use. An input at another place is refused with a [handler.Foreign],
// before anything is opened.
func Open(in *frame.Input, spec *mapping.Linked, limits frame.Options) (frame.Stream, func() error, error) {
	place, err := find(in, spec.Input)
	if err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(place.root)
	if err != nil {
		return nil, nil, err
	}
	s := &stream{root: root, spec: spec, parts: place.parts, limit: limits.Most(), seed: maphash.MakeSeed()}
	s.next.stream, s.at.stream = s, s
	if err := s.begin(in, place); err != nil {
		root.Close()
		return nil, nil, err
	}
	return s, root.Close, nil
}

// stream gives the frames of a session.
type stream struct {
	root  *os.Root
	spec  *mapping.Linked
	parts []mapping.Part // of the session's own path
	limit int64          // bytes of a frame
	doc   []byte
	files []entry // of the frames, in their order
	index int
	seed  maphash.Seed

	next, at builder
}

// entry is the file of a frame.
type entry struct {
	name  string
	parts []mapping.Part
	seen  uint64 // hash of the frame as it was first given; 0 before
}

// begin reads the session's own file and lists those of the frames.
func (s *stream) begin(in *frame.Input, p place) error {
	var own builder
	own.stream = s
	if err := own.session(in, p); err != nil {
		return err
	}
	s.doc = slices.Clone(own.out)
	dir := s.spec.Files.Dir(s.parts)
	names, err := s.names(dir, s.spec.Files, s.parts)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", dir, err)
	}
	s.files = names
	if s.spec.Order != "" {
		return s.sort(dir)
	}
	return nil
}

// names are the files of a folder that fit a pattern, in the order of their names.
func (s *stream) names(dir string, p *mapping.Pattern, above []mapping.Part) ([]entry, error) {
	list, err := s.list(dir)
	if err != nil {
		return nil, err
	}
	var found []entry
	for _, name := range list {
		if parts, fits := p.Last().Match(name, above); fits {
			found = append(found, entry{name: name, parts: parts})
		}
	}
	return found, nil
}

// list gives the names in a folder below the root, to which no link leads.
func (s *stream) list(dir string) ([]string, error) {
	if err := s.straight(dir); err != nil {
		return nil, err
	}
	f, err := s.root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// Why a path is not read.
var (
	errLink      = errors.New("is a link")
	errIrregular = errors.New("is not a regular file")
)

// straight looks for links in a path to a folder.
func (s *stream) straight(dir string) error {
	for at := dir; at != "."; at = path.Dir(at) {
		info, err := s.root.Lstat(at)
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return &fs.PathError{Op: "open", Path: at, Err: errLink}
		}
	}
	return nil
}

func (s *stream) Next() (frame.Frame, error) {
	if s.index == len(s.files) {
		return frame.Frame{}, io.EOF
	}
	s.index++
	return s.frame(&s.next, s.index-1)
}

func (s *stream) At(f frame.Frame) (frame.Frame, error) {
	if f.Index < 0 || f.Index >= len(s.files) {
		return frame.Frame{}, fmt.Errorf("no frame %d: %w", f.Index, fs.ErrNotExist)
	}
	return s.frame(&s.at, f.Index)
}

// frame puts a frame together. It is read more than once, and has to be the same
// each time.
func (s *stream) frame(b *builder, index int) (frame.Frame, error) {
	e := &s.files[index]
	b.frame(e)
	f := frame.Frame{Index: index, File: path.Join(s.spec.Files.Dir(s.parts), e.name), Length: b.size, Lost: b.lost}
	if f.TooBig = b.size > s.limit; !f.TooBig {
		f.Data = b.out
	}
	seen := maphash.Bytes(s.seed, b.out) | 1
	if e.seen != 0 && e.seen != seen {
		return frame.Frame{}, trajectory.Errorf(trajectory.InvalidInput, "the session changed while it was read")
	}
	e.seen = seen
	return f, nil
}

func (s *stream) Rewind() error {
	s.index = 0
	return nil
}

func (s *stream) Doc() []byte { return s.doc }

// Paths are the files that the session is read from, besides its own.
func (s *stream) Paths() ([]string, error) {
	var paths []string
	add := func(dir, name string) {
		paths = append(paths, filepath.Join(s.root.Name(), filepath.FromSlash(dir), name))
	}
	for _, e := range s.files {
		add(s.spec.Files.Dir(s.parts), e.name)
		for _, l := range s.spec.Lists {
			dir := l.Files.Dir(e.parts)
			list, err := s.names(dir, l.Files, e.parts)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			for _, item := range list {
				add(dir, item.name)
			}
		}
	}
	return paths, nil
}
