package mapping

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// Linked are frames that are put together from many files below one folder, which
// name each other in their paths. A part of a path has the value that the session's
// own file, or the frame's, has given it.
type Linked struct {
	Pos   Pos
	Input *Pattern // of the session's own file
	Doc   string   // member of the document that it becomes
	Files *Pattern // of a frame's file
	As    string   // member of the frame that its file becomes
	Order string   // dotted path in a frame's file by which they are sorted; "" is by their names
	Lists []*LinkedList
	ID    string // member of each file that its name says; "" is none
}

// LinkedList is a member of the frame: a list of what other files hold, in the
// order of their names as text.
type LinkedList struct {
	Member string
	Files  *Pattern
}

// Own is the part of a pattern that its file's name gives, which tells the file
// from others in its folder.
func (p *Pattern) Own() string {
	if len(p.Segments) == 0 {
		return ""
	}
	for _, name := range p.Segments[len(p.Segments)-1].parts {
		first := !slices.ContainsFunc(p.Segments[:len(p.Segments)-1], func(s Segment) bool { return slices.Contains(s.parts, name) })
		if first {
			return name
		}
	}
	return ""
}

// Dir is the folder of a pattern's files, with the parts filled in; "." is the root.
func (p *Pattern) Dir(parts []Part) string {
	cut := strings.LastIndexByte(p.Source, '/')
	if cut < 0 {
		return "."
	}
	return brace.ReplaceAllStringFunc(p.Source[:cut], func(place string) string {
		name, _, _ := strings.Cut(place[1:len(place)-1], ":")
		for _, part := range parts {
			if part.Name == name {
				return part.Value
			}
		}
		return place
	})
}

// Last is the pattern of the file's own name.
func (p *Pattern) Last() *Segment { return &p.Segments[len(p.Segments)-1] }

// linked reads `linked`.
func (d *decoder) linked(parent *object) *Linked {
	n := parent.at("linked")
	if n == nil {
		return nil
	}
	o := d.object(n, "linked")
	if o == nil {
		return nil
	}
	l := &Linked{Pos: pos(n), Doc: o.text("doc"), As: o.text("as"), Order: o.text("order"), ID: o.text("id")}
	l.Input = d.linkedPattern(o.at("input"), nil, true)
	l.Files = d.linkedPattern(o.at("files"), l.Input, false)
	if n := o.at("lists"); n != nil {
		for _, e := range d.entries(n) {
			if !d.name(identifier, e.key) {
				continue
			}
			if e.key.Value == l.As {
				d.errorf(diag.Conflict, e.key, "a frame has %q of its own file already", l.As)
			}
			if p := d.linkedPattern(e.value, l.Files, false); p != nil {
				l.Lists = append(l.Lists, &LinkedList{e.key.Value, p})
			}
		}
	}
	return l
}

// linkedPattern reads the pattern of files whose folder is known once those above
// are: all that is free in it is the file's own name.
func (d *decoder) linkedPattern(n *yaml.Node, above *Pattern, free bool) *Pattern {
	if n == nil {
		return nil
	}
	p := d.pattern(n)
	if p == nil || !free && above == nil {
		return nil
	}
	if above != nil {
		p.Parts = slices.Concat(above.Parts, slices.DeleteFunc(p.Parts, func(name string) bool { return slices.Contains(above.Parts, name) }))
	}
	own := p.Own()
	switch {
	case p.Folder || slices.ContainsFunc(p.Segments, func(s Segment) bool { return s.Any }):
		d.patternError(n, 0, len(n.Value), "these are files, in one folder each")
		return nil
	case own == "" || above != nil && slices.Contains(above.Parts, own):
		d.patternError(n, 0, len(n.Value), "the name of the file needs a part of its own, such as {id}.json")
		return nil
	case free:
		return p
	}
	dir, _, _ := cutLast(n.Value)
	if at := strings.IndexByte(dir, '*'); at >= 0 {
		d.patternError(n, at, 1, "the folder must be known: * leaves it open")
		return nil
	}
	for name, at := range placeholders(dir) {
		if !slices.Contains(above.Parts, name) {
			e := d.patternError(n, at, len(name)+2, "no path above names the part %q", name)
			e.Hint = "there are " + inWords(above.Parts)
			return nil
		}
	}
	return p
}

// cutLast cuts a path before its last name.
func cutLast(path string) (dir, name string, ok bool) {
	at := strings.LastIndexByte(path, '/')
	if at < 0 {
		return "", path, false
	}
	return path[:at], path[at+1:], true
}
