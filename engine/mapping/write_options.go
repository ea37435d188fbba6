package mapping

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/shape"
)

// outOptions reads `options` of `write`, and makes them known to what follows.
func (d *decoder) outOptions(n *yaml.Node) []*OutOption {
	var list []*OutOption
	if n == nil {
		return nil
	}
	known := *viewShapes["options"]
	known.Fields = slices.Clone(known.Fields)
	for _, e := range d.entries(n) {
		if !d.name(identifier, e.key) {
			continue
		}
		if hasMember("options", e.key.Value) {
			d.errorf(diag.RepeatedName, e.key, "there is an option %q at every target", e.key.Value)
			continue
		}
		o := d.object(e.value, "out option")
		if o == nil {
			continue
		}
		option := &OutOption{Pos: pos(e.key), Name: e.key.Value, Values: d.texts(o, "values"), Doc: o.text("doc")}
		if at := o.at("values"); at != nil && len(option.Values) < 2 {
			d.errorf(diag.BadValue, at, "an option has two values at least")
		}
		list = append(list, option)
		known.Fields = append(known.Fields, &shape.Field{Name: option.Name, Required: true, Shape: &shape.Shape{Types: shape.Str}})
	}
	d.asked = &known
	return list
}
