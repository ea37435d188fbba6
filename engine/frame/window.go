package frame

import (
	"errors"
	"fmt"
	"io"
)

const (
	windowStep = 256 << 10
	windowMost = 4 << 20
)

// window is the part of an input that is in memory. It moves forward.
type window struct {
	in   *Input
	step int // bytes read at a time, and its first size
	// most is what it may grow to. What is longer is measured in passing and then
	// read again on its own, so that its size is known before memory is taken.
	most int
	base int64  // offset of buf[0]
	buf  []byte // buf[pos:] is still to be read
	pos  int
}

func newWindow(in *Input) window {
	return window{in: in, step: int(min(windowStep, max(in.Size, 1))), most: windowMost}
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
	size := max(cap(w.buf), w.step)
	for kept > size/2 {
		size *= 2
	}
	old := w.buf
	if size != cap(old) {
		w.buf = make([]byte, size)
	}
	w.buf = w.buf[:kept]
	copy(w.buf, old[keep:])
	w.base += int64(keep)
	w.pos -= keep
	from := w.base + int64(kept)
	// A window that has grown is still filled in steps that fit the cache.
	more := min(int64(size-kept), int64(w.step), w.in.Size-from)
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
