package value

import (
	"bytes"
	"strconv"
)

// keepText is the longest text whose memory is recycled.
const keepText = 1 << 20

// Arena makes values that no input holds: results of expressions. They live
// until Reset, which recycles their memory.
type Arena struct {
	docs []*Doc
	used int
}

// Reset forgets all values made so far.
func (a *Arena) Reset() { a.used = 0 }

func (a *Arena) next() *Doc {
	if a.used == len(a.docs) {
		a.docs = append(a.docs, new(Doc))
	}
	d := a.docs[a.used]
	a.used++
	if cap(d.src) > keepText || cap(d.nodes) > keepNodes {
		*d = Doc{}
	}
	d.src, d.nodes = d.src[:0], d.nodes[:0]
	return d
}

// String is the value of a decoded string.
func (a *Arena) String(s string) Value {
	return a.Text(func(dst []byte) []byte { return AppendEncoded(dst, s) })
}

// Text is a string whose text fill appends to what it is given.
func (a *Arena) Text(fill func(dst []byte) []byte) Value {
	d := a.next()
	d.src = append(fill(append(d.src, '"')), '"')
	n := node{end: uint32(len(d.src)), next: 1, kind: String}
	if bytes.IndexByte(d.src, '\\') >= 0 {
		n.flags = flagEscaped
	}
	d.nodes = append(d.nodes, n)
	return d.Root()
}

// JSON is the value of the JSON text that fill appends; absent when it is not JSON.
func (a *Arena) JSON(fill func(dst []byte) []byte) Value {
	d := a.next()
	if d.Parse(fill(d.src)) != nil {
		return Value{}
	}
	return d.Root()
}

// Int is the value of an integer.
func (a *Arena) Int(n int64) Value {
	return a.JSON(func(dst []byte) []byte { return strconv.AppendInt(dst, n, 10) })
}

// Float is the value of a number; absent when it is not finite.
func (a *Arena) Float(f float64) Value {
	return a.JSON(func(dst []byte) []byte { return strconv.AppendFloat(dst, f, 'g', -1, 64) })
}

// Of is the value of a bool. It lives for ever.
func Of(b bool) Value {
	if b {
		return constTrue
	}
	return constFalse
}

var constTrue, constFalse = MustParse("true"), MustParse("false")

// MustParse is the value of a constant JSON text that is known to be valid.
func MustParse(text string) Value {
	d := new(Doc)
	if err := d.Parse([]byte(text)); err != nil {
		panic(err)
	}
	return d.Root()
}
