package read

import (
	"errors"
	"io"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/linked"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// detectFrames is how many frames a format may look at to know an input.
const detectFrames = 50

// opened is an input that a format cuts into frames.
type opened struct {
	in     *frame.Input // what is cut: the input, or a file that stands for it
	stream frame.Stream
	close  func() error // never nil
}

// open finds the format of an input. Without one that recognises it, the first
// that frames it at all is taken: the caller named the harness, and the errors
// should be about what that harness would expect.
func open(m *mapping.Mapping, in *frame.Input, o Options) (*mapping.Format, opened, error) {
	var fallback *mapping.Format
	var kept opened // of fallback
	var fault error
	worth := -1
	for _, f := range forView(m.Formats, o.View) {
		op, err := openFrames(m, f, in, o)
		if err == nil && handled(f) {
			err = begins(op)
		}
		if err != nil {
			if w := worthOf(f, err); w > worth {
				fault, worth = err, w
			}
			continue
		}
		found := detects(f, op.in, op.stream)
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
	// Any input has lines: a handler that knows what it is knows better.
	if fallback != nil && (worth < known || handled(fallback)) {
		return rewound(fallback, kept)
	}
	if fallback != nil {
		kept.close()
	}
	if fault != nil {
		return nil, opened{}, fault
	}
	return nil, opened{}, trajectory.Errorf(trajectory.InvalidInput, "the mapping of %s has no format", m.Harness)
}

// What the error of a format that cannot read an input is worth: how much it
// knows of what the input is.
const (
	strange = iota // it is another's
	torn           // it is not what the format cuts
	known          // it is the handler's own, and there is something wrong with it
	missing        // only the session that was asked for is not in it
)

func worthOf(f *mapping.Format, err error) int {
	var none *handler.MissingError
	switch {
	case errors.As(err, &none):
		return missing
	case handler.IsForeign(err):
		return strange
	case handled(f):
		return known
	}
	return torn
}

// handled reports whether a handler cuts a format's inputs.
func handled(f *mapping.Format) bool { return f.Frames.SQLite != nil || f.Frames.Handler != "" }

// begins looks whether a handler's stream gives what it promised: what a list of
// sessions does not need to know may be found out by the first frame only.
func begins(o opened) error {
	_, err := o.stream.Next()
	if err == nil || err == io.EOF {
		err = o.stream.Rewind()
	}
	if err != nil {
		o.close()
	}
	return err
}

func rewound(f *mapping.Format, o opened) (*mapping.Format, opened, error) {
	if err := o.stream.Rewind(); err != nil {
		o.close()
		return nil, opened{}, err
	}
	return f, o, nil
}

// openFrames opens what a format reads of an input.
func openFrames(m *mapping.Mapping, f *mapping.Format, in *frame.Input, o Options) (opened, error) {
	own, done, err := ownInput(m, f, in, o.Alone)
	if err != nil {
		return opened{}, err
	}
	if stream, ok, err := readoutOf(m, f, own, o); ok {
		if err != nil {
			done()
			return opened{}, err
		}
		return opened{own, stream, done}, nil
	}
	stream, end, err := cutFrames(f, own, o)
	if err != nil {
		done()
		return opened{}, err
	}
	return opened{own, stream, func() error { return errors.Join(end(), done()) }}, nil
}

// cutFrames opens a format's framing. A document is read through once, for its
// frames may stand before the members that tell what it is.
func cutFrames(f *mapping.Format, in *frame.Input, o Options) (frame.Stream, func() error, error) {
	switch {
	case f.Frames.Lines:
		return frame.Lines(in, o.Limits), nothingOpen, nil
	case f.Frames.JSON != nil:
		stream := frame.Elements(in, f.Frames.JSON, o.Limits)
		for {
			if _, err := stream.Next(); err == io.EOF {
				return stream, nothingOpen, stream.Rewind()
			} else if err != nil {
				return nil, nil, err
			}
		}
	case f.Frames.Files != "":
		return frame.Files(in.Name, f.Frames.Files, o.Limits), nothingOpen, nil
	case f.Frames.Linked != nil:
		return linked.Open(in, f.Frames.Linked, o.Limits)
	}
	name := f.Frames.Handler
	if f.Frames.SQLite != nil {
		name = "sqlite"
	}
	open, err := handler.Lookup(name)
	if err != nil {
		return nil, nil, err
	}
	return open(in, handler.Options{Limits: o.Limits, Session: o.Session, Queries: f.Frames.SQLite})
}

func nothingOpen() error { return nil }

// detects reports whether a format recognises the input that it has cut.
func detects(f *mapping.Format, in *frame.Input, stream frame.Stream) (found bool) {
	look(stream, []*probe{newProbe(f, in, func() { found = true })})
	return found
}
