package mapping

import (
	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/shape"
)

// native is the native schema of a mapping or of one of its formats.
type native struct {
	*Native
	object  *object
	names   *shape.Names
	version string
}

// native reads `native`; nil when the node is nil. A format's own schema may use
// the shapes of the mapping's.
func (d *decoder) native(n *yaml.Node, outer *native) *native {
	if n == nil {
		return nil
	}
	o := d.object(n, "native")
	if o == nil {
		return nil
	}
	var known *shape.Names
	v := &native{object: o, version: o.text("version"), Native: &Native{
		Since: d.ranges(o, "since"),
		Until: d.ranges(o, "until"),
	}}
	if outer != nil {
		known = outer.names
		if v.version == "" {
			v.version = outer.version
		}
	}
	v.names = shape.ParseNames(d.report, o.at("shapes"), known)
	if n := o.at("frame"); n != nil {
		v.Frame = v.names.Parse(n)
	}
	if n := o.at("doc"); n != nil {
		v.Doc = v.names.Parse(n)
	}
	d.natives = append(d.natives, v)
	return v
}

func (d *decoder) ranges(o *object, name string) []*Range {
	n := o.at(name)
	if n == nil {
		return nil
	}
	var list []*Range
	for _, e := range d.entries(n) {
		if d.accept(text(version), e.value, e.key.Value) {
			list = append(list, &Range{Pos: pos(e.key), Path: e.key.Value, Version: e.value.Value})
		}
	}
	return list
}
