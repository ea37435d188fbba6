package mapping

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/expr"
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
		if t.Raw = d.literal(resolve(n.Content[1])); t.Raw == nil {
			return nil
		}
	case n.Kind == yaml.MappingNode && isForm(n):
		if t.Form = d.form(n, s); t.Form == nil {
			return nil
		}
	case n.Kind == yaml.MappingNode:
		t.Object = true
		entries := d.entries(n)
		d.almostForm(n, entries)
		for _, e := range entries {
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

// wordTemplate is a template that must give a text, listTemplate one that gives
// a list, objectTemplate an object.
const (
	wordTemplate   = yaml.ScalarNode
	listTemplate   = yaml.SequenceNode
	objectTemplate = yaml.MappingNode
)

// templateOf reads a template of a kind; an expression may give anything.
func (d *decoder) templateOf(kind yaml.Kind, o *object, name string, s scope) *Template {
	n := o.at(name)
	if n == nil {
		return nil
	}
	n = resolve(n)
	form := n.Kind == yaml.MappingNode && (isConst(n) || isForm(n) && name != "path") // a file has a path
	_, _, isExpr := expression(n.Value)
	if n.Kind != kind && !form && (n.Kind != yaml.ScalarNode || !isExpr) && !d.trapped(n) {
		want := map[yaml.Kind]string{wordTemplate: "a text or an expression", listTemplate: "a list", objectTemplate: "a map"}[kind]
		d.errorf(diag.WrongForm, n, "%q: expected %s, found %s", name, want, found(n))
		return nil
	}
	return d.template(n, s)
}

func (d *decoder) leafTemplate(n *yaml.Node, s scope) *Template {
	t := &Template{Pos: pos(n)}
	src, offset, ok := expression(n.Value)
	if !ok || n.Tag != "!!str" {
		d.plainText(n, s)
		if t.Raw = d.literal(n); t.Raw == nil {
			return nil
		}
		return t
	}
	if d.folded(n) {
		return nil
	}
	s.Nulls = s.out.nulls
	p := d.compile(n, offset, src, s)
	if p == nil {
		return nil
	}
	view := asView(p.Shape)
	if view == "" && p.Shape != nil && p.Shape == s.It && s.out.view != nil {
		view = s.out.view.Name
	}
	if s.out.on && p.Shape != nil && p.Shape == s.Lets[WrittenName].Shape {
		view = writeWords[WrittenName].Name
	}
	if view != "" {
		d.errorf(diag.BadExpression, n, "this is all of the view %q, of which only members can be written", view).Hint = "name those that are wanted"
		return nil
	}
	t.Value = &Value{Pos: pos(n), Source: n.Value, Prog: p}
	return t
}

// literal is a YAML scalar as JSON; nil after a fault. What YAML takes for a
// fraction or a date is rarely meant so: it must be said to be a constant.
func (d *decoder) literal(n *yaml.Node) []byte {
	if n.Kind != yaml.ScalarNode {
		d.errorf(diag.WrongForm, n, "a constant is a text, a number, true, false or null; found %s", found(n))
		return nil
	}
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
	case "!!float":
		d.errorf(diag.BadValue, n, "%s was taken for a number with a fraction", n.Value).Hint =
			"put it in quotes when it is a text, such as a version; = " + n.Value + " is the number"
		return nil
	case "!!timestamp":
		d.errorf(diag.BadValue, n, "%s was taken for a date", n.Value).Hint = "put it in quotes"
		return nil
	}
	return append(value.AppendEncoded([]byte{'"'}, n.Value), '"')
}

var (
	dotted = regexp.MustCompile(`^([A-Za-z_]\w*)(\.[A-Za-z_]\w*)+$`)
	called = regexp.MustCompile(`^([a-z]\w*)\(.*\)$`)
)

// plainText warns of a text that looks like the expression that it is without
// its `=`. Quotes say that it is meant so.
func (d *decoder) plainText(n *yaml.Node, s scope) {
	if n.Style != 0 || n.Tag != "!!str" {
		return
	}
	looks := s.hasLet(n.Value) && !isWriteWord(n.Value)
	if m := dotted.FindStringSubmatch(n.Value); m != nil {
		looks = m[1] == "it" || s.hasLet(m[1])
	}
	if m := called.FindStringSubmatch(n.Value); m != nil {
		looks = slices.ContainsFunc(expr.Functions(), func(f expr.Function) bool { return f.Name == m[1] })
	}
	if looks {
		d.warnf(diag.TextLikeValue, n, "this is the text %s and is written so", strconv.Quote(n.Value)).Hint =
			"write = " + n.Value + " for the value, or put the text in quotes"
	}
}

// almostForm looks for a form that lacks what makes it one.
func (d *decoder) almostForm(n *yaml.Node, entries []entry) {
	for _, e := range entries {
		if e.key.Style != 0 || !slices.Contains([]string{"if", "each", "let"}, e.key.Value) {
			continue
		}
		for _, other := range entries {
			switch near := diag.Nearest(other.key.Value, []string{"give", "rules"}); {
			case other.key == e.key || near == "":
			default:
				d.errorf(diag.UnknownKey, other.key, "unknown key %q beside %s", other.key.Value, e.key.Value).Hint = "did you mean " + near + "?"
				return
			}
		}
		d.warnf(diag.TextLikeValue, e.key, "%s is a member of this object: without give or rules it is no form", e.key.Value).Hint =
			"add give, or put the key in quotes"
		return
	}
}

// form reads a map that has `give` or `rules`.
func (d *decoder) form(n *yaml.Node, s scope) *Form {
	o := d.object(n, "form")
	if o == nil {
		return nil
	}
	f := &Form{}
	f.Lets, s = d.outLets(o.at("let"), s)
	f.If = d.condition(o.at("if"), s)
	f.Each, s = d.outEach(o.at("each"), s)
	if give := o.keyAt("give"); give != nil {
		for _, name := range []string{"kind", "rules", "ignored"} {
			if k := o.keyAt(name); k != nil {
				d.errorf(diag.Conflict, k, "a form has either give, or kind with rules")
				return nil
			}
		}
	}
	f.Give = d.template(o.at("give"), s)
	f.Kind, f.Ignored = d.outKinds(o, s, func(kinds []string, n *yaml.Node, s scope) {
		t := d.template(n, s)
		if f.Rules == nil {
			f.Rules = map[string]*Template{}
		}
		for _, kind := range kinds {
			f.Rules[kind] = t
		}
	})
	return f
}

// isForm reports whether a map of a template is no object but a form. In quotes,
// a key is one of the object's own.
func isForm(n *yaml.Node) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; key.Style == 0 && (key.Value == "give" || key.Value == "rules") {
			return true
		}
	}
	return false
}
