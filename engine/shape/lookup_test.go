package shape

import (
	"slices"
	"testing"
)

func object(fields ...*Field) *Shape { return &Shape{Types: Object, Fields: fields} }

func field(name string, types Types) *Field { return &Field{Name: name, Shape: &Shape{Types: types}} }

// block is an object of two kinds, one of which is open and one of which has
// kinds of its own.
func block() *Shape {
	inner := object(field("mode", Str))
	inner.Switch = &Switch{Path: "mode", Names: []string{"a", "b"}, Kinds: map[string]*Shape{
		"a": object(field("only_a", Num)), "b": object(field("only_b", Num)),
	}}
	s := object(field("type", Str), field("id", Str))
	s.Switch = &Switch{Path: "type", Names: []string{"text", "call", "nested", "any"}, Kinds: map[string]*Shape{
		"text": object(field("text", Str), field("id", Num)), "call": object(field("text", List), field("args", Any)), "nested": inner, "any": {Types: Any},
	}}
	return s
}

func TestMember(t *testing.T) {
	known := block()
	delete(known.Switch.Kinds, "any")
	known.Switch.Names = known.Switch.Names[:3]
	open := object(field("a", Str))
	open.Open = true
	tests := []struct {
		name   string
		shape  *Shape
		member string
		want   string // types, "unknown" or "none"
	}{
		{"no shape", nil, "x", "unknown"},
		{"any", &Shape{Types: Any}, "x", "unknown"},
		{"a string", &Shape{Types: Str}, "x", "none"},
		{"a list", &Shape{Types: List}, "x", "none"},
		{"a union with an object", &Shape{Types: Str | Object, Fields: []*Field{field("a", Num)}}, "a", "num"},
		{"a union with an object", &Shape{Types: Str | Object, Fields: []*Field{field("a", Num)}}, "b", "none"},
		{"an open object", open, "a", "str"},
		{"an open object", open, "b", "unknown"},
		{"of all kinds", known, "type", "str"},
		{"of one kind", known, "args", "unknown"},
		{"of several kinds", known, "text", "str|list"},
		{"of all kinds and one", known, "id", "str|num"},
		{"of a kind's kind", known, "only_b", "num"},
		{"of no kind", known, "zzz", "none"},
		{"with an unknown kind", block(), "zzz", "unknown"},
		{"narrowed", Narrow(known, "text"), "text", "str"},
		{"narrowed, declared for all and for the kind", Narrow(known, "text"), "id", "num"},
		{"narrowed, declared for all", Narrow(known, "call"), "id", "str"},
		{"narrowed, of another kind", Narrow(known, "text"), "args", "none"},
		{"narrowed to what has kinds", Narrow(known, "nested"), "only_a", "num"},
		{"narrowed twice", Narrow(Narrow(known, "nested"), "a"), "only_b", "none"},
		{"narrowed to an undeclared kind", Narrow(known, "zzz"), "x", "unknown"},
		{"narrowed to an unknown kind", Narrow(block(), "any"), "x", "unknown"},
		{"narrowed without kinds", Narrow(open, "text"), "a", "str"},
	}
	for _, test := range tests {
		s, ok := test.shape.Member(test.member)
		got := "none"
		switch {
		case ok && (s == nil || s.Types&Any != 0):
			got = "unknown"
		case ok:
			got = s.Types.String()
		}
		if got != test.want {
			t.Errorf("%s: member %s is %s, want %s", test.name, test.member, got, test.want)
		}
	}
}

func TestNames(t *testing.T) {
	if got, want := block().Names(), []string{"type", "id", "text", "args", "mode", "only_a", "only_b"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if (*Shape)(nil).Names() != nil {
		t.Error("names of no shape")
	}
}

func TestUnion(t *testing.T) {
	str, num := &Shape{Types: Str}, &Shape{Types: Num}
	list := func(item *Shape) *Shape { return &Shape{Types: List, Item: item} }
	if Union(str, nil) != nil || Union(nil, str) != nil || Union(str, &Shape{Types: Any}) != nil {
		t.Error("a union with what is unknown is known")
	}
	if got := Union(str, str); got != str {
		t.Errorf("a union with itself is %v", got)
	}
	if got := Union(list(str), num); got.Types != List|Num || got.Elem() != str {
		t.Errorf("list and number: %v of %v", got.Types, got.Elem())
	}
	if got := Union(list(str), list(num)).Elem(); got.Types != Str|Num {
		t.Errorf("two lists: items %v", got.Types)
	}
	both := Union(object(field("a", Str), field("c", Str)), object(field("a", Num), field("b", Str)))
	if a, _ := both.Member("a"); a.Types != Str|Num {
		t.Errorf("a member of both: %v", a.Types)
	}
	if _, ok := both.Member("b"); !ok {
		t.Error("a member of one is not there")
	}
	if _, ok := both.Member("d"); ok {
		t.Error("a member of none is there")
	}
	if _, ok := Union(block(), block()).Member("zzz"); !ok {
		t.Error("a union of two discriminators is checked")
	}
	// Shapes may hold themselves.
	a, b := object(), object()
	a.Fields = []*Field{{Name: "next", Shape: a}}
	b.Fields = []*Field{{Name: "next", Shape: b}}
	s := Union(a, b)
	for range 100 {
		s, _ = s.Member("next")
	}
	if s != nil {
		t.Error("a union without end is known to its end")
	}
}

func TestElem(t *testing.T) {
	item := &Shape{Types: Str}
	for _, s := range []*Shape{nil, {Types: Any}, {Types: Str}} {
		if s.Elem() != nil {
			t.Errorf("%v has items of a known shape", s)
		}
	}
	if (&Shape{Types: Str | List, Item: item}).Elem() != item {
		t.Error("the items of a union are not the list's")
	}
}
