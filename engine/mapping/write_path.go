package mapping

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// pathLimit says why a path may not read more.
var pathLimit = "a path is made again where the session is installed, from " + inWords(placeFacts) + " alone"

// pathLets are the names that the path of a file may use, in order.
type pathLets []pathLet

type pathLet struct {
	entry
	fine bool // as far as has been found
}

// with adds the names under a `let`, which have been read.
func (l pathLets) with(n *yaml.Node, read []*Let) pathLets {
	l = slices.Clone(l)
	for _, e := range flat(n) {
		fine := slices.ContainsFunc(read, func(r *Let) bool { return r.Pos == pos(e.key) && r.Value != nil })
		l = append(l, pathLet{e, fine})
	}
	return l
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
func (d *decoder) place(path *yaml.Node, lets pathLets) {
	used := map[*yaml.Node]bool{}
	mark := func(n *yaml.Node, from int) {
		for _, item := range items(n) {
			for i := from - 1; i >= 0; i-- {
				if src, _, ok := expression(item.Value); ok && says(src, lets[i].key.Value) {
					used[lets[i].key] = true
				}
			}
		}
	}
	mark(path, len(lets))
	for i := len(lets) - 1; i >= 0; i-- {
		if used[lets[i].key] {
			mark(lets[i].value, i)
		}
	}
	s := d.outScope(placed, SessionName, PlaceName).limited(pathLimit)
	for _, e := range lets {
		if !used[e.key] || !e.fine {
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
