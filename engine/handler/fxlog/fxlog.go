// Package fxlog reads conversations that are kept as a log of events: a line for
// each, and the results of tools in files of their own, in the folder
// tool-results beside the log. A header, session.json, says whose log it is.
//
// A frame is an event: the members of its line, but instead of `event` its
// `kind` and `payload`; a result has its text in `result`. After the events come,
// where that is so, `torn_line` for a last line that was not finished, which is
// cut off, and `open_turn` when the last turn did not end. The prompt of a turn
// that begins while another one is open has `turn_open`.
//
// What would make a conversation another one is an error that names the line:
// events whose numbers have gaps, lines that are no events, results that answer
// no call, results whose file is missing, has another length or hash, is not
// UTF-8, or lies anywhere but in its folder.
package fxlog

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

func init() { handler.Register("fxlog", Open) }

// Open opens a log; it is a [handler.Handler].
func Open(in *frame.Input, o handler.Options) (frame.Stream, func() error, error) {
	h, err := openHeader(in)
	if err != nil {
		return nil, nil, err
	}
	if o.Session != "" && h.id != "" && o.Session != h.id {
		return nil, nil, &handler.MissingError{
			Err:  trajectory.Errorf(trajectory.InvalidInput, "the log is of another session"),
			Have: []string{h.id},
		}
	}
	s := &stream{in: in, header: h, lines: frame.Lines(in, o.Limits), limit: o.Limits.Most()}
	if err := s.recognise(); err != nil {
		return nil, nil, err
	}
	if s.results, err = openResults(in, s.limit); err != nil {
		return nil, nil, err
	}
	return s, s.results.close, nil
}

// stream gives the events of a log.
type stream struct {
	in      *frame.Input
	header  *header
	results *results
	lines   frame.Stream
	limit   int64

	torn     bool // the last line has no end
	last     frame.Frame
	order    order
	ended    bool    // there are no more lines
	odd      []int64 // offsets of the prompts of turns that begin in an open one
	verified bool    // all files have been seen to be what they are called

	doc, again value.Doc
	next, by   []byte // memory of Next and At
}

// recognise looks at the first line, and whether the last one has an end.
func (s *stream) recognise() error {
	f, err := s.lines.Next()
	if err == io.EOF {
		if !s.header.conversation {
			return handler.Foreign("the input is empty, and no header beside it says that it is a log of events")
		}
		return s.lines.Rewind()
	}
	if err != nil {
		return err
	}
	if !f.TooBig && (s.doc.Parse(f.Data) != nil || s.doc.Root().Get("seq").Kind() != value.Number || s.doc.Root().Get("event").Kind() != value.Object) {
		if s.header.conversation && f.Offset+f.Length < s.in.Size {
			return faultf(f.Line, "it is no event")
		}
		if !s.header.conversation {
			return handler.Foreign("the input is no log of events")
		}
	}
	var end [1]byte
	if _, err := s.in.ReadAt(end[:], s.in.Size-1); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	s.torn = end[0] != '\n'
	return s.lines.Rewind()
}

// Next gives the next event.
func (s *stream) Next() (frame.Frame, error) {
	if !s.ended {
		if f, err := s.event(); err != io.EOF {
			return f, err
		}
		s.ended = true
	}
	s.verified = true
	if s.order.open {
		s.order.open = false
		s.last.Index++
		return s.made(&s.next, openTurn, s.last)
	}
	return frame.Frame{}, io.EOF
}

// event gives the event of the next line; io.EOF when there is none.
func (s *stream) event() (frame.Frame, error) {
	f, err := s.lines.Next()
	if err != nil {
		return frame.Frame{}, err
	}
	if s.torn && f.Offset+f.Length >= s.in.Size {
		s.ended = true
		s.last = frame.Frame{Offset: f.Offset, Line: f.Line, Index: f.Index}
		return s.made(&s.next, tornLine, s.last)
	}
	s.last = frame.Frame{Offset: f.Offset, Line: f.Line, Index: f.Index}
	if f.TooBig {
		s.order.pass()
		return f, nil
	}
	if err := s.valid(f); err != nil {
		return frame.Frame{}, err
	}
	e, err := read(&s.doc, f)
	if err != nil {
		return frame.Frame{}, err
	}
	odd, err := s.order.take(e)
	if err != nil {
		return frame.Frame{}, err
	}
	if n := len(s.odd); odd && (n == 0 || s.odd[n-1] < f.Offset) {
		s.odd = append(s.odd, f.Offset)
	}
	return s.frame(&s.next, f, e)
}

// valid reports a line that is not UTF-8: lines are repaired, and what is
// repaired has the character that stands for what was not.
func (s *stream) valid(f frame.Frame) error {
	if !containsReplacement(f.Data) {
		return nil
	}
	raw := make([]byte, f.Length)
	if _, err := s.in.ReadAt(raw, f.Offset); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !validUTF8(raw) {
		return faultf(f.Line, "it is not UTF-8")
	}
	return nil
}

// The kinds of frames that no line gives. Their Length is 0.
const (
	tornLine = "torn_line"
	openTurn = "open_turn"
)

func (s *stream) made(mem *[]byte, kind string, f frame.Frame) (frame.Frame, error) {
	f.Length = 0
	if kind == openTurn {
		f.Offset = s.in.Size
	}
	*mem = append((*mem)[:0], `{"kind":"`+kind+`"}`...)
	f.Data = *mem
	return f, nil
}

// frame makes a frame of an event.
func (s *stream) frame(mem *[]byte, f frame.Frame, e event) (frame.Frame, error) {
	b := e.appendTo((*mem)[:0])
	if e.kind == "user" && s.isOdd(f.Offset) {
		b = append(b, `,"turn_open":true`...)
	}
	if e.kind == "tool_result" {
		text, tooBig, err := s.results.text(e, s.verified)
		if err != nil {
			return frame.Frame{}, err
		}
		if tooBig {
			f.Data, f.TooBig = nil, true
			return f, nil
		}
		b = append(b, `,"result":"`...)
		b = append(value.AppendEncoded(b, text), '"')
	}
	b = append(b, '}')
	*mem, f.Data = b, b
	if int64(len(b)) > s.limit {
		*mem, f.Data, f.TooBig = nil, nil, true
	}
	return f, nil
}

func (s *stream) isOdd(offset int64) bool {
	_, found := slices.BinarySearch(s.odd, offset)
	return found
}

// Rewind starts again from the first event.
func (s *stream) Rewind() error {
	s.order, s.ended, s.last = order{}, false, frame.Frame{}
	return s.lines.Rewind()
}

// At gives an event again.
func (s *stream) At(f frame.Frame) (frame.Frame, error) {
	switch {
	case f.Length == 0 && f.Offset == s.in.Size:
		return s.made(&s.by, openTurn, f)
	case f.Length == 0:
		return s.made(&s.by, tornLine, f)
	}
	f, err := s.lines.At(f)
	if err != nil || f.TooBig {
		return f, err
	}
	e, err := read(&s.again, f)
	if err != nil {
		return frame.Frame{}, err
	}
	return s.frame(&s.by, f, e)
}

// Doc is the header.
func (s *stream) Doc() []byte { return s.header.text }

// Session is the id that the header has.
func (s *stream) Session() string { return s.header.id }

// Sessions lists the one session.
func (s *stream) Sessions() ([]handler.Session, error) {
	return []handler.Session{{ID: s.header.id, Row: s.header.text}}, nil
}

// header is what session.json says.
type header struct {
	text         []byte // nil: there is none
	id           string
	conversation bool // it says that the log beside it is one of these
}

// Of a header.
const (
	headerName   = "session.json"
	headerMost   = 1 << 20
	schema       = 4
	schemaEvents = 3 // another log, of changes to a store
)

// openHeader reads the header beside a log.
func openHeader(in *frame.Input) (*header, error) {
	if in.Name == "" || in.Name == "-" {
		return &header{}, nil
	}
	path := filepath.Join(filepath.Dir(in.Name), headerName)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &header{}, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > headerMost {
		return nil, handler.Foreign("%s beside the input is no header of a log", headerName)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var doc value.Doc
	if doc.Parse(text) != nil || doc.Root().Kind() != value.Object {
		return nil, handler.Foreign("%s beside the input is no JSON object", headerName)
	}
	switch version, _ := doc.Root().Get("schema_version").Int(); version {
	case schema:
		return &header{doc.Root().AppendJSON(nil), doc.Root().Get("id").Str(), true}, nil
	case schemaEvents:
		return nil, trajectory.Errorf(trajectory.InvalidInput,
			"the session has schema %d, a log of changes with checkpoints, which is not read (the program's later versions convert it to schema %d)", schemaEvents, schema)
	}
	return nil, handler.Foreign("%s beside the input is no header of a log", headerName)
}
