package mapping

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// place is where a finding is, all numbers as in [diag.Finding].
type place struct{ line, col, length int }

func whole(n *yaml.Node) place {
	length := 0
	if n.Kind == yaml.ScalarNode && n.Style == 0 && !strings.Contains(n.Value, "\n") {
		length = utf8.RuneCountInString(n.Value)
	}
	return place{n.Line, n.Column, length}
}

func pos(n *yaml.Node) Pos { return Pos{n.Line, n.Column} }

// within is the place of n bytes of a scalar's value, from a byte offset on,
// whatever the style in which the scalar is written.
func within(report *diag.Reporter, node *yaml.Node, offset, length int) place {
	offset = min(offset, len(node.Value))
	length = min(length, len(node.Value)-offset)
	s := scan{report: report, line: node.Line, col: node.Column}
	s.seek()
	s.properties()
	if node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return literal(report, s.line, node.Value, offset, length)
	}
	s.quote = 0
	if node.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		s.quote = s.rest[0]
		s.skip(1)
	}
	value := node.Value
	for at := 0; at < offset && at < len(value); {
		r, size := utf8.DecodeRuneInString(value[at:])
		s.consume(r)
		at += size
	}
	if offset < len(value) {
		r, _ := utf8.DecodeRuneInString(value[offset:])
		s.approach(r)
	}
	p := place{s.line, s.col, 0}
	for at := offset; at < offset+length && at < len(value) && s.line == p.line; {
		r, size := utf8.DecodeRuneInString(value[at:])
		s.consume(r)
		at += size
	}
	if s.line == p.line {
		p.length = s.col - p.col
	} else {
		p.length = utf8.RuneCountInString(report.Line(p.line)) - p.col + 1
	}
	return p
}

// literal is the place in a text below its |, whose lines stand as they are.
func literal(report *diag.Reporter, header int, value string, offset, length int) place {
	before := value[:offset]
	line := header + 1 + strings.Count(before, "\n")
	before = before[strings.LastIndexByte(before, '\n')+1:]
	indent := 0
	for i, text := range strings.Split(value, "\n") {
		if text == "" {
			continue
		}
		// what the file's line has beyond the value's
		indent = utf8.RuneCountInString(report.Line(header+1+i)) - utf8.RuneCountInString(text)
		break
	}
	here, _, _ := strings.Cut(value[offset:offset+length], "\n")
	return place{line, max(indent, 0) + utf8.RuneCountInString(before) + 1, utf8.RuneCountInString(here)}
}

// scan walks over the source of a scalar while its value is read.
type scan struct {
	report    *diag.Reporter
	line, col int
	rest      string // of the line, from col on
	quote     byte   // ' or ", 0 in a plain scalar
}

// seek makes rest what stands at line and col.
func (s *scan) seek() {
	s.rest = s.report.Line(s.line)
	for k := 1; k < s.col && s.rest != ""; k++ {
		_, size := utf8.DecodeRuneInString(s.rest)
		s.rest = s.rest[size:]
	}
}

// skip goes on by some characters of the line.
func (s *scan) skip(n int) {
	for ; n > 0 && s.rest != ""; n-- {
		_, size := utf8.DecodeRuneInString(s.rest)
		s.rest = s.rest[size:]
		s.col++
	}
}

// properties skips an anchor and a tag before the scalar.
func (s *scan) properties() {
	for strings.HasPrefix(s.rest, "&") || strings.HasPrefix(s.rest, "!") {
		end := strings.IndexByte(s.rest, ' ')
		if end < 0 {
			s.nextLine()
		} else {
			s.skip(utf8.RuneCountInString(s.rest[:end]))
		}
		s.blanks()
	}
}

func (s *scan) blanks() {
	for strings.HasPrefix(s.rest, " ") || strings.HasPrefix(s.rest, "\t") {
		s.skip(1)
	}
}

func (s *scan) nextLine() bool {
	if s.line >= s.report.Lines() {
		return false
	}
	s.line, s.col = s.line+1, 1
	s.rest = s.report.Line(s.line)
	return true
}

// approach moves to the source of a value's next character: folded white space
// and escaped line ends have no counterpart in the value.
func (s *scan) approach(r rune) {
	for {
		if s.quote == '"' && s.rest == `\` || strings.TrimLeft(s.rest, " \t") == "" && r != ' ' && r != '\t' {
			if !s.nextLine() {
				return
			}
			s.blanks()
			continue
		}
		return
	}
}

// consume passes the source of one character of the value.
func (s *scan) consume(r rune) {
	switch {
	case r == '\n' && !strings.HasPrefix(s.rest, `\`):
		// an empty line in a folded text
		if s.nextLine() {
			s.blanks()
		}
	case r == ' ' && strings.TrimLeft(s.rest, " \t") == "":
		// a line end that was folded
		if s.nextLine() {
			s.blanks()
		}
	default:
		s.approach(r)
		s.skip(s.width())
	}
}

// width is the number of characters that stand for one of the value.
func (s *scan) width() int {
	switch {
	case s.quote == '\'' && strings.HasPrefix(s.rest, "''"):
		return 2
	case s.quote == '"' && len(s.rest) > 1 && s.rest[0] == '\\':
		switch s.rest[1] {
		case 'x':
			return 4
		case 'u':
			return 6
		case 'U':
			return 10
		}
		return 2
	}
	return 1
}
