package mapping

import (
	"iter"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// Pattern is a pattern of paths below a root: folders and a file, or, with a
// slash at its end, folders alone. In it `*` stands for any characters of a
// name, `**` for any folders, {part} for some characters that are called so, and
// {part:class} for those of a class. A part stands for as little as possible.
type Pattern struct {
	Pos      Pos
	Source   string
	Folder   bool     // what fits is a folder
	Parts    []string // names, in the order in which they first occur
	Segments []Segment
}

// Segment is what fits one name of a path, or with Any, any number of folders.
type Segment struct {
	Any     bool
	Literal string // the name itself; "" when the segment is a pattern
	match   *regexp.Regexp
	parts   []string // of match's groups
}

// classes are what a part may be limited to.
var classes = map[string]string{
	"uuid":   `[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`,
	"hex":    `[0-9a-fA-F]+`,
	"digits": `[0-9]+`,
}

// Part is a named part of a path.
type Part struct{ Name, Value string }

// Match reports whether a name fits the segment beside the parts of the folders
// above it: a part that occurs twice must be the same in both. It gives the
// parts, those above included.
func (s *Segment) Match(name string, above []Part) ([]Part, bool) {
	if s.match == nil {
		return above, name == s.Literal
	}
	found := s.match.FindStringSubmatch(name)
	if found == nil {
		return nil, false
	}
	parts := above
	for i, part := range s.parts {
		at := slices.IndexFunc(parts, func(p Part) bool { return p.Name == part })
		switch {
		case at < 0:
			parts = append(slices.Clip(parts), Part{part, found[i+1]})
		case parts[at].Value != found[i+1]:
			return nil, false
		}
	}
	return parts, true
}

// placeholders are the names in braces of a text, with the place of the brace.
func placeholders(text string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, m := range brace.FindAllStringSubmatchIndex(text, -1) {
			if !yield(text[m[2]:m[3]], m[0]) {
				return
			}
		}
	}
}

var brace = regexp.MustCompile(`\{([^{}:]*)(?::([^{}]*))?\}`)

// pattern reads a pattern; nil after a fault.
func (d *decoder) pattern(n *yaml.Node) *Pattern {
	if !d.accept(text(anyText), n, "path") {
		return nil
	}
	p := &Pattern{Pos: pos(n), Source: n.Value}
	path, folder := strings.CutSuffix(n.Value, "/")
	p.Folder = folder
	if path == "." {
		return p // the root itself
	}
	at, ok := 0, true
	for name := range strings.SplitSeq(path, "/") {
		s := Segment{Any: name == "**"}
		switch {
		case name == "" || name == "." || name == "..":
			d.patternError(n, at, len(name), "a path is one below the root, without . and ..")
			ok = false
		case s.Any && (at+2 == len(path) || len(p.Segments) > 0 && p.Segments[len(p.Segments)-1].Any):
			d.patternError(n, at, 2, "** stands for folders: a name must follow it")
			ok = false
		case !s.Any:
			ok = d.segment(n, at, name, p, &s) && ok
		}
		p.Segments = append(p.Segments, s)
		at += len(name) + 1
	}
	if !ok {
		return nil
	}
	return p
}

func (d *decoder) patternError(n *yaml.Node, at, length int, message string, args ...any) *diag.Finding {
	p := within(d.report, n, at, max(length, 1))
	return d.report.Errorf(diag.BadValue, p.line, p.col, p.length, message, args...)
}

// segment reads the pattern of one name, which stands at a byte of a node.
func (d *decoder) segment(n *yaml.Node, at int, name string, p *Pattern, s *Segment) bool {
	if !strings.ContainsAny(name, "*{}") {
		s.Literal = name
		return true
	}
	var expr strings.Builder
	literal := func(text string) bool {
		for i, piece := range strings.Split(text, "*") {
			if i > 0 {
				expr.WriteString(".*?")
			}
			expr.WriteString(regexp.QuoteMeta(piece))
		}
		return !strings.ContainsAny(text, "{}")
	}
	rest, expr0 := 0, &expr
	expr0.WriteString("^")
	ok := true
	for _, m := range brace.FindAllStringSubmatchIndex(name, -1) {
		ok = literal(name[rest:m[0]]) && ok
		rest = m[1]
		part, class := name[m[2]:m[3]], ""
		if m[4] >= 0 {
			class = name[m[4]:m[5]]
		}
		chars, known := classes[class]
		switch {
		case !identifier.ok(part) || part == Modified || slices.Contains(filePlaceholders, part):
			d.patternError(n, at+m[2], len(part), "%q cannot be the name of a part", part)
			ok = false
			continue
		case class == "" && m[4] < 0:
			chars = ".+?"
		case !known:
			d.patternError(n, at+m[4], len(class), "there is no class %q of parts", class).Hint = "there are digits, hex and uuid"
			ok = false
			continue
		}
		if slices.Contains(s.parts, part) {
			d.patternError(n, at+m[2], len(part), "the part %q stands twice in one name", part)
			ok = false
			continue
		}
		if !slices.Contains(p.Parts, part) {
			p.Parts = append(p.Parts, part)
		}
		s.parts = append(s.parts, part)
		expr.WriteString("(" + chars + ")")
	}
	if !literal(name[rest:]) {
		d.patternError(n, at, len(name), "a brace without its other one")
		return false
	}
	if !ok {
		return false
	}
	expr.WriteString("$")
	s.match = regexp.MustCompile("(?s)" + expr.String())
	return true
}
