package mapping

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// contextFacts describe the session itself; the others are for expressions.
var contextFacts = []string{"group", "cwd", "git_branch", "model", "created_at", "title"}

var aggregates = map[string]Aggregate{
	"any": AnyOf, "count": Count, "first": First, "last": Last, "only": Only, "most": Most, "earliest": Earliest, "map": MapOf,
}

// facts reads a format's facts: the mapping's own, at the same number in every
// format so that blocks can be shared, and then those of the format. A format's
// fact takes the place of the mapping's of the same name.
func (d *decoder) facts(f *Format, o *object, s scope, kind string) {
	var own []entry
	if n := o.at("session"); n != nil {
		own = d.entries(n)
	}
	shared := s
	if f.Native == nil || d.own == nil || f.Native != d.own.Native {
		// The mapping's facts speak of the mapping's frames.
		shared.Frame, shared.It, shared.Doc = nil, nil, nil
	}
	for _, e := range d.session {
		if i := slices.IndexFunc(own, func(o entry) bool { return o.key.Value == e.key.Value }); i >= 0 {
			fact := d.fact(own[i], f, s, kind, true)
			if general := aggregateOf(e.value); fact != nil && !sameType(general, fact.Agg) {
				d.errorf(diag.RepeatedName, own[i].key, "the mapping's own fact %q is of another type", fact.Name)
			}
			f.Session = add(f.Session, fact)
			own = slices.Delete(own, i, i+1)
			continue
		}
		f.Session = add(f.Session, d.fact(e, f, shared, kind, false))
	}
	for _, e := range own {
		f.Session = add(f.Session, d.fact(e, f, s, kind, true))
	}
}

func add(list []*Fact, f *Fact) []*Fact {
	if f == nil {
		return list
	}
	return append(list, f)
}

// sameType reports whether expressions see facts of two aggregates alike.
func sameType(a, b Aggregate) bool {
	typed := func(a Aggregate) Aggregate {
		if a == AnyOf || a == Count || a == MapOf {
			return a
		}
		return Bare
	}
	return typed(a) == typed(b)
}

func aggregateOf(n *yaml.Node) Aggregate {
	if n.Kind == yaml.MappingNode {
		for i := 0; i < len(n.Content); i += 2 {
			if a, ok := aggregates[n.Content[i].Value]; ok {
				return a
			}
		}
	}
	return Bare
}

// fact reads one fact. strict says that a bare one must be able to have a value
// in this format.
func (d *decoder) fact(e entry, f *Format, s scope, kind string, strict bool) *Fact {
	if !d.name(identifier, e.key) || !d.accept(constructs["format"].key("session").form.of, e.value, e.key.Value) {
		return nil
	}
	fact := &Fact{Pos: pos(e.key), Name: e.key.Value}
	if e.value.Kind != yaml.MappingNode || isConst(e.value) {
		if strict {
			d.needsDocument(e.value, f)
		}
		s.It, s.Frame, s.placed = s.Doc, nil, false
		fact.Value = d.value(e.value, s)
		return fact
	}
	o := d.object(e.value, "fact")
	d.exactlyOne(o, "any", "count", "first", "last", "only", "most", "earliest", "map")
	fact.On = d.texts(o, "on")
	s = d.on(s, kind, fact.On)
	d.knownKinds(o, s, f, kind)
	for name, agg := range aggregates {
		n := o.at(name)
		if n == nil {
			continue
		}
		fact.Agg = agg
		if agg == AnyOf || agg == Count {
			fact.Value = d.condition(n, s)
		} else {
			fact.Value = d.value(n, s)
		}
	}
	fact.Key = d.value(o.at("key"), s)
	fact.If = d.condition(o.at("if"), s)
	switch key := o.keyAt("key"); {
	case fact.Agg == MapOf && !hasKey(o.node, "key"):
		d.errorf(diag.MissingKey, o.keyAt("map"), "map needs key: what its values are found by")
	case fact.Agg != MapOf && key != nil:
		d.errorf(diag.Conflict, key, "only map has a key")
	}
	return fact
}

// knownKinds checks the kinds that `on` names against the native schema.
func (d *decoder) knownKinds(o *object, s scope, f *Format, kind string) {
	if f.Native == nil || kind == "" {
		return
	}
	whole := scope{placed: true}
	whole.Frame = f.Native.Frame
	sw := whole.onFrame().discriminator(kind)
	for _, n := range items(o.at("on")) {
		if n.Kind == yaml.ScalarNode {
			d.knownKind(n, n.Value, sw)
		}
	}
}

// needsDocument reports a bare fact that reads the document of a format without
// one: it would never have a value.
func (d *decoder) needsDocument(n *yaml.Node, f *Format) {
	if f.Frames.JSON != nil || f.Frames.Handler != "" {
		return
	}
	for _, item := range items(n) {
		if isConst(item) || item.Kind != yaml.ScalarNode {
			continue
		}
		if src, _, ok := expression(item.Value); ok && (strings.Contains(src, "files.") || !strings.Contains(src, "it.") && !strings.Contains(src, "doc.")) {
			continue
		}
		d.errorf(diag.NoDocument, item, "a fact without an aggregate reads the document, and %s has none", f.Name).Hint =
			"say of which frame it is, with first, last, only, most or earliest"
	}
}
