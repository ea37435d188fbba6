package shape

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// Names are the shapes that a mapping names under `shapes`, and the ground on
// which its other shapes are parsed.
type Names struct {
	report *diag.Reporter
	outer  *Names
	shapes map[string]*Shape // a name's shape stands for it from the beginning
	names  []string
	made   []*Shape         // everything parsed, to be indexed
	tasks  map[*Shape]*task // what is made from other shapes
}

// task completes a shape that consists of others, once these are complete. A
// name may be used before its definition, and in its own definition below a
// field or an item; only what consists of itself is an error.
type task struct {
	parts  []*Shape
	finish func()
	cyclic func() // reports that the shape consists of itself
	state  taskState
}

type taskState uint8

const (
	waiting taskState = iota
	running
	done
)

// words are the shapes that need no declaration.
var words = map[string]*Shape{
	"str": {Types: Str}, "num": {Types: Num}, "bool": {Types: Bool}, "null": {Types: Null}, "any": {Types: Any},
}

// ParseNames reads the map under `shapes`; node may be nil. Names of outer are
// known too.
func ParseNames(report *diag.Reporter, node *yaml.Node, outer *Names) *Names {
	n := &Names{report: report, outer: outer, shapes: map[string]*Shape{}, tasks: map[*Shape]*task{}}
	if node == nil {
		return n
	}
	node = resolve(node)
	if node.Kind != yaml.MappingNode {
		n.errorf(diag.WrongForm, node, "expected a map of shapes by name")
		return n
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		_, word := words[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode || !isName(key.Value) || word:
			n.errorf(diag.BadShape, key, "%q cannot name a shape", key.Value).Hint = "letters, digits, - and _"
		case n.shapes[key.Value] != nil:
			n.errorf(diag.RepeatedName, key, "shape %q is declared twice", key.Value)
		default:
			n.names = append(n.names, key.Value)
			n.shapes[key.Value] = &Shape{}
		}
	}
	parsed := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, definition := node.Content[i].Value, node.Content[i+1]
		s := n.shapes[name]
		if s == nil || parsed[name] {
			continue
		}
		parsed[name] = true
		if _, required := n.parse(definition, s); required {
			n.errorf(diag.BadShape, definition, "a named shape cannot be required").Hint = "put the ! where the name is used"
		}
	}
	n.settle()
	return n
}

// settle completes everything parsed so far.
func (n *Names) settle() {
	for _, s := range n.made {
		n.complete(s)
	}
	for _, s := range n.made {
		s.seal()
	}
	n.made, n.tasks = nil, map[*Shape]*task{}
}

func (n *Names) complete(s *Shape) {
	t := n.tasks[s]
	if t == nil || t.state == done {
		return
	}
	if t.state == running {
		t.cyclic()
		return
	}
	t.state = running
	for _, p := range t.parts {
		n.complete(p)
	}
	t.finish()
	t.state = done
}

// make is dst, or a new shape when dst is nil.
func (n *Names) make(dst *Shape, types Types) *Shape {
	if dst == nil {
		dst = &Shape{}
	}
	dst.Types = types
	n.made = append(n.made, dst)
	return dst
}

// find is the shape of a name, nil when there is none.
func (n *Names) find(name string) *Shape {
	for ; n != nil; n = n.outer {
		if s := n.shapes[name]; s != nil {
			return s
		}
	}
	return nil
}

// all are the names that can be used here.
func (n *Names) all() []string {
	list := []string{"str", "num", "bool", "null", "any"}
	for ; n != nil; n = n.outer {
		list = append(list, n.names...)
	}
	return list
}

func (n *Names) errorf(code string, at *yaml.Node, format string, args ...any) *diag.Finding {
	return n.report.Errorf(code, at.Line, at.Column, 0, format, args...)
}

func isName(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	return s != "" && strings.Trim(s, letters) == ""
}

// resolve follows an alias.
func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}
