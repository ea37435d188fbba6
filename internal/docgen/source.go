package docgen

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/mapping"
)

// source is a mapping's file as its author wrote it: a mapping that has been
// read no longer has its comments and the text of its values.
type source struct {
	lines []string
	nodes map[mapping.Pos]*yaml.Node
}

func newSource(data []byte) (*source, error) {
	s := &source{lines: strings.Split(string(data), "\n"), nodes: map[mapping.Pos]*yaml.Node{}}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return nil, err
	}
	s.index(&root)
	return s, nil
}

// index notes nodes by their place. A map stands where its first key does: the
// map counts.
func (s *source) index(n *yaml.Node) {
	at := mapping.Pos{Line: n.Line, Col: n.Column}
	if s.nodes[at] == nil && n.Kind != yaml.DocumentNode && n.Kind != yaml.AliasNode {
		s.nodes[at] = n
	}
	for _, c := range n.Content {
		s.index(c)
	}
}

// line is a line of the file, 1-based; "" beyond its ends.
func (s *source) line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return s.lines[n-1]
}

// comment is the text of a line that is nothing but a comment.
func comment(line string) (text string, ok bool) {
	text, ok = strings.CutPrefix(strings.TrimSpace(line), "#")
	return strings.TrimSpace(text), ok
}

// above is the comment right above a line, as one paragraph; "" for none.
func (s *source) above(line int) string {
	first := line
	for {
		if _, ok := comment(s.line(first - 1)); !ok {
			break
		}
		first--
	}
	var words []string
	for ; first < line; first++ {
		text, _ := comment(s.line(first))
		words = append(words, text)
	}
	return prose(strings.Join(words, " "))
}

// beside is the comment at the end of a line; "" for none. A # begins one after
// white space, outside of quotes.
func (s *source) beside(line int) string {
	text := s.line(line)
	quote := rune(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && (i == 0 || strings.ContainsRune(" [{,:", rune(text[i-1]))):
			quote = c
		case c == '#' && i > 0 && text[i-1] == ' ':
			return prose(strings.TrimSpace(text[i+1:]))
		}
	}
	return ""
}

// said is all that the author says about a line.
func (s *source) said(line int) string {
	return sentences(s.above(line), s.beside(line))
}

// around is what the author says above a map's key and above its first line.
func (s *source) around(line int) string {
	key := line - 1
	for {
		if _, ok := comment(s.line(key)); !ok {
			return sentences(s.above(key), s.above(line))
		}
		key--
	}
}

// intro is the comment that the file begins with, without the editor's line, as
// paragraphs.
func (s *source) intro() []string {
	var all []string
	var words []string
	end := func() {
		if len(words) > 0 {
			all = append(all, prose(strings.Join(words, " ")))
			words = nil
		}
	}
	for _, line := range s.lines {
		text, ok := comment(line)
		switch {
		case !ok:
			end()
			return all
		case strings.HasPrefix(text, "yaml-language-server:"):
		case text == "":
			end()
		default:
			words = append(words, text)
		}
	}
	return all
}

// words is a value as its author wrote it, in words: `a`, else `b`.
func (s *source) words(v *mapping.Value) string {
	if v == nil {
		return ""
	}
	if n := s.nodes[v.Pos]; n != nil && v.Object == nil {
		return inWords(n)
	}
	return code(v.Source)
}

func inWords(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		var parts []string
		for _, item := range n.Content {
			parts = append(parts, inWords(item))
		}
		return strings.Join(parts, ", else ")
	case yaml.MappingNode: // {const: x}
		return code(n.Content[1].Value)
	}
	return code(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(n.Value), "=")))
}

// condition is a condition as code.
func condition(v *mapping.Value) string { return code(v.Source) }
