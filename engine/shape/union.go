package shape

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// scalar reads a union of words and names, such as "str|[part]|null!".
func (n *Names) scalar(node *yaml.Node, dst *Shape) (s *Shape, required bool) {
	text, col := node.Value, node.Column
	if node.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		col++
	}
	if text == "" {
		n.errorf(diag.BadShape, node, "expected a shape").Hint = "any, if nothing is known"
		return n.make(dst, Any), false
	}
	text, required = strings.CutSuffix(text, "!")
	u := union{n: n, line: node.Line, col: col, text: text}
	s = u.parse(dst)
	if s != nil && u.at < len(text) {
		u.errorf(u.at, 1, diag.BadShape, "unexpected %q in a shape", text[u.at:])
		s = nil
	}
	if s == nil {
		s = n.make(dst, Any)
	}
	return s, required
}

// union parses the text of a scalar shape.
type union struct {
	n         *Names
	line, col int
	text      string
	at        int
}

func (u *union) errorf(at, length int, code, format string, args ...any) *diag.Finding {
	col := u.col + utf8.RuneCountInString(u.text[:at])
	return u.n.report.Errorf(code, u.line, col, length, format, args...)
}

// parse reads alternatives up to something else; nil after a fault.
func (u *union) parse(dst *Shape) *Shape {
	start := u.at
	var parts []*Shape
	for {
		s := u.one()
		if s == nil {
			return nil
		}
		parts = append(parts, s)
		if u.at == len(u.text) || u.text[u.at] != '|' {
			break
		}
		u.at++
	}
	if len(parts) == 1 && dst == nil {
		return parts[0]
	}
	all := u.n.make(dst, 0)
	length := utf8.RuneCountInString(u.text[start:u.at])
	u.n.tasks[all] = &task{parts: parts, finish: func() {
		for _, s := range parts {
			if reason := all.merge(s); reason != "" {
				u.errorf(start, length, diag.BadShape, "%s", reason)
			}
		}
	}, cyclic: func() {
		u.errorf(start, length, diag.CyclicShape, "this shape consists of itself")
	}}
	return all
}

func (u *union) one() *Shape {
	u.space()
	defer u.space()
	start := u.at
	if strings.HasPrefix(u.text[u.at:], "[") {
		u.at++
		item := u.parse(nil)
		if item == nil {
			return nil
		}
		if u.at == len(u.text) || u.text[u.at] != ']' {
			u.errorf(start, 1, diag.BadShape, "this [ is never closed")
			return nil
		}
		u.at++
		s := u.n.make(nil, List)
		s.Item = item
		return s
	}
	if end := strings.IndexAny(u.text[u.at:], "|[] \t\n"); end < 0 {
		u.at = len(u.text)
	} else {
		u.at += end
	}
	word := u.text[start:u.at]
	if s, ok := words[word]; ok {
		return s
	}
	if s := u.n.find(word); s != nil {
		return s
	}
	f := u.errorf(start, utf8.RuneCountInString(word), diag.UnknownShape, "unknown shape %q", word)
	if near := diag.Nearest(word, u.n.all()); near != "" {
		f.Hint = "did you mean " + near + "?"
	}
	return nil
}

func (u *union) space() {
	for u.at < len(u.text) && strings.ContainsRune(" \t\n", rune(u.text[u.at])) {
		u.at++
	}
}

// merge makes s a union with t. It gives the reason when that cannot be.
func (s *Shape) merge(t *Shape) string {
	s.Types |= t.Types
	if t.Types&List != 0 {
		if s.Item != nil {
			return "only one part of a union can be a list"
		}
		s.Item = t.Item
	}
	if t.Types&Object != 0 {
		if s.Fields != nil || s.Switch != nil || s.Open {
			return "only one part of a union can be an object"
		}
		s.Fields, s.Switch, s.Open = t.Fields, t.Switch, t.Open
	}
	return ""
}
