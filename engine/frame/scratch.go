package frame

import (
	"bytes"
	"slices"
)

const byteOrderMark = "\uFEFF"

// scratch is memory for one frame.
type scratch struct{ read, fixed []byte }

// recycle ends the use of the frame before. Its memory is kept, unless it was a
// large one.
func (s *scratch) recycle() {
	if cap(s.read) > windowMost {
		s.read = nil
	}
	if cap(s.fixed) > windowMost {
		s.fixed = nil
	}
}

// frame reads the data of a frame that is not in a window.
func (s *scratch) frame(in *Input, f Frame, limit int64) (Frame, error) {
	f.Data, f.TooBig = nil, f.Length > limit
	if f.TooBig {
		return f, nil
	}
	s.read = slices.Grow(s.read[:0], int(f.Length))[:f.Length]
	if _, err := readAt(in, s.read, f.Offset); err != nil {
		return Frame{}, err
	}
	f.Data = s.read
	f.Data = s.valid(trimMark(f))
	return f, nil
}

// trimMark is a frame's data without the input's byte order mark.
func trimMark(f Frame) []byte {
	if f.Offset == 0 {
		return bytes.TrimPrefix(f.Data, []byte(byteOrderMark))
	}
	return f.Data
}

// valid gives b, or if it is not UTF-8 a repaired copy.
func (s *scratch) valid(b []byte) []byte {
	n := validLen(b)
	if n == len(b) {
		return b
	}
	s.fixed = appendValid(append(s.fixed[:0], b[:n]...), b[n:])
	return s.fixed
}
