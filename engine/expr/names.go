package expr

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/value"
)

// name is something that an expression can call by its name.
type name struct {
	name  string
	typ   typ
	shape *shape.Shape
	get   func(*Scope) value.Value             // nil for a fact map
	key   func(s *Scope, k string) value.Value // of a fact map
}

// cel is the name's value for cel-go.
func (n *name) cel(s *Scope) ref.Val {
	if n.typ == factMap {
		return mapOf{jsonMap{}, func(k string) value.Value { return n.key(s, k) }}
	}
	if n.typ == integer {
		i, _ := n.get(s).Int()
		return types.Int(i)
	}
	return toCEL(n.get(s))
}

// names are the names of a scope, a later one in place of an earlier one.
func (st *Static) names() []*name {
	list := []*name{
		{name: "it", shape: st.It, get: func(s *Scope) value.Value { return s.It }},
		{name: "frame", shape: st.Frame, get: func(s *Scope) value.Value { return s.Frame }},
		{name: "doc", shape: st.Doc, get: func(s *Scope) value.Value { return s.Doc }},
		{name: "amendment", shape: st.Amendment, get: func(s *Scope) value.Value { return s.Amendment }},
		{name: "line", typ: integer, get: func(s *Scope) value.Value { return s.Arena.Int(int64(s.Line)) }},
		{name: "index", typ: integer, get: func(s *Scope) value.Value { return s.Arena.Int(int64(s.Index)) }},
	}
	for i, f := range st.Facts {
		n := &name{name: "session." + f.Name, get: func(s *Scope) value.Value { return s.fact(i) }}
		switch {
		case f.Map:
			n.typ = factMap
			n.key = func(s *Scope, k string) value.Value {
				if s.Facts == nil {
					return value.Value{}
				}
				return s.Facts.MapFact(i, k)
			}
		case f.Bool:
			n.typ = boolean
		case f.Int:
			n.typ = integer
		}
		list = append(list, n)
	}
	for _, f := range st.Files {
		list = append(list, &name{name: "files." + f, get: func(s *Scope) value.Value { return s.file(f) }})
	}
	for i, l := range st.Lets {
		n := &name{name: l.Name, shape: l.Shape, get: func(s *Scope) value.Value { return s.let(i) }}
		if l.Bool {
			n.typ = boolean
		}
		list = append(list, n)
	}
	last := map[string]int{}
	for i, n := range list {
		last[n.name] = i
	}
	kept := list[:0]
	for i, n := range list {
		if last[n.name] == i {
			kept = append(kept, n)
		}
	}
	return kept
}

func (s *Scope) fact(n int) value.Value {
	if s.Facts == nil {
		return value.Value{}
	}
	return s.Facts.Fact(n)
}

func (s *Scope) let(n int) value.Value {
	if n >= len(s.Lets) {
		return value.Value{}
	}
	return s.Lets[n]
}

func (s *Scope) file(name string) value.Value {
	if s.Files == nil {
		return value.Value{}
	}
	return s.Files(name)
}
