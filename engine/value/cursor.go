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
