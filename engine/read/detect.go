package read

import (
	"io"

	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// detectFrames is how many frames a format may look at to know an input.
const detectFrames = 50

// Detects reports whether a mapping recognises an input.
func Detects(m *mapping.Mapping, in *frame.Input, limits frame.Options) bool {
	for _, f := range m.Formats {
		stream, err := openFrames(f, in, limits)
		if err == nil && detects(m, f, in, stream) {
			return true
		}
	}
	return false
}

// open finds the format of an input. Without one that recognises it, the first
// that frames it at all is taken: the caller named the harness, and the errors
// should be about what that harness would expect.
func open(m *mapping.Mapping, in *frame.Input, limits frame.Options) (*mapping.Format, frame.Stream, error) {
	var fallback *mapping.Format
	var fallbackStream frame.Stream
	var first error
	for _, f := range m.Formats {
		stream, err := openFrames(f, in, limits)
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		if detects(m, f, in, stream) {
			if f.Refuse != "" {
				return nil, nil, trajectory.Errorf(trajectory.InvalidInput, "%s (the format %s of %s)", f.Refuse, f.Name, m.Harness)
			}
			return f, stream, stream.Rewind()
		}
		if fallback == nil && f.Refuse == "" {
			fallback, fallbackStream = f, stream
		}
	}
	if fallback == nil {
		if first == nil {
			first = trajectory.Errorf(trajectory.InvalidInput, "the mapping of %s has no format", m.Harness)
		}
		return nil, nil, first
	}
	return fallback, fallbackStream, fallbackStream.Rewind()
}

// openFrames opens a format's framing.
func openFrames(f *mapping.Format, in *frame.Input, limits frame.Options) (frame.Stream, error) {
	switch {
	case f.Frames.Lines:
		return frame.Lines(in, limits), nil
	case f.Frames.JSON != nil:
		stream := frame.Elements(in, f.Frames.JSON, limits)
		// The first frame comes when the whole document has been checked.
		if _, err := stream.Next(); err != nil && err != io.EOF {
			return nil, err
		}
		return stream, stream.Rewind()
	case f.Frames.Files != "":
		return frame.Files(in.Name, f.Frames.Files, limits), nil
	}
	return nil, trajectory.Errorf(trajectory.InvalidInput, "format %s: no reader for its frames", f.Name)
}

func detects(m *mapping.Mapping, f *mapping.Format, in *frame.Input, stream frame.Stream) bool {
	if f.Detect == nil {
		return true
	}
	var doc, around value.Doc
	scope := expr.Scope{Lets: make([]value.Value, f.Lets), Arena: new(value.Arena), Failed: func(*expr.Program, string) {}}
	scope.Facts, scope.Files = noFacts{}, newSiblings(f, in).get
	if text := stream.Doc(); text != nil && around.Parse(text) == nil {
		scope.Doc = around.Root()
	}
	for n := range detectFrames {
		fr, err := stream.Next()
		if err != nil {
			// A document without frames is recognised by what is around them.
			return n == 0 && err == io.EOF && !scope.Doc.IsNull() && f.Detect.Prog.Test(&scope)
		}
		if fr.TooBig || doc.Parse(fr.Data) != nil {
			continue
		}
		scope.Arena.Reset()
		scope.It = doc.Root()
		scope.Frame, scope.Index, scope.Line = scope.It, fr.Index, fr.Line
		if f.Detect.Prog.Test(&scope) {
			return true
		}
	}
	return false
}

// noFacts is a session of which nothing is known yet.
type noFacts struct{}

func (noFacts) Fact(int) value.Value            { return value.Value{} }
func (noFacts) MapFact(int, string) value.Value { return value.Value{} }
