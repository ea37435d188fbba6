package value

import (
	"iter"
	"strconv"
)

// Value is a place in a [Doc]. The zero Value is absent and behaves like null.
type Value struct {
	d *Doc
	i uint32
}

func (v Value) node() *node { return &v.d.nodes[v.i] }

// Exists reports whether there is a value, be it null.
func (v Value) Exists() bool { return v.d != nil }

// Kind is the value's JSON type, Null when absent.
func (v Value) Kind() Kind {
	if v.d == nil {
		return Null
	}
	return v.node().kind
}

// IsNull reports whether the value is absent or null.
func (v Value) IsNull() bool { return v.Kind() == Null }

// IsString reports whether the value is a string.
func (v Value) IsString() bool { return v.d != nil && v.node().kind == String }

// Bool is the value of a bool; ok is false for everything else.
func (v Value) Bool() (b, ok bool) {
	if v.Kind() != Bool {
		return false, false
	}
	return v.node().flags&flagTrue != 0, true
}

// Raw is the value's own source text, nil when absent. It aliases the source.
func (v Value) Raw() []byte {
	if v.d == nil {
		return nil
	}
	n := v.node()
	return v.d.src[n.start:n.end]
}

// Offset is where the value's text begins in its document.
func (v Value) Offset() int {
	if v.d == nil {
		return 0
	}
	return int(v.node().start)
}

// Body is the text between a string's quotes, escapes as in the source; nil
// for everything else. It aliases the source.
func (v Value) Body() []byte {
	if !v.IsString() {
		return nil
	}
	n := v.node()
	return v.d.src[n.start+1 : n.end-1]
}

// Escaped reports whether a string's literal holds an escape.
func (v Value) Escaped() bool {
	return v.IsString() && v.node().flags&flagEscaped != 0
}

// Str decodes a string; "" for everything else. A lone surrogate becomes the
// three bytes that UTF-8 would give it, so that it survives being written again.
func (v Value) Str() string {
	b := v.Body()
	if !v.Escaped() {
		return string(b)
	}
	return string(AppendDecoded(nil, b))
}

// Equal reports whether the value is the string s.
func (v Value) Equal(s string) bool {
	if !v.IsString() {
		return false
	}
	if !v.Escaped() {
		return string(v.Body()) == s
	}
	return decodesTo(v.Body(), s)
}

// Int is the value of a number written as an integer that fits 64 bits.
func (v Value) Int() (int64, bool) {
	if v.Kind() != Number || v.node().flags&flagFloat != 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(v.Raw()), 10, 64)
	return n, err == nil
}

// Float is the value of a number that a double can hold.
func (v Value) Float() (float64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v.Raw()), 64)
	return f, err == nil
}

// Get is an object's member, the last one where a name is repeated.
func (v Value) Get(name string) Value {
	if v.Kind() != Object {
		return Value{}
	}
	// Names differ in length or in their first byte more often than not.
	d, src, at := v.d, v.d.src, uint32(0)
	size, first := uint32(len(name)+2), byte('"')
	if len(name) > 0 {
		first = name[0]
	}
	end := v.node().next
	for k := v.i + 1; k < end; {
		n := &d.nodes[k]
		if n.flags&flagEscaped != 0 {
			if d.keyIs(n, name) {
				at = k + 1
			}
		} else if n.end-n.start == size && src[n.start+1] == first && string(src[n.start+1:n.end-1]) == name {
			at = k + 1
		}
		k = n.next
	}
	if at == 0 {
		return Value{}
	}
	return Value{d, at}
}

func (d *Doc) keyIs(n *node, name string) bool {
	if n.flags&flagEscaped == 0 {
		return int(n.end-n.start) == len(name)+2 && string(d.src[n.start+1:n.end-1]) == name
	}
	return decodesTo(d.src[n.start+1:n.end-1], name)
}

// Len is the number of a list's items or an object's members.
func (v Value) Len() int {
	n := 0
	switch v.Kind() {
	case Array:
		for range v.Items() {
			n++
		}
	case Object:
		for range v.Members() {
			n++
		}
	}
	return n
}

// Index is a list's item; absent when i is out of range.
func (v Value) Index(i int) Value {
	for item := range v.Items() {
		if i == 0 {
			return item
		}
		i--
	}
	return Value{}
}

// Items are a list's items; none for everything else.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != Array {
			return
		}
		end := v.node().next
		for i := v.i + 1; i < end; i = v.d.nodes[i].next {
			if !yield(Value{v.d, i}) {
				return
			}
		}
	}
}

// Members are an object's members in document order, repeated names included;
// none for everything else.
func (v Value) Members() iter.Seq2[Name, Value] {
	return func(yield func(Name, Value) bool) {
		if v.Kind() != Object {
			return
		}
		end := v.node().next
		for i := v.i + 1; i < end; i = v.d.nodes[i].next {
			if !yield(Name{v.d, i}, Value{v.d, i + 1}) {
				return
			}
		}
	}
}

// Name is the name of an object's member.
type Name struct {
	d *Doc
	i uint32
}

// Body is the text between the quotes, escapes as in the source.
func (n Name) Body() []byte {
	k := &n.d.nodes[n.i]
	return n.d.src[k.start+1 : k.end-1]
}

// Is reports whether the decoded name is s.
func (n Name) Is(s string) bool { return n.d.keyIs(&n.d.nodes[n.i], s) }

// String is the decoded name.
func (n Name) String() string {
	if n.d.nodes[n.i].flags&flagEscaped == 0 {
		return string(n.Body())
	}
	return string(AppendDecoded(nil, n.Body()))
}

// In reports whether the value's text is a part of src itself, not a copy. Then
// Offset is where.
func (v Value) In(src []byte) bool {
	return v.d != nil && len(src) > 0 && len(v.d.src) > 0 && &v.d.src[0] == &src[0]
}
