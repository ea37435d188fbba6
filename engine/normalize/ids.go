package normalize

import (
	"bytes"
	"hash/maphash"
)

// ids numbers distinct byte strings in the order in which they are met. It keeps
// them in one buffer, so that a million ids are three allocations and not a
// million.
type ids struct {
	text  []byte
	spans []idSpan
	table []int32 // number + 1, or 0; the length is a power of two
}

type idSpan struct {
	start int
	size  uint32
	hash  uint32
}

var idSeed = maphash.MakeSeed()

// keepTable is the largest table that is worth clearing for the next session.
const keepTable = 1 << 16

func (s *ids) reset() {
	s.text, s.spans = s.text[:0], s.spans[:0]
	if len(s.table) > keepTable {
		s.table = nil
	}
	clear(s.table)
}

// add gives the number of b, and whether it was met for the first time.
func (s *ids) add(b []byte) (n int32, fresh bool) {
	if 2*len(s.spans) >= len(s.table) {
		s.grow()
	}
	hash := uint32(maphash.Bytes(idSeed, b))
	mask := uint32(len(s.table) - 1)
	i := hash & mask
	for ; s.table[i] != 0; i = (i + 1) & mask {
		n := s.table[i] - 1
		if s.spans[n].hash == hash && bytes.Equal(s.get(n), b) {
			return n, false
		}
	}
	n = int32(len(s.spans))
	s.table[i] = n + 1
	s.spans = append(s.spans, idSpan{len(s.text), uint32(len(b)), hash})
	s.text = append(s.text, b...)
	return n, true
}

// get is the bytes of number n, valid until the next add.
func (s *ids) get(n int32) []byte {
	span := s.spans[n]
	return s.text[span.start : span.start+int(span.size)]
}

func (s *ids) grow() {
	s.table = make([]int32, max(64, 2*len(s.table)))
	mask := uint32(len(s.table) - 1)
	for n, span := range s.spans {
		i := span.hash & mask
		for s.table[i] != 0 {
			i = (i + 1) & mask
		}
		s.table[i] = int32(n) + 1
	}
}
