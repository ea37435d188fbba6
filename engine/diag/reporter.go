package diag

import (
	"fmt"
	"strings"
)

// Reporter collects the findings about one file and quotes its lines.
type Reporter struct {
	File  string
	Found List
	lines []string
}

// NewReporter is a reporter about a file with this content.
func NewReporter(file string, data []byte) *Reporter {
	return &Reporter{File: file, lines: splitLines(strings.TrimPrefix(string(data), "\ufeff"))}
}

// splitLines cuts at every line break that YAML knows, so that line numbers are
// those of the YAML parser.
func splitLines(s string) []string {
	var lines []string
	for {
		end, next := len(s), len(s)
		for i, r := range s {
			if r == '\n' || r == '\u0085' || r == '\u2028' || r == '\u2029' || r == '\r' {
				end, next = i, i+len(string(r))
				if strings.HasPrefix(s[i:], "\r\n") {
					next++
				}
				break
			}
		}
		lines = append(lines, s[:end])
		if next == len(s) {
			return lines
		}
		s = s[next:]
	}
}

// Line is a line's text, 1-based, without its end; "" beyond the file.
func (r *Reporter) Line(n int) string {
	if n < 1 || n > len(r.lines) {
		return ""
	}
	return r.lines[n-1]
}

// Lines is the number of lines.
func (r *Reporter) Lines() int { return len(r.lines) }

// Errorf adds an error. The finding returned may be completed until the next is
// added.
func (r *Reporter) Errorf(code string, line, col, length int, format string, args ...any) *Finding {
	return r.add(Error, code, line, col, length, format, args)
}

// Warnf adds a warning, like Errorf.
func (r *Reporter) Warnf(code string, line, col, length int, format string, args ...any) *Finding {
	return r.add(Warning, code, line, col, length, format, args)
}

func (r *Reporter) add(s Severity, code string, line, col, length int, format string, args []any) *Finding {
	r.Found = append(r.Found, Finding{
		Code: code, Severity: s, File: r.File,
		Line: line, Col: col, Len: length,
		Message: fmt.Sprintf(format, args...),
		Excerpt: r.Line(line),
	})
	return &r.Found[len(r.Found)-1]
}
