package agentkv

import (
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf8"
)

// maxGuess is how deep messages are looked for in bytes that may be anything.
const maxGuess = 20

// numbered prints the fields of a message that nobody has described, with their
// numbers as names. What they are is guessed from their bytes: text, a message,
// or else only how long they are.
func (p *printer) numbered(m message, depth int) {
	for i := 0; i < len(m.items); {
		items := m.of(m.items[i].number)
		p.name(strconv.Itoa(int(m.items[i].number)))
		if len(items) == 1 {
			p.guess(m, items[0], depth)
		} else {
			p.dst = append(p.dst, '[')
			for _, it := range items {
				p.comma('[')
				p.guess(m, it, depth)
			}
			p.dst = append(p.dst, ']')
		}
		i += len(items)
	}
}

func (p *printer) guess(m message, it item, depth int) {
	raw := m.raw(it)
	switch it.wire {
	case varint:
		p.dst = strconv.AppendUint(p.dst, m.bits(it), 10)
	case fixed32:
		p.double(float64(math.Float32frombits(uint32(m.bits(it)))))
	case fixed64:
		p.double(math.Float64frombits(m.bits(it)))
	default:
		switch inner, err := parse(raw); {
		case readable(raw) && (err != nil || raw[0] != firstOfMessage):
			p.text(string(raw))
		case err == nil && it.wire == delimited && depth < maxGuess:
			p.dst = append(p.dst, '{')
			p.numbered(inner, depth+1)
			p.dst = append(p.dst, '}')
		case readable(raw):
			p.text(string(raw))
		default:
			p.dst = strconv.AppendInt(p.dst, int64(len(raw)), 10)
		}
	}
}

// firstOfMessage is a line feed, and also the tag of a field 1 with a length:
// what begins with it and parses as a message is no text.
const firstOfMessage = '\n'

// readable reports whether bytes are text: UTF-8 without control characters.
func readable(b []byte) bool {
	if len(b) == 0 || !utf8.Valid(b) {
		return false
	}
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return false
		}
	}
	return true
}

// packed is the number at an offset of a list that has no tags.
func packed(data []byte, at int, w wire) (item, bool) {
	it := item{wire: w, start: uint32(at)}
	switch w {
	case varint:
		_, n := binary.Uvarint(data[at:])
		if n <= 0 {
			return item{}, false
		}
		it.end = uint32(at + n)
	case fixed64:
		it.end = uint32(at + 8)
	}
	return it, it.end > it.start && int(it.end) <= len(data)
}
