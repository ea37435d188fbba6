package discover

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/value"
)

// How much of the beginning and of the end of a file is read: first a little,
// and more when that does not tell what is to be known.
var sampleSizes = []int64{4 << 10, 16 << 10, sampleMost}

const sampleMost = 64 << 10

// sample is the beginning and the end of a session as an input of its own. Where
// a session is no file of text, it is the session, of which headFrames are read.
type sample struct {
	in    *engine.Input
	whole bool // nothing is left out
	head  int  // frames; 0: all
}

// headFrames is how much is read of what is no file of text.
const headFrames = 64

// sample opens the candidate, of which at most so many bytes of each end are
// wanted.
func (c *candidate) sample(size int64) (*sample, func() error, error) {
	if c.folder() {
		return &sample{in: engine.Folder(c.path), head: headFrames}, func() error { return nil }, nil
	}
	if c.linked() != nil {
		in, done, err := engine.OpenInput(c.path)
		return &sample{in: in, head: headFrames}, done, err
	}
	f, err := os.Open(c.path)
	if err != nil {
		return nil, nil, err
	}
	s, err := c.textSample(f, size)
	if err != nil || s != nil {
		f.Close()
		return s, func() error { return nil }, err
	}
	f.Close()
	in, done, err := engine.OpenInput(c.path)
	if err != nil {
		return nil, nil, err
	}
	return &sample{in: in, head: headFrames}, done, nil
}

// textSample samples a file of JSON, or of JSON lines; nil when it is neither.
func (c *candidate) textSample(f *os.File, size int64) (*sample, error) {
	s := &sample{in: engine.Bytes(c.path, nil)}
	give := func(text []byte) (*sample, error) {
		s.in = engine.Bytes(c.path, text)
		return s, nil
	}
	if strings.HasSuffix(c.path, ".zst") {
		head, err := unpackedHead(f, size)
		if err != nil {
			return nil, err
		}
		if s.whole = int64(len(head)) < size; !s.whole {
			head = cutLines(head)
		}
		return give(head)
	}
	head := make([]byte, min(c.size, 2*size))
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	head = head[:n]
	switch {
	case !isText(head):
		return nil, nil
	case c.size <= 2*size:
		s.whole = true
		return give(head)
	}
	head = head[:size]
	tail := make([]byte, size)
	n, err = f.ReadAt(tail, c.size-size)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	_, tail, _ = bytes.Cut(tail[:n], []byte{'\n'})
	if !c.lines(head, tail) {
		return give(closed(head))
	}
	return give(append(cutLines(head), tail...))
}

// documentHead is how much of a document the values of a layout see.
const documentHead = 4 << 10

// document is the beginning of a file that is one JSON document; absent for
// others.
func (c *candidate) document() value.Value {
	f, err := os.Open(c.path)
	if err != nil {
		return value.Value{}
	}
	defer f.Close()
	head := make([]byte, min(c.size, documentHead))
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) || !isText(head[:n]) {
		return value.Value{}
	}
	text := bytes.ToValidUTF8(closed(bytes.TrimPrefix(head[:n], mark)), nil)
	if l := c.linked(); l != nil {
		text = slices.Concat([]byte(`{"`+l.Doc+`":`), text, []byte{'}'})
	}
	var doc value.Doc
	if doc.Parse(text) != nil {
		return value.Value{}
	}
	return doc.Root()
}

// linked says how the files of the session name each other, when the layout's
// format is one of such sessions; nil for others.
func (c *candidate) linked() *mapping.Linked {
	for _, f := range c.layout.Formats {
		if f.Frames.Linked != nil {
			return f.Frames.Linked
		}
	}
	return nil
}

// unpackedHead is the beginning of what a file holds compressed.
func unpackedHead(f *os.File, size int64) ([]byte, error) {
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return io.ReadAll(io.LimitReader(z, size))
}

var mark = []byte("\ufeff")

// isText reports whether bytes begin as JSON does.
func isText(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, mark), " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[')
}

// lines reports whether a file consists of JSON lines, and is not one document,
// by its beginning and the lines at its end.
func (c *candidate) lines(head, tail []byte) bool {
	lines, documents := false, false
	for _, f := range c.formats() {
		lines = lines || f.Frames.Lines
		documents = documents || f.Frames.JSON != nil
	}
	if !lines || !documents {
		return lines
	}
	line, _, more := bytes.Cut(bytes.TrimLeft(bytes.TrimPrefix(head, mark), "\r\n"), []byte{'\n'})
	if !more { // the first line is too long to tell
		line, _, _ = bytes.Cut(tail, []byte{'\n'})
	}
	var doc value.Doc
	return doc.Parse(bytes.ToValidUTF8(line, nil)) == nil
}

// cutLines leaves out a last line that is not whole; the only one is closed.
func cutLines(head []byte) []byte {
	if n := bytes.LastIndexByte(head, '\n'); n >= 0 {
		return head[:n+1]
	}
	return append(closed(head), '\n')
}
