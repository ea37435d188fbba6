package read

import (
	"cmp"
	"io"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// detectFrames is how many frames a format may look at to know an input.
const detectFrames = 50

// opened is an input that a format cuts into frames.
type opened struct {
	stream frame.Stream
	close  func() error // never nil
}

// open finds the format of an input. Without one that recognises it, the first
// that frames it at all is taken: the caller named the harness, and the errors
// should be about what that harness would expect.
func open(m *mapping.Mapping, in *frame.Input, o Options) (*mapping.Format, opened, error) {
	var fallback *mapping.Format
	var kept opened // of fallback
	var first, foreign error
	for _, f := range m.Formats {
		op, err := openFrames(f, in, o)
		if err != nil {
			if handler.IsForeign(err) {
				foreign = cmp.Or(foreign, err)
			} else {
				first = cmp.Or(first, err)
			}
			continue
		}
		found := detects(f, in, op.stream)
		if !found && f.Refuse == "" && fallback == nil {
			fallback, kept = f, op
			continue
		}
		if found && fallback != nil {
			kept.close()
		}
		if found && f.Refuse == "" {
			return rewound(f, op)
		}
		op.close()
		if found {
			return nil, opened{}, trajectory.Errorf(trajectory.InvalidInput, "%s (the format %s of %s)", f.Refuse, f.Name, m.Harness)
		}
	}
	if fallback != nil {
		return rewound(fallback, kept)
	}
	if err := cmp.Or(first, foreign); err != nil {
		return nil, opened{}, err
	}
	return nil, opened{}, trajectory.Errorf(trajectory.InvalidInput, "the mapping of %s has no format", m.Harness)
}

func rewound(f *mapping.Format, o opened) (*mapping.Format, opened, error) {
	if err := o.stream.Rewind(); err != nil {
		o.close()
		return nil, opened{}, err
	}
	return f, o, nil
}

// openFrames opens a format's framing. A document is read through once, for its
// frames may stand before the members that tell what it is.
func openFrames(f *mapping.Format, in *frame.Input, o Options) (opened, error) {
	nothing := func() error { return nil }
	switch {
	case f.Frames.Lines:
		return opened{frame.Lines(in, o.Limits), nothing}, nil
	case f.Frames.JSON != nil:
		stream := frame.Elements(in, f.Frames.JSON, o.Limits)
		for {
			if _, err := stream.Next(); err == io.EOF {
				return opened{stream, nothing}, stream.Rewind()
			} else if err != nil {
				return opened{}, err
			}
		}
	case f.Frames.Files != "":
		return opened{frame.Files(in.Name, f.Frames.Files, o.Limits), nothing}, nil
	}
	name, ho := f.Frames.Handler, handler.Options{Limits: o.Limits, Session: o.Session}
	if f.Frames.SQLite != "" {
		name, ho.Queries = "sqlite", &handler.Queries{Rows: []string{f.Frames.SQLite}}
	}
	open, err := handler.Lookup(name)
	if err != nil {
		return opened{}, err
	}
	stream, done, err := open(in, ho)
	return opened{stream, done}, err
}

// detects reports whether a format recognises the input that it has cut.
func detects(f *mapping.Format, in *frame.Input, stream frame.Stream) (found bool) {
	look(stream, []*probe{newProbe(f, in, func() { found = true })})
	return found
}
