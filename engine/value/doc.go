// Package value is a JSON text that has been indexed once and is then read
// without decoding.
//
// A [Doc] owns an index of one JSON text; a [Value] is a place in it. Reading a
// member, an element or a string literal copies nothing: strings stay the
// source's own literals until somebody needs them decoded, because most of a
// transcript's bytes travel from input to output unread. The zero Value stands
// for everything that is absent: a missing member, an index out of range,
// a member of something that is no object. It behaves like JSON null.
//
// Output follows JavaScript's JSON.stringify, the form that trajectory-v1 is
// defined by; see [AppendText], [Value.AppendJSON] and [Value.AppendSorted].
package value

import "fmt"

// Kind is the JSON type of a value. Absent values are of kind Null.
type Kind uint8

// The kinds of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
	key // a member's name; never the kind of a Value
)

func (k Kind) String() string {
	return [...]string{"null", "bool", "number", "string", "list", "object", "key"}[k]
}

const (
	flagEscaped = 1 << iota // a string or key with at least one backslash
	flagTrue                // a bool that is true
	flagFloat               // a number with a fraction or an exponent
)

// node is one value, or one member name, of the index. Nodes stand in document
// order, a member's name directly before its value.
type node struct {
	start, end uint32 // span in src; a string's includes its quotes
	next       uint32 // the node after this subtree; of a key, the next key
	kind       Kind
	flags      uint8
}

// Doc is one JSON text and its index. The zero Doc is ready for Parse, and may
// be parsed into again, which invalidates all Values taken from it before.
type Doc struct {
	src   []byte
	nodes []node
	stack []open
}

// A SyntaxError says where a text stops being JSON.
type SyntaxError struct {
	Offset int // bytes from the start of the text
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("offset %d: %s", e.Offset, e.Reason)
}

// MaxDepth is the deepest nesting that Parse accepts.
const MaxDepth = 10000

// Root is the outermost value; absent when nothing has been parsed.
func (d *Doc) Root() Value {
	if len(d.nodes) == 0 {
		return Value{}
	}
	return Value{d: d}
}

// Source is the text that was parsed.
func (d *Doc) Source() []byte { return d.src }
