package mapping

import (
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/value"
)

// template reads a template: a scalar is itself, `= …` an expression, a map an
// object with its keys in the written order, a list a list.
func (d *decoder) template(n *yaml.Node, s scope) *Template {
	if n == nil {
		return nil
	}
	n = resolve(n)
	t := &Template{Pos: pos(n)}
	switch {
	case d.trapped(n):
		return nil
	case n.Kind == yaml.MappingNode && isConst(n):
		t.Raw = scalar(resolve(n.Content[1]))
	case n.Kind == yaml.MappingNode && isForm(n):
		t.Form = d.form(n, s)
	case n.Kind == yaml.MappingNode:
		t.Object = true
		for _, e := range d.entries(n) {
			if m := d.template(e.value, s); m != nil {
				t.Members = append(t.Members, &TemplateMember{e.key.Value, m})
			}
		}
	case n.Kind == yaml.SequenceNode:
		t.List = true
		for _, item := range items(n) {
			if m := d.template(item, s); m != nil {
				t.Items = append(t.Items, m)
			}
		}
	default:
		return d.leafTemplate(n, s)
	}
	return t
}

func (d *decoder) leafTemplate(n *yaml.Node, s scope) *Template {
	t := &Template{Pos: pos(n)}
	if src, offset, ok := expression(n.Value); ok && n.Tag == "!!str" {
		if d.folded(n) {
			return nil
		}
		t.Value = &Value{Pos: pos(n), Source: n.Value, Prog: d.compile(n, offset, src, s)}
		if t.Value.Prog == nil {
			return nil
		}
		return t
	}
	switch n.Tag {
	case "!!float":
		d.errorf(diag.BadValue, n, "%s was taken for a number with a fraction", n.Value).Hint =
			"put it in quotes when it is a text, such as a version"
		return nil
	case "!!timestamp":
		d.errorf(diag.BadValue, n, "%s was taken for a date", n.Value).Hint = "put it in quotes"
		return nil
	}
	t.Raw = scalar(n)
	return t
}

// scalar is a YAML scalar as JSON.
func scalar(n *yaml.Node) []byte {
	switch n.Tag {
	case "!!null":
		return []byte("null")
	case "!!bool", "!!int":
		var v any
		if n.Decode(&v) == nil {
			if b, err := json.Marshal(v); err == nil {
				return b
			}
		}
	}
	return append(value.AppendEncoded([]byte{'"'}, n.Value), '"')
}

// form reads a map that has `give` or `rules`.
func (d *decoder) form(n *yaml.Node, s scope) *Form {
	o := d.object(n, "form")
	if o == nil {
		return nil
	}
	f := &Form{Ignored: set(d.texts(o, "ignored"))}
	f.Lets, s = d.outLets(o.at("let"), s)
	f.If = d.condition(o.at("if"), s)
	f.Each = d.value(o.at("each"), s)
	f.Give = d.template(o.at("give"), s)
	f.Kind = d.value(o.at("kind"), s)
	if rules := o.at("rules"); rules != nil {
		f.Rules = map[string]*Template{}
		for _, e := range d.entries(rules) {
			for _, kind := range split(e.key.Value) {
				f.Rules[kind] = d.template(e.value, s)
			}
		}
	}
	if (f.Give == nil) == (f.Rules == nil) {
		d.errorf(diag.Conflict, n, "a form has either give, or kind with rules")
	}
	return f
}

// split gives the kinds of a key that lists several.
func split(key string) []string {
	kinds := strings.Split(key, ",")
	for i := range kinds {
		kinds[i] = strings.TrimSpace(kinds[i])
	}
	return kinds
}
