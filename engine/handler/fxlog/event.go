package fxlog

import (
	"bytes"
	"unicode/utf8"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// event is a line of the log.
type event struct {
	line    int
	seq     int64
	kind    string
	all     value.Value // the line
	payload value.Value
}

// read takes a line for an event.
func read(doc *value.Doc, f frame.Frame) (event, error) {
	if doc.Parse(f.Data) != nil {
		return event{}, faultf(f.Line, "it is no JSON")
	}
	e := event{line: f.Line, all: doc.Root()}
	var ok bool
	if e.seq, ok = e.all.Get("seq").Int(); !ok {
		return event{}, faultf(f.Line, "it is no event: it has no number")
	}
	count := 0
	for name, v := range e.all.Get("event").Members() {
		e.kind, e.payload = name.String(), v
		count++
	}
	if count != 1 || e.payload.Kind() != value.Object {
		return event{}, faultf(f.Line, "it is no event: there is not one kind of it")
	}
	return e, nil
}

// appendTo appends the event as a frame that is still open at its end.
func (e event) appendTo(b []byte) []byte {
	b = append(b, `{"kind":"`...)
	b = append(value.AppendEncoded(b, e.kind), '"')
	for name, v := range e.all.Members() {
		if name.Is("event") || name.Is("kind") || name.Is("payload") {
			continue
		}
		b = append(b, ',', '"')
		b = append(append(b, name.Body()...), '"', ':')
		b = append(b, v.Raw()...)
	}
	b = append(b, `,"payload":`...)
	return append(b, e.payload.Raw()...)
}

// order holds the events of a log against each other.
type order struct {
	seq     int64
	open    bool              // a turn
	pending map[string]string // calls that wait for their result: the tool by the id
}

// pass counts an event that was too long to be looked at.
func (o *order) pass() { o.seq++ }

// take takes the next event. odd is a prompt that comes while a turn is open.
func (o *order) take(e event) (odd bool, err error) {
	if e.seq != o.seq+1 {
		return false, faultf(e.line, "the event has the number %d where %d should be: events are missing, or the log was put together from several", e.seq, o.seq+1)
	}
	o.seq = e.seq
	switch e.kind {
	case "user":
		odd, o.open = o.open, true
		clear(o.pending)
	case "tool_call":
		return false, o.call(e)
	case "tool_result":
		return false, o.result(e)
	case "turn_completed", "interrupted":
		o.open = false
		clear(o.pending)
	}
	return odd, nil
}

func (o *order) call(e event) error {
	id := e.payload.Get("call_id").Str()
	if _, waits := o.pending[id]; waits || id == "" {
		return faultf(e.line, "the call has no id, or one that another call has that waits for its result")
	}
	if o.pending == nil {
		o.pending = map[string]string{}
	}
	o.pending[id] = e.payload.Get("tool_name").Str()
	return nil
}

func (o *order) result(e event) error {
	id := e.payload.Get("call_id").Str()
	tool, waits := o.pending[id]
	if !waits {
		return faultf(e.line, "the result answers no call that waits for one")
	}
	if tool != e.payload.Get("tool_name").Str() {
		return faultf(e.line, "the result is of another tool than the call that it answers")
	}
	delete(o.pending, id)
	return nil
}

// faultf is the error of a line.
func faultf(line int, format string, args ...any) error {
	return trajectory.Errorf(trajectory.InvalidInput, "line %d of the log: "+format, append([]any{line}, args...)...)
}

func containsReplacement(b []byte) bool { return bytes.Contains(b, []byte("\uFFFD")) }

func validUTF8(b []byte) bool { return utf8.Valid(b) }
