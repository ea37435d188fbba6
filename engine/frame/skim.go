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
	if e.peek(); bytes.HasPrefix(e.buf[e.pos:], []byte(byteOrderMark)) {
		e.pos += len(byteOrderMark)
	}
	var ok bool
	switch c := e.space(); c {
	case '{':
		ok = e.members(0, inside, nil)
	case '[':
		l := list{start: e.offset()}
		ok = e.items(&l)
		for i, p := range e.paths {
			if p == root {
				e.found[i] = l
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

// members passes an object whose name the paths lead through, up to the
// segment at depth.
func (e *elements) members(depth int, paths []int, around []int64) bool {
	around = append(around, e.offset())
	e.pos++ // the brace
	if e.space() == '}' {
		e.pos++
		return true
	}
	for {
		here, below, ok := e.memberName(depth, paths)
		if !ok {
			return false
		}
		c := e.space()
		switch {
		case c == '{' && below != nil:
			ok = e.members(depth+1, below, around)
		case c == '[' && here != nil:
			l := list{start: e.offset(), around: slices.Clone(around)}
			ok = e.items(&l)
			for _, p := range here {
				e.found[p] = l
			}
		default:
			ok = e.value()
		}
		if !ok {
			return false
		}
		if done, ok := e.memberEnd(); done || !ok {
			return ok
		}
	}
}

// items passes a list and notes where its elements are.
func (e *elements) items(l *list) bool {
	e.pos++ // the bracket
	e.outer = 1
	defer func() { e.outer = 0 }()
	if e.space() == ']' {
		e.pos++
		l.end = e.offset()
		return true
	}
	behind := l.start + 1
	for {
		e.space()
		start := e.offset()
		if !e.value() {
			return false
		}
		l.spans.add(start-behind, e.offset()-start)
		behind = e.offset()
		switch e.space() {
		case ',':
			e.pos++
		case ']':
			e.pos++
			l.end = e.offset()
			return true
		default:
			return e.fail("expected a comma or the end of the container")
		}
	}
}

// memberName passes a member's name and its colon. Of the paths it gives those
// that end, and those that go on, in the member; what they led to before was
// another member of that name.
func (e *elements) memberName(depth int, paths []int) (here, below []int, ok bool) {
	if e.space() != '"' {
		return nil, nil, e.fail("expected a member name")
	}
	e.mark = e.offset()
	ok = e.string()
	if e.mark >= 0 && ok {
		name := e.buf[e.mark-e.base+1 : e.pos-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			name = value.AppendDecoded(nil, name)
		}
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
	}
	e.mark = -1
	return here, below, ok && e.colon()
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
