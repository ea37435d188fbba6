package diag

import (
	"encoding/xml"
	"io"
)

type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitFailure `xml:"failure"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit prints a suite a file, and a case a finding; warnings are cases
// that pass and say something.
func writeJUnit(w io.Writer, list List) error {
	var out junitSuites
	for i := range list {
		f := &list[i]
		n := len(out.Suites)
		if n == 0 || out.Suites[n-1].Name != f.File {
			out.Suites = append(out.Suites, junitSuite{Name: f.File})
			n++
		}
		s := &out.Suites[n-1]
		c := junitCase{Name: f.place() + " " + f.Code, Class: f.File, File: f.File, Line: f.Line}
		if f.Severity == Error {
			s.Failures++
			c.Failure = &junitFailure{Type: f.Code, Message: f.sentence(), Text: f.Excerpt}
		} else {
			c.Out = f.sentence()
		}
		s.Tests++
		s.Cases = append(s.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
