package agentkv

import (
	"encoding/hex"
	"math"
	"slices"
	"strconv"

	"github.com/trajmap/trajmap/engine/value"
)

// printer makes JSON of messages: members have the names of the fields and stand
// as these are declared, what a message does not have is left out. Entries of a
// map keep their order. An id is given in hex, or as what it names; of other
// bytes the length is given.
//
// It prints what check has passed, so that what does not decode is no concern.
type printer struct {
	*store
	dst   []byte
	err   error // of reading a blob
	limit int64 // of dst; what is beyond is not printed whole
	depth int   // of blobs in blobs
}

// maxInline is how deep blobs are printed within blobs.
const maxInline = 8

// full reports whether the frame is too long already: what else is in it is of
// no use.
func (p *printer) full() bool { return int64(len(p.dst)) > p.limit }

// object prints a message.
func (p *printer) object(t *messageType, data []byte) {
	switch t.name {
	case "google.protobuf.Value":
		p.wellKnownValue(t, data)
	case "google.protobuf.Struct":
		p.only(t, data, "fields", "{}")
	case "google.protobuf.ListValue":
		p.only(t, data, "values", "[]")
	default:
		p.dst = append(p.dst, '{')
		p.members(t, data, "")
		p.dst = append(p.dst, '}')
	}
}

// members prints the members of a message, but those of one oneof.
func (p *printer) members(t *messageType, data []byte, without string) {
	m, err := parse(data)
	if err != nil {
		return
	}
	for _, f := range t.fields {
		if f.oneof != "" {
			if f.oneof == without {
				continue
			}
			if member, _ := m.member(t, f.oneof); member != f {
				continue
			}
		}
		if items := m.known(t, f); len(items) > 0 {
			p.field(f, m, items)
		}
	}
	if t.open {
		m.items = slices.DeleteFunc(slices.Clone(m.items), func(it item) bool { return t.byNumber[it.number] != nil })
		p.numbered(m, 0)
	}
}

// known are the items of a field.
func (m message) known(t *messageType, f *fieldType) []item {
	items := m.of(f.number)
	foreign := func(it item) bool { return t.known(it) == nil }
	if slices.ContainsFunc(items, foreign) {
		return slices.DeleteFunc(slices.Clone(items), foreign)
	}
	return items
}

// field prints a field with its name.
func (p *printer) field(f *fieldType, m message, items []item) {
	before := len(p.dst)
	p.name(f.name)
	switch {
	case f.isMap:
		p.entries(f, m, items)
	case f.repeated:
		p.list(f, m, items)
	case f.kind == messageKind:
		p.object(f.message, m.whole(f.number))
	default:
		it := items[len(items)-1]
		if !f.presence && zero(f, m, it) {
			p.dst = p.dst[:before]
			return
		}
		p.value(f, m, it)
	}
}

// name prints the name of a member.
func (p *printer) name(name string) {
	p.comma('{')
	p.text(name)
	p.dst = append(p.dst, ':')
}

// comma separates from what stands before, unless that is the beginning.
func (p *printer) comma(begin byte) {
	if p.dst[len(p.dst)-1] != begin {
		p.dst = append(p.dst, ',')
	}
}

func (p *printer) text(s string) {
	p.dst = append(p.dst, '"')
	if !p.full() {
		p.dst = value.AppendEncoded(p.dst, s)
	}
	p.dst = append(p.dst, '"')
}

// zero reports whether a value is the one that absence stands for.
func zero(f *fieldType, m message, it item) bool {
	if f.kind.wire() == delimited {
		return it.start == it.end
	}
	return m.bits(it) == 0
}

func (p *printer) list(f *fieldType, m message, items []item) {
	p.dst = append(p.dst, '[')
	for _, it := range items {
		if p.full() {
			break
		}
		if it.wire == f.kind.wire() {
			p.comma('[')
			p.value(f, m, it)
			continue
		}
		// Numbers may be packed.
		for at := int(it.start); at < int(it.end); {
			one, ok := packed(m.data[:it.end], at, f.kind.wire())
			if !ok {
				break
			}
			p.comma('[')
			p.value(f, m, one)
			at = int(one.end)
		}
	}
	p.dst = append(p.dst, ']')
}

// entries prints a map. Of entries with one key the last counts.
func (p *printer) entries(f *fieldType, m message, items []item) {
	key, val := f.message.byNumber[mapKey], f.message.byNumber[mapValue]
	if f.ref != nil {
		referring := *val
		referring.ref, val = f.ref, &referring
	}
	names := make([]string, len(items))
	final := make(map[string]int, len(items))
	for i, it := range items {
		entry, err := parse(m.raw(it))
		if err != nil {
			continue
		}
		if k := entry.known(f.message, key); len(k) > 0 {
			names[i] = string(entry.raw(k[len(k)-1]))
		}
		final[names[i]] = i
	}
	p.dst = append(p.dst, '{')
	for i, it := range items {
		entry, err := parse(m.raw(it))
		if err != nil || final[names[i]] != i || p.full() {
			continue
		}
		p.name(names[i])
		values := entry.known(f.message, val)
		switch {
		case val.kind == messageKind:
			p.object(val.message, entry.whole(val.number))
		case len(values) == 0:
			p.dst = append(p.dst, "null"...)
		default:
			p.value(val, entry, values[len(values)-1])
		}
	}
	p.dst = append(p.dst, '}')
}

// value prints one value.
func (p *printer) value(f *fieldType, m message, it item) {
	switch f.kind {
	case stringKind:
		p.text(string(m.raw(it)))
	case bytesKind:
		p.bytes(f.ref, m.raw(it))
	case messageKind:
		p.object(f.message, m.raw(it))
	case boolKind:
		p.dst = strconv.AppendBool(p.dst, m.bits(it) != 0)
	case enumKind:
		n := int32(m.bits(it))
		if name, ok := f.enum[n]; ok {
			p.text(name)
		} else {
			p.dst = strconv.AppendInt(p.dst, int64(n), 10)
		}
	case signedKind:
		p.dst = strconv.AppendInt(p.dst, int64(m.bits(it)), 10)
	case unsignedKind:
		p.dst = strconv.AppendUint(p.dst, m.bits(it), 10)
	case doubleKind:
		p.double(math.Float64frombits(m.bits(it)))
	}
}

// double prints a number as JavaScript does; JSON has no others.
func (p *printer) double(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		p.dst = append(p.dst, "null"...)
		return
	}
	p.dst = value.AppendNumber(p.dst, f)
}

// bytes prints bytes.
func (p *printer) bytes(ref *reference, raw []byte) {
	switch {
	case len(raw) != len(id{}):
		p.dst = strconv.AppendInt(p.dst, int64(len(raw)), 10)
	case ref == nil || !ref.inline || p.depth == maxInline || p.full():
		p.dst = append(p.dst, '"')
		p.dst = append(hex.AppendEncode(p.dst, raw), '"')
	default:
		p.blob(ref.form, id(raw))
	}
}

// blob prints a blob in the place of its id.
func (p *printer) blob(f form, i id) {
	data, err := p.get(i)
	if err != nil {
		p.err = err
		p.dst = append(p.dst, "null"...)
		return
	}
	p.depth++
	defer func() { p.depth-- }()
	switch {
	case f.message != nil:
		p.object(f.message, data)
	case f.json:
		p.json(data)
	default:
		p.text(string(data))
	}
}

// only prints a message that stands for the one field that it has.
func (p *printer) only(t *messageType, data []byte, name, empty string) {
	m, _ := parse(data)
	for _, f := range t.fields {
		if f.name != name {
			continue
		}
		switch items := m.known(t, f); {
		case f.isMap && len(items) > 0:
			p.entries(f, m, items)
			return
		case len(items) > 0:
			p.list(f, m, items)
			return
		}
	}
	p.dst = append(p.dst, empty...)
}

// wellKnownValue prints a value of JSON.
func (p *printer) wellKnownValue(t *messageType, data []byte) {
	m, _ := parse(data)
	f, it := m.member(t, "kind")
	switch {
	case f == nil || f.name == "null_value":
		p.dst = append(p.dst, "null"...)
	case f.kind == messageKind:
		p.object(f.message, m.whole(f.number))
	default:
		p.value(f, m, it)
	}
}
