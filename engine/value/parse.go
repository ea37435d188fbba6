package value

import (
	"encoding/binary"
	"math/bits"
)

// Parse indexes src, which must be valid UTF-8 and stays referenced. The whole
// text is checked against the JSON grammar; the error is a *[SyntaxError].
func (d *Doc) Parse(src []byte) error {
	d.src, d.nodes, d.stack = src, d.nodes[:0], d.stack[:0]
	if len(src) > 1<<32-2 {
		return &SyntaxError{0, "text of 4 GiB or more"}
	}
	p := parser{Doc: d}
	if !p.document() {
		d.nodes = d.nodes[:0]
		return &SyntaxError{p.pos, p.reason}
	}
	return nil
}

type parser struct {
	*Doc
	pos    int
	spaces uint32
	reason string
}

func (p *parser) fail(reason string) bool {
	p.reason = reason
	return false
}

// skip passes white space.
func (p *parser) skip() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
			p.spaces++
		default:
			return
		}
	}
}

func (p *parser) document() bool {
	p.skip()
	if !p.value() {
		return false
	}
	for len(p.stack) > 0 {
		if !p.member() {
			return false
		}
	}
	p.skip()
	if p.pos < len(p.src) {
		return p.fail("text after the value")
	}
	return true
}

// member reads what may follow inside the innermost open container: its end,
// or a comma and the next value, which may open a container in turn.
func (p *parser) member() bool {
	top := &p.stack[len(p.stack)-1]
	n := top.node
	object := p.nodes[n].kind == Object
	first := int(n)+1 == len(p.nodes)
	if p.pos < len(p.src) && p.src[p.pos] <= ' ' {
		p.skip()
	}
	if p.pos >= len(p.src) {
		return p.fail("unexpected end")
	}
	c := p.src[p.pos]
	if object && c == '}' || !object && c == ']' {
		p.pos++
		p.close()
		return true
	}
	if !first {
		if c != ',' {
			return p.fail("expected a comma or the end of the container")
		}
		p.pos++
		p.skip()
	}
	if !object {
		return p.value()
	}
	if p.pos >= len(p.src) || p.src[p.pos] != '"' {
		return p.fail("expected a member name")
	}
	k := uint32(len(p.nodes))
	if top.last != 0 {
		p.nodes[top.last].next = k
	}
	top.last = k
	if !p.string(key) {
		return false
	}
	p.skip()
	if p.pos >= len(p.src) || p.src[p.pos] != ':' {
		return p.fail("expected a colon")
	}
	p.pos++
	p.skip()
	return p.value()
}

func (p *parser) close() {
	top := p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	end := uint32(len(p.nodes))
	n := &p.nodes[top.node]
	n.end, n.next = uint32(p.pos), end
	if top.last != 0 {
		p.nodes[top.last].next = end
	}
	if p.spaces != top.spaces {
		n.flags |= flagSpaced
	}
}

// value reads a scalar, or the opening of a container.
func (p *parser) value() bool {
	if p.pos >= len(p.src) {
		return p.fail("unexpected end")
	}
	switch c := p.src[p.pos]; c {
	case '"':
		return p.string(String)
	case '{', '[':
		kind := Object
		if c == '[' {
			kind = Array
		}
		if len(p.stack) >= MaxDepth {
			return p.fail("nested too deeply")
		}
		p.stack = append(p.stack, open{node: uint32(len(p.nodes)), spaces: p.spaces})
		p.nodes = append(p.nodes, node{start: uint32(p.pos), kind: kind})
		p.pos++
		return true
	case 't':
		return p.word("true", Bool, flagTrue)
	case 'f':
		return p.word("false", Bool, 0)
	case 'n':
		return p.word("null", Null, 0)
	}
	return p.number()
}

func (p *parser) add(end int, kind Kind, flags uint8) {
	p.nodes = append(p.nodes, node{uint32(p.pos), uint32(end), uint32(len(p.nodes) + 1), kind, flags})
	p.pos = end
}

func (p *parser) word(w string, kind Kind, flags uint8) bool {
	end := p.pos + len(w)
	if end > len(p.src) || string(p.src[p.pos:end]) != w {
		return p.fail("invalid word")
	}
	p.add(end, kind, flags)
	return true
}

func (p *parser) number() bool {
	i, src := p.pos, p.src
	digits := func() bool {
		start := i
		for i < len(src) && src[i]-'0' <= 9 {
			i++
		}
		return i > start
	}
	if src[i] == '-' {
		i++
	}
	start := i
	if !digits() || src[start] == '0' && i > start+1 {
		return p.fail("invalid value")
	}
	var flags uint8
	if i < len(src) && src[i] == '.' {
		i++
		flags = flagFloat
		if !digits() {
			return p.fail("invalid number")
		}
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		i++
		flags = flagFloat
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		if !digits() {
			return p.fail("invalid number")
		}
	}
	p.add(i, Number, flags)
	return true
}

// string reads a string literal, eight bytes at a time where nothing in them
// needs attention: a transcript is mostly long strings.
func (p *parser) string(kind Kind) bool {
	const ones = 0x0101010101010101
	const high = 0x8080808080808080
	src, i := p.src, p.pos+1
	var flags uint8
	for {
		for i+8 <= len(src) {
			w := binary.LittleEndian.Uint64(src[i:])
			quote := w ^ ones*'"'
			slash := w ^ ones*'\\'
			// The lowest marked byte is exact; marks above it may be false.
			mark := ((w-ones*0x20)&^w | (quote-ones)&^quote | (slash-ones)&^slash) & high
			if mark != 0 {
				i += bits.TrailingZeros64(mark) >> 3
				break
			}
			i += 8
		}
		if i >= len(src) {
			p.pos = i
			return p.fail("unterminated string")
		}
		switch c := src[i]; {
		case c == '"':
			p.add(i+1, kind, flags)
			return true
		case c == '\\':
			flags = flagEscaped
			n := escapeLen(src[i:])
			if n == 0 {
				p.pos = i
				return p.fail("invalid escape")
			}
			i += n
		case c < 0x20:
			p.pos = i
			return p.fail("control character in a string")
		default:
			i++
		}
	}
}

// escapeLen is the length of the escape that b begins with, 0 if it is none.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(b[2:]); ok {
			return 6
		}
	}
	return 0
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
