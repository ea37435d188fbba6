package langgraph

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"

	"github.com/trajmap/trajmap/engine/value"
)

// Old stores hold JSON in place of msgpack, with objects as LangChain's
// serializer writes them. They are made msgpack, so that there is one way on.

var errNoJSON = errors.New("it is no JSON")

// fromJSON makes msgpack of JSON.
func fromJSON(text []byte) ([]byte, error) {
	var doc value.Doc
	if doc.Parse(text) != nil {
		return nil, errNoJSON
	}
	return appendValue(nil, doc.Root()), nil
}

func appendValue(dst []byte, v value.Value) []byte {
	switch v.Kind() {
	case value.Bool:
		if b, _ := v.Bool(); b {
			return append(dst, 0xc3)
		}
		return append(dst, 0xc2)
	case value.Number:
		if n, ok := v.Int(); ok {
			return binary.BigEndian.AppendUint64(append(dst, 0xd3), uint64(n))
		}
		f, _ := v.Float()
		return binary.BigEndian.AppendUint64(append(dst, 0xcb), math.Float64bits(f))
	case value.String:
		return appendStr(dst, v.Str())
	case value.Array:
		var items []byte
		n := 0
		for item := range v.Items() {
			items = appendValue(items, item)
			n++
		}
		return append(appendHead(dst, 0xdd, n), items...)
	case value.Object:
		return appendObject(dst, v)
	}
	return append(dst, 0xc0)
}

// appendObject appends a map, or the object that LangChain describes by
// {lc, id: [module…, class], kwargs}.
func appendObject(dst []byte, v value.Value) []byte {
	if id := v.Get("id"); v.Get("lc").Exists() && id.Kind() == value.Array && v.Get("kwargs").Kind() == value.Object {
		var parts []string
		for part := range id.Items() {
			parts = append(parts, part.Str())
		}
		last := max(0, len(parts)-1)
		payload := appendStr(appendHead(nil, 0xdd, 4), strings.Join(parts[:last], "."))
		payload = appendStr(payload, strings.Join(parts[last:], ""))
		payload = appendObject(payload, v.Get("kwargs"))
		payload = append(payload, 0xc0)
		return append(append(appendHead(dst, 0xc9, len(payload)), modelV2), payload...)
	}
	var items []byte
	n := 0
	for name, member := range v.Members() {
		items = appendStr(items, name.String())
		items = appendValue(items, member)
		n++
	}
	return append(appendHead(dst, 0xdf, n), items...)
}

func appendStr(dst []byte, s string) []byte {
	return append(appendHead(dst, 0xdb, len(s)), s...)
}

// appendHead appends a head with a length of four bytes.
func appendHead(dst []byte, c byte, n int) []byte {
	return binary.BigEndian.AppendUint32(append(dst, c), uint32(n))
}
