package trajectory

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"
)

// envelope begins an object that holds a transcript under `records`.
var envelope = regexp.MustCompile(`^\{\s*"records"`)

// split gives the records of an input to c, transcript by transcript. The input
// is a JSON document when it begins like one, else lines.
func split(r io.Reader, c *check) error {
	in := bufio.NewReaderSize(r, 64<<10)
	line, err := skipSpace(in)
	if err != nil && err != io.EOF {
		return err
	}
	start, err := in.Peek(256)
	if err != nil && err != io.EOF {
		return err
	}
	if bytes.HasPrefix(start, []byte("[")) || envelope.Match(start) {
		return splitDocument(in, line, c)
	}
	return splitLines(in, line, c)
}

// skipSpace passes white space, and gives the line on which it ends.
func skipSpace(in *bufio.Reader) (line int, err error) {
	line = 1
	for {
		b, err := in.ReadByte()
		if err != nil {
			return line, err
		}
		switch b {
		case '\n':
			line++
		case ' ', '\t', '\r':
		default:
			return line, in.UnreadByte()
		}
	}
}

func splitLines(in *bufio.Reader, line int, c *check) error {
	var long []byte
	c.lines = true
	for ; ; line++ {
		text, err := in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long[:0], text...)
			for err == bufio.ErrBufferFull {
				text, err = in.ReadSlice('\n')
				long = append(long, text...)
			}
			text = long
		}
		if err != nil && err != io.EOF {
			return err
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			c.record(line, text)
		}
		if err == io.EOF {
			c.end()
			return nil
		}
	}
}

// splitDocument reads arrays of records, bare or in envelopes. What is not JSON
// ends it with a problem: there is no telling where the next record would begin.
func splitDocument(in *bufio.Reader, line int, c *check) error {
	lines := &lineCounter{r: in, line: line}
	s := &splitter{
		Decoder: jsontext.NewDecoder(lines, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)),
		lines:   lines, c: c,
	}
	var err error
	for err == nil {
		err = s.transcript()
	}
	var syntax *jsontext.SyntacticError
	switch {
	case err == io.EOF:
		return nil
	case errors.As(err, &syntax):
		c.report(Problem{Line: lines.at(syntax.ByteOffset), Record: c.at.record + 1, Message: "it is not JSON; the rest was not read"})
		return nil
	}
	return err
}

// splitter cuts a JSON document.
type splitter struct {
	*jsontext.Decoder
	lines *lineCounter
	c     *check
}

// transcript reads the next array of records.
func (s *splitter) transcript() error {
	switch s.PeekKind() {
	case '[':
		return s.array()
	case '{':
		return s.object()
	}
	v, err := s.ReadValue()
	if err != nil {
		return err
	}
	s.c.report(Problem{Line: s.lineOf(v), Message: "it is neither a record nor a list of records"})
	return nil
}

// object reads an envelope.
func (s *splitter) object() error {
	if _, err := s.ReadToken(); err != nil {
		return err
	}
	found := false
	for s.PeekKind() != '}' {
		name, err := s.ReadToken()
		if err != nil {
			return err
		}
		if name.String() == "records" && s.PeekKind() == '[' {
			found, err = true, s.array()
		} else {
			err = s.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	end, err := s.ReadToken()
	if err == nil && !found {
		s.c.report(Problem{Line: s.lines.at(s.InputOffset() - int64(len(end.String()))), Message: "the object holds no list of records"})
	}
	return err
}

func (s *splitter) array() error {
	if _, err := s.ReadToken(); err != nil {
		return err
	}
	for s.PeekKind() != ']' {
		v, err := s.ReadValue()
		if err != nil {
			return err
		}
		s.c.record(s.lineOf(v), v)
	}
	_, err := s.ReadToken()
	if err == nil {
		s.c.end()
	}
	return err
}

// lineOf is the line on which the value that has just been read begins.
func (s *splitter) lineOf(v jsontext.Value) int {
	return s.lines.at(s.InputOffset() - int64(len(v)))
}

// lineCounter remembers where the lines end that have been read, but not passed.
type lineCounter struct {
	r    io.Reader
	read int64
	line int     // at the last place asked for
	ends []int64 // offsets of line ends after it
}

func (l *lineCounter) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i := 0; i < n; i++ {
		at := bytes.IndexByte(p[i:n], '\n')
		if at < 0 {
			break
		}
		i += at
		l.ends = append(l.ends, l.read+int64(i))
	}
	l.read += int64(n)
	return n, err
}

// at is the line of an offset, which never lies before the last one.
func (l *lineCounter) at(offset int64) int {
	passed := 0
	for passed < len(l.ends) && l.ends[passed] < offset {
		passed++
	}
	l.line += passed
	l.ends = append(l.ends[:0], l.ends[passed:]...)
	return l.line
}
