package read

import (
	"encoding/binary"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/value"
)

// eventLog says how to make the events of the planning pass again without
// running the rules: most of what they carry stands literally in the frame.
// An event costs about 40 bytes. A frame that gives something longer that was
// computed is not in the log, and goes through the rules once more.
type eventLog struct {
	buf   []byte
	frame int   // where the frame at hand begins in buf
	last  int64 // time of the event before
	since int64 // last, when the frame began
	rerun bool  // the frame at hand gives something that the log does not take

	each   []int // the steps whose items are counted, by mapping.Step.ID
	counts []int // their items, when the frame began
}

// longest is how many computed bytes of a field the log takes.
const longest = 128

// How a field was made.
const (
	absent = iota
	quoted // the body of a string literal of the frame
	span   // a JSON value of the frame
	inline // bytes of the log: text, or plain bytes for arguments
)

const (
	hasTime = 1 << iota
	hasSeq
	resultless = 1 << 4
	okShift    = 2
	okMask     = 3
)

// reset begins a log for a mapping.
func (l *eventLog) reset(m *mapping.Mapping) {
	*l = eventLog{buf: l.buf[:0], each: l.each[:0], counts: l.counts[:0]}
	for _, st := range m.Steps {
		if st.Verb == mapping.Each {
			l.each = append(l.each, st.ID)
			l.counts = append(l.counts, 0)
		}
	}
}

// begin starts a frame. items are the counts that `ordinal` tells.
func (l *eventLog) begin(items []int, rerun bool) {
	l.frame, l.since, l.rerun = len(l.buf), l.last, rerun
	for i, id := range l.each {
		l.counts[i] = items[id]
	}
}

// end closes a frame and says what it is good for.
func (l *eventLog) end(events bool) gives {
	switch {
	case !events:
		return noEvents
	case !l.rerun:
		l.buf = binary.AppendUvarint(l.buf, 0) // no further event
		return someEvents
	}
	l.buf, l.last = l.buf[:l.frame], l.since
	for i, id := range l.each {
		if l.counts[i] > 0 {
			l.buf = binary.AppendUvarint(l.buf, uint64(id)+1)
			l.buf = binary.AppendUvarint(l.buf, uint64(l.counts[i]))
		}
	}
	l.buf = binary.AppendUvarint(l.buf, 0)
	return rerun
}

// add logs an event.
func (l *eventLog) add(src []byte, st *mapping.Step, e *draft) {
	if l.rerun || e.object != nil {
		l.rerun = true
		return
	}
	b := binary.AppendUvarint(l.buf, uint64(st.ID)+1)
	flags := byte(e.OK) << okShift
	if e.HasTime {
		flags |= hasTime
	}
	if e.HasSeq {
		flags |= hasSeq
	}
	if e.Resultless {
		flags |= resultless
	}
	b = append(b, byte(e.Kind), flags)
	if e.HasTime {
		b = binary.AppendVarint(b, e.Time-l.last)
		l.last = e.Time
	}
	if e.HasSeq {
		b = binary.AppendVarint(b, e.Seq)
	}
	b = binary.AppendUvarint(b, uint64(e.Component))
	for _, v := range e.values {
		b = l.field(b, src, v)
	}
	l.buf = l.field(b, src, e.args)
}

// field logs a value.
func (l *eventLog) field(b, src []byte, v value.Value) []byte {
	if !v.Exists() {
		return append(b, absent)
	}
	if v.In(src) {
		raw := v.Raw()
		if v.IsString() {
			b = append(b, quoted)
			b = binary.AppendUvarint(b, uint64(v.Offset()+1))
			return binary.AppendUvarint(b, uint64(len(raw)-2))
		}
		b = append(b, span)
		b = binary.AppendUvarint(b, uint64(v.Offset()))
		return binary.AppendUvarint(b, uint64(len(raw)))
	}
	raw := v.Raw()
	if len(raw) > longest {
		l.rerun = true
		return b
	}
	b = append(b, inline)
	b = binary.AppendUvarint(b, uint64(len(raw)))
	return append(b, raw...)
}

// replay gives the events of a frame to the normaliser, from the log.
func (s *session) replay(fr frame.Frame) error {
	r := &s.reader
	for {
		id := r.uvarint()
		if id == 0 {
			return nil
		}
		r.event(fr.Data, &s.events)
		s.locate(&s.events.Event)
		if err := s.hand(s.m.Steps[id-1]); err != nil {
			return err
		}
	}
}

// logReader reads an eventLog.
type logReader struct {
	buf  []byte
	last int64
	doc  value.Doc // of arguments
}

func (r *logReader) uvarint() uint64 {
	n, size := binary.Uvarint(r.buf)
	r.buf = r.buf[size:]
	return n
}

func (r *logReader) varint() int64 {
	n, size := binary.Varint(r.buf)
	r.buf = r.buf[size:]
	return n
}

func (r *logReader) byte() byte {
	b := r.buf[0]
	r.buf = r.buf[1:]
	return b
}

// counts reads what `ordinal` has to go on from.
func (r *logReader) counts(items []int) {
	for id := r.uvarint(); id > 0; id = r.uvarint() {
		items[id-1] = int(r.uvarint())
	}
}

// event reads one event, whose frame is data.
func (r *logReader) event(data []byte, e *draft) {
	e.Event = normalize.Event{Kind: normalize.Kind(r.byte())}
	flags := r.byte()
	e.OK, e.Resultless = normalize.Tri(flags>>okShift&okMask), flags&resultless != 0
	if flags&hasTime != 0 {
		r.last += r.varint()
		e.Time, e.HasTime = r.last, true
	}
	if flags&hasSeq != 0 {
		e.Seq, e.HasSeq = r.varint(), true
	}
	e.Component = int(r.uvarint())
	e.Text = r.text(data, &e.scratch[textOf])
	e.CallID = r.text(data, &e.scratch[callOf])
	e.Name = r.text(data, &e.scratch[nameOf])
	e.Record = r.text(data, &e.scratch[recordOf])
	e.Step = r.text(data, &e.scratch[stepOf])
	e.Model = r.text(data, &e.scratch[modelOf])
	r.arguments(data, e)
}

// text reads a field of text.
func (r *logReader) text(data []byte, scratch *[]byte) []byte {
	switch r.byte() {
	case quoted:
		return literal(r.of(data), scratch)
	case inline:
		raw := r.own()
		return literal(raw[1:len(raw)-1], scratch)
	}
	return nil
}

// of reads a span of the frame.
func (r *logReader) of(data []byte) []byte {
	start := r.uvarint()
	return data[start : start+r.uvarint()]
}

// own reads bytes of the log itself.
func (r *logReader) own() []byte {
	n := r.uvarint()
	b := r.buf[:n:n]
	r.buf = r.buf[n:]
	return b
}

// arguments reads a call's arguments, as session.arguments makes them.
func (r *logReader) arguments(data []byte, e *draft) {
	tag := r.byte()
	var raw []byte
	switch tag {
	case quoted:
		raw = r.of(data)
	case span:
		raw = r.of(data)
	case inline:
		raw = r.own()
	}
	if e.Kind != normalize.ToolCall {
		return
	}
	e.buf, e.IsJSON = e.buf[:0], true
	switch {
	case tag == quoted:
		e.buf, e.IsJSON = value.AppendDecoded(e.buf, raw), false
	case tag == absent || r.doc.Parse(raw) != nil || r.doc.Root().IsNull():
		e.buf = append(e.buf, "{}"...)
	case r.doc.Root().IsString():
		e.buf, e.IsJSON = value.AppendDecoded(e.buf, r.doc.Root().Body()), false
	default:
		e.buf, e.IsJSON = r.doc.Root().AppendJSON(e.buf), r.doc.Root().Kind() == value.Object
	}
	e.Args = e.buf
}
