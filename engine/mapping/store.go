package mapping

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/shape"
)

// Store is a place where a harness keeps sessions.
type Store struct {
	Pos     Pos
	Doc     string
	Roots   []*Root
	Layouts []*Layout
}

// Layout says which paths below a root are sessions, and what a list tells of
// them. A path belongs to the first layout that it fits.
type Layout struct {
	Pos     Pos
	Doc     string
	Paths   []*Pattern
	Formats []*Format // that read these sessions; nil: any of the mapping
	Files   []*StoreFile
	If      *ListValue // bool; nil is true
	Fields  [ListFields]*ListValue
}

// StoreFile is a file beside a session, or, when Root, one of the whole store.
// In its path stand parts of the session's path in braces.
type StoreFile struct {
	Pos        Pos
	Name, Path string
	Root       bool
	Key        string // member of its items by which they are looked up; "" for the file as it is
}

// ListValue is a value that a list computes. `it` is an object of the named parts
// of the path, or the row that a database lists.
type ListValue struct {
	*Value
	Facts bool // it reads session facts: the session has to be opened
	Doc   bool // it reads the document
}

// ListField is something that a list tells of a session.
type ListField uint8

// The fields of a list.
const (
	ListID ListField = iota
	ListTitle
	ListCwd
	ListGitBranch
	ListModel
	ListCreated
	ListUpdated
	ListParent
	ListFields // their number
)

var listFields = [ListFields]string{"id", "title", "cwd", "git_branch", "model", "created_at", "updated_at", "parent"}

// String is the field's name: of the key of a layout, of a part of a path, of a
// column of a row.
func (f ListField) String() string { return listFields[f] }

// Modified is the member of a layout's `it` that holds when the file was last
// changed, in ms.
const Modified = "modified"

// storeFileForm is what may stand for a file of a layout.
var storeFileForm = either(text(anyText), a("store file"))

func (d *decoder) stores(n *yaml.Node) {
	for _, item := range items(n) {
		o := d.object(item, "store")
		if o == nil {
			continue
		}
		s := &Store{Pos: pos(item), Doc: o.text("doc")}
		for _, r := range items(o.at("roots")) {
			s.Roots = append(s.Roots, d.root(r))
		}
		d.notEmpty(o, "roots")
		for _, l := range items(o.at("sessions")) {
			if layout := d.object(l, "layout"); layout != nil {
				s.Layouts = append(s.Layouts, d.layout(layout))
			}
		}
		d.notEmpty(o, "sessions")
		d.m.Stores = append(d.m.Stores, s)
	}
}

// notEmpty reports a list without items.
func (d *decoder) notEmpty(o *object, name string) {
	if n := o.at(name); n != nil && n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
		d.errorf(diag.WrongForm, n, "%s needs at least one item", name)
	}
}

func (d *decoder) layout(o *object) *Layout {
	l := &Layout{Pos: pos(o.node), Doc: o.text("doc")}
	for _, n := range items(o.at("path")) {
		if p := d.pattern(n); p != nil {
			l.Paths = append(l.Paths, p)
		}
	}
	for _, n := range items(o.at("format")) {
		if f := d.formatNamed(n); f != nil {
			l.Formats = append(l.Formats, f)
		}
	}
	s := scope{}
	s.Facts = d.allFacts()
	s.Doc = l.docShape(d.m.Formats)
	if len(l.Paths) > 0 && !l.rows() {
		s.It = partsShape(l.Paths)
	}
	if n := o.at("files"); n != nil {
		for _, e := range d.entries(n) {
			if f := d.storeFile(e, l.commonParts()); f != nil {
				l.Files = append(l.Files, f)
				s.Files = append(s.Files, f.Name)
			}
		}
	}
	l.If = d.listed(o.at("if"), s, d.condition)
	for field, name := range listFields {
		l.Fields[field] = d.listed(o.at(name), s, d.value)
	}
	return l
}

// rows reports whether an input of the layout may hold many sessions. What their
// own list says of them cannot be known here.
func (l *Layout) rows() bool {
	return slices.ContainsFunc(l.Formats, func(f *Format) bool { return f.Frames.SQLite != nil || f.Frames.Handler != "" })
}

// commonParts are the parts that all paths of the layout have.
func (l *Layout) commonParts() []string {
	var common []string
	for i, p := range l.Paths {
		if i == 0 {
			common = slices.Clone(p.Parts)
		}
		common = slices.DeleteFunc(common, func(name string) bool { return !slices.Contains(p.Parts, name) })
	}
	return common
}

func (d *decoder) listed(n *yaml.Node, s scope, read func(*yaml.Node, scope) *Value) *ListValue {
	if n == nil {
		return nil
	}
	d.reads.recent, d.reads.doc = nil, false
	v := read(n, s)
	if v == nil {
		return nil
	}
	return &ListValue{v, len(d.reads.recent) > 0, d.reads.doc}
}

// ReadsDocument reports whether some value of the layout reads the document.
func (l *Layout) ReadsDocument() bool {
	return slices.ContainsFunc(append(l.Fields[:], l.If), func(v *ListValue) bool { return v != nil && v.Doc })
}

// docShape is the shape of a document of one of the layout's formats.
func (l *Layout) docShape(all []*Format) *shape.Shape {
	var doc *shape.Shape
	formats := l.Formats
	if formats == nil {
		formats = all
	}
	for _, f := range formats {
		switch {
		case f.Frames.JSON == nil && f.Frames.Linked == nil:
		case f.Native == nil || f.Native.Doc == nil:
			return nil
		case doc == nil:
			doc = f.Native.Doc
		default:
			doc = shape.Union(doc, f.Native.Doc)
		}
	}
	return doc
}

// partsShape is `it` of a layout: an object of the named parts of its paths.
func partsShape(paths []*Pattern) *shape.Shape {
	s := &shape.Shape{Types: shape.Object, Fields: []*shape.Field{{Name: Modified, Shape: &shape.Shape{Types: shape.Num}}}}
	for _, p := range paths {
		for _, name := range p.Parts {
			if _, known := s.Member(name); !known {
				s.Fields = append(s.Fields, &shape.Field{Name: name, Shape: &shape.Shape{Types: shape.Str}})
			}
		}
	}
	return s
}

// allFacts are the facts of all formats, by their numbers.
func (d *decoder) allFacts() []expr.Fact {
	facts := make([]expr.Fact, len(d.numbers))
	for i := range facts {
		facts[i].Name = unsaid
	}
	for _, f := range d.m.Formats {
		for i, fact := range f.Session {
			if fact.Name != "" {
				facts[i] = expr.Fact{Name: fact.Name, Map: fact.Agg == MapOf}
			}
		}
	}
	return facts
}

// formatNamed finds the format that a node names.
func (d *decoder) formatNamed(n *yaml.Node) *Format {
	if !d.accept(text(label), n, "format") {
		return nil
	}
	var names []string
	for _, f := range d.m.Formats {
		if f.Name == n.Value {
			return f
		}
		names = append(names, f.Name)
	}
	e := d.errorf(diag.BadValue, n, "there is no format %q", n.Value)
	if near := diag.Nearest(n.Value, names); near != "" {
		e.Hint = "did you mean " + near + "?"
	} else {
		e.Hint = "there are " + strings.Join(names, ", ")
	}
	return nil
}

// storeFile reads a file that the values of a layout look at.
func (d *decoder) storeFile(e entry, parts []string) *StoreFile {
	if !d.name(identifier, e.key) || !d.accept(storeFileForm, e.value, e.key.Value) {
		return nil
	}
	f := &StoreFile{Pos: pos(e.key), Name: e.key.Value}
	n := e.value
	if n.Kind == yaml.MappingNode {
		o := d.object(n, "store file")
		f.Key = o.text("key")
		if n = o.at("path"); n == nil {
			return nil
		}
	}
	f.Path, f.Root = strings.CutPrefix(n.Value, "/")
	for name, at := range placeholders(n.Value) {
		if !slices.Contains(parts, name) && !slices.Contains(filePlaceholders, name) {
			p := within(d.report, n, at, len(name)+2)
			x := d.report.Errorf(diag.BadValue, p.line, p.col, p.length, "no part of the path is named %q", name)
			x.Hint = "there are " + inWords(append(parts, filePlaceholders...))
		}
	}
	return f
}

// filePlaceholders are the names that stand for the session in the path of any
// file beside it.
var filePlaceholders = []string{"name", "folder"}
