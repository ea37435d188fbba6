package agentkv

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jhump/protoreflect/desc"
	"github.com/jhump/protoreflect/desc/protoparse"
	"github.com/jhump/protoreflect/dynamic"
	"pgregory.net/rapid"

	"github.com/trajmap/trajmap/descriptors"
	"github.com/trajmap/trajmap/engine/trajectory"
)

func TestParse(t *testing.T) {
	inGroup := func(number int, parts ...[]byte) []byte {
		return slices.Concat(tag(number, group), slices.Concat(parts...), tag(number, end))
	}
	good := map[string][]byte{
		"":                     nil,
		"1:0=2A":               num(1, 42),
		"3:2=6869":             str(3, "hi"),
		"2:0=01 2:0=02 9:2=":   slices.Concat(str(9, ""), num(2, 1), num(2, 2)),
		"4:1=0102030405060708": append(tag(4, fixed64), 1, 2, 3, 4, 5, 6, 7, 8),
		"4:5=01020304":         append(tag(4, fixed32), 1, 2, 3, 4),
		"6:3=0801 7:0=03":      slices.Concat(inGroup(6, num(1, 1)), num(7, 3)),
		"6:3=1314":             inGroup(6, inGroup(2)),
	}
	for want, data := range good {
		m, err := parse(data)
		var got []string
		for _, it := range m.items {
			got = append(got, fmt.Sprintf("%d:%d=%X", it.number, it.wire, m.raw(it)))
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("parse(%x) = %s, %v; want %s", data, got, err, want)
		}
	}
	bad := map[string][]byte{
		"number 0":            num(0, 1),
		"number 2^29":         num(1<<29, 1),
		"wire type 6":         {0x0e},
		"a tag that ends":     {0x80},
		"a tag of 11 bytes":   append(slices.Repeat([]byte{0x80}, 10), 1),
		"a number that ends":  {0x08, 0xff},
		"no length":           {0x0a},
		"a length beyond":     {0x0a, 2, 'x'},
		"a huge length":       {0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"7 of 8 bytes":        append(tag(1, fixed64), 1, 2, 3, 4, 5, 6, 7),
		"an end alone":        tag(1, end),
		"a group without end": slices.Concat(tag(1, group), num(2, 3)),
		"a group's wrong end": slices.Concat(tag(1, group), tag(2, end)),
	}
	for name, data := range bad {
		if m, err := parse(data); err == nil {
			t.Errorf("%s: %+v", name, m.items)
		}
	}
	if _, err := parse(slices.Repeat(num(1, 0), maxFields+1)); !errors.Is(err, errFields) {
		t.Errorf("too many fields: %v", err)
	}
}

// reflected is protoreflect's own view of the descriptors.
func reflected(t *testing.T, name string) *desc.MessageDescriptor {
	p := protoparse.Parser{Accessor: protoparse.FileContentsFromMap(map[string]string{"x.proto": descriptors.AgentKv})}
	files, err := p.ParseFiles("x.proto")
	if err != nil {
		t.Fatal(err)
	}
	md := files[0].FindMessage("agent.v1." + name)
	if md == nil {
		t.Fatalf("no message %s", name)
	}
	return md
}

// TestAgreesWithProtoreflect prints messages that protoreflect has written, and
// wants what protoreflect would print of them.
func TestAgreesWithProtoreflect(t *testing.T) {
	s, err := described()
	if err != nil {
		t.Fatal(err)
	}
	types := map[*desc.MessageDescriptor]*messageType{
		reflected(t, "ToolCall"):                   s.toolCall,
		reflected(t, "ConversationStateStructure"): s.state,
		reflected(t, "ConversationStep"):           s.step,
	}
	var names []*desc.MessageDescriptor
	for md := range types {
		names = append(names, md)
	}
	slices.SortFunc(names, func(a, b *desc.MessageDescriptor) int { return strings.Compare(a.GetName(), b.GetName()) })
	fields := 0
	rapid.Check(t, func(t *rapid.T) {
		md := rapid.SampledFrom(names).Draw(t, "message")
		m := drawMessage(t, md, 0)
		data, err := m.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		p := &printer{store: &store{blobs: newKept(), schema: s}, limit: math.MaxInt64}
		p.object(types[md], data)
		var got any
		d := json.NewDecoder(strings.NewReader(string(p.dst)))
		d.UseNumber()
		if err := d.Decode(&got); err != nil {
			t.Fatalf("%s: %v", p.dst, err)
		}
		want := plain(m)
		fields += len(want.(map[string]any))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("protoreflect (-), we (+):\n%s", diff)
		}
	})
	if fields == 0 {
		t.Error("no message had a field: the test tests nothing")
	}
}

// drawMessage makes a message of a type.
func drawMessage(t *rapid.T, md *desc.MessageDescriptor, depth int) *dynamic.Message {
	factory := dynamic.NewMessageFactoryWithKnownTypeRegistry(dynamic.NewKnownTypeRegistryWithoutWellKnownTypes())
	m := factory.NewDynamicMessage(md)
	count := rapid.IntRange(0, 4).Draw(t, "fields")
	for range count {
		if len(md.GetFields()) == 0 {
			break
		}
		fd := rapid.SampledFrom(md.GetFields()).Draw(t, "field")
		if depth > 8 && fd.GetMessageType() != nil {
			continue
		}
		switch {
		case fd.IsMap():
			value := drawValue(t, fd.GetMapValueType(), depth)
			m.PutMapField(fd, rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "key"), value)
		case fd.IsRepeated():
			m.AddRepeatedField(fd, drawValue(t, fd, depth))
		default:
			m.SetField(fd, drawValue(t, fd, depth))
		}
	}
	return m
}

func drawValue(t *rapid.T, fd *desc.FieldDescriptor, depth int) any {
	switch fd.GetType().String() {
	case "TYPE_STRING":
		return rapid.SampledFrom([]string{"", "text", "line\n\"quoted\" 你好"}).Draw(t, "string")
	case "TYPE_BYTES":
		return []byte(rapid.SampledFrom([]string{"", "x", "longer"}).Draw(t, "bytes"))
	case "TYPE_BOOL":
		return rapid.Bool().Draw(t, "bool")
	case "TYPE_ENUM":
		return rapid.SampledFrom([]int32{0, 1, 77}).Draw(t, "enum") % int32(1+76*min(1, len(fd.GetEnumType().GetValues())-1))
	case "TYPE_INT32":
		return rapid.Int32().Draw(t, "int32")
	case "TYPE_INT64":
		return rapid.Int64().Draw(t, "int64")
	case "TYPE_UINT32":
		return rapid.Uint32().Draw(t, "uint32")
	case "TYPE_UINT64":
		return rapid.Uint64().Draw(t, "uint64")
	case "TYPE_DOUBLE":
		return rapid.SampledFrom([]float64{0, 1, -2.5, 1e21}).Draw(t, "double")
	}
	return drawMessage(t, fd.GetMessageType(), depth+1)
}

// plain is a message as JSON would give it.
func plain(m *dynamic.Message) any {
	md := m.GetMessageDescriptor()
	one := func(fd *desc.FieldDescriptor, v any) any { return plainValue(fd, v) }
	switch md.GetFullyQualifiedName() {
	case "google.protobuf.Value":
		fd, v := m.GetOneOfField(md.GetOneOfs()[0])
		if fd == nil || fd.GetName() == "null_value" {
			return nil
		}
		return one(fd, v)
	case "google.protobuf.Struct", "google.protobuf.ListValue":
		fd := md.GetFields()[0]
		return plainField(fd, m.GetField(fd))
	}
	object := map[string]any{}
	for _, fd := range md.GetFields() {
		if m.HasField(fd) {
			object[fd.GetName()] = plainField(fd, m.GetField(fd))
		}
	}
	return object
}

func plainField(fd *desc.FieldDescriptor, v any) any {
	switch {
	case fd.IsMap():
		object := map[string]any{}
		for key, v := range v.(map[any]any) {
			object[key.(string)] = plainValue(fd.GetMapValueType(), v)
		}
		return object
	case fd.IsRepeated():
		list := []any{}
		for _, v := range v.([]any) {
			list = append(list, plainValue(fd, v))
		}
		return list
	}
	return plainValue(fd, v)
}

func plainValue(fd *desc.FieldDescriptor, v any) any {
	switch v := v.(type) {
	case *dynamic.Message:
		return plain(v)
	case []byte:
		return json.Number(fmt.Sprint(len(v)))
	case string, bool:
		return v
	case int32:
		if ed := fd.GetEnumType(); ed != nil {
			if name := ed.FindValueByNumber(v); name != nil {
				return name.GetName()
			}
		}
	case float64:
		text, _ := json.Marshal(v)
		return json.Number(text)
	}
	return json.Number(fmt.Sprint(v))
}

// FuzzMessage takes bytes for the root of a conversation: whatever passes the
// check can be printed, as JSON.
func FuzzMessage(f *testing.F) {
	k, _ := scene()
	for _, i := range k.order {
		f.Add(k.bytes[i])
	}
	f.Add(msg(16, msg(2, msg(1, msg(16, str(1, "x"))))))
	f.Add(msg(20, str(1, "key"), msg(2, num(1, 2), str(3, "\n\x01x"), append(tag(4, fixed32), 0, 0, 0xc0, 0x7f))))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := described()
		if err != nil {
			t.Fatal(err)
		}
		for _, as := range []*messageType{s.state, s.turn, s.step} {
			k := newKept()
			st := &store{blobs: k, schema: s, root: k.add(data)}
			w := &walk{store: st, seen: map[node]bool{}}
			st.unknown, st.steps = map[string]int{}, map[id]int{}
			w.at = st.root
			if err := w.message(as, data, 0); err != nil {
				if e := (*trajectory.Error)(nil); !errors.As(err, &e) {
					t.Fatalf("error = %v", err)
				}
				continue
			}
			p := &printer{store: st, limit: 1 << 20}
			p.object(as, data)
			if !json.Valid(p.dst) {
				t.Fatalf("no JSON: %s", p.dst)
			}
			if as != s.state {
				continue
			}
			if err := st.check(); err != nil {
				continue
			}
			reads := &stream{store: st, limit: 1 << 20}
			if list, _ := all(t, reads); len(list) == 0 {
				t.Error("no frames")
			}
		}
	})
}
