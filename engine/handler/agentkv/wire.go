package agentkv

import (
	"encoding/binary"
	"errors"
	"slices"
)

// wire is how a field's value is written.
type wire uint8

const (
	varint    wire = 0
	fixed64   wire = 1
	delimited wire = 2
	group     wire = 3
	end       wire = 4
	fixed32   wire = 5
)

// item is a field as it stands in a message.
type item struct {
	number     int32
	wire       wire
	start, end uint32 // of the value: without tag and length
}

// message is the bytes of a message, cut into its fields.
type message struct {
	data  []byte
	items []item // by number; those of one number as they stand
}

// maxFields bounds the memory of a message.
const maxFields = 1 << 20

var (
	errWire   = errors.New("no protobuf message")
	errFields = errors.New("a message has too many fields")
)

// parse cuts a message. It does not look into the messages that are in it.
func parse(data []byte) (message, error) {
	m := message{data: data}
	sorted := true
	for at := 0; at < len(data); {
		it, next, err := field(data, at)
		if err != nil {
			return message{}, err
		}
		if len(m.items) == maxFields {
			return message{}, errFields
		}
		if n := len(m.items); n > 0 && m.items[n-1].number > it.number {
			sorted = false
		}
		m.items = append(m.items, it)
		at = next
	}
	if !sorted {
		slices.SortStableFunc(m.items, func(a, b item) int { return int(a.number) - int(b.number) })
	}
	return m, nil
}

// field reads the field at an offset, and where the next one begins.
func field(data []byte, at int) (item, int, error) {
	it, at, err := head(data, at)
	if err != nil || it.wire == end {
		return item{}, 0, errWire
	}
	if it.wire != group {
		return it, int(it.end), nil
	}
	// A group ends at its own tag; groups may be in it.
	for depth := 1; ; {
		inner, next, err := head(data, at)
		if err != nil {
			return item{}, 0, err
		}
		switch inner.wire {
		case group:
			depth++
		case end:
			depth--
		default:
			next = int(inner.end)
		}
		if depth == 0 {
			if inner.number != it.number {
				return item{}, 0, errWire
			}
			it.end = uint32(at)
			return it, next, nil
		}
		at = next
	}
}

// head reads a tag and, except of a group, where the value is. The offset is that
// after the tag.
func head(data []byte, at int) (item, int, error) {
	tag, n := binary.Uvarint(data[at:])
	if n <= 0 || tag>>3 == 0 || tag>>3 >= 1<<29 {
		return item{}, 0, errWire
	}
	at += n
	it := item{number: int32(tag >> 3), wire: wire(tag & 7), start: uint32(at)}
	length := uint64(0)
	switch it.wire {
	case varint:
		if _, n = binary.Uvarint(data[at:]); n <= 0 {
			return item{}, 0, errWire
		}
		length = uint64(n)
	case fixed64:
		length = 8
	case fixed32:
		length = 4
	case delimited:
		if length, n = binary.Uvarint(data[at:]); n <= 0 {
			return item{}, 0, errWire
		}
		it.start += uint32(n)
	case group, end:
	default:
		return item{}, 0, errWire
	}
	if length > uint64(len(data))-uint64(it.start) {
		return item{}, 0, errWire
	}
	it.end = it.start + uint32(length)
	return it, at, nil
}

// of are the items of a number.
func (m message) of(number int32) []item {
	i, found := slices.BinarySearchFunc(m.items, number, func(it item, n int32) int { return int(it.number) - int(n) })
	if !found {
		return nil
	}
	n := i
	for n < len(m.items) && m.items[n].number == number {
		n++
	}
	return m.items[i:n]
}

// raw is the value of an item.
func (m message) raw(it item) []byte { return m.data[it.start:it.end:it.end] }

// bits is the value of an item that is a number.
func (m message) bits(it item) uint64 {
	b := m.raw(it)
	switch it.wire {
	case fixed64:
		return binary.LittleEndian.Uint64(b)
	case fixed32:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	n, _ := binary.Uvarint(b)
	return n
}

// whole is the value of a field that is one message: if it stands in several
// places, all of them together.
func (m message) whole(number int32) []byte {
	items := m.of(number)
	if len(items) == 1 {
		return m.raw(items[0])
	}
	var all []byte
	for _, it := range items {
		if it.wire == delimited {
			all = append(all, m.raw(it)...)
		}
	}
	return all
}

// member is the field of a oneof that a message has: of several the one that
// stands last.
func (m message) member(t *messageType, oneof string) (f *fieldType, it item) {
	for _, candidate := range m.items {
		known := t.known(candidate)
		if known != nil && known.oneof == oneof && (f == nil || candidate.start > it.start) {
			f, it = known, candidate
		}
	}
	return f, it
}
