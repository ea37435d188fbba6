package linked

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// builder puts a JSON object together out of files.
type builder struct {
	stream *stream
	out    []byte
	size   int64 // bytes of the object, also when out was cut short
	lost   []frame.Lost
	file   []byte // the one at hand
	doc    value.Doc
}

// keep is how much memory a builder keeps between frames, in bytes.
const keep = 4 << 20

// session makes the document of the session's own file.
func (b *builder) session(in *frame.Input, p place) error {
	if in.Size > b.stream.limit {
		return trajectory.Errorf(trajectory.InvalidInput, "the session's own file is longer than the limit of frames")
	}
	b.file = slices.Grow(b.file[:0], int(in.Size))[:in.Size]
	if _, err := in.ReadAt(b.file, 0); err != nil && err != io.EOF {
		return err
	}
	if reason := b.parse(); reason != "" {
		return trajectory.Errorf(trajectory.InvalidInput, "%s: the session's own file %s", p.own, reason)
	}
	b.stream.parts = p.parts
	b.begin(b.stream.spec.Doc)
	b.object(b.stream.spec.Input, p.parts)
	b.out = append(b.out, '}')
	return nil
}

// frame makes the frame of a file; out is nil when that cannot be read.
func (b *builder) frame(e *entry) {
	spec := b.stream.spec
	if cap(b.out) > keep {
		b.out = nil
	}
	if cap(b.file) > keep {
		b.file = nil
	}
	b.lost, b.size = nil, 0
	b.begin(spec.As)
	if !b.add(spec.Files, e.name, e.parts) {
		b.out = nil // nobody knows what the lists would belong to
		return
	}
	for _, l := range spec.Lists {
		b.list(l, e.parts)
	}
	b.out = append(b.out, '}')
	b.size += int64(len(b.out))
}

func (b *builder) begin(member string) {
	b.out = append(b.out[:0], `{"`...)
	b.out = append(value.AppendEncoded(b.out, member), `":`...)
}

// list adds a member that is a list of files. Without the folder there is none.
func (b *builder) list(l *mapping.LinkedList, parts []mapping.Part) {
	dir := l.Files.Dir(parts)
	files, err := b.stream.names(dir, l.Files, parts)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	b.out = append(b.out, `,"`...)
	b.out = append(value.AppendEncoded(b.out, l.Member), `":[`...)
	if err != nil {
		b.lose(dir, why(err))
	}
	begin := len(b.out)
	for i := range files {
		before := len(b.out)
		if before > begin {
			b.out = append(b.out, ',')
		}
		if !b.add(l.Files, files[i].name, files[i].parts) {
			b.out = b.out[:before]
		}
		if over := int64(len(b.out)); over > b.stream.limit { // counted, no longer kept
			b.size, b.out, begin = b.size+over, b.out[:0], 0
		}
	}
	b.out = append(b.out, ']')
}

// add appends what a file holds; false when it cannot be read.
func (b *builder) add(p *mapping.Pattern, name string, parts []mapping.Part) bool {
	file := path.Join(p.Dir(parts), name)
	reason := b.read(file)
	if reason == "" {
		reason = b.parse()
	}
	if reason != "" {
		b.lose(file, reason)
		return false
	}
	b.object(p, parts)
	return true
}

func (b *builder) lose(file, reason string) {
	b.lost = append(b.lost, frame.Lost{File: file, Reason: reason})
}

// read fills b.file; it gives the reason why it cannot.
func (b *builder) read(name string) (reason string) {
	root := b.stream.root
	// Looked at first, because opening a pipe would wait for its writer.
	info, err := root.Lstat(name)
	switch {
	case err != nil:
		return why(err)
	case info.Mode()&fs.ModeSymlink != 0:
		return errLink.Error()
	case !info.Mode().IsRegular():
		return errIrregular.Error()
	case info.Size() > b.stream.limit:
		return "is longer than the limit of frames"
	}
	f, err := root.Open(name)
	if err != nil {
		return why(err)
	}
	defer f.Close()
	b.file = slices.Grow(b.file[:0], int(info.Size()))[:info.Size()]
	n, err := io.ReadFull(f, b.file)
	b.file = b.file[:n]
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return why(err)
	}
	return ""
}

// parse indexes b.file; it gives the reason why it cannot.
func (b *builder) parse() (reason string) {
	b.file = frame.Valid(b.file)
	switch {
	case len(b.file) == 0:
		return "is empty"
	case b.doc.Parse(b.file) != nil:
		return "is not JSON"
	case b.doc.Root().Kind() != value.Object:
		return "is not a JSON object"
	}
	return ""
}

// object appends the object at hand, with the id that its path says.
func (b *builder) object(p *mapping.Pattern, parts []mapping.Part) {
	root, id := b.doc.Root(), b.stream.spec.ID
	said := partNamed(parts, p.Own())
	if id == "" || root.Get(id).Equal(said) {
		b.out = append(b.out, root.Raw()...)
		return
	}
	b.out = append(append(b.out, `{"`...), id...)
	b.out = append(value.AppendEncoded(append(b.out, `":"`...), said), '"')
	for name, member := range root.Members() {
		if name.Is(id) {
			continue
		}
		b.out = value.AppendEncoded(append(b.out, `,"`...), name.String())
		b.out = append(append(b.out, `":`...), member.Raw()...)
	}
	b.out = append(b.out, '}')
}

func partNamed(parts []mapping.Part, name string) string {
	for _, p := range parts {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}
