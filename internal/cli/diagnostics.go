package cli

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/trajmap/trajmap/engine/trajectory"
)

// mostDiagnostics is how many diagnostics of one code are said of an input: more
// tell nobody more, and would bury the others.
const mostDiagnostics = 20

// diagnostics says what was noticed, a line each: all in one go, for there may be
// thousands.
func (c *conversion) diagnostics(s *converted) {
	var b bytes.Buffer
	file := s.label(s.result)
	counts := map[string]int{}
	var codes []string // in the order of their first
	for i := range s.result.Diagnostics {
		d := &s.result.Diagnostics[i]
		if counts[d.Code]++; counts[d.Code] == 1 {
			codes = append(codes, d.Code)
		}
		if c.AllDiagnostics || counts[d.Code] <= mostDiagnostics {
			fmt.Fprintln(&b, diagnosticLine(file, d))
		}
	}
	for _, code := range codes {
		if more := counts[code] - mostDiagnostics; more > 0 && !c.AllDiagnostics {
			fmt.Fprintf(&b, "%s: … and %s more %s (--all-diagnostics says them all)\n", file, group(more), code)
		}
	}
	_, _ = b.WriteTo(c.Stderr)
}

// diagnosticLine is a diagnostic as FILE:LINE: code: message.
func diagnosticLine(file string, d *trajectory.Diagnostic) string {
	if d.InputLine > 0 {
		file += ":" + strconv.Itoa(d.InputLine)
	}
	line := file + ": " + d.Code + ": " + d.Message
	if d.Count > 1 {
		line += " (" + group(d.Count) + " times)"
	}
	return line
}
