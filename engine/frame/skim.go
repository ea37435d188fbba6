package frame

import (
	"bytes"
	"slices"

	"github.com/trajmap/trajmap/engine/value"
)

// root is the path of the document itself.
const root = "@this"

// skim passes over the whole document and remembers the lists at the paths.
func (e *elements) skim() error {
	var inside []int // paths into the document
	for i, p := range e.paths {
		if p != root {
			inside = append(inside, i)
		}
	}
	if !e.document(inside) {
		return e.invalid()
	}
	return nil
}

func (e *elements) document(inside []int) bool {
	e.skipMark()
	var ok bool
	switch c := e.space(); c {
	case '{':
		ok = e.members(0, inside, nil)
	case '[':
		start := e.offset()
		ok = e.value()
		for i, p := range e.paths {
			if p == root {
				e.found[i] = list{start: start, end: e.offset()}
			}
		}
	default:
		ok = e.value()
	}
	if !ok {
		return false
	}
	if e.space(); e.offset() < e.in.Size {
		return e.fail("text after the document")
	}
	return e.err == nil
}

// skipMark passes the byte order mark.
func (e *elements) skipMark() {
	e.mark = 0
	for range len(byteOrderMark) {
		e.peek()
		if e.pos < len(e.buf) {
			e.pos++
		}
	}
	if !bytes.HasPrefix(e.buf, []byte(byteOrderMark)) {
		e.pos = 0
	}
	e.mark = -1
}

// members passes an object whose name the paths lead through, up to the
// segment at depth.
func (e *elements) members(depth int, paths []int, around []int64) bool {
	around = append(around, e.offset())
	e.pos++
	if e.space() == '}' {
		e.pos++
		return true
	}
	for {
		name, ok := e.memberName()
		if !ok {
			return false
		}
		c := e.space()
		start := e.offset()
		var here, below []int
		for _, p := range paths {
			if s := e.segments[p]; string(name) == s[depth] {
				e.found[p] = list{}
				if depth+1 == len(s) {
					here = append(here, p)
				} else {
					below = append(below, p)
				}
			}
		}
		if c == '{' && below != nil {
			ok = e.members(depth+1, below, around)
		} else {
			ok = e.value()
		}
		if !ok {
			return false
		}
		if c == '[' {
			for _, p := range here {
				e.found[p] = list{start, e.offset(), slices.Clone(around)}
			}
		}
		if done, ok := e.memberEnd(); done || !ok {
			return ok
		}
	}
}

// memberName passes a member's name and its colon. The name is decoded; a very
// long one is given as none.
func (e *elements) memberName() ([]byte, bool) {
	e.space()
	e.mark = e.offset()
	defer func() { e.mark = -1 }()
	if !e.name() {
		return nil, false
	}
	if e.mark < 0 {
		return nil, true
	}
	b := e.buf[e.mark-e.base : e.pos]
	b = b[1:bytes.LastIndexByte(b, '"')]
	if bytes.IndexByte(b, '\\') >= 0 {
		b = value.AppendDecoded(nil, b)
	}
	return b, true
}

// memberEnd passes what follows a member: a comma or, if done, the object's end.
func (e *elements) memberEnd() (done, ok bool) {
	switch e.space() {
	case ',':
		e.pos++
		return false, true
	case '}':
		e.pos++
		return true, true
	}
	return false, e.fail("expected a comma or the end of the object")
}
