package expr

import (
	"slices"

	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/value"
)

// Scope is what an expression can see when it runs. One Scope serves a whole
// read; the interpreter changes its fields as it moves.
type Scope struct {
	It        value.Value // the current value
	Frame     value.Value
	Doc       value.Value // of a one-document format, without its frame list
	Amendment value.Value // the frame that amends this one in the active view
	Lets      []value.Value
	Line      int // 1-based; 0 where the input has no lines
	Index     int // of the frame, or of the item of the innermost `each`
	Ordinal   int // like Index, but counted over the whole session
	Files     func(name string) value.Value
	File      func() value.Value // path of the file that the frame is in
	Facts     Facts
	Arena     *value.Arena // results live until the interpreter resets it
	Failed    func(p *Program, reason string)

	bound  []bound       // by place in Lets
	reason string        // of the last failure
	stack  []value.Value // items of computed lists, arguments of calls
	vars   []value.Value // of comprehensions, by depth
	buf    []byte        // scratch
}

// Facts gives the session facts, by their number in [Static.Facts].
type Facts interface {
	Fact(n int) value.Value
	// MapFact looks a key up in a fact declared with `map`.
	MapFact(n int, key string) value.Value
}

// Static is what is known about the scope before anything runs.
type Static struct {
	It        *shape.Shape
	Frame     *shape.Shape
	Doc       *shape.Shape
	Amendment *shape.Shape
	Lets      []Let  // a later one shadows an earlier one of the same name
	Facts     []Fact // session.NAME
	Files     []string

	// Only are the names that can be used of those that the language has by itself,
	// nil for all of them: `it`, `frame`, `session.`, `index` and so on.
	Only []string
	// Sure: values are of their shapes, for the engine makes them. A type that does
	// not fit is then a fault.
	Sure bool
	// Nulls: the value goes into a template, where nullable has a meaning.
	Nulls bool
}

// sees reports whether a name of the language can be used.
func (st *Static) sees(name string) bool { return st.Only == nil || slices.Contains(st.Only, name) }

// Let is a local name: its slot in [Scope.Lets] is its place in [Static.Lets].
type Let struct {
	Name  string
	Shape *shape.Shape
	Bool  bool // statically known to be a bool
}

// Fact is a session fact.
type Fact struct {
	Name string
	Map  bool // session.NAME[key]
	Bool bool // statically known to be a bool (`any`)
	Int  bool // statically known to be an integer (`count`)
}
