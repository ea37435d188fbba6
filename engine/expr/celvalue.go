package expr

import (
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/trajmap/trajmap/engine/value"
)

// adapter gives JSON values to cel-go: containers as views, scalars decoded.
type adapter struct{ types.Adapter }

func (a adapter) NativeToValue(v any) ref.Val {
	if v, ok := v.(value.Value); ok {
		return toCEL(v)
	}
	return a.Adapter.NativeToValue(v)
}

var toCELAdapter = adapter{types.DefaultTypeAdapter}

func toCEL(v value.Value) ref.Val {
	switch v.Kind() {
	case value.Bool:
		b, _ := v.Bool()
		return types.Bool(b)
	case value.Number:
		n, _ := numberOf(v)
		if n.isInt {
			return types.Int(n.n)
		}
		return types.Double(n.f)
	case value.String:
		return types.String(v.Str())
	case value.Array:
		return jsonList{types.NewDynamicList(toCELAdapter, slices.Collect(v.Items())), v}
	case value.Object:
		return jsonMap{v}
	}
	return types.NullValue
}

// jsonList is a list in a JSON text.
type jsonList struct {
	traits.Lister
	v value.Value
}

// jsonMap is an object in a JSON text. Its keys are iterated in the order in
// which they stand there.
type jsonMap struct{ v value.Value }

func (m jsonMap) plain() traits.Mapper { return types.NewDynamicMap(toCELAdapter, members(m.v)) }

func (m jsonMap) ConvertToNative(t reflect.Type) (any, error) { return m.plain().ConvertToNative(t) }
func (m jsonMap) ConvertToType(t ref.Type) ref.Val            { return m.plain().ConvertToType(t) }
func (m jsonMap) Equal(o ref.Val) ref.Val                     { return m.plain().Equal(o) }
func (m jsonMap) Type() ref.Type                              { return types.MapType }
func (m jsonMap) Value() any                                  { return m.plain().Value() }
func (m jsonMap) Size() ref.Val                               { return types.Int(len(members(m.v))) }
func (m jsonMap) Get(key ref.Val) ref.Val                     { return m.plain().Get(key) }

func (m jsonMap) Contains(key ref.Val) ref.Val {
	_, found := m.Find(key)
	return types.Bool(found)
}

func (m jsonMap) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return nil, false
	}
	v := m.v.Get(string(name))
	return toCEL(v), v.Exists()
}

func (m jsonMap) Iterator() traits.Iterator {
	return types.NewDynamicList(toCELAdapter, keys(m.v)).Iterator()
}

// keys are the names of an object's members, each once, in their order.
func keys(v value.Value) []string {
	var list []string
	seen := map[string]bool{}
	for name := range v.Members() {
		if k := name.String(); !seen[k] {
			seen[k] = true
			list = append(list, k)
		}
	}
	return list
}

// mapOf is a session fact declared with `map`: it can be asked for a key, and
// for nothing else.
type mapOf struct {
	jsonMap
	get func(key string) value.Value
}

func (m mapOf) Contains(key ref.Val) ref.Val {
	_, found := m.Find(key)
	return types.Bool(found)
}

func (m mapOf) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return nil, false
	}
	v := m.get(string(name))
	return toCEL(v), !v.IsNull()
}

// fromCEL is the JSON value of what cel-go gives; ok is false when there is none.
func (s *Scope) fromCEL(r ref.Val) (v value.Value, ok bool) {
	switch r := r.(type) {
	case types.Null:
		return value.Value{}, true
	case types.Bool:
		return value.Of(bool(r)), true
	case types.String:
		return s.Arena.String(string(r)), true
	case types.Int:
		return s.Arena.Int(int64(r)), true
	case jsonList:
		return r.v, true
	case jsonMap:
		return r.v, true
	}
	v = s.Arena.JSON(func(dst []byte) []byte {
		dst, ok = appendCEL(dst, r)
		return dst
	})
	return v, ok && v.Exists()
}

func appendCEL(dst []byte, r ref.Val) ([]byte, bool) {
	switch r := r.(type) {
	case types.Null:
		return append(dst, "null"...), true
	case types.Bool:
		return strconv.AppendBool(dst, bool(r)), true
	case types.Int:
		return strconv.AppendInt(dst, int64(r), 10), true
	case types.Uint:
		return strconv.AppendUint(dst, uint64(r), 10), true
	case types.Double:
		return appendDouble(dst, float64(r)), !math.IsInf(float64(r), 0) && !math.IsNaN(float64(r))
	case types.String:
		return append(value.AppendEncoded(append(dst, '"'), string(r)), '"'), true
	case jsonList:
		return append(dst, r.v.Raw()...), true
	case jsonMap:
		return append(dst, r.v.Raw()...), true
	case traits.Lister:
		dst = append(dst, '[')
		sep := ""
		for it := r.Iterator(); it.HasNext() == types.True; sep = "," {
			var ok bool
			if dst, ok = appendCEL(append(dst, sep...), it.Next()); !ok {
				return dst, false
			}
		}
		return append(dst, ']'), true
	case traits.Mapper:
		return appendCELMap(dst, r)
	}
	return dst, false
}

// appendCELMap writes a map that an expression made, with its keys sorted:
// cel-go does not keep their order.
func appendCELMap(dst []byte, m traits.Mapper) ([]byte, bool) {
	var names []string
	for it := m.Iterator(); it.HasNext() == types.True; {
		name, ok := it.Next().(types.String)
		if !ok {
			return dst, false
		}
		names = append(names, string(name))
	}
	slices.Sort(names)
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(value.AppendEncoded(append(dst, '"'), name), '"', ':')
		var ok bool
		if dst, ok = appendCEL(dst, m.Get(types.String(name))); !ok {
			return dst, false
		}
	}
	return append(dst, '}'), true
}

// appendDouble writes a double so that it is read as one again.
func appendDouble(dst []byte, f float64) []byte {
	at := len(dst)
	dst = strconv.AppendFloat(dst, f, 'g', -1, 64)
	for _, c := range dst[at:] {
		if c == '.' || c == 'e' {
			return dst
		}
	}
	return append(dst, '.', '0')
}
