// Package diag holds findings: what is wrong in a file that a person wrote, where
// it is and what to do about it. A [Finding] is a value, not a text; [Write]
// prints a [List] of them for people, for programs and for the annotations of
// code hosts. Findings never hold transcript content.
package diag

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Severity says whether a finding fails a check.
type Severity uint8

// The severities.
const (
	Error Severity = iota
	Warning
)

func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Finding is one thing to correct.
type Finding struct {
	Code     string // of the table in [Codes]
	Severity Severity
	File     string
	Line     int // 1-based; 0 when the finding is about the file
	Col      int // 1-based, in characters; 0 when it is about the line
	Len      int // characters at Col that are at fault; 0 is unknown
	Message  string
	Hint     string // what to do; "" when the message says it all
	Excerpt  string // the line, without its end; "" for a line of a transcript
}

// String is the finding on one line: FILE:LINE:COL: message (hint) [code].
func (f *Finding) String() string {
	b := strings.Builder{}
	b.WriteString(f.place())
	b.WriteString(": ")
	if f.Severity == Warning {
		b.WriteString("warning: ")
	}
	b.WriteString(f.sentence())
	b.WriteString(" [" + f.Code + "]")
	return strings.ReplaceAll(b.String(), "\n", " ")
}

// place is FILE, FILE:LINE or FILE:LINE:COL, as far as it is known.
func (f *Finding) place() string {
	s := f.File
	if f.Line > 0 {
		s += ":" + strconv.Itoa(f.Line)
		if f.Col > 0 {
			s += ":" + strconv.Itoa(f.Col)
		}
	}
	return s
}

func (f *Finding) sentence() string {
	if f.Hint == "" {
		return f.Message
	}
	return f.Message + " (" + f.Hint + ")"
}

// List is what a check found.
type List []Finding

// Sort orders the list by file and place and drops repetitions: the same
// message at the same place says nothing new.
func (l *List) Sort() {
	slices.SortStableFunc(*l, func(a, b Finding) int {
		return cmp.Or(
			strings.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Col, b.Col),
			cmp.Compare(a.Severity, b.Severity))
	})
	*l = slices.CompactFunc(*l, func(a, b Finding) bool {
		return a.File == b.File && a.Line == b.Line && a.Col == b.Col && a.Message == b.Message
	})
}

// Err is nil when the list holds no error; warnings are none.
func (l List) Err() error {
	for i := range l {
		if l[i].Severity == Error {
			return l
		}
	}
	return nil
}

// Error is the list as text, a finding a line.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i := range l {
		lines[i] = l[i].String()
	}
	return strings.Join(lines, "\n")
}

// Count is the number of errors and of warnings.
func (l List) Count() (errors, warnings int) {
	for i := range l {
		if l[i].Severity == Error {
			errors++
		} else {
			warnings++
		}
	}
	return errors, warnings
}
