package langgraph

import (
	"encoding/base64"
	"errors"
	"math"
	"strconv"

	"github.com/trajmap/trajmap/engine/value"
)

// printer makes JSON of msgpack: of objects what they are made of, of bytes
// base64, of numbers that JSON does not have null. A key that is no text is given
// as the text of its JSON.
type printer struct {
	dst   []byte
	limit int64 // of dst
}

// maxDepth bounds nesting, below what the reader of frames takes.
const maxDepth = 200

var (
	errDeep   = errors.New("it is nested too deeply")
	errTooBig = errors.New("it is longer than the limit of frames")
)

// appendJSON appends a value.
func appendJSON(dst, b []byte, limit int64) ([]byte, error) {
	p := &printer{dst, int64(len(dst)) + limit}
	err := p.value(&reader{b: b}, 0)
	return p.dst, err
}

func (p *printer) value(r *reader, depth int) error {
	if depth > maxDepth {
		return errDeep
	}
	if int64(len(p.dst)) > p.limit {
		return errTooBig
	}
	t, err := r.next()
	if err != nil {
		return err
	}
	switch t.kind {
	case arrayKind:
		return p.array(r, t.count, depth)
	case mapKind:
		return p.object(r, t.count/2, depth)
	case extKind:
		o, err := objectOf(t)
		switch {
		case err != nil:
			return err
		case o.value == nil:
			p.dst = append(p.dst, "null"...)
			return nil
		}
		return p.value(&reader{b: o.value}, depth+1)
	}
	p.scalar(t)
	return nil
}

func (p *printer) scalar(t token) {
	switch t.kind {
	case boolKind:
		p.dst = strconv.AppendBool(p.dst, t.int != 0)
	case intKind:
		p.dst = strconv.AppendInt(p.dst, t.int, 10)
	case uintKind:
		p.dst = strconv.AppendUint(p.dst, uint64(t.int), 10)
	case floatKind:
		if math.IsNaN(t.float) || math.IsInf(t.float, 0) {
			p.dst = append(p.dst, "null"...)
		} else {
			p.dst = value.AppendNumber(p.dst, t.float)
		}
	case strKind:
		p.dst = append(p.dst, '"')
		p.dst = value.AppendEncoded(p.dst, t.data)
		p.dst = append(p.dst, '"')
	case binKind:
		p.dst = append(p.dst, '"')
		p.dst = base64.StdEncoding.AppendEncode(p.dst, t.data)
		p.dst = append(p.dst, '"')
	default:
		p.dst = append(p.dst, "null"...)
	}
}

func (p *printer) array(r *reader, n, depth int) error {
	p.dst = append(p.dst, '[')
	for i := range n {
		if i > 0 {
			p.dst = append(p.dst, ',')
		}
		if err := p.value(r, depth+1); err != nil {
			return err
		}
	}
	p.dst = append(p.dst, ']')
	return nil
}

func (p *printer) object(r *reader, n, depth int) error {
	p.dst = append(p.dst, '{')
	for i := range n {
		if i > 0 {
			p.dst = append(p.dst, ',')
		}
		at := len(p.dst)
		if err := p.value(r, depth+1); err != nil {
			return err
		}
		if p.dst[at] != '"' {
			key := string(p.dst[at:])
			p.dst = append(p.dst[:at], '"')
			p.dst = value.AppendEncoded(p.dst, key)
			p.dst = append(p.dst, '"')
		}
		p.dst = append(p.dst, ':')
		if err := p.value(r, depth+1); err != nil {
			return err
		}
	}
	p.dst = append(p.dst, '}')
	return nil
}
