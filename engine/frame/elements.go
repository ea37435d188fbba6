package frame

import (
	"bytes"
	"io"
	"strings"

	"github.com/trajmap/trajmap/engine/trajectory"
)

// Elements cuts a JSON document: the frames are the elements of one list in it,
// that at the first of the dotted paths which leads to a list; "@this" is the
// document itself. Of members with one name the last counts.
//
// The first call of Next passes over the whole document, so that no frame is
// given of a document that turns out to be torn.
func Elements(in *Input, paths []string, o Options) Stream {
	e := &elements{scanner: scanner{window: newWindow(in), mark: -1}, paths: paths, limit: o.Most()}
	for _, p := range paths {
		e.segments = append(e.segments, strings.Split(p, "."))
	}
	return e
}

type elements struct {
	scanner
	paths    []string
	segments [][]string
	limit    int64
	found    []list // by path; where a path leads to none, its end is 0
	list     list   // the frames; its end is 0 until it is known
	doc      []byte
	left     int // bytes that a member may still have in doc, when it is shortened
	index    int
	behind   int64 // where the element before ended, or the list began
	span     int   // of the next element, in list.spans
	next, at scratch
	repaired bool // something was not UTF-8
	clean    bool // all of it is: known once it has been read through
}

// list is where a list stands in the document.
type list struct {
	start, end int64
	around     []int64 // where the objects begin that it is in, outermost first
	spans      spans
}

func (e *elements) Next() (Frame, error) {
	if e.list.end == 0 {
		if err := e.open(); err != nil {
			return Frame{}, err
		}
	}
	e.next.recycle()
	next := e.scan
	if e.list.spans.known() {
		next = e.cut
	}
	f, err := next()
	if err != nil {
		e.clean = e.clean || err == io.EOF && !e.repaired
		return Frame{}, err
	}
	e.index++
	if f.Data == nil {
		f, err = e.next.frame(e.in, f, e.limit)
		e.repaired = e.repaired || e.next.mended(f.Data)
		return f, err
	}
	if !e.clean {
		data := e.next.valid(f.Data)
		e.repaired = e.repaired || &data[0] != &f.Data[0]
		f.Data = data
	}
	return f, nil
}

// scan gives the next element by looking where it ends. Its data are nil when it
// is too long for the window.
func (e *elements) scan() (Frame, error) {
	c := e.space()
	if c == ']' {
		return Frame{}, io.EOF
	}
	if e.index > 0 {
		if c != ',' {
			return Frame{}, e.changed()
		}
		e.pos++
		e.space()
	}
	f := Frame{Offset: e.offset(), Index: e.index}
	e.mark = f.Offset
	ok := e.value()
	kept := e.mark >= 0
	e.mark = -1
	if !ok {
		return Frame{}, e.changed()
	}
	f.Length = e.offset() - f.Offset
	if kept && f.Length <= e.limit {
		f.Data = e.buf[f.Offset-e.base:][:f.Length]
	}
	return f, nil
}

func (e *elements) Rewind() error {
	if e.list.end != 0 {
		e.seek(e.list.start + 1)
	}
	e.index, e.span, e.behind, e.repaired = 0, 0, e.list.start+1, false
	return nil
}

func (e *elements) At(f Frame) (Frame, error) {
	e.at.recycle()
	e.at.clean = e.clean
	return e.at.frame(e.in, f, e.limit)
}

func (e *elements) Doc() []byte { return e.doc }

// open finds the list and stands before its first element.
func (e *elements) open() error {
	e.seek(0)
	e.err = nil
	e.found = make([]list, len(e.paths))
	if err := e.skim(); err != nil {
		return err
	}
	for _, l := range e.found {
		if l.end != 0 {
			e.list = l
			break
		}
	}
	if e.list.end == 0 {
		return trajectory.Errorf(trajectory.InvalidInput, "the JSON document has no list at %s", strings.Join(e.paths, ", nor at "))
	}
	if err := e.surround(); err != nil {
		return err
	}
	return e.Rewind()
}

// changed is the error of a text that was JSON when it was first read.
func (e *elements) changed() error {
	if e.err != nil {
		return e.err
	}
	return trajectory.Errorf(trajectory.InvalidInput, "the document changed while it was read, at byte offset %d", e.offset())
}

// invalid is the error of a text that is no JSON document.
func (e *elements) invalid() error {
	if e.err != nil {
		return e.err
	}
	at := e.offset()
	line, buf := 1, make([]byte, windowStep)
	for from := int64(0); from < at; from += windowStep {
		b := buf[:min(windowStep, at-from)]
		if _, err := readAt(e.in, b, from); err != nil {
			return err
		}
		line += bytes.Count(b, []byte{'\n'})
	}
	err := trajectory.Errorf(trajectory.InvalidInput, "not a JSON document: %s in line %d, at byte offset %d", e.reason, line, at)
	err.Line = line
	return err
}
