package frame

import (
	"encoding/binary"
	"io"
)

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

// cut gives the next element from where it stood when the document was read
// through. Its data are nil when it is too long for the window.
func (e *elements) cut() (Frame, error) {
	gap, length, span, ok := e.list.spans.next(e.span)
	if !ok {
		return Frame{}, io.EOF
	}
	e.seek(e.behind)
	f := Frame{Offset: e.behind + gap, Length: length, Index: e.index}
	e.span, e.behind = span, f.Offset+length
	if gap <= int64(e.most/4) {
		between, err := e.take(gap)
		if err != nil {
			return Frame{}, err
		}
		if !separates(between, e.index) {
			return Frame{}, e.changed()
		}
	}
	if length > min(e.limit, int64(e.most/2)) {
		return f, nil
	}
	e.seek(f.Offset)
	var err error
	if f.Data, err = e.take(length); err != nil {
		return Frame{}, err
	}
	if !sameEnds(f.Data) {
		return Frame{}, e.changed()
	}
	return f, nil
}

// take passes so many bytes, which the window is large enough for.
func (e *elements) take(n int64) ([]byte, error) {
	for int64(len(e.buf)-e.pos) < n {
		if err := e.fill(e.pos); err != nil {
			return nil, err
		}
	}
	e.pos += int(n)
	return e.buf[e.pos-int(n) : e.pos], nil
}

// separates reports whether a text still stands between two elements, or before
// the first one.
func separates(between []byte, index int) bool {
	commas := 0
	for _, c := range between {
		switch c {
		case ',':
			commas++
		case ' ', '\t', '\n', '\r':
		default:
			return false
		}
	}
	return commas == min(index, 1)
}

// sameEnds reports whether a text may still be the element that it was.
func sameEnds(b []byte) bool {
	switch end := b[len(b)-1]; b[0] {
	case '{':
		return end == '}'
	case '[':
		return end == ']'
	case '"':
		return end == '"'
	}
	return true
}
