package expr

import (
	"slices"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/value"
)

// name is something of the scope that an expression calls by its name.
type name struct {
	typ   typ
	shape *shape.Shape
	get   func(*Scope) value.Value             // nil for a fact map and a counter
	key   func(s *Scope, k string) value.Value // of a fact map
	count func(*Scope) (int64, bool)           // of an integer
	isIt  bool
}

// cel is the name's value for cel-go.
func (n *name) cel(s *Scope) ref.Val {
	if n.typ == factMapType {
		return mapOf{jsonMap{}, func(k string) value.Value { return n.key(s, k) }}
	}
	if n.typ == intType {
		i, _ := n.count(s)
		return types.Int(i)
	}
	return toCEL(n.get(s))
}

// builtin are the names of every scope.
var builtin = []string{"it", "frame", "doc", "amendment", "file", "line", "index", "ordinal"}

// spaces are the names that only stand before a dot.
const (
	sessionSpace = "session"
	filesSpace   = "files"
)

// find gives what a name stands for, nil for nothing. Facts and files are found
// by [Static.fact] and [Static.file].
func (st *Static) find(id string) *name {
	for i := len(st.Lets) - 1; i >= 0; i-- {
		if st.Lets[i].Name == id {
			return st.let(i)
		}
	}
	if !st.sees(id) {
		return nil
	}
	switch id {
	case "it":
		return &name{shape: st.It, isIt: true, get: func(s *Scope) value.Value { return s.It }}
	case "frame":
		return &name{shape: st.Frame, get: func(s *Scope) value.Value { return s.Frame }}
	case "doc":
		return &name{shape: st.Doc, get: func(s *Scope) value.Value { return s.Doc }}
	case "amendment":
		return &name{shape: st.Amendment, get: func(s *Scope) value.Value { return s.Amendment }}
	case "file":
		return &name{typ: stringType, shape: stringType.shape(), get: func(s *Scope) value.Value {
			if s.File == nil {
				return emptyText
			}
			return s.File()
		}}
	case "line":
		return counter(func(s *Scope) (int64, bool) { return int64(s.Line), true })
	case "index":
		return counter(func(s *Scope) (int64, bool) { return int64(s.Index), true })
	case "ordinal":
		return counter(func(s *Scope) (int64, bool) { return int64(s.Ordinal), true })
	}
	return nil
}

// counter is a name for an integer.
func counter(count func(*Scope) (int64, bool)) *name { return &name{typ: intType, count: count} }

func (st *Static) let(i int) *name {
	n := &name{shape: st.Lets[i].Shape, get: func(s *Scope) value.Value { return s.Let(i) }}
	if st.Lets[i].Bool {
		n.typ = boolType
	}
	return n
}

// fact is the session fact of a name, nil when there is none.
func (st *Static) fact(id string) *name {
	for i, f := range st.Facts {
		if f.Name != id {
			continue
		}
		n := &name{get: func(s *Scope) value.Value {
			if s.Facts == nil {
				return value.Value{}
			}
			return s.Facts.Fact(i)
		}}
		switch {
		case f.Map:
			n.typ, n.get = factMapType, nil
			n.key = func(s *Scope, k string) value.Value {
				if s.Facts == nil {
					return value.Value{}
				}
				return s.Facts.MapFact(i, k)
			}
		case f.Bool:
			n.typ = boolType
		case f.Int:
			get := n.get
			return counter(func(s *Scope) (int64, bool) {
				n, _ := get(s).Int()
				return n, true
			})
		}
		return n
	}
	return nil
}

// file is the file beside the input of a name, nil when none is declared.
func (st *Static) file(id string) *name {
	for _, f := range st.Files {
		if f == id {
			return &name{get: func(s *Scope) value.Value {
				if s.Files == nil {
					return value.Value{}
				}
				return s.Files(id)
			}}
		}
	}
	return nil
}

// all are the names that can be used, as cel-go knows them.
func (st *Static) all() map[string]*name {
	m := map[string]*name{}
	for _, id := range builtin {
		if n := st.find(id); n != nil {
			m[id] = n
		}
	}
	for _, l := range st.Lets {
		m[l.Name] = st.find(l.Name)
	}
	if m[sessionSpace] == nil {
		for _, f := range st.Facts {
			m[sessionSpace+"."+f.Name] = st.fact(f.Name)
		}
	}
	if m[filesSpace] == nil {
		for _, f := range st.Files {
			m[filesSpace+"."+f] = st.file(f)
		}
	}
	return m
}

// words are the names that can begin an expression.
func (st *Static) words() []string {
	list := append([]string{sessionSpace, filesSpace}, builtin...)
	list = slices.DeleteFunc(list, func(name string) bool { return !st.sees(name) })
	for _, l := range st.Lets {
		list = append(list, l.Name)
	}
	return list
}

func (st *Static) factNames() []string {
	var list []string
	for _, f := range st.Facts {
		list = append(list, f.Name)
	}
	return list
}
