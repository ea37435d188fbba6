package mapping

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/shape"
)

// evidence checks what `version`, `since` and `until` of every schema speak of.
// It comes last, when the kinds that blocks ignore are known.
func (d *decoder) evidence() {
	for _, v := range d.natives {
		if v.Frame == nil {
			continue
		}
		if n := v.object.at("version"); n != nil {
			d.knownPath(n, v.Frame)
		}
		for _, name := range []string{"since", "until"} {
			if n := v.object.at(name); n != nil {
				for _, e := range d.pairs(n) {
					d.knownSubject(e.key, v.Frame)
				}
			}
		}
	}
}

// knownSubject checks a kind path or the path of a field.
func (d *decoder) knownSubject(n *yaml.Node, frame *shape.Shape) {
	kind, below, nested := strings.Cut(n.Value, "/")
	sw := frame.Switch
	if sw == nil || !nested && !sw.Knows(kind) {
		d.knownPath(n, frame)
		return
	}
	if !sw.Knows(kind) {
		d.knownKind(n, kind, sw)
		return
	}
	for kinds := sw.Kinds[kind]; nested; {
		kind, below, nested = strings.Cut(below, "/")
		found := switchOf(kinds, kind, maxNesting)
		if found == nil {
			p := within(d.report, n, strings.LastIndex(n.Value, kind), len(kind))
			d.report.Errorf(diag.UnknownKind, p.line, p.col, p.length, "the native schema has no kind %q there", kind)
			return
		}
		kinds = found.Kinds[kind]
	}
}

// maxNesting bounds the search for a kind below a frame.
const maxNesting = 4

// switchOf is a discriminator of a shape, or of something in it, that knows a
// kind. Of an unknown shape it is one that knows all.
func switchOf(s *shape.Shape, kind string, depth int) *shape.Switch {
	if s == nil || s.Types&shape.Any != 0 {
		return &shape.Switch{}
	}
	if s.Switch != nil && s.Switch.Knows(kind) {
		return s.Switch
	}
	if depth == 0 {
		return nil
	}
	below := []*shape.Shape{}
	for _, f := range s.Fields {
		below = append(below, f.Shape)
	}
	if s.Switch != nil {
		for _, k := range s.Switch.Names {
			below = append(below, s.Switch.Kinds[k])
		}
	}
	if s.Item != nil {
		below = append(below, s.Item)
	}
	for _, b := range below {
		if b == nil || b.Types&shape.Any != 0 {
			continue
		}
		if found := switchOf(b, kind, depth-1); found != nil {
			return found
		}
	}
	return nil
}

// knownPath checks the dotted path of a field.
func (d *decoder) knownPath(n *yaml.Node, s *shape.Shape) {
	at := 0
	for name := range strings.SplitSeq(n.Value, ".") {
		below, ok := s.Member(name)
		if !ok {
			p := within(d.report, n, at, len(name))
			f := d.report.Errorf(diag.UnknownField, p.line, p.col, p.length, "the native schema has no field %q", name)
			if near := diag.Nearest(name, s.Names()); near != "" {
				f.Hint = "did you mean " + near + "?"
			}
			return
		}
		s, at = below, at+len(name)+1
	}
}
