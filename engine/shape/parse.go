package shape

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// Parse reads a shape as a mapping writes it:
//
//	str num bool any null    scalars
//	NAME                     a shape under `shapes`
//	a|b                      either
//	a!                       always there; everything else is optional
//	[a]                      a list
//	{name: a, _: any}        an object; with `_: any` it has further members
//	{kind, all, kinds}       an object whose members depend on its kind: the
//	                         string at the path `kind`
//
// A fault is reported and stands for any.
func (n *Names) Parse(node *yaml.Node) *Shape {
	s, required := n.parse(node, nil)
	if required {
		n.errorf(diag.BadShape, node, "only a field can be required")
	}
	n.settle()
	return s
}

// parse reads into dst. When dst is nil, the shape of a bare name is the very
// one that stands for the name.
func (n *Names) parse(node *yaml.Node, dst *Shape) (s *Shape, required bool) {
	node = resolve(node)
	switch node.Kind {
	case yaml.ScalarNode:
		return n.scalar(node, dst)
	case yaml.SequenceNode:
		s := n.make(dst, List)
		if len(node.Content) != 1 {
			n.errorf(diag.BadShape, node, "a list has one shape for all its items")
			return s, false
		}
		item, required := n.parse(node.Content[0], nil)
		if required {
			n.errorf(diag.BadShape, node.Content[0], "an item cannot be required")
		}
		s.Item = item
		return s, false
	case yaml.MappingNode:
		if member(node, "kinds") != nil {
			return n.dispatch(node, dst), false
		}
		return n.object(node, dst), false
	}
	return n.make(dst, Any), false
}

// member is the value of a map's key.
func member(node *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return resolve(node.Content[i+1])
		}
	}
	return nil
}

func (n *Names) object(node *yaml.Node, dst *Shape) *Shape {
	s := n.make(dst, Object)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode:
			n.errorf(diag.BadShape, key, "expected the name of a field")
		case key.Value == "_":
			s.Open = true
			if v := resolve(value); v.Kind != yaml.ScalarNode || v.Value != "any" {
				n.errorf(diag.BadShape, value, "further members can only be any").Hint = "write _: any"
			}
		case s.field(key.Value) != nil:
			n.errorf(diag.RepeatedKey, key, "field %q is declared twice", key.Value)
		default:
			field, required := n.parse(value, nil)
			s.Fields = append(s.Fields, &Field{Name: key.Value, Shape: field, Required: required})
		}
	}
	return s
}

// dispatch reads {kind, all, kinds}.
func (n *Names) dispatch(node *yaml.Node, dst *Shape) *Shape {
	var kind, all, kinds *yaml.Node
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], resolve(node.Content[i+1])
		switch key.Value {
		case "kind":
			kind = value
		case "all":
			all = value
		case "kinds":
			kinds = value
		default:
			n.errorf(diag.BadShape, key, "unknown key %q of a shape that depends on its kind", key.Value).Hint =
				"fields that all kinds have stand under all"
		}
	}
	if kind == nil || kind.Kind != yaml.ScalarNode || kind.Value == "" {
		n.errorf(diag.BadShape, node, "a shape with kinds needs kind: the path of the string that tells them apart")
		return n.make(dst, Any)
	}
	if kinds.Kind != yaml.MappingNode {
		n.errorf(diag.BadShape, kinds, "expected a map of shapes by kind")
		return n.make(dst, Any)
	}
	s := n.make(dst, Object)
	s.Switch = &Switch{Path: kind.Value, Kinds: map[string]*Shape{}, path: strings.Split(kind.Value, ".")}
	for i := 0; i+1 < len(kinds.Content); i += 2 {
		n.kinds(s.Switch, kinds.Content[i], kinds.Content[i+1])
	}
	t := &task{finish: func() { s.declare(s.Switch.path) }, cyclic: func() {
		n.errorf(diag.CyclicShape, node, "this shape consists of itself")
	}}
	for _, k := range s.Switch.Kinds {
		t.parts = append(t.parts, k)
	}
	if all != nil {
		common, _ := n.parse(all, nil)
		t.parts = append(t.parts, common)
		t.finish = func() {
			if common.Types != Object || common.Switch != nil {
				n.errorf(diag.BadShape, all, "expected an object: the fields that all kinds have")
			}
			s.Fields, s.Open = slices.Clone(common.Fields), common.Open
			s.declare(s.Switch.path)
		}
	}
	n.tasks[s] = t
	return s
}

// kinds reads one entry of `kinds`, whose key may list several.
func (n *Names) kinds(sw *Switch, key, value *yaml.Node) {
	s, _ := n.parse(value, nil)
	for name := range strings.SplitSeq(key.Value, ",") {
		name = strings.TrimSpace(name)
		if sw.Declared(name) {
			n.errorf(diag.RepeatedName, key, "kind %q is declared twice", name)
			continue
		}
		sw.Kinds[name] = s
		sw.Names = append(sw.Names, name)
	}
}
