package engine

import (
	"bytes"
	"context"
	"math"
	"os"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
)

// Recognises reports whether an input is one of the mapping's harness.
func (m *Mapping) Recognises(in *Input) bool {
	return len(read.Recognise([]*mapping.Mapping{m.Mapping}, in, frame.Options{})) > 0
}

// Sessions lists the sessions of an input that holds several, the one used last
// first; nil when it is not such an input.
func (m *Mapping) Sessions(in *Input) ([]handler.Session, error) {
	list, _, err := read.Sessions(m.Mapping, m.Formats, in, frame.Options{})
	return list, err
}

// Detect finds the mapping that recognises an input; nil when none does. Of
// several it is the one that leaves least of the input unexplained, of equals
// the first by name. The error is of a mapping that does not compile: whether it
// would recognise the input cannot be known.
func (c *Catalog) Detect(ctx context.Context, in *Input) (*Mapping, error) {
	var all []*Mapping
	for _, e := range c.entries {
		m, err := e.Open()
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	for _, m := range Best(ctx, all, in) {
		return m, ctx.Err()
	}
	return nil, ctx.Err()
}

// Best gives the mappings that recognise an input, in their order: of several
// those that leave least of it unexplained.
func Best(ctx context.Context, mappings []*Mapping, in *Input) []*Mapping {
	all := map[*mapping.Mapping]*Mapping{}
	var order []*mapping.Mapping
	for _, m := range mappings {
		all[m.Mapping], order = m, append(order, m.Mapping)
	}
	found := read.Recognise(order, in, frame.Options{})
	var best []*Mapping
	least := math.MaxInt
	for _, m := range found {
		n := 0
		if len(found) > 1 {
			n = all[m].unexplained(ctx, in)
		}
		if n < least {
			best, least = nil, n
		}
		if n == least {
			best = append(best, all[m])
		}
	}
	return best
}

// headSize is how much of an input that several mappings recognise is read to
// choose between them.
const headSize = 1 << 20

// unexplained counts what a mapping does not know in the head of an input: kinds
// without a rule and departures from the native schema.
func (m *Mapping) unexplained(ctx context.Context, in *Input) int {
	o := Options{Drift: true, Alone: true, Normalize: normalize.Options{Partial: true}}
	all := func(Record) bool { return true }
	head := *in
	head.Size = min(head.Size, headSize)
	result, err := m.each(ctx, &head, o, all)
	if head.Size < in.Size && (err != nil || result.Ledger.Frames == 0) { // half a document is none
		result, err = m.each(ctx, in, o, all)
	}
	if err != nil {
		return math.MaxInt
	}
	n := result.Ledger.Invalid
	for _, e := range result.Ledger.Entries {
		if e.Bucket == read.Unmapped {
			n += e.Count
		}
	}
	for _, k := range result.Ledger.Keys {
		n += k.Count
	}
	return n
}

// Folder is the input of a session that is a folder of files.
func Folder(path string) *Input {
	// The separator at the end makes files beside the session those within it.
	if path == "" || !os.IsPathSeparator(path[len(path)-1]) {
		path += string(os.PathSeparator)
	}
	return &Input{Name: path, ReaderAt: bytes.NewReader(nil)}
}

// ReadsFolders reports whether a session of the mapping's harness may be a
// folder.
func (m *Mapping) ReadsFolders() bool {
	for _, f := range m.Formats {
		if f.Frames.Files != "" || f.File != "" {
			return true
		}
	}
	return false
}

// OwnFiles are the files that sessions of the harness which consist of several
// are read from, as slash-separated paths in the session's folder.
func (m *Mapping) OwnFiles() []string {
	var names []string
	for _, f := range m.Formats {
		if f.File != "" {
			names = append(names, f.File)
		}
	}
	return names
}
