package read

import (
	"bytes"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/value"
)

// text is a string that was evaluated on the frame, kept for all its events.
type text struct {
	known bool
	has   bool
	buf   []byte
}

func (t *text) bytes() []byte {
	if !t.has {
		return nil
	}
	return t.buf
}

// frameText is a value evaluated on the frame as text; nil when absent.
func (s *session) frameText(t *text, v *mapping.Value) []byte {
	if !t.known {
		t.known = true
		t.buf, t.has = t.buf[:0], false
		if out := s.onFrame(v); !blank(out) {
			t.buf, t.has = appendText(t.buf, out), true
		}
	}
	return t.bytes()
}

// appendText appends a value as text: a string itself, all else as JSON.
func appendText(dst []byte, v value.Value) []byte {
	if v.IsString() {
		return value.AppendText(dst, v.Body())
	}
	return value.AppendEncoded(dst, v.AppendJSON(nil))
}

// asText is a string as text, in place where the source's literal already is.
func asText(v value.Value, scratch *[]byte) []byte {
	body := v.Body()
	if !v.Escaped() || value.IsText(body) {
		return body
	}
	*scratch = value.AppendText((*scratch)[:0], body)
	return *scratch
}

// scalarText is an id or a name as text: a string or a number; nil for all else.
func scalarText(v value.Value, scratch *[]byte) []byte {
	switch v.Kind() {
	case value.String:
		if len(v.Body()) == 0 {
			return nil
		}
		return asText(v, scratch)
	case value.Number:
		*scratch = v.AppendJSON((*scratch)[:0])
		return *scratch
	}
	return nil
}

// contentText is a content as text: of a list what its blocks contribute, of an
// object its JSON; nil for no content.
func (s *session) contentText(v value.Value, scratch *[]byte) []byte {
	switch v.Kind() {
	case value.Null:
		return nil
	case value.Array:
		v = s.scope.Text(v)
		if v.IsNull() {
			return nil
		}
	case value.String:
	default:
		*scratch = value.AppendEncoded((*scratch)[:0], v.AppendJSON(nil))
		return *scratch
	}
	if b := asText(v, scratch); b != nil {
		return b
	}
	return []byte{}
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
