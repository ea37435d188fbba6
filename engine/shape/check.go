package shape

import (
	"bytes"
	"strings"
	"sync"

	"github.com/trajmap/trajmap/engine/value"
)

// Check holds a value against its shape and reports every difference with the
// place where it is, as keys joined by dots, [] for the items of a list. A value
// without differences costs no allocation.
func (s *Shape) Check(v value.Value, report func(path string, problem Problem)) {
	c := checkers.Get().(*checker)
	c.report = report
	c.value(s, v)
	clear(c.path[:cap(c.path)]) // names hold their documents
	c.report = nil
	checkers.Put(c)
}

var checkers = sync.Pool{New: func() any { return &checker{path: make([]value.Name, 0, 32)} }}

type checker struct {
	report func(string, Problem)
	path   []value.Name // the zero Name is an item of a list
}

func (c *checker) problem(last string, p Problem) {
	b := strings.Builder{}
	for _, name := range c.path {
		if name == (value.Name{}) {
			b.WriteString("[]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(name.String())
	}
	if last != "" {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(last)
	}
	c.report(b.String(), p)
}

// types are the sets that the kinds of values belong to.
var types = [...]Types{value.Null: Null, value.Bool: Bool, value.Number: Num, value.String: Str, value.Array: List, value.Object: Object}

func (c *checker) value(s *Shape, v value.Value) {
	if s == nil || s.Types&Any != 0 {
		return
	}
	t := types[v.Kind()]
	if s.Types&t == 0 {
		c.problem("", Problem{Drift: WrongType, Found: t.String(), Want: s.Types.String()})
		return
	}
	switch t {
	case List:
		c.path = append(c.path, value.Name{})
		for item := range v.Items() {
			c.value(s.Item, item)
		}
		c.path = c.path[:len(c.path)-1]
	case Object:
		c.object(s, v)
	}
}

// maxLevels is how often a kind may dispatch again on the same object.
const maxLevels = 4

// object checks the members of an object, whose declared fields are those of the
// shape itself, of its kind, and of its kind's kind.
func (c *checker) object(s *Shape, v value.Value) {
	var room [maxLevels]*Shape
	levels := room[:1]
	levels[0] = s
	open := s.Open
	for s.Switch != nil && len(levels) < maxLevels {
		kind := s.Switch.of(v)
		next, known := s.Switch.kind(kind)
		if !known {
			c.problem("", Problem{Drift: UnknownKind, Found: kind.Str()})
			return
		}
		if next == nil || next.Types&Any != 0 {
			return
		}
		open = open || next.Open
		levels = append(levels, next)
		s = next
	}
	for name, member := range v.Members() {
		f := find(levels, name)
		if f == nil {
			if !open {
				c.path = append(c.path, name)
				c.problem("", Problem{Drift: NewKey})
				c.path = c.path[:len(c.path)-1]
			}
			continue
		}
		c.path = append(c.path, name)
		c.value(f.Shape, member)
		c.path = c.path[:len(c.path)-1]
	}
	for _, l := range levels {
		for _, f := range l.Fields {
			if f.Required && !v.Get(f.Name).Exists() {
				c.problem(f.Name, Problem{Drift: Missing})
			}
		}
	}
}

// find is the declaration of a member, the innermost kind's first.
func find(levels []*Shape, name value.Name) *Field {
	var decoded string
	body := name.Body()
	if bytes.IndexByte(body, '\\') >= 0 {
		decoded = name.String()
		body = nil
	}
	for i := len(levels) - 1; i >= 0; i-- {
		s := levels[i]
		if s.index != nil {
			f := s.index[string(body)]
			if body == nil {
				f = s.index[decoded]
			}
			if f != nil {
				return f
			}
			continue
		}
		for _, f := range s.Fields {
			if f.Name == string(body) || body == nil && f.Name == decoded {
				return f
			}
		}
	}
	return nil
}

// of is the value of the discriminator.
func (s *Switch) of(v value.Value) value.Value {
	path := s.path
	if path == nil {
		path = strings.Split(s.Path, ".")
	}
	for _, name := range path {
		v = v.Get(name)
	}
	return v
}

// kind is the shape of a kind, nil when it is known and opaque. What is no
// string is of the kind "", as for the rules of a mapping.
func (s *Switch) kind(v value.Value) (shape *Shape, known bool) {
	name := v.Body()
	if v.Escaped() {
		name = []byte(v.Str())
	}
	if shape, known = s.Kinds[string(name)]; known {
		return shape, true
	}
	if s.Opaque[string(name)] {
		return nil, true
	}
	for _, p := range s.Prefixes {
		if bytes.HasPrefix(name, []byte(p)) {
			return nil, true
		}
	}
	return nil, false
}
