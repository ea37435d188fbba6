package value

import "testing"

func TestListOf(t *testing.T) {
	list := func(text string) (items []Value) {
		for item := range MustParse(text).Items() {
			items = append(items, item)
		}
		return items
	}
	nested := list(`[[1,[2]],{"a":[3]},"s"]`)
	for _, test := range []struct {
		name  string
		items []Value
		want  string // "" for none
	}{
		{"all of a list", nested, `[[1,[2]],{"a":[3]},"s"]`},
		{"of an inner list", list(`[[1,2]]`)[:1], `[[1,2]]`},
		{"without the last", nested[:2], ""},
		{"without the first", nested[1:], ""},
		{"in another order", []Value{nested[1], nested[0], nested[2]}, ""},
		{"one twice", []Value{nested[0], nested[0], nested[2]}, ""},
		{"of two documents", []Value{nested[0], nested[1], list(`["s"]`)[0]}, ""},
		{"with an absent one", []Value{nested[0], {}, nested[2]}, ""},
		{"more than the list has", append(nested[:3:3], nested[2]), ""},
		{"a member of an object", []Value{MustParse(`{"a":1}`).Get("a")}, ""},
		{"a document", []Value{MustParse(`1`)}, ""},
		{"none", nil, ""},
	} {
		if got, ok := ListOf(test.items); string(got.Raw()) != test.want || ok != (test.want != "") {
			t.Errorf("%s: %s, %t", test.name, got.Raw(), ok)
		}
	}
}
