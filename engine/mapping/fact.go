package mapping

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/expr"
)

// contextFacts describe the session itself; the others are for expressions.
var contextFacts = []string{"group", "cwd", "git_branch", "model", "created_at", "duration", "title"}

var aggregates = map[string]Aggregate{
	"any": AnyOf, "count": Count, "first": First, "last": Last, "only": Only, "most": Most, "earliest": Earliest, "map": MapOf,
}

// numberFacts gives every name of a fact its number, the same in all formats, so
// that a block which several formats use finds the facts that they all have.
func (d *decoder) numberFacts(formats []*object) {
	d.numbers = map[string]int{}
	number := func(entries []entry) {
		for _, e := range entries {
			if _, known := d.numbers[e.key.Value]; !known {
				d.numbers[e.key.Value] = len(d.numbers)
			}
		}
	}
	number(d.session)
	for _, o := range formats {
		if n := o.at("session"); n != nil {
			number(d.pairs(n))
		}
	}
}

// unsaid is a name that no expression can say: it keeps the number of what
// cannot be seen.
const unsaid = "-"

// facts reads a format's facts: the mapping's own, but for those that it has of
// the same name itself. It gives the scope in which all can be read; a fact sees
// those that stand before it.
func (d *decoder) facts(f *Format, o *object, s scope, kind string) scope {
	var own []entry
	if n := o.at("session"); n != nil {
		own = d.entries(n)
	}
	general := s
	if f.Native == nil || d.own == nil || f.Native != d.own.Native {
		// The mapping's facts speak of the mapping's frames.
		general.Frame, general.It, general.Doc = nil, nil, nil
	}
	s.Facts = make([]expr.Fact, len(d.numbers))
	for i := range s.Facts {
		s.Facts[i].Name = unsaid
	}
	f.Session = make([]*Fact, len(d.numbers))
	last := 0
	read := func(e entry, s scope, strict bool) {
		d.reads.recent = nil
		fact := d.fact(e, f, s, kind, strict)
		if fact == nil {
			return
		}
		n := d.numbers[fact.Name]
		for _, name := range d.reads.recent {
			m, known := d.numbers[name]
			if !known || f.Session[m] == nil {
				continue
			}
			if read := f.Session[m]; fact.Stated() || !read.Stated() || read.Stage > 0 {
				fact.Stage = max(fact.Stage, read.Stage+1)
			}
		}
		f.Session[n] = fact
		s.Facts[n] = expr.Fact{Name: fact.Name, Map: fact.Agg == MapOf, Bool: fact.Agg == AnyOf, Int: fact.Agg == Count}
		last = max(last, n+1)
	}
	for _, e := range d.session {
		if !has(own, e.key.Value) {
			general.Facts = s.Facts
			read(e, general, false)
		}
	}
	for _, e := range own {
		read(e, s, true)
	}
	f.Session, s.Facts = f.Session[:last], s.Facts[:last]
	for i := range f.Session {
		if f.Session[i] == nil {
			f.Session[i] = &Fact{Agg: First, On: []string{}}
		}
	}
	return s
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
			d.needsDocument(e.value, f, "a fact without an aggregate reads the document, and %s has none",
				"say of which frame it is, with first, last, only, most or earliest")
		}
		s.It, s.Frame, s.placed = s.Doc, nil, false
		fact.Value = d.value(e.value, s)
		return fact
	}
	o := d.object(e.value, "fact")
	d.exactlyOne(o, "any", "count", "first", "last", "only", "most", "earliest", "map")
	fact.On = d.texts(o, "on")
	if fact.Of = o.text("of"); fact.Of != "" {
		d.ofFile(o, s)
		s.It, s.Frame, s.placed = nil, nil, false
	} else {
		s = d.on(s, kind, fact.On)
		d.knownKinds(o, s, f, kind)
	}
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
	case fact.Agg == MapOf && key == nil && !o.anyFaulty("key"):
		d.errorf(diag.MissingKey, o.keyAt("map"), "map needs key: what its values are found by")
	case fact.Agg != MapOf && key != nil:
		d.errorf(diag.Conflict, key, "only map has a key")
	}
	return fact
}

// ofFile checks the file whose items a fact looks at.
func (d *decoder) ofFile(o *object, s scope) {
	n := o.at("of")
	if !slices.Contains(s.Files, n.Value) {
		e := d.errorf(diag.BadValue, n, "%q is no file of this format", n.Value)
		if e.Hint = "name its path under files"; len(s.Files) > 0 {
			e.Hint = "there are " + strings.Join(s.Files, ", ")
		}
	}
	if key := o.keyAt("earliest"); key != nil {
		d.errorf(diag.Conflict, key, "only frames have a time")
	}
	if key := o.keyAt("on"); key != nil {
		d.errorf(diag.Conflict, key, "only frames have kinds").Hint = "compare what tells the items apart, with if"
	}
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

// needsDocument reports a value that reads the document of a format without one:
// it would always be absent.
func (d *decoder) needsDocument(n *yaml.Node, f *Format, message, hint string) {
	rows := f.Frames.SQLite
	if f.Frames.JSON != nil || f.Frames.Linked != nil || f.Frames.Handler != "" || rows != nil && rows.Doc != nil {
		return
	}
	for _, item := range items(n) {
		if isConst(item) || item.Kind != yaml.ScalarNode {
			continue
		}
		if src, _, ok := expression(item.Value); ok && (strings.Contains(src, "files.") || !strings.Contains(src, "it.") && !strings.Contains(src, "doc.")) {
			continue
		}
		d.errorf(diag.NoDocument, item, message, f.Name).Hint = hint
	}
}
