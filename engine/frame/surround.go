package frame

import "github.com/trajmap/trajmap/engine/value"

const (
	memberMost   = 1 << 20 // bytes of a member, or of a name, that Doc shows whole
	surroundMost = 8 << 20 // and of all: a member that does not fit is left out
)

// surround builds Doc: the objects around the list, without what is in the list.
// Of members that are too long for memory it has what [elements.shorten] leaves,
// and null for those that are too deep to be parsed.
func (e *elements) surround() error {
	e.doc = e.doc[:0]
	ok := true
	if len(e.list.around) == 0 {
		e.doc = append(e.doc, "[]"...)
	} else {
		e.seek(e.list.around[0])
		ok = e.copyMembers(0)
	}
	if !ok {
		return e.changed()
	}
	if n := validLen(e.doc); n < len(e.doc) {
		e.doc = appendValid(e.doc[:n:n], e.doc[n:])
	}
	return nil
}

// copyMembers appends the object around the list at the depth given.
func (e *elements) copyMembers(depth int) bool {
	e.space()
	e.pos++ // the brace
	e.doc = append(e.doc, '{')
	for {
		before := len(e.doc)
		if e.doc[before-1] != '{' {
			e.doc = append(e.doc, ',')
		}
		if e.space() != '"' {
			return false
		}
		named, ok := e.copy(e.string)
		if !ok || !e.colon() {
			return false
		}
		e.doc = append(e.doc, ':')
		e.space()
		switch start := e.offset(); {
		case start == e.list.start:
			e.doc = append(e.doc, "[]"...)
			e.seek(e.list.end)
		case depth+1 < len(e.list.around) && start == e.list.around[depth+1]:
			ok = e.copyMembers(depth + 1)
		default:
			at := len(e.doc)
			var whole bool
			whole, ok = e.copy(e.value)
			if depth+1+e.deepest > value.MaxDepth {
				e.doc = append(e.doc[:at], "null"...)
			} else if ok && !whole {
				e.seek(start)
				e.left = memberMost
				ok = e.shorten(levels)
			}
			if !named || len(e.doc) > surroundMost {
				e.doc = e.doc[:before]
			}
		}
		if !ok {
			return false
		}
		done, ok := e.memberEnd()
		if !ok {
			return false
		}
		if done {
			e.doc = append(e.doc, '}')
			return true
		}
	}
}

// copy appends what pass passes, unless it is too long.
func (e *elements) copy(pass func() bool) (whole, ok bool) {
	e.mark = e.offset()
	ok = pass()
	if e.mark >= 0 && e.offset()-e.mark <= memberMost {
		whole = true
		e.doc = append(e.doc, e.buf[e.mark-e.base:e.pos]...)
	}
	e.mark = -1
	return whole, ok
}
