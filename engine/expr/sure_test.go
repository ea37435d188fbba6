package expr

import (
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/shape"
)

// sureStatic is a scope whose values are of their shapes.
func sureStatic() *Static {
	of := func(t shape.Types) *shape.Shape { return &shape.Shape{Types: t} }
	it := fields(
		"text", of(shape.Str), "texts", &shape.Shape{Types: shape.List, Item: of(shape.Str)}, "time", of(shape.Num), "last", of(shape.Bool),
		"result", fields("content", of(shape.Str), "bytes", of(shape.Num)), "mixed", of(shape.Str|shape.Num), "args", nil,
	)
	return &Static{It: it, Lets: []Let{{Name: "prev"}, {Name: "n", Shape: of(shape.Num)}}, Only: []string{"it", "index"}, Sure: true, Nulls: true}
}

// What certain types say, as LINE:COL+LEN message {hint}; nothing where
// something may be right.
func TestSureTypes(t *testing.T) {
	tests := []struct{ src, want string }{
		// operators
		{`it.text + 1`, `1:9+1 + cannot take a string and a number {write str(1)}`},
		{`it.time + "ms"`, `1:9+1 + cannot take a number and a string {write str(it.time)}`},
		{`"a" + it.texts`, `1:5+1 + cannot take a string and a list`},
		{`it.result + "a"`, `1:1+9 + takes numbers, strings or lists, this is an object`},
		{`1 + it.last`, `1:5+7 + takes numbers, strings or lists, this is a bool`},
		{`it.text - 1`, `1:1+7 - needs numbers, this is a string`},
		{`it.time / it.texts`, `1:11+8 / needs numbers, this is a list`},
		{`-it.text`, `1:2+7 - needs numbers, this is a string`},
		{`it.text > 5`, `1:9+1 > cannot take a string and a number`},
		{`it.texts > 5`, `1:1+8 > compares numbers, strings or bools, this is a list`},
		{`it.texts == "x"`, `1:10+2 a list is never a string`},
		{`it.time != "1"`, `1:9+2 a number is never a string`},
		{`"a" in it.text`, `1:8+7 after in stands a list, this is a string`},
		{`it.text[0]`, `1:1+7 only lists and objects have items, this is a string`},
		{`it.result[it.text]`, `1:10+1 the members of this object are asked for by their names {write it.result. and a member's name}`},
		{`it.texts[0] + 1`, `1:13+1 + cannot take a string and a number {write str(1)}`},
		{`iso(it.time) + it.time`, `1:14+1 + cannot take a string and a number {write str(it.time)}`},
		{`(it.text + it.text).x`, `1:21+1 unknown field "x": (it.text + it.text) is str|null`},
		// methods and functions
		{`it.time.startsWith("a")`, `1:1+7 startsWith needs a string here, this is a number`},
		{`it.text.startsWith(it.time)`, `1:20+7 startsWith needs a string here, this is a number`},
		{`it.text.substring(it.text)`, `1:19+7 substring needs a number here, this is a string`},
		{`it.text.join(",")`, `1:1+7 join needs a list here, this is a string`},
		{`it.time.size()`, `1:1+7 size needs str|list|object here, this is a number`},
		{`it.text.exists(x, x == "a")`, `1:1+7 exists needs a list, this is a string`},
		{`it.texts.map(x, x + 1)`, `1:19+1 + cannot take a string and a number {write str(1)}`},
		{`it.texts.exists(x, x == 1)`, `1:22+2 a string is never a number`},
		{`iso(it.last)`, `1:5+7 iso needs str|num here, this is a bool`},
		{`largest(it.time)`, `1:9+7 largest needs a list here, this is a number`},
		{`radix(it.text, 16)`, `1:7+7 radix needs a number here, this is a string`},
		{`radix(1, "16")`, `1:10+4 radix needs a number here, this is a string`},
		{`base62(it.text, it.text)`, `1:17+7 base62 needs a number here, this is a string`},
		{`sub(it.text, "(", "")`, `1:14+3 invalid regular expression: missing closing ) {the syntax is RE2's}`},
		{`uuid7(it.text, "a")`, `1:7+7 uuid7 needs a number here, this is a string`},
		// names
		{`frame.x`, `1:1+5 unknown name "frame"`},
		{`session.x`, `1:1+7 unknown name "session"`},
		{`files.x`, `1:1+5 unknown name "files"`},
		{`line`, `1:1+4 unknown name "line"`},
		// nullable
		{`str(nullable(it.text))`, `1:5+8 nullable is for what a template writes: it says that null is to be written {it stands around the whole value, or a branch of ? :}`},
		{`[nullable(it.text)]`, `1:2+8 nullable is for what a template writes: it says that null is to be written {it stands around the whole value, or a branch of ? :}`},
		{`nullable(it.text)`, ``}, {`n > 1 ? nullable(it.text) : it.text`, ``}, {`nullable(n > 1 ? prev.id : null)`, ``},
		// what may be right
		{`it.text == null`, ``}, {`it.mixed + 1`, ``}, {`it.mixed + "a"`, ``}, {`it.mixed == it.time`, ``}, {`it.args + 1`, ``}, {`it.args.x.y > it.args.z`, ``}, {`prev.x + 1`, ``}, {`n + 1`, ``}, {`index + it.time`, ``},
		{`it.text < "a"`, ``}, {`it.last == true`, ``}, {`it.texts + ["a"]`, ``}, {`it.texts[n]`, ``}, {`it.result["content"] + "a"`, ``}, {`it.text in it.texts`, ``}, {`it.text.size() + it.time`, ``}, {`it.texts.map(x, x.size())`, ``}, {`coalesce(it.text, it.time) + 1`, ``},
	}
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		_, found := env.Compile(test.src, sureStatic())
		if got := formatIssues(found); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.src, got, test.want)
		}
	}
}

// Elsewhere shapes are what is known of a source, and sources differ.
func TestUnsureTypes(t *testing.T) {
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	static := sureStatic()
	static.Sure, static.Nulls = false, false
	for _, src := range []string{`it.text + 1`, `it.texts > 5`, `it.time.startsWith("a")`, `it.text.exists(x, x == "a")`, `iso(it.last)`} {
		if _, found := env.Compile(src, static); len(found) > 0 {
			t.Errorf("%s: %v", src, found)
		}
	}
	if _, found := env.Compile(`nullable(it.text)`, static); len(found) != 1 {
		t.Errorf("nullable outside of templates: %v", found)
	}
}

func TestUnknownWords(t *testing.T) {
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ src, word string }{{`it.txet`, "txet"}, {`frame.x`, "frame"}, {`it.text.x.y`, "x"}, {`nx`, "nx"}, {`1 + "a"`, ""}} {
		_, found := env.Compile(test.src, sureStatic())
		if len(found) != 1 || found[0].Word != test.word {
			t.Errorf("%s: %+v, want the word %q", test.src, found, test.word)
		}
	}
	if _, found := env.Path("result.contnet", sureStatic()); len(found) != 1 || found[0].Word != "contnet" {
		t.Errorf("a path: %+v", found)
	}
}

func TestTexts(t *testing.T) {
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ src, want string }{
		{`"a"`, "a"}, {`n > 1 ? "a" : "b"`, "a b"}, {`n > 1 ? "a" : n > 2 ? "b" : "c"`, "a b c"},
		{`it.text`, ""}, {`n > 1 ? "a" : it.text`, ""}, {`"a" + "b"`, ""}, {`1`, ""},
	} {
		p, found := env.Compile(test.src, sureStatic())
		if len(found) > 0 {
			t.Fatal(found)
		}
		if got := strings.Join(p.Texts, " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.src, got, test.want)
		}
	}
}
