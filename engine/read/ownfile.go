package read

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/value"
)

// A session may consist of several files, of which the input is one, or the
// folder that they are in. What is here says which of them a format reads.

// forView puts the formats of a view before those of the other: where a session
// lacks the file of a view, the other one has to do.
func forView(formats []*mapping.Format, view mapping.View) []*mapping.Format {
	if view == mapping.AnyView {
		view = mapping.Archive
	}
	other := func(f *mapping.Format) int {
		if f.View == mapping.AnyView || f.View == view {
			return 0
		}
		return 1
	}
	sorted := slices.Clone(formats)
	slices.SortStableFunc(sorted, func(a, b *mapping.Format) int { return other(a) - other(b) })
	return sorted
}

// ownInput is what a format reads of an input. The error is one of
// [handler.Foreign] where it reads nothing of it.
func ownInput(m *mapping.Mapping, f *mapping.Format, in *frame.Input, alone bool) (*frame.Input, func() error, error) {
	switch {
	case f.Frames.Files != "":
		dir := sessionFolder(f, in)
		if dir == "" {
			return nil, nil, handler.Foreign("the input is not a folder with %s, nor one of these files", f.Frames.Files)
		}
		return &frame.Input{Name: dir, ReaderAt: in.ReaderAt}, nothingOpen, nil
	case f.File != "":
		return ownFile(m, f, in, alone)
	case isFolder(in) && (f.Frames.Lines || f.Frames.JSON != nil):
		return nil, nil, handler.Foreign("the input is a folder")
	}
	return in, nothingOpen, nil
}

func isFolder(in *frame.Input) bool {
	return in.Name != "" && os.IsPathSeparator(in.Name[len(in.Name)-1])
}

// ownFile opens the file of a format. An input that is named like it is read as it
// is, and so is one under a name that none of the mapping's formats has.
func ownFile(m *mapping.Mapping, f *mapping.Format, in *frame.Input, alone bool) (*frame.Input, func() error, error) {
	dir, base := filepath.Split(in.Name)
	part := base == "" || slices.ContainsFunc(m.Formats, func(g *mapping.Format) bool {
		return path.Base(g.File) == base || slices.ContainsFunc(g.Files, func(r *mapping.FileRef) bool { return r.Path == base })
	})
	switch {
	case base == path.Base(f.File) || !part:
		return in, nothingOpen, nil
	case alone && base != "":
		return nil, nil, handler.Foreign("the input is not %s", f.File)
	}
	own, done, err := frame.Open(filepath.Join(dir, f.File))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, frame.ErrDirectory) {
		return nil, nil, handler.Foreign("there is no %s", f.File)
	}
	return own, done, err
}

// sessionFolder is the folder whose files a format reads, for an input that is
// the folder, one of these files, or one of those that stand beside them; "" for
// others. It ends in a separator.
func sessionFolder(f *mapping.Format, in *frame.Input) string {
	if isFolder(in) {
		return in.Name
	}
	if in.Name == "" || in.Name == "-" {
		return ""
	}
	name, err := filepath.Abs(in.Name)
	if err != nil {
		return ""
	}
	names := strings.Split(filepath.ToSlash(name), "/")
	patterns := []string{f.Frames.Files}
	for _, ref := range f.Files {
		patterns = append(patterns, ref.Path)
	}
	for _, p := range patterns {
		depth := len(names) - strings.Count(p, "/") - 1
		if depth < 1 {
			continue
		}
		if fits, _ := path.Match(p, strings.Join(names[depth:], "/")); fits {
			return filepath.FromSlash(strings.Join(names[:depth], "/") + "/")
		}
	}
	return ""
}

// file is the path of the file that the frame at hand is in.
func (s *session) file() value.Value {
	return s.arena.String(pathOf(s.sources[s.source].in, s.at.File))
}

// pathOf is the absolute path of an input, or of a file in the folder that it is,
// with slashes; "" when the input is none.
func pathOf(in *frame.Input, below string) string {
	if !isFolder(in) {
		below = ""
	}
	if in.Name == "" || in.Name == "-" {
		return ""
	}
	name, err := filepath.Abs(in.Name)
	if err != nil {
		name = in.Name
	}
	return path.Join(filepath.ToSlash(name), below)
}
