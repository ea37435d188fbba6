package normalize

import (
	"bytes"

	"github.com/trajmap/trajmap/engine/value"
)

// arguments makes the text of calls' arguments. Its buffers are used again from
// call to call.
type arguments struct {
	doc   value.Doc
	json  []byte // JSON that is not the source's own
	out   []byte // what text gives
	leafs leaves
}

type argsChange struct{ reshaped, truncated bool }

var noArgs = []byte("{}")

// text is an event's arguments as a record carries them: a JSON object of at most
// limit code points, as text. An object of the source is kept byte for byte;
// what is no object is wrapped.
func (a *arguments) text(ev *Event, limit int) ([]byte, argsChange) {
	raw := ev.Args
	switch {
	case len(raw) == 0:
		return noArgs, argsChange{}
	case !ev.IsJSON && !a.isObject(raw):
		cut := a.wrap(raw, limit)
		return a.out, argsChange{reshaped: true, truncated: cut}
	}
	if ev.IsJSON {
		a.out = appendQuoted(a.out[:0], raw)
	} else {
		a.out = value.AppendEncoded(a.out[:0], raw)
	}
	if limit == Unbounded || len(raw) <= limit || points(a.out) <= limit {
		return a.out, argsChange{}
	}
	object := raw
	if !ev.IsJSON {
		a.json = escapeSurrogates(a.doc.Root().AppendJSON(a.json[:0]))
		object = a.json
	}
	if !a.leafs.shrink(object, limit) {
		a.wrap(raw, limit)
		return a.out, argsChange{reshaped: true, truncated: true}
	}
	a.out = a.leafs.appendText(a.out[:0])
	return a.out, argsChange{truncated: true}
}

// isObject parses raw and leaves it in doc.
func (a *arguments) isObject(raw []byte) bool {
	start := bytes.TrimLeft(raw, " \t\r\n")
	return len(start) > 0 && start[0] == '{' && a.doc.Parse(raw) == nil
}

// wrapper is the object that holds arguments that are none.
const (
	wrapperHead   = `{"_raw":"`
	wrapperTail   = `"}`
	wrapperPoints = len(wrapperHead) + len(wrapperTail)
)

// wrap leaves the text of an object that holds raw in out; cut reports that only
// the beginning of raw fitted, or nothing.
func (a *arguments) wrap(raw []byte, limit int) (cut bool) {
	a.json = value.AppendEncoded(append(a.json[:0], wrapperHead...), raw)
	if limit != Unbounded && len(a.json)+len(wrapperTail) > limit {
		text := a.json[len(wrapperHead):]
		if wrapperPoints+runes(text) > limit {
			cut = true
			total := points(text)
			keep, size := wrapFitting(text, total, limit)
			if keep < 0 {
				a.out = append(a.out[:0], noArgs...)
				return cut
			}
			a.json = appendMarker(a.json[:len(wrapperHead)+size], total-keep)
		}
	}
	a.json = append(a.json, wrapperTail...)
	a.out = value.AppendEncoded(a.out[:0], a.json)
	return cut
}

// wrapFitting is the largest number of code points of a text that fits limit in
// a wrapper with a marker, and their length in bytes; -1 when none does. One more
// code point kept never makes the sum smaller.
func wrapFitting(text []byte, total, limit int) (keep, size int) {
	keep = -1
	printed := 0
	for at, k := 0, 0; wrapperPoints+printed+markerJSON+digits(total-k) <= limit; k++ {
		keep, size = k, at
		if at == len(text) {
			break
		}
		n, p := pointLen(text[at:])
		at += n
		printed += p
	}
	return keep, size
}

// escapeSurrogates writes the lone surrogates that stand raw in JSON, three bytes
// each, as escapes. It gives b itself when there are none.
func escapeSurrogates(b []byte) []byte {
	const hex = "0123456789abcdef"
	var out []byte
	start := 0
	for i := 0; i+2 < len(b); i++ {
		at := bytes.IndexByte(b[i:len(b)-2], 0xed)
		if at < 0 {
			break
		}
		i += at
		if b[i+1] < 0xa0 {
			continue
		}
		out = append(out, b[start:i]...)
		r := uint16(b[i+1]&0x3f)<<6 | uint16(b[i+2]&0x3f)
		out = append(out, '\\', 'u', 'd', hex[r>>8], hex[r>>4&15], hex[r&15])
		start = i + 3
	}
	if out == nil {
		return b
	}
	return append(out, b[start:]...)
}
