package frame

// levels is how deep a long member is looked into. Each is passed over once more.
const levels = 4

// shorten appends a value that is too long to stand in Doc, so that it keeps its
// type and its names: a list has the first of its items, an object all of its
// members, of which long ones are shortened or empty, and a string is empty when
// it is long.
func (e *elements) shorten(levels int) bool {
	c := e.space()
	if c != '{' && c != '[' || levels == 0 {
		_, ok := e.copyShort(c)
		return ok
	}
	e.pos++
	e.doc = append(e.doc, c)
	end := c + 2 // the ASCII code of what closes it
	if e.space() == end {
		e.pos++
		e.doc = append(e.doc, end)
		return true
	}
	for {
		before := len(e.doc)
		if e.doc[before-1] != c { // nothing else in Doc ends so
			e.doc = append(e.doc, ',')
		}
		named := true
		if c == '{' {
			var ok bool
			if e.space() != '"' {
				return false
			}
			if named, ok = e.copy(e.string); !ok || !e.colon() {
				return false
			}
			e.doc = append(e.doc, ':')
		}
		kind := e.space()
		at, start := len(e.doc), e.offset()
		over := e.left <= 0
		whole, ok := e.copyShort(kind)
		if ok && !whole && !over {
			e.doc = e.doc[:at]
			e.seek(start)
			ok = e.shorten(levels - 1)
		}
		e.left -= len(e.doc) - before
		if !named || over && c == '[' || len(e.doc) > surroundMost {
			e.doc = e.doc[:before]
		}
		if !ok {
			return false
		}
		switch e.space() {
		case ',':
			e.pos++
		case end:
			e.pos++
			e.doc = append(e.doc, end)
			return true
		default:
			return false
		}
	}
}

// copyShort appends a value if it is short, else an empty one of its type.
func (e *elements) copyShort(kind byte) (whole, ok bool) {
	const always = 64 // bytes of a value that may stand even where no more may
	at := len(e.doc)
	whole, ok = e.copy(e.value)
	if !ok || whole && len(e.doc)-at <= max(e.left, always) {
		return whole, ok
	}
	e.doc = e.doc[:at]
	switch kind {
	case '"':
		e.doc = append(e.doc, `""`...)
	case '{':
		e.doc = append(e.doc, "{}"...)
	case '[':
		e.doc = append(e.doc, "[]"...)
	default:
		e.doc = append(e.doc, '0') // a number of more than a million digits
	}
	return false, ok
}
