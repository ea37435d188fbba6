package value

// Cursor walks a list's items where a range loop's closure would cost too much.
type Cursor struct {
	d      *Doc
	i, end uint32
}

// Cursor starts before a list's first item; it is at its end for all else.
func (v Value) Cursor() Cursor {
	if v.Kind() != Array {
		return Cursor{}
	}
	return Cursor{v.d, v.i + 1, v.node().next}
}

// Next gives the next item, false after the last.
func (c *Cursor) Next() (Value, bool) {
	if c.i >= c.end {
		return Value{}, false
	}
	v := Value{c.d, c.i}
	c.i = c.d.nodes[c.i].next
	return v, true
}

// ListOf is the list whose items are exactly those given, in their order; false when
// there is none.
func ListOf(items []Value) (Value, bool) {
	if len(items) == 0 || items[0].d == nil || items[0].i == 0 {
		return Value{}, false
	}
	list := Value{items[0].d, items[0].i - 1}
	if list.Kind() != Array {
		return Value{}, false
	}
	c := list.Cursor()
	for _, v := range items {
		if item, ok := c.Next(); !ok || item != v {
			return Value{}, false
		}
	}
	if c.i < c.end {
		return Value{}, false
	}
	return list, true
}
