package frame

import "encoding/binary"

// spans are where the elements of a list stand, so that only the first pass over
// a document has to look for them: some three bytes an element.
type spans struct {
	buf  []byte
	many bool // more than are kept: the list has to be scanned again
}

// spansMost is how many bytes of spans are kept.
const spansMost = 512 << 10

// add notes an element that begins so many bytes behind the one before.
func (s *spans) add(gap, length int64) {
	if s.many {
		return
	}
	if len(s.buf) > spansMost {
		*s = spans{many: true}
		return
	}
	s.buf = binary.AppendUvarint(s.buf, uint64(gap))
	s.buf = binary.AppendUvarint(s.buf, uint64(length))
}

// known reports whether the spans are all there.
func (s *spans) known() bool { return !s.many && s.buf != nil }

// next reads a span from at on, and says where the one after it is noted; false
// when there is none.
func (s *spans) next(at int) (gap, length int64, then int, ok bool) {
	if at >= len(s.buf) {
		return 0, 0, at, false
	}
	g, n := binary.Uvarint(s.buf[at:])
	l, m := binary.Uvarint(s.buf[at+n:])
	return int64(g), int64(l), at + n + m, true
}
