package frame

import (
	"encoding/binary"
	"io"
	"math/bits"
)

// maxDepth bounds the memory that nesting takes: a bit a level.
const maxDepth = 1 << 24

// scanner passes over JSON text of any size, checking its grammar, without
// holding it. It takes all bytes from 0x80 on in a string: repair comes later.
type scanner struct {
	window
	mark   int64 // offset from which bytes stay in the window; -1: none need to
	levels []uint64
	depth  int // containers open in the value being passed
	most   int // and the most there were
	err    error
	reason string // why the text is no JSON, when err is nil
}

func (s *scanner) fail(reason string) bool {
	if s.offset() >= s.in.Size {
		reason = "unexpected end"
	}
	s.reason = reason
	return false
}

// more brings bytes after the position into the window. A mark that would keep
// too much of it is given up.
func (s *scanner) more() bool {
	keep := len(s.buf)
	if s.mark >= 0 {
		if kept := s.base + int64(len(s.buf)) - s.mark; kept > windowMost/2 {
			s.mark = -1
		} else {
			keep -= int(kept)
		}
	}
	err := s.fill(keep)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return err == nil
}

// space passes white space and gives the byte after it, without passing that;
// 0 at the end, which no rule allows either.
func (s *scanner) space() byte {
	for {
		for s.pos < len(s.buf) {
			switch c := s.buf[s.pos]; c {
			case ' ', '\t', '\n', '\r':
				s.pos++
			default:
				return c
			}
		}
		if !s.more() {
			return 0
		}
	}
}

// peek gives the next byte, without passing it; 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.buf) || s.more() {
		return s.buf[s.pos]
	}
	return 0
}

func (s *scanner) push(object bool) bool {
	if s.depth == maxDepth {
		return s.fail("nested too deeply")
	}
	word, bit := s.depth>>6, uint64(1)<<(s.depth&63)
	if word == len(s.levels) {
		s.levels = append(s.levels, 0)
	}
	s.levels[word] &^= bit
	if object {
		s.levels[word] |= bit
	}
	s.depth++
	s.most = max(s.most, s.depth)
	return true
}

func (s *scanner) inObject() bool {
	at := s.depth - 1
	return s.levels[at>>6]>>(at&63)&1 != 0
}

// value passes one value and the white space before it.
func (s *scanner) value() bool {
	s.depth, s.most = 0, 0
	for {
		opened, ok := s.start()
		if !ok {
			return false
		}
		for !opened {
			if s.depth == 0 {
				return true
			}
			object := s.inObject()
			c := s.space()
			if c == ',' {
				s.pos++
				if object && !s.name() {
					return false
				}
				break
			}
			if object && c != '}' || !object && c != ']' {
				return s.fail("expected a comma or the end of the container")
			}
			s.pos++
			s.depth--
		}
	}
}

// start passes a scalar, an empty container, or the opening of one and, in an
// object, the first name.
func (s *scanner) start() (opened, ok bool) {
	switch c := s.space(); c {
	case '"':
		return false, s.string()
	case '{':
		s.pos++
		if s.space() == '}' {
			s.pos++
			s.most = max(s.most, s.depth+1)
			return false, true
		}
		return true, s.push(true) && s.name()
	case '[':
		s.pos++
		if s.space() == ']' {
			s.pos++
			s.most = max(s.most, s.depth+1)
			return false, true
		}
		return true, s.push(false)
	case 't':
		return false, s.word("true")
	case 'f':
		return false, s.word("false")
	case 'n':
		return false, s.word("null")
	}
	return false, s.number()
}

// name passes a member's name and its colon.
func (s *scanner) name() bool {
	if s.space() != '"' {
		return s.fail("expected a member name")
	}
	if !s.string() {
		return false
	}
	if s.space() != ':' {
		return s.fail("expected a colon")
	}
	s.pos++
	return true
}

func (s *scanner) word(w string) bool {
	for i := range len(w) {
		if s.peek() != w[i] {
			return s.fail("invalid value")
		}
		s.pos++
	}
	return true
}

func (s *scanner) digits() int {
	n := 0
	for s.peek()-'0' <= 9 {
		s.pos++
		n++
	}
	return n
}

func (s *scanner) number() bool {
	if s.peek() == '-' {
		s.pos++
	}
	zero := s.peek() == '0'
	if n := s.digits(); n == 0 || zero && n > 1 {
		return s.fail("invalid value")
	}
	if s.peek() == '.' {
		s.pos++
		if s.digits() == 0 {
			return s.fail("invalid number")
		}
	}
	if s.peek()|0x20 == 'e' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		if s.digits() == 0 {
			return s.fail("invalid number")
		}
	}
	return true
}

// string passes a string literal.
func (s *scanner) string() bool {
	s.pos++
	for {
		s.pos += plainLen(s.buf[s.pos:])
		if s.pos == len(s.buf) {
			if !s.more() {
				return s.fail("unexpected end")
			}
			continue
		}
		switch s.buf[s.pos] {
		case '"':
			s.pos++
			return true
		case '\\':
			s.pos++
			if !s.escape() {
				return false
			}
		default:
			return s.fail("control character in a string")
		}
	}
}

func (s *scanner) escape() bool {
	c := s.peek()
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos++
		return true
	case 'u':
		s.pos++
		for range 4 {
			if c := s.peek(); c-'0' > 9 && c|0x20-'a' > 5 {
				return s.fail("invalid escape")
			}
			s.pos++
		}
		return true
	}
	return s.fail("invalid escape")
}

// plainLen is how many bytes at the start of b stand for themselves in a
// string literal: all but quotes, backslashes and control characters.
func plainLen(b []byte) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		quote, slash := w^ones*'"', w^ones*'\\'
		// The lowest marked byte is exact; marks above it may be false.
		if mark := ((w-ones*0x20)&^w | (quote-ones)&^quote | (slash-ones)&^slash) & high; mark != 0 {
			return i + bits.TrailingZeros64(mark)>>3
		}
	}
	for i < len(b) && b[i] >= 0x20 && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}
