package mapping

import (
	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/shape"
)

// active reads `active`. It also gives the shape of the frames that amend others.
func (d *decoder) active(n *yaml.Node, s scope, kind string) (*Active, *shape.Shape) {
	o := d.object(n, "active")
	a := &Active{Pos: pos(n)}
	if n := o.at("tree"); n != nil {
		a.Tree = d.tree(n, s, kind)
	}
	var amendment *shape.Shape
	amends := 0
	for _, n := range items(o.at("edits")) {
		e, of := d.edit(n, s, kind)
		if e == nil {
			continue
		}
		a.Edits = append(a.Edits, e)
		if e.Verb == Amend {
			if amends++; amends == 1 {
				amendment = of
			} else {
				amendment = shape.Union(amendment, of)
			}
		}
	}
	return a, amendment
}

func (d *decoder) tree(n *yaml.Node, s scope, kind string) *Tree {
	o := d.object(n, "tree")
	t := &Tree{
		Pos:    pos(n),
		ID:     d.value(o.at("id"), s),
		Parent: d.value(o.at("parent"), s),
		Nodes:  d.condition(o.at("nodes"), s),
		LeafIf: d.condition(o.at("leaf_if"), s),
		Tip:    o.is("tip"),
		Linear: o.is("linear"),
		With:   d.value(o.at("with"), s),
	}
	if n := o.at("leaf"); n != nil {
		d.needsDocument(n, s.format, "the leaf is read from the document, and %s has none", "read it from a file beside the input, or use a pointer")
		whole := s
		whole.It, whole.Frame, whole.placed = s.Doc, nil, false
		t.Leaf = d.value(n, whole)
	}
	if n := o.at("pointer"); n != nil {
		o := d.object(n, "pointer")
		on := d.texts(o, "on")
		d.knownKinds(o, s, s.format, kind)
		s := d.on(s, kind, on)
		t.Pointer = &Pointer{Pos: pos(n), On: on, Leaf: d.value(o.at("leaf"), s), Exact: d.value(o.at("exact"), s)}
	}
	if n := o.at("repair"); n != nil {
		o := d.object(n, "repair")
		t.Repair = &Repair{Pos: pos(n), Time: d.value(o.at("time"), s), Same: d.value(o.at("same"), s)}
		if n := o.at("within"); n != nil {
			t.Repair.Within, _ = milliseconds(n.Value)
		}
	}
	return t
}

// edit reads one edit, and gives the shape of its frames.
func (d *decoder) edit(n *yaml.Node, all scope, kind string) (*Edit, *shape.Shape) {
	o := d.object(n, "edit")
	if o == nil {
		return nil, nil
	}
	e := &Edit{Pos: pos(n), On: d.texts(o, "on")}
	d.knownKinds(o, all, all.format, kind)
	s := d.on(all, kind, e.On)
	e.If = d.condition(o.at("if"), s)
	e.Hazard = o.text("hazard")
	d.exactlyOne(o, "reset", "undo", "cut", "hide", "end", "amend")
	for name, verb := range map[string]EditVerb{"undo": Undo, "cut": Cut, "hide": Hide, "amend": Amend} {
		if n := o.at(name); n != nil {
			e.Verb, e.Value = verb, d.value(n, s)
		}
	}
	if o.is("end") {
		e.Verb = End
	}
	e.Place = d.value(o.at("place"), s)
	e.Among = d.condition(o.at("among"), all.onFrame())
	if key := o.keyAt("place"); key != nil && (o.at("reset") != nil || o.at("end") != nil) {
		d.errorf(diag.Conflict, key, "a frame that resets or ends the list has its place")
	}
	if n := o.at("reset"); n != nil && n.Kind == yaml.MappingNode {
		d.reset(e, n, s, all)
	}
	return e, s.Frame
}

// reset reads what a reset keeps. Which frames are kept is asked of each of
// them, the rest of the frame that resets.
func (d *decoder) reset(e *Edit, n *yaml.Node, s, all scope) {
	o := d.object(n, "reset")
	e.Keep = d.value(o.at("keep"), s)
	e.KeepFrom = d.value(o.at("keep_from"), s)
	e.KeepAfter = d.value(o.at("keep_after"), s)
	e.KeepIf = d.condition(o.at("keep_if"), all.onFrame())
	e.KeptAfter = o.text("kept") == "after"
	d.exactlyOne(o, "keep", "keep_from", "keep_after", "keep_if")
}

// join reads the session that a format's inputs continue.
func (d *decoder) join(n *yaml.Node, s scope, kind string) *Join {
	if n == nil {
		return nil
	}
	o := d.object(n, "join")
	j := &Join{Pos: pos(n), On: d.texts(o, "on"), Find: d.texts(o, "find"), Missing: o.text("missing")}
	d.knownKinds(o, s, s.format, kind)
	s = d.on(s, kind, j.On)
	j.Session = d.value(o.at("session"), s)
	j.Until = d.value(o.at("until"), s)
	if n := o.at("find"); n != nil && len(n.Content) == 0 {
		d.errorf(diag.WrongForm, n, "find needs at least one pattern")
	}
	return j
}
