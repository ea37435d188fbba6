package shape

import "slices"

// Member is the shape of an object's member. When it is false, no value of the
// shape has such a member. While an object's kind is not known (see [Narrow]),
// the members of all kinds count.
func (s *Shape) Member(name string) (*Shape, bool) {
	if s == nil || s.Types&Any != 0 {
		return nil, true
	}
	if s.Types&Object == 0 {
		return nil, false
	}
	var found *Shape
	ok := false
	if f := s.field(name); f != nil {
		found, ok = f.Shape, true
	}
	if s.Switch != nil {
		for _, kind := range s.Switch.Names {
			k, in := s.Switch.Kinds[kind].Member(name)
			switch {
			case in && ok:
				found = Union(found, k)
			case in:
				found, ok = k, true
			}
		}
	}
	if !ok && s.Open {
		return nil, true
	}
	return found, ok
}

// Elem is the shape of a list's items; nil when it is not known.
func (s *Shape) Elem() *Shape {
	if s == nil || s.Types&Any != 0 {
		return nil
	}
	return s.Item
}

// Names are the members that an object may have, of all kinds, in declared order.
func (s *Shape) Names() []string {
	if s == nil {
		return nil
	}
	var list []string
	add := func(name string) {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for _, f := range s.Fields {
		add(f.Name)
	}
	if s.Switch != nil {
		for _, kind := range s.Switch.Names {
			for _, name := range s.Switch.Kinds[kind].Names() {
				add(name)
			}
		}
	}
	return list
}

// Narrow is the shape of an object whose kind is known: the members of the kind,
// and those of all kinds that it does not declare itself. A kind that is not declared is unknown, nil; a shape
// without kinds stays as it is.
func Narrow(s *Shape, kind string) *Shape {
	if s == nil || s.Switch == nil {
		return s
	}
	k := s.Switch.Kinds[kind]
	if k == nil || k.Types&Any != 0 {
		return nil
	}
	n := &Shape{Types: Object, Open: s.Open || k.Open, Switch: k.Switch, Fields: slices.Clone(k.Fields)}
	for _, f := range s.Fields {
		if k.field(f.Name) == nil {
			n.Fields = append(n.Fields, f)
		}
	}
	n.seal()
	return n
}

// Union is the shape of what has one shape or the other. Where a union cannot be
// told exactly, it allows more.
func Union(a, b *Shape) *Shape { return unite(a, b, 0) }

// deep is the nesting from which on a union of shapes, which may hold themselves,
// is given up as unknown.
const deep = 16

func unite(a, b *Shape, depth int) *Shape {
	switch {
	case a == b:
		return a
	case a == nil || b == nil || depth > deep || (a.Types|b.Types)&Any != 0:
		return nil
	}
	u := &Shape{Types: a.Types | b.Types}
	switch {
	case b.Types&List == 0:
		u.Item = a.Item
	case a.Types&List == 0:
		u.Item = b.Item
	default:
		u.Item = unite(a.Item, b.Item, depth+1)
	}
	switch {
	case b.Types&Object == 0:
		u.Fields, u.Open, u.Switch = a.Fields, a.Open, a.Switch
	case a.Types&Object == 0:
		u.Fields, u.Open, u.Switch = b.Fields, b.Open, b.Switch
	default:
		u.Fields = mergeFields(slices.Clone(a.Fields), b.Fields, depth)
		u.Open = a.Open || b.Open
		switch {
		case a.Switch == nil:
			u.Switch = b.Switch
		case b.Switch == nil || b.Switch == a.Switch:
			u.Switch = a.Switch
		default:
			u.Open = true // the kinds of two discriminators: not checked
		}
	}
	u.seal()
	return u
}

// mergeFields adds fields to list, uniting those of one name.
func mergeFields(list, fields []*Field, depth int) []*Field {
	for _, f := range fields {
		i := slices.IndexFunc(list, func(g *Field) bool { return g.Name == f.Name })
		if i < 0 {
			list = append(list, f)
			continue
		}
		g := list[i]
		list[i] = &Field{Name: g.Name, Shape: unite(g.Shape, f.Shape, depth+1), Required: g.Required && f.Required}
	}
	return list
}
