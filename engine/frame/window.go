package frame

import (
	"errors"
	"fmt"
	"io"
)

const (
	windowSize = 256 << 10
	// windowMost is what the window may grow to. What is longer is measured in
	// passing and then read again on its own, so that its size is known before
	// memory is taken for it.
	windowMost = 4 << 20
)

// window is the part of an input that is in memory. It moves forward.
type window struct {
	in   *Input
	base int64  // offset of buf[0]
	buf  []byte // buf[pos:] is still to be read
	pos  int
}

func (w *window) offset() int64 { return w.base + int64(w.pos) }

// seek empties the window and moves it.
func (w *window) seek(offset int64) {
	if offset >= w.base && offset <= w.base+int64(len(w.buf)) {
		w.pos = int(offset - w.base)
		return
	}
	w.base, w.buf, w.pos = offset, w.buf[:0], 0
}

// fill drops buf[:keep] and reads more at the end; io.EOF when there is none.
func (w *window) fill(keep int) error {
	kept := len(w.buf) - keep
	size := max(cap(w.buf), windowSize)
	for kept > size/2 {
		size *= 2
	}
	for size > windowSize && kept < windowSize/2 && size > windowMost/2 {
		size = windowSize
	}
	old := w.buf
	if size != cap(old) {
		w.buf = make([]byte, 0, size)
	}
	w.buf = w.buf[:copy(w.buf[:kept], old[keep:])]
	w.base += int64(keep)
	w.pos -= keep
	from := w.base + int64(kept)
	more := min(int64(size-kept), w.in.Size-from)
	if more <= 0 {
		return io.EOF
	}
	n, err := readAt(w.in, w.buf[kept:kept+int(more)], from)
	w.buf = w.buf[:kept+n]
	return err
}

// readAt fills b.
func readAt(in *Input, b []byte, offset int64) (int, error) {
	n, err := in.ReadAt(b, offset)
	if n == len(b) {
		return n, nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = fmt.Errorf("the input shrank while it was read: %w", io.ErrUnexpectedEOF)
	}
	return n, err
}

// scratch is memory for one frame. It is given up again once it was large.
type scratch struct{ buf, fixed []byte }

func sized(b []byte, n int64) []byte {
	if int64(cap(b)) >= n && (cap(b) <= windowMost || n > windowMost) {
		return b[:n]
	}
	return make([]byte, n, max(n, 4096))
}

// read gives length bytes of the input.
func (s *scratch) read(in *Input, offset, length int64) ([]byte, error) {
	s.buf = sized(s.buf, length)
	_, err := readAt(in, s.buf, offset)
	return s.buf, err
}

// valid gives b, or if it is not UTF-8 a repaired copy.
func (s *scratch) valid(b []byte) []byte {
	n := validLen(b)
	if n == len(b) {
		return b
	}
	if cap(s.fixed) > windowMost {
		s.fixed = nil
	}
	s.fixed = appendValid(append(s.fixed[:0], b[:n]...), b[n:])
	return s.fixed
}
