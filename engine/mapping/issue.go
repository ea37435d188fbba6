package mapping

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/expr"
)

// issues reports what is wrong with an expression where its author looks: at the
// word within the expression, in the file.
func (d *decoder) issues(n *yaml.Node, offset int, src string, issues []expr.Issue, s scope) {
	report := func() { d.locate(n, offset, src, issues, s) }
	if d.trial != nil {
		d.trial.expression(n, src, s, len(issues) == 0, report)
		return
	}
	report()
}

func (d *decoder) locate(n *yaml.Node, offset int, src string, issues []expr.Issue, s scope) {
	for i := range issues {
		issue := &issues[i]
		start := offset + byteOffset(src, issue.Line, issue.Col)
		end := start
		for k := 0; k < issue.Len && end < len(n.Value); k++ {
			_, size := utf8.DecodeRuneInString(n.Value[end:])
			end += size
		}
		p := within(d.report, n, start, end-start)
		s.explain(issue, n.Value[:start])
		f := d.report.Errorf(diag.BadExpression, p.line, p.col, max(p.length, 1), "%s", issue.Message)
		f.Hint = issue.Hint
		if fact := strings.HasSuffix(n.Value[:start], "session."); fact {
			if _, declared := d.numbers[n.Value[start:end]]; declared {
				f.Hint = s.unseenFact()
			}
		}
		if hint := d.cut(n, src); hint != "" {
			f.Hint = hint
		}
	}
}

// unseenFact says why a fact that is declared cannot be read here.
func (s scope) unseenFact() string {
	if s.format == nil {
		return "formats use this block that do not have it"
	}
	return "it is another format's, or stands below"
}

// byteOffset is the place of a line and column of a text, both 1-based.
func byteOffset(src string, line, col int) int {
	at := 0
	for ; line > 1; line-- {
		end := strings.IndexByte(src[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
	}
	for ; col > 1 && at < len(src); col-- {
		_, size := utf8.DecodeRuneInString(src[at:])
		at += size
	}
	return at
}

// cut is the hint for an expression that YAML ended early, which shows by what
// stands after it and by a bracket or quote that it leaves open.
func (d *decoder) cut(n *yaml.Node, src string) string {
	if n.Style != 0 || balanced(src) {
		return ""
	}
	end := within(d.report, n, len(n.Value), 0)
	line := []rune(d.report.Line(end.line))
	rest := strings.TrimLeft(string(line[min(end.col-1, len(line)):]), " ")
	switch {
	case strings.HasPrefix(rest, "#"):
		return hintComment
	case rest != "" && strings.ContainsAny(rest[:1], ",]}[{"):
		return hintCut
	}
	return ""
}

// balanced reports whether an expression closes every bracket and quote.
func balanced(src string) bool {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '"', '\'':
			for i++; i < len(src) && src[i] != c; i++ {
				if src[i] == '\\' {
					i++
				}
			}
			if i >= len(src) {
				return false
			}
		}
	}
	return depth == 0
}
