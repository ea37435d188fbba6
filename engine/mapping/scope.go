package mapping

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/shape"
)

// scope is what a value at some place of the mapping can see. It is passed by
// value: what a step adds is seen below it and nowhere else.
type scope struct {
	expr.Static
	letKeys []*yaml.Node // where each of Static.Lets is declared
	format  *Format      // nil in a block that several formats use

	// path leads from the frame to `it`, when placed; "" is the frame itself.
	path   string
	placed bool

	out outScope // in the writing half
}

// onFrame is the scope of what is evaluated on a frame.
func (s scope) onFrame() scope {
	s.It, s.path, s.placed = s.Frame, "", true
	return s
}

// into is the scope below `with: v`, whose value is no longer the frame.
func (s scope) into(v *Value, n *yaml.Node) scope {
	s.It = nil
	path, plain := plainPath(n)
	s.placed = s.placed && plain
	if s.path = join(s.path, path); !s.placed {
		s.path = ""
	}
	if v != nil && v.Prog != nil {
		s.It = v.Prog.Shape
	}
	return s
}

// item is the scope below `each: v`.
func (s scope) item(v *Value) scope {
	s.It, s.path, s.placed = nil, "", false
	if v != nil && v.Prog != nil {
		s.It = itemShape(v.Prog.Shape)
	}
	return s
}

// textBlock is what `each` makes of a string.
var textBlock = &shape.Shape{Types: shape.Object, Fields: []*shape.Field{
	{Name: "type", Shape: &shape.Shape{Types: shape.Str}},
	{Name: "text", Shape: &shape.Shape{Types: shape.Str}},
}}

// itemShape is the shape of what `each` visits: the items of a list, an object
// itself. A string counts as the block that it stands for only where it is all
// that there is; beside a list it is one of the list's blocks.
func itemShape(s *shape.Shape) *shape.Shape {
	switch {
	case s == nil || s.Types&shape.Any != 0:
		return nil
	case s.Types&shape.List != 0 && s.Types&shape.Object != 0:
		object := *s
		object.Types, object.Item = shape.Object, nil
		return shape.Union(&object, s.Item)
	case s.Types&shape.List != 0:
		return s.Item
	case s.Types&shape.Object != 0:
		return s
	}
	return textBlock
}

// with adds a let.
func (s scope) with(key *yaml.Node, let expr.Let) scope {
	s.Lets = append(slices.Clip(s.Lets), let)
	s.letKeys = append(slices.Clip(s.letKeys), key)
	return s
}

// narrower narrows shapes by kinds. Equal narrowings give the same shape, so
// that a block used in many places is checked once for each shape.
type narrower map[narrowing]*shape.Shape

type narrowing struct {
	shape *shape.Shape
	kinds string
}

// narrow is the shape of a value that is of one of some kinds.
func (m narrower) narrow(s *shape.Shape, kinds []string) *shape.Shape {
	key := narrowing{s, strings.Join(kinds, ",")}
	if known, ok := m[key]; ok {
		return known
	}
	var all *shape.Shape
	for i, k := range kinds {
		if n := shape.Narrow(s, k); i == 0 {
			all = n
		} else {
			all = shape.Union(all, n)
		}
	}
	m[key] = all
	return all
}

// discriminator is the switch that a block with this `kind` decides by, nil when
// the native schema has none there.
func (s scope) discriminator(kind string) *shape.Switch {
	if kind == "" {
		return nil
	}
	if s.It != nil && s.It.Switch != nil && s.It.Switch.Path == kind {
		return s.It.Switch
	}
	if s.placed && s.Frame != nil && s.Frame.Switch != nil && s.Frame.Switch.Path == join(s.path, kind) {
		return s.Frame.Switch
	}
	return nil
}

// kinds is the scope below a rule for some kinds.
func (d *decoder) kinds(s scope, kind string, kinds []string) scope {
	switch sw := s.discriminator(kind); {
	case sw == nil:
	case s.It != nil && s.It.Switch == sw:
		s.It = d.narrower.narrow(s.It, kinds)
		if s.placed && s.path == "" {
			s.Frame = s.It
		}
	default:
		s.Frame = d.narrower.narrow(s.Frame, kinds)
		s.It = follow(s.Frame, s.path)
	}
	return s
}

// on is the scope of a frame of some kinds, as the format's block tells them.
func (d *decoder) on(s scope, kind string, kinds []string) scope {
	s = s.onFrame()
	if len(kinds) == 0 {
		return s
	}
	return d.kinds(s, kind, kinds)
}

// follow is the shape at a dotted path.
func follow(s *shape.Shape, path string) *shape.Shape {
	for name := range strings.SplitSeq(path, ".") {
		s, _ = s.Member(name)
	}
	return s
}

func join(path, more string) string {
	if path == "" || more == "" {
		return path + more
	}
	return path + "." + more
}
