package read

import (
	"bytes"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/value"
)

// onFrame is a value that was evaluated on the frame, kept for all its events.
type onFrame struct {
	known bool
	v     value.Value
}

// frameScalar is an id or a name evaluated on the frame.
func (s *session) frameScalar(kept *onFrame, v *mapping.Value) value.Value {
	if !kept.known {
		kept.known = true
		kept.v = s.scalar(s.onFrame(v))
	}
	return kept.v
}

// scalar is an id or a name as a string: a string that is not empty, or a
// number; absent for all else.
func (s *session) scalar(v value.Value) value.Value {
	switch v.Kind() {
	case value.String:
		if len(v.Body()) > 0 {
			return v
		}
	case value.Number:
		return s.arena.Text(v.AppendJSON)
	}
	return value.Value{}
}

// content is a content as a string: of a list what its blocks contribute, of
// other values their JSON; absent for no content.
func (s *session) content(v value.Value) value.Value {
	switch v.Kind() {
	case value.Null:
		return value.Value{}
	case value.String:
		return v
	case value.Array:
		return s.scope.Text(v)
	}
	return s.arena.Text(func(dst []byte) []byte { return value.AppendEncoded(dst, v.AppendJSON(nil)) })
}

// literal is the body of a string literal as text, in place where it already is.
func literal(body []byte, scratch *[]byte) []byte {
	if value.IsText(body) {
		return body
	}
	*scratch = value.AppendText((*scratch)[:0], body)
	return *scratch
}

// text is one of the event's values as text; nil when absent.
func (e *draft) text(n int) []byte {
	v := e.values[n]
	if !v.Exists() {
		return nil
	}
	if !v.Escaped() {
		return v.Body()
	}
	return literal(v.Body(), &e.scratch[n])
}

// beginning is the content of a message as far as it says whether that is blank
// or noise: escapes that are not in the form of text matter only if they stand
// there.
func (e *draft) beginning() []byte {
	const enough = 256
	if e.Kind == normalize.ToolCall || e.Kind == normalize.ToolResult {
		return nil
	}
	body := e.values[textOf].Body()
	if bytes.Contains(body[:min(len(body), enough)], []byte(`\u`)) {
		return e.text(textOf)
	}
	return body
}

// fill sets the event's texts.
func (e *draft) fill() {
	e.Text = e.text(textOf)
	e.CallID = e.text(callOf)
	e.Name = e.text(nameOf)
	e.Record = e.text(recordOf)
	e.Step = e.text(stepOf)
	e.Model = e.text(modelOf)
}

// arguments sets a call's arguments: a string as the source has it, anything
// else as JSON, an empty object where there are none.
func (s *session) arguments() {
	e := &s.events
	if e.Kind != normalize.ToolCall {
		return
	}
	e.buf, e.IsJSON = e.buf[:0], true
	switch {
	case e.object != nil:
		e.buf = s.compose(e.buf, e.object)
	case e.args.IsNull():
		e.buf = append(e.buf, "{}"...)
	case e.args.IsString():
		e.buf, e.IsJSON = value.AppendDecoded(e.buf, e.args.Body()), false
	default:
		e.buf, e.IsJSON = e.args.AppendJSON(e.buf), e.args.Kind() == value.Object
	}
	e.Args = e.buf
}

// compose appends the JSON object that a mapping composes; what is absent is
// left out.
func (s *session) compose(dst []byte, members []*mapping.Member) []byte {
	dst = append(dst, '{')
	first := true
	for _, m := range members {
		out := m.Value.Prog.Eval(&s.scope)
		if out.IsNull() {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(dst, '"')
		dst = value.AppendEncoded(dst, m.Name)
		dst = append(dst, '"', ':')
		dst = out.AppendJSON(dst)
	}
	return append(dst, '}')
}

// appendText appends a value as text: a string itself, all else as JSON.
func appendText(dst []byte, v value.Value) []byte {
	if v.IsString() {
		return value.AppendText(dst, v.Body())
	}
	return value.AppendEncoded(dst, v.AppendJSON(nil))
}

// components numbers the events of each native record of a frame.
type components struct {
	last  []byte
	count int
	more  map[string]int // the records before last, when a frame has several
}

func (c *components) reset() { c.last, c.count, c.more = c.last[:0], 0, nil }

// next is the number of a record's next event.
func (c *components) next(record []byte) int {
	if c.count > 0 && !bytes.Equal(c.last, record) {
		if c.more == nil {
			c.more = map[string]int{}
		}
		c.more[string(c.last)] = c.count
		c.count = c.more[string(record)]
	}
	c.last = append(c.last[:0], record...)
	c.count++
	return c.count - 1
}
