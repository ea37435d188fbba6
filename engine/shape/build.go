package shape

// indexed is the number of fields from which on a map finds one faster than a
// comparison with each.
const indexed = 8

// field is a declared member of the object itself, without its kinds; nil when
// there is none.
func (s *Shape) field(name string) *Field {
	if s.index != nil {
		return s.index[name]
	}
	for _, f := range s.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// seal prepares the shape for being looked up; its fields are final.
func (s *Shape) seal() {
	if len(s.Fields) < indexed {
		return
	}
	s.index = make(map[string]*Field, len(s.Fields))
	for _, f := range s.Fields {
		s.index[f.Name] = f
	}
}

// declare makes the discriminator a known field of the object, without which no
// kind could be told. Kinds that have the object around it get it there.
func (s *Shape) declare(path []string) {
	if s.Types&Object == 0 {
		return
	}
	if f := s.field(path[0]); f != nil {
		if len(path) > 1 {
			f.Shape.declare(path[1:])
		}
		return
	}
	if s.Switch != nil && s.Switch.anyKindHas(path[0]) {
		for _, k := range s.Switch.Kinds {
			k.declare(path)
		}
		return
	}
	inner := &Shape{Types: Str}
	if len(path) > 1 {
		inner = &Shape{Types: Object, Open: true}
		inner.declare(path[1:])
	}
	s.Fields = append(s.Fields, &Field{Name: path[0], Shape: inner})
}

func (s *Switch) anyKindHas(name string) bool {
	for _, k := range s.Kinds {
		if k.field(name) != nil {
			return true
		}
	}
	return false
}
