package frame

import (
	"io"

	"github.com/trajmap/trajmap/engine/value"
)

// maxDepth bounds the memory that nesting takes: a bit a level.
const maxDepth = 1 << 20

// scanner passes over JSON text of any size, checking its grammar, without
// holding it. It takes all bytes from 0x80 on in a string: repair comes later.
type scanner struct {
	window
	mark    int64 // offset from which bytes stay in the window; -1: none need to
	levels  []uint64
	depth   int // containers open in the value being passed
	deepest int // and the most there were
	outer   int // containers around that value which count as well
	err     error
	reason  string // why the text is no JSON, when err is nil
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
	keep := s.pos
	if s.mark >= 0 {
		if s.base+int64(len(s.buf))-s.mark > int64(s.most/2) {
			s.mark = -1
		} else {
			keep = int(s.mark - s.base)
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
	if s.depth+s.outer == maxDepth {
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
	s.deepest = max(s.deepest, s.depth)
	return true
}

func (s *scanner) inObject() bool {
	at := s.depth - 1
	return s.levels[at>>6]>>(at&63)&1 != 0
}

// value passes one value and the white space before it.
func (s *scanner) value() bool {
	s.depth, s.deepest = 0, 0
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
			s.deepest = max(s.deepest, s.depth+1)
			return false, true
		}
		return true, s.push(true) && s.name()
	case '[':
		s.pos++
		if s.space() == ']' {
			s.pos++
			s.deepest = max(s.deepest, s.depth+1)
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
	return s.string() && s.colon()
}

func (s *scanner) colon() bool {
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
	for {
		i := s.pos
		for i < len(s.buf) && s.buf[i]-'0' <= 9 {
			i++
		}
		n += i - s.pos
		s.pos = i
		if i < len(s.buf) || !s.more() {
			return n
		}
	}
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

// string passes a string literal, from its opening quote on.
func (s *scanner) string() bool {
	s.pos++
	for {
		next, _, stop := value.ScanLiteral(s.buf, s.pos)
		s.pos = next
		switch stop {
		case value.Closed:
			return true
		case value.Torn:
			if !s.more() {
				s.pos = len(s.buf)
				return s.fail(stop.String())
			}
		default:
			return s.fail(stop.String())
		}
	}
}
