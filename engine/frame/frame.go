// Package frame cuts an input into frames: the lines of a JSON Lines file, the
// elements of a list in a JSON document, the files of a folder. It looks at no
// frame's meaning.
package frame

import "io"

// Frame is one native unit of an input.
type Frame struct {
	Data   []byte // valid UTF-8; only valid until the stream's next call
	Offset int64  // of the frame's first byte in its input; in a folder 0
	Line   int    // 1-based line of a JSON Lines input, else 0
	Index  int    // 0-based, among all frames
	Length int64  // bytes in the input, before repair of invalid UTF-8
	TooBig bool   // longer than the limit: Data is nil
}

// Input is where the bytes of a session are.
type Input struct {
	Name string // path, for messages and for files beside it; "-" for standard input
	io.ReaderAt
	Size int64
}

// Stream gives an input's frames in order, again and again.
type Stream interface {
	// Next gives the next frame; io.EOF after the last.
	Next() (Frame, error)
	// Rewind starts again from the first frame.
	Rewind() error
	// At gives one frame again, from the Offset, Line, Index and Length of what
	// Next gave. It does not move Next.
	At(f Frame) (Frame, error)
	// Doc is the text of the document around the frames, without the list that
	// holds them; nil where there is none. It is known after the first io.EOF.
	Doc() []byte
}
