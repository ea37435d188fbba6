// Package frame cuts an input into frames: the lines of a JSON Lines file, the
// elements of a list in a JSON document, the files of a folder. It looks at no
// frame's meaning.
//
// However large the input is, memory holds one window of it and at most one
// frame; a frame over [Options.MaxFrame] is passed over and reported as such.
// A stream is for one goroutine, starts none, and holds nothing that would have
// to be closed.
package frame

import "io"

// Frame is one native unit of an input.
//
// Data belongs to the stream: what Next gave is valid until the stream's next
// call of Next or Rewind, what At gave until its next call of At. Neither
// disturbs the other.
type Frame struct {
	Data   []byte // valid UTF-8, without the byte order mark of the input
	Offset int64  // of the frame's first byte in its input; in a folder 0
	Line   int    // 1-based line of a JSON Lines input, else 0
	Index  int    // 0-based, among all frames
	Length int64  // bytes in the input, before repair of invalid UTF-8
	TooBig bool   // longer than the limit: Data is nil
	File   string // of the frame, in a folder: its path below that, with slashes
	Lost   []Lost // files of the frame that are not in it
}

// Lost is a file that belongs to a frame and cannot be read.
type Lost struct {
	File   string // its path below the session's folder, with slashes
	Reason string // "is not JSON"
}

// Input is where the bytes of a session are.
type Input struct {
	Name string // path, for messages and for files beside it; "-" for standard input
	io.ReaderAt
	Size int64 // bytes of it that are read, even if it grows meanwhile
}

// Stream gives an input's frames in order, again and again.
//
// An input that is not what the stream cuts is a *trajectory.Error with code
// invalid_input. Other errors come from reading and wrap their cause.
type Stream interface {
	// Next gives the next frame; io.EOF after the last.
	Next() (Frame, error)
	// Rewind starts again from the first frame.
	Rewind() error
	// At gives one frame again, from the Offset, Line, Index and Length of what
	// Next gave. It does not move Next.
	At(f Frame) (Frame, error)
	// Doc is the text of the document around the frames, without the list that
	// holds them; nil where there is none. It is known after the first Next, and
	// stays valid.
	Doc() []byte
}

// DefaultMaxFrame is the limit of frames where no other is set: 64 MiB.
const DefaultMaxFrame = 64 << 20

// Options are the limits of a stream.
type Options struct {
	MaxFrame int64 // bytes of the longest frame that is given; 0 is DefaultMaxFrame
}

// Most is the length of the longest frame that is given, in bytes.
func (o Options) Most() int64 {
	if o.MaxFrame > 0 {
		return o.MaxFrame
	}
	return DefaultMaxFrame
}
