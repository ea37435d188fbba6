package mapping

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// errorf reports an error about a whole node.
func (d *decoder) errorf(code string, n *yaml.Node, format string, args ...any) *diag.Finding {
	p := whole(n)
	return d.report.Errorf(code, p.line, p.col, p.length, format, args...)
}

func (d *decoder) warnf(code string, n *yaml.Node, format string, args ...any) *diag.Finding {
	p := whole(n)
	return d.report.Warnf(code, p.line, p.col, p.length, format, args...)
}

// entry is a key of a map with its value, aliases followed.
type entry struct {
	key, value *yaml.Node
}

// object is a node that was found to be a construct: its keys are known, stand
// there once, and have values of the right form. What has not is left out, so
// that the faults found are those of the file and not consequences.
type object struct {
	*construct
	node    *yaml.Node
	entries []entry
	faulty  []string // keys that are there, but misspelled or with a faulty value
}

// anyFaulty reports whether one of some keys is there in a way that has been
// reported: that it is missing is then no news.
func (o *object) anyFaulty(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(o.faulty, name) })
}

// at is the value of a key, nil when it is absent.
func (o *object) at(name string) *yaml.Node {
	for i := range o.entries {
		if o.entries[i].key.Value == name {
			return o.entries[i].value
		}
	}
	return nil
}

// keyAt is the node of a key, nil when it is absent.
func (o *object) keyAt(name string) *yaml.Node {
	for i := range o.entries {
		if o.entries[i].key.Value == name {
			return o.entries[i].key
		}
	}
	return nil
}

// object reads a node as a construct; nil when it is no map.
func (d *decoder) object(n *yaml.Node, name string) *object {
	c := constructs[name]
	o := &object{construct: c, node: n}
	if n.Kind != yaml.MappingNode {
		d.errorf(diag.WrongForm, n, "expected a map with the keys of %s, found %s", c.called, found(n))
		return nil
	}
	o.entries = make([]entry, 0, len(n.Content)/2)
	for _, e := range d.entries(n) {
		k := c.key(e.key.Value)
		if k == nil {
			o.faulty = append(o.faulty, d.unknownKey(n, e.key, c))
			continue
		}
		if d.accept(k.form, e.value, e.key.Value) {
			o.entries = append(o.entries, e)
		} else {
			o.faulty = append(o.faulty, k.name)
		}
	}
	for i := range c.keys {
		if k := &c.keys[i]; k.required && o.at(k.name) == nil && !o.anyFaulty(k.name) {
			d.errorf(diag.MissingKey, n, "%s needs the key %q: %s", c.called, k.name, k.doc).Len = 1
		}
	}
	return o
}

// entries are the keys and values of a map in the file's order; those merged in
// with << come last, and only when the map does not have them itself.
func (d *decoder) entries(n *yaml.Node) []entry {
	list := make([]entry, 0, len(n.Content)/2)
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := resolve(n.Content[i]), resolve(n.Content[i+1])
		switch {
		case key.Tag == "!!merge":
			if value.Kind == yaml.SequenceNode {
				merged = append(merged, value.Content...)
			} else {
				merged = append(merged, value)
			}
		case key.Kind != yaml.ScalarNode:
			d.errorf(diag.WrongForm, key, "a key must be a text, found %s", found(key))
		case has(list, key.Value):
			d.errorf(diag.RepeatedKey, key, "the key %q stands here twice", key.Value)
		default:
			list = append(list, entry{key, value})
		}
	}
	for _, m := range merged {
		m = resolve(m)
		if m.Kind != yaml.MappingNode {
			d.errorf(diag.WrongForm, m, "only a map can be merged, found %s", found(m))
			continue
		}
		for _, e := range d.entries(m) {
			if !has(list, e.key.Value) {
				list = append(list, e)
			}
		}
	}
	return list
}

func has(list []entry, name string) bool {
	for i := range list {
		if list[i].key.Value == name {
			return true
		}
	}
	return false
}

// unknownKey reports a key, and gives the one that it seems to stand for.
func (d *decoder) unknownKey(parent, key *yaml.Node, c *construct) (near string) {
	f := d.errorf(diag.UnknownKey, key, "unknown key %q of %s", key.Value, c.called)
	var names []string
	for i := range c.keys {
		names = append(names, c.keys[i].name)
	}
	near = diag.Nearest(key.Value, names)
	switch {
	case near != "":
		f.Hint = fmt.Sprintf("did you mean %q?", near)
	case parent.Style&yaml.FlowStyle != 0 && key.Style == 0 && strings.ContainsAny(key.Value, `()"=&|+<>.`):
		f.Hint = hintCut
	case len(names) <= 12:
		f.Hint = "known: " + strings.Join(names, ", ")
	}
	return near
}

// accept reports whether a value has a form, looking at the node alone and not
// at what is below it, and says so when it has not.
func (d *decoder) accept(f *form, n *yaml.Node, what string) bool {
	if d.trapped(n) {
		return false
	}
	if f.accepts(n) {
		return true
	}
	finding := d.errorf(diag.WrongForm, n, "%q: expected %s, found %s", what, f, found(n))
	if literal := n.Kind == yaml.ScalarNode && n.Tag != "!!str" && n.Tag != "!!null"; literal && f.holdsValue() {
		finding.Hint = "a literal is written {const: " + n.Value + "}"
	}
	if (f.kind == textForm || f.kind == enumForm) && n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		finding.Code = diag.BadValue
		finding.Message = fmt.Sprintf("%q: expected %s, found %q", what, f, n.Value)
		if near := diag.Nearest(n.Value, f.words); near != "" {
			finding.Hint = fmt.Sprintf("did you mean %q?", near)
		}
	}
	return false
}

// trapped reports a scalar that YAML took for something that was not meant.
func (d *decoder) trapped(n *yaml.Node) bool {
	if n.Style&yaml.TaggedStyle == 0 || strings.HasPrefix(n.Tag, "!!") && n.Value != "" {
		return false
	}
	d.errorf(diag.YAMLTag, n, "%s was taken for a YAML tag", n.Tag).Hint = hintTag
	return true
}

// found is what a node is, in words.
func found(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.Tag {
	case "!!null":
		return "nothing"
	case "!!int", "!!float":
		return "the number " + n.Value
	case "!!bool":
		return n.Value
	}
	return "a text"
}

// text is a text's value, "" when the key is absent.
func (o *object) text(name string) string {
	if n := o.at(name); n != nil {
		return n.Value
	}
	return ""
}

// is reports whether a flag is set.
func (o *object) is(name string) bool {
	n := o.at(name)
	return n != nil && n.Value == "true"
}

// items are the nodes of a list, or of one that may stand without a list.
func items(n *yaml.Node) []*yaml.Node {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		return []*yaml.Node{n}
	}
	list := make([]*yaml.Node, len(n.Content))
	for i, c := range n.Content {
		list[i] = resolve(c)
	}
	return list
}

// texts are the values of a list of texts that have a form.
func (d *decoder) texts(o *object, name string) []string {
	var list []string
	for _, n := range items(o.at(name)) {
		f := o.key(name).form
		if f.of != nil {
			f = f.of
		}
		if f.kind == kindsForm {
			f = text(aKind)
		}
		if d.accept(f, n, name) {
			list = append(list, n.Value)
		}
	}
	return list
}

// name reports whether a key is a name of the right form, and says so when not.
func (d *decoder) name(p pattern, key *yaml.Node) bool {
	if p.ok(key.Value) {
		return true
	}
	d.errorf(diag.BadValue, key, "%q is not %s", key.Value, p.name)
	return false
}

// inWords is a list as people write it.
func inWords(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
