package mapping

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// pathLimit says why a path may not read more.
var pathLimit = "a path is made again where the session is installed, from " + inWords(placeFacts) + " alone"

// pathLets are the names that the path of a file may use, in order.
type pathLets struct{ entries []entry }

// with adds the names under a `let`.
func (l *pathLets) with(n *yaml.Node) *pathLets {
	return &pathLets{slices.Concat(l.entries, flat(n))}
}

// flat are the entries of a map that has been read, with those merged into it.
func flat(n *yaml.Node) (list []entry) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], resolve(n.Content[i+1])
		if key.Tag != "!!merge" {
			list = append(list, entry{key, value})
			continue
		}
		for _, m := range items(value) {
			list = append(list, flat(m)...)
		}
	}
	return list
}

// place checks a path, and the names that it uses, for what whoever installs the
// file does not know. They have been found right otherwise.
func (d *decoder) place(path *yaml.Node, lets *pathLets) {
	used := map[*yaml.Node]bool{}
	mark := func(n *yaml.Node, from int) {
		for _, item := range items(n) {
			for i := from - 1; i >= 0; i-- {
				if src, _, ok := expression(item.Value); ok && says(src, lets.entries[i].key.Value) {
					used[lets.entries[i].key] = true
				}
			}
		}
	}
	mark(path, len(lets.entries))
	for i := len(lets.entries) - 1; i >= 0; i-- {
		if used[lets.entries[i].key] {
			mark(lets.entries[i].value, i)
		}
	}
	s := d.outScope(placed, SessionName, PlaceName)
	s.out.limit = pathLimit
	for _, e := range lets.entries {
		if !used[e.key] {
			s = s.with(e.key, known(e.key.Value, nil))
			continue
		}
		v := d.value(e.value, s)
		s = s.with(e.key, known(e.key.Value, v))
	}
	d.template(path, s)
}

// says reports whether an expression calls a name.
func says(src, name string) bool {
	found := false
	eachName(src, func(word, _ string) { found = found || word == name })
	return found
}
