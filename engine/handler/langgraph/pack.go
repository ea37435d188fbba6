package langgraph

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trajmap/trajmap/engine/value"
)

// msgpack is written in the shortest form there is, as Python's serializer does:
// the same value gives the same bytes.

const nilByte = 0xc0

func packNil(dst []byte) []byte { return append(dst, nilByte) }

func packBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, 0xc3)
	}
	return append(dst, 0xc2)
}

func packInt(dst []byte, n int64) []byte {
	switch {
	case n >= 0:
		return packUint(dst, uint64(n))
	case n >= -32:
		return append(dst, byte(n))
	case n >= math.MinInt8:
		return append(dst, 0xd0, byte(n))
	case n >= math.MinInt16:
		return binary.BigEndian.AppendUint16(append(dst, 0xd1), uint16(n))
	case n >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(dst, 0xd2), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(dst, 0xd3), uint64(n))
}

func packUint(dst []byte, n uint64) []byte {
	switch {
	case n < 0x80:
		return append(dst, byte(n))
	case n <= math.MaxUint8:
		return append(dst, 0xcc, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, 0xcd), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(dst, 0xce), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(dst, 0xcf), n)
}

func packFloat(dst []byte, f float64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, 0xcb), math.Float64bits(f))
}

// packStr writes a text. Half a character, which no string of Python's may hold
// when it is written, becomes U+FFFD.
func packStr[S ~string | ~[]byte](dst []byte, s S) []byte {
	if !utf8.ValidString(string(s)) {
		return packStr(dst, strings.ToValidUTF8(string(s), "\ufffd"))
	}
	switch n := len(s); {
	case n < 32:
		dst = append(dst, 0xa0|byte(n))
	case n <= math.MaxUint8:
		dst = append(dst, 0xd9, byte(n))
	default:
		dst = packHead(dst, 0xda, n)
	}
	return append(dst, s...)
}

// packArray begins a list of n items, which follow.
func packArray(dst []byte, n int) []byte {
	if n < 16 {
		return append(dst, 0x90|byte(n))
	}
	return packHead(dst, 0xdc, n)
}

// packMap begins a map of n members, each a key and a value, which follow.
func packMap(dst []byte, n int) []byte {
	if n < 16 {
		return append(dst, 0x80|byte(n))
	}
	return packHead(dst, 0xde, n)
}

// packHead writes a length of two bytes under a code, or of four under the next.
func packHead(dst []byte, code byte, n int) []byte {
	if n <= math.MaxUint16 {
		return binary.BigEndian.AppendUint16(append(dst, code), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, code+1), uint32(n))
}

// packExt writes an ext.
func packExt(dst []byte, code int8, payload []byte) []byte {
	switch n := len(payload); n {
	case 1, 2, 4, 8, 16:
		form := byte(0xd4)
		for ; n > 1; n >>= 1 {
			form++
		}
		dst = append(dst, form)
	default:
		if n <= math.MaxUint8 {
			dst = append(dst, 0xc7, byte(n))
		} else {
			dst = packHead(dst, 0xc8, n)
		}
	}
	return append(append(dst, byte(code)), payload...)
}

// packNumber writes a number. What no integer of 64 bits can hold becomes the
// nearest double, and what is beyond all doubles null, as in JavaScript: there is
// no JSON for Python's infinity.
func packNumber(dst []byte, v value.Value) []byte {
	if n, ok := v.Int(); ok {
		return packInt(dst, n)
	}
	if n, err := strconv.ParseUint(string(v.Raw()), 10, 64); err == nil {
		return packUint(dst, n)
	}
	if f, ok := v.Float(); ok {
		return packFloat(dst, f)
	}
	return packNil(dst)
}

// packer writes JSON values.
type packer struct {
	// described: an object may describe one of Python's, see [described].
	described bool
}

// value writes a JSON value. Of members with one name the last counts, in the
// place of the first.
func (p packer) value(dst []byte, v value.Value) []byte {
	switch v.Kind() {
	case value.Bool:
		b, _ := v.Bool()
		return packBool(dst, b)
	case value.Number:
		return packNumber(dst, v)
	case value.String:
		return packStr(dst, v.Str())
	case value.Array:
		dst = packArray(dst, v.Len())
		for item := range v.Items() {
			dst = p.value(dst, item)
		}
		return dst
	case value.Object:
		if o, ok := described(v); ok && p.described {
			return p.object(dst, o)
		}
		return p.members(dst, v)
	}
	return packNil(dst)
}

func (p packer) members(dst []byte, v value.Value) []byte {
	places := map[string]int{}
	var names []string
	var values []value.Value
	for name, member := range v.Members() {
		key := name.String()
		if at, ok := places[key]; ok {
			values[at] = member
			continue
		}
		places[key] = len(names)
		names, values = append(names, key), append(values, member)
	}
	dst = packMap(dst, len(names))
	for i, name := range names {
		dst = p.value(packStr(dst, name), values[i])
	}
	return dst
}
