package agentkv

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/value"
)

// fields are the fields of a message that is being made.
type fields []madeField

type madeField struct {
	number int32
	data   []byte // with its tag
}

// bytes adds a field that has a length.
func (f *fields) bytes(number int32, data []byte) {
	made := make([]byte, 0, len(data)+10)
	made = binary.AppendUvarint(made, uint64(number)<<3|uint64(delimited))
	made = binary.AppendUvarint(made, uint64(len(data)))
	*f = append(*f, madeField{number, append(made, data...)})
}

func (f *fields) varint(number int32, n uint64) {
	made := binary.AppendUvarint(nil, uint64(number)<<3|uint64(varint))
	*f = append(*f, madeField{number, binary.AppendUvarint(made, n)})
}

func (f *fields) double(number int32, n float64) {
	made := binary.AppendUvarint(nil, uint64(number)<<3|uint64(fixed64))
	*f = append(*f, madeField{number, binary.LittleEndian.AppendUint64(made, math.Float64bits(n))})
}

// join gives the message: its fields by number, those of one number as they were
// added. That is how the runtime writes them.
func (f fields) join() []byte {
	slices.SortStableFunc(f, func(a, b madeField) int { return cmp.Compare(a.number, b.number) })
	size := 0
	for _, one := range f {
		size += len(one.data)
	}
	all := make([]byte, 0, size)
	for _, one := range f {
		all = append(all, one.data...)
	}
	return all
}

// named is the field of a name; nil when there is none.
func (t *messageType) named(name string) *fieldType {
	i := slices.IndexFunc(t.fields, func(f *fieldType) bool { return f.name == name })
	if i < 0 {
		return nil
	}
	return t.fields[i]
}

// of is the number of the field that holds a message of a type.
func (t *messageType) of(inner *messageType) int32 {
	return t.fields[slices.IndexFunc(t.fields, func(f *fieldType) bool { return f.message == inner })].number
}

// message makes a message of an object, but for some members.
func (e *encoder) message(t *messageType, v value.Value, depth int, but ...string) ([]byte, error) {
	if depth > maxDepth {
		return nil, faultf("arguments are nested too deep: the store takes messages nested %d deep", maxDepth)
	}
	var f fields
	var err error
	switch t.name {
	case "google.protobuf.Value":
		err = e.wellKnown(&f, t, v, depth)
	case "google.protobuf.Struct":
		err = e.field(&f, t.named("fields"), v, depth)
	case "google.protobuf.ListValue":
		err = e.field(&f, t.named("values"), v, depth)
	default:
		if v.Kind() != value.Object {
			return nil, faultf("a %s is an object, not %s", t.name, v.Kind())
		}
		err = e.addMembers(&f, t, v, depth, but)
	}
	return f.join(), err
}

// members adds the members of an object, but for some, as fields.
func (e *encoder) members(f *fields, t *messageType, v value.Value, but ...string) error {
	return e.addMembers(f, t, v, 0, but)
}

func (e *encoder) addMembers(f *fields, t *messageType, v value.Value, depth int, but []string) error {
	for name, item := range v.Members() {
		if slices.ContainsFunc(but, name.Is) {
			continue
		}
		field := t.named(name.String())
		if field == nil {
			return faultf("a %s has no field %q", t.name, name.String())
		}
		if err := e.field(f, field, item, depth); err != nil {
			return err
		}
	}
	return nil
}

// field adds a field. What absence stands for is left out.
func (e *encoder) field(f *fields, t *fieldType, v value.Value, depth int) error {
	switch {
	case t.isMap:
		return e.entries(f, t, v, depth)
	case t.repeated:
		if v.Kind() != value.Array {
			return faultf("%s is a list, not %s", t.name, v.Kind())
		}
		for item := range v.Items() {
			if err := e.one(f, t, item, depth, true); err != nil {
				return err
			}
		}
		return nil
	}
	return e.one(f, t, v, depth, t.presence || t.oneof != "")
}

// entries adds a map, in the order of the object. Of members with one name the
// last counts.
func (e *encoder) entries(f *fields, t *fieldType, v value.Value, depth int) error {
	if v.Kind() != value.Object {
		return faultf("%s is an object, not %s", t.name, v.Kind())
	}
	at := map[string]int{}
	for name, item := range v.Members() {
		var entry fields
		key := whole(name.String())
		if key != "" {
			entry.bytes(mapKey, []byte(key))
		}
		if err := e.one(&entry, t.message.byNumber[mapValue], item, depth+1, true); err != nil {
			return err
		}
		var made fields
		made.bytes(t.number, entry.join())
		if i, ok := at[key]; ok {
			(*f)[i] = made[0]
			continue
		}
		at[key] = len(*f)
		*f = append(*f, made[0])
	}
	return nil
}

// one adds one value. always: also that which absence stands for.
func (e *encoder) one(f *fields, t *fieldType, v value.Value, depth int, always bool) error {
	wrong := func() error { return faultf("%s cannot be %s", t.name, v.Kind()) }
	switch t.kind {
	case stringKind:
		if !v.IsString() {
			return wrong()
		}
		if text := whole(v.Str()); always || text != "" {
			f.bytes(t.number, []byte(text))
		}
	case messageKind:
		data, err := e.message(t.message, v, depth+1)
		if err != nil {
			return err
		}
		f.bytes(t.number, data)
	case bytesKind:
		i, err := e.blob(t, v)
		if err != nil {
			return err
		}
		f.bytes(t.number, i[:])
	case boolKind:
		b, ok := v.Bool()
		if !ok {
			return wrong()
		}
		switch {
		case b:
			f.varint(t.number, 1)
		case always:
			f.varint(t.number, 0)
		}
	case enumKind:
		for n, name := range t.enum {
			if v.Equal(name) {
				if always || n != 0 {
					f.varint(t.number, uint64(n))
				}
				return nil
			}
		}
		return faultf("%s has no value %q", t.name, v.Str())
	case signedKind, unsignedKind:
		n, ok := v.Int()
		if !ok || t.kind == unsignedKind && n < 0 {
			return wrong()
		}
		if always || n != 0 {
			f.varint(t.number, uint64(n))
		}
	case doubleKind:
		n, ok := v.Float()
		if !ok {
			return wrong()
		}
		f.double(t.number, n)
	}
	return nil
}

// whole is a text without half characters, which no message can hold.
func whole(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// blob makes the blob that a field refers to.
func (e *encoder) blob(t *fieldType, v value.Value) (id, error) {
	switch {
	case t.ref == nil || !t.ref.inline:
		return id{}, faultf("%s is not written", t.name)
	case t.ref.message != nil:
		data, err := e.message(t.ref.message, v, 0)
		if err != nil {
			return id{}, err
		}
		return e.add(data)
	case t.ref.json:
		return e.add(v.AppendOwn(nil))
	}
	return e.add([]byte(v.Str()))
}

// wellKnown adds the field of a value of JSON. Numbers are doubles there; what
// no double holds is null, as in JavaScript.
func (e *encoder) wellKnown(f *fields, t *messageType, v value.Value, depth int) error {
	name := map[value.Kind]string{
		value.String: "string_value", value.Number: "number_value", value.Bool: "bool_value",
		value.Object: "struct_value", value.Array: "list_value",
	}[v.Kind()]
	if _, ok := v.Float(); v.Kind() == value.Number && !ok {
		name = ""
	}
	if name == "" {
		f.varint(t.named("null_value").number, 0)
		return nil
	}
	return e.one(f, t.named(name), v, depth, true)
}
