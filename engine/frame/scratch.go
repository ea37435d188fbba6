package frame

import (
	"bytes"
	"slices"
)

const byteOrderMark = "\uFEFF"

// readAhead is how much is read at least when frames are asked for one after the
// other as they stand in the input.
const readAhead = 64 << 10

// scratch is memory for one frame, and for what was read behind it.
type scratch struct {
	read  []byte
	of    *Input
	base  int64 // offset of read[0] in it
	end   int64 // of the frame that was asked for last
	fixed []byte
	clean bool // the input is known to be UTF-8
}

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
	if s.of != in || f.Offset < s.base || f.Offset+f.Length > s.base+int64(len(s.read)) {
		if err := s.fetch(in, f); err != nil {
			return Frame{}, err
		}
	}
	s.end = f.Offset + f.Length
	f.Data = s.read[f.Offset-s.base:][:f.Length]
	if f.Data = trimMark(f); !s.clean {
		f.Data = s.valid(f.Data)
	}
	return f, nil
}

// fetch reads a frame's text.
func (s *scratch) fetch(in *Input, f Frame) error {
	size := f.Length
	if s.of == in && f.Offset >= s.end && f.Offset-s.end < readAhead {
		size = max(size, min(readAhead, in.Size-f.Offset))
	}
	s.of, s.read, s.base = in, slices.Grow(s.read[:0], int(size))[:size], f.Offset
	if _, err := readAt(in, s.read, f.Offset); err != nil {
		s.read = s.read[:0]
		return err
	}
	return nil
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

// mended reports whether a frame's data are a repaired copy.
func (s *scratch) mended(data []byte) bool {
	return len(data) > 0 && len(s.fixed) > 0 && &data[0] == &s.fixed[0]
}
