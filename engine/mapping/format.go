package mapping

import (
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/shape"
)

// formats reads `read`. `detect` looks at frames of every format, so all native
// schemas are read before it.
func (d *decoder) formats(n *yaml.Node) {
	if n == nil {
		return
	}
	if len(n.Content) == 0 {
		d.errorf(diag.WrongForm, n, "a mapping reads at least one format")
	}
	var objects []*object
	for _, item := range items(n) {
		o := d.object(item, "format")
		if o == nil {
			continue
		}
		f := &Format{Pos: pos(item), Name: o.text("format"), Doc: o.text("doc")}
		for _, other := range d.m.Formats {
			if other.Name == f.Name && f.Name != "" {
				d.errorf(diag.RepeatedName, o.at("format"), "there are two formats %q", f.Name)
			}
		}
		d.formatNative(f, o)
		d.m.Formats = append(d.m.Formats, f)
		objects = append(objects, o)
	}
	d.numberFacts(objects)
	any := d.anyFrame()
	for i, o := range objects {
		d.format(d.m.Formats[i], o, any)
	}
}

// formatNative is the format's own schema, the mapping's, or none.
func (d *decoder) formatNative(f *Format, o *object) {
	schema := d.own
	switch n := o.at("native"); {
	case n == nil:
	case n.Kind == yaml.ScalarNode:
		schema = nil
	default:
		schema = d.native(n, d.own)
	}
	if schema != nil {
		f.Version = schema.version
		f.Native = schema.Native
	}
	if (f.Native == nil || f.Native.Frame == nil) && o.at("refuse") == nil {
		d.m.Unchecked.Formats = append(d.m.Unchecked.Formats, f.Name)
	}
}

// anyFrame is the shape of a frame of any of the formats.
func (d *decoder) anyFrame() *shape.Shape {
	var all *shape.Shape
	for i, f := range d.m.Formats {
		switch {
		case f.Native == nil:
			return nil
		case i == 0:
			all = f.Native.Frame
		default:
			all = shape.Union(all, f.Native.Frame)
		}
	}
	return all
}

func (d *decoder) format(f *Format, o *object, any *shape.Shape) {
	s := scope{format: f, placed: true}
	if f.Native != nil {
		s.Frame, s.Doc = f.Native.Frame, f.Native.Doc
	}
	s.It = s.Frame
	kind := d.topKind(o)

	f.Versions = d.versions(o)
	f.File = o.text("file")
	f.View = viewOf(o)
	f.Frames = d.frames(o.at("frames"))
	f.Files = d.files(o.at("files"))
	f.Beside = d.filePatterns(o, "beside")
	for _, file := range f.Files {
		s.Files = append(s.Files, file.Name)
	}
	s = d.facts(f, o, s, kind)

	foreign := s
	foreign.It, foreign.Frame = any, any
	f.Detect = d.condition(o.at("detect"), foreign)
	for _, n := range items(o.at("expand")) {
		if d.accept(aValue, n, "expand") {
			f.Expand = append(f.Expand, d.value(n, s))
		}
	}
	f.Key = d.value(o.at("key"), s)
	f.Upsert = o.is("upsert")
	if f.Upsert && f.Key == nil && !o.anyFaulty("key") {
		d.errorf(diag.MissingKey, o.keyAt("upsert"), "upsert needs the key of a frame").Hint = "say which with key"
	}
	f.Order = d.value(o.at("order"), s)
	f.Event = d.eventDefaults(o.at("event"), s)
	f.Adopt = o.is("adopt_call_ids")
	f.Join = d.join(o.at("join"), s, kind)
	if n := o.at("active"); n != nil {
		f.Active, s.Amendment = d.active(n, s, kind)
	}
	f.Once = d.once(o.at("once"), s)
	if n := o.at("with"); n != nil {
		f.With = d.value(n, s)
		s = s.into(f.With, n)
	}
	f.Block = d.block(o, s)
	switch {
	case o.at("refuse") != nil:
		d.refusal(f, o)
	case f.Block == nil && !o.anyFaulty("kind", "rules", "do", "use", "refuse"):
		d.errorf(diag.MissingKey, o.node, "a format needs a block: kind with rules, do, or use; or refuse").Len = 1
	}
}

// refusal reads `refuse`. Without `detect` the format would refuse every input
// that is left to it.
func (d *decoder) refusal(f *Format, o *object) {
	f.Refuse = o.text("refuse")
	if f.Block != nil {
		d.errorf(diag.Conflict, o.keyAt("refuse"), "a format that is refused has no block")
		f.Block = nil
	}
	if f.Detect == nil && !o.anyFaulty("detect") {
		d.errorf(diag.MissingKey, o.keyAt("refuse"), "refuse needs detect: what tells this format")
	}
}

// topKind is the path from the frame to the kind that the format's block looks
// at, "" when it is no plain path.
func (d *decoder) topKind(o *object) string {
	with := ""
	if n := o.at("with"); n != nil {
		path, plain := plainPath(n)
		if !plain {
			return ""
		}
		with = path
	}
	kind := o.at("kind")
	for seen := 0; kind == nil && o.at("use") != nil && seen < len(d.blocks); seen++ {
		b := d.blocks[o.text("use")]
		if b == nil || b.object == nil {
			return ""
		}
		o = b.object
		kind = o.at("kind")
	}
	path, plain := plainPath(kind)
	if !plain || path == "" {
		return ""
	}
	return join(with, path)
}

// versions reads a range of versions, whose grammar has been checked.
func (d *decoder) versions(o *object) Versions {
	n := o.at("versions")
	if n == nil {
		return Versions{}
	}
	v, _ := parseVersions(n.Value)
	if v.empty() {
		d.errorf(diag.BadValue, n, "no version is in this range")
	}
	return v
}

func (d *decoder) frames(n *yaml.Node) Frames {
	if n == nil {
		return Frames{}
	}
	f := Frames{Pos: pos(n)}
	if n.Kind == yaml.ScalarNode {
		f.Lines = true
		return f
	}
	o := d.object(n, "frames")
	f.JSON = d.texts(o, "json")
	f.Files = o.text("files")
	f.SQLite = d.queries(o)
	f.Linked = d.linked(o)
	f.Handler = o.text("handler")
	d.exactlyOne(o, "json", "files", "sqlite", "linked", "handler")
	return f
}

// exactlyOne reports keys that exclude each other, or that none of them is there.
func (d *decoder) exactlyOne(o *object, names ...string) {
	var first *yaml.Node
	for i := range o.entries {
		key := o.entries[i].key
		for _, name := range names {
			if key.Value != name {
				continue
			}
			if first != nil {
				d.errorf(diag.Conflict, key, "%s has one of %s, and this one has %s already", o.called, inWords(names), first.Value)
			} else {
				first = key
			}
		}
	}
	if first != nil {
		return
	}
	if !o.anyFaulty(names...) {
		d.errorf(diag.MissingKey, o.node, "%s needs one of %s", o.called, inWords(names)).Len = 1
	}
}

func (d *decoder) files(n *yaml.Node) []*FileRef {
	if n == nil {
		return nil
	}
	var list []*FileRef
	for _, e := range d.entries(n) {
		if d.name(identifier, e.key) && d.accept(text(anyText), e.value, e.key.Value) {
			list = append(list, &FileRef{Name: e.key.Value, Path: e.value.Value, Pos: pos(e.key)})
		}
	}
	return list
}

// filePatterns reads patterns of files and folders.
func (d *decoder) filePatterns(o *object, name string) []string {
	var list []string
	for _, item := range items(o.at(name)) {
		if !d.accept(text(anyText), item, name) {
			continue
		}
		if !aFilePattern(item.Value) {
			d.errorf(diag.BadValue, item, "%q is no pattern of files", item.Value).Hint =
				"such as {name}/results/*: names with * and ?, .. only at the beginning, ** only at the end"
		}
		list = append(list, item.Value)
	}
	return list
}

// aFilePattern reports whether a text is a pattern of files beside another one.
func aFilePattern(s string) bool {
	names := strings.Split(s, "/")
	for len(names) > 1 && names[0] == ".." {
		names = names[1:]
	}
	if n := len(names) - 1; names[n] == "**" {
		names = names[:n]
	}
	for _, name := range names {
		if _, err := path.Match(name, ""); err != nil || name == "" || name == "." || name == ".." || strings.Contains(name, "**") {
			return false
		}
	}
	return true
}

func (d *decoder) eventDefaults(n *yaml.Node, s scope) EventDefaults {
	if n == nil {
		return EventDefaults{}
	}
	o := d.object(n, "event")
	return EventDefaults{
		Record:    d.value(o.at("record"), s),
		Time:      d.value(o.at("time"), s),
		Model:     d.value(o.at("model"), s),
		Step:      d.value(o.at("step"), s),
		Sequence:  d.value(o.at("sequence"), s),
		Monotonic: o.is("monotonic"),
	}
}
