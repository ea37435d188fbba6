package expr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/shape"
)

func fields(pairs ...any) *shape.Shape {
	s := &shape.Shape{Types: shape.Object}
	for i := 0; i < len(pairs); i += 2 {
		f := &shape.Field{Name: pairs[i].(string)}
		f.Shape, _ = pairs[i+1].(*shape.Shape)
		s.Fields = append(s.Fields, f)
	}
	return s
}

var (
	strShape   = &shape.Shape{Types: shape.Str}
	blockShape = func() *shape.Shape {
		s := fields("type", strShape)
		s.Switch = &shape.Switch{Path: "type", Names: []string{"text", "image"}, Kinds: map[string]*shape.Shape{
			"text": fields("text", strShape), "image": fields("source", nil),
		}}
		return s
	}()
	frameShape = func() *shape.Shape {
		message := fields("role", strShape)
		message.Open = true
		return fields("content", &shape.Shape{Types: shape.Str | shape.List, Item: blockShape}, "id", strShape, "message", message, "extra", nil)
	}()
	shapedStatic = &Static{It: frameShape, Frame: frameShape, Lets: append([]Let{{Name: "block", Shape: blockShape}}, testStatic.Lets...),
		Facts: testStatic.Facts, Files: testStatic.Files}
)

// The issues of an expression as LINE:COL+LEN message {hint}.
func TestIssues(t *testing.T) {
	tests := []struct{ src, want string }{
		// fields
		{`it.contnet == "x"`, `1:4+7 unknown field "contnet" {did you mean content?}`},
		{`it.id.x`, `1:7+1 unknown field "x": it.id is str`},
		{`frame.idd`, `1:7+3 unknown field "idd" {did you mean id?}`},
		{`it["contnet"]`, `1:4+9 unknown field "contnet" {did you mean content?}`},
		{`has(it.contnet)`, `1:8+7 unknown field "contnet" {did you mean content?}`},
		{`it.content.exists(b, b.tpye == "x")`, `1:24+4 unknown field "tpye" {did you mean type?}`},
		{`list(it.content).map(b, b.sourec)`, `1:27+6 unknown field "sourec" {did you mean source?}`},
		{`list(it.content).filter(b, b.type == "text").map(b, b.txt)`, `1:55+3 unknown field "txt" {did you mean text?}`},
		{`it.content[0].texx`, `1:15+4 unknown field "texx" {did you mean text?}`},
		{`coalesce(it.content, it.id).foo`, `1:29+3 unknown field "foo": coalesce(it.content, it.id) is str|list`},
		{`(flag ? it.content : [block])[0].tixt`, `1:34+4 unknown field "tixt" {did you mean text?}`},
		{`without(it, ["id"]).conten`, `1:21+6 unknown field "conten" {did you mean content?}`},
		{`block.sorce`, `1:7+5 unknown field "sorce" {did you mean source?}`},
		{`it.contnet == 1 && it.idd == 2`, "1:4+7 unknown field \"contnet\" {did you mean content?}\n1:23+3 unknown field \"idd\" {did you mean id?}"},
		{"flag &&\n  it.contnet == \"é\"", `2:6+7 unknown field "contnet" {did you mean content?}`},
		{`"é" + it.idd`, `1:10+3 unknown field "idd" {did you mean id?}`},
		{`it.message.anything.at.all`, ``}, {`it.extra.x`, ``}, {`it.content.exists(b, b.text == b.source)`, ``}, {`t.whatever`, ``}, {`parse(it.id).x`, ``},
		// names
		{`content`, `1:1+7 unknown name "content" {did you mean it.content?}`},
		{`iit.id`, `1:1+3 unknown name "iit" {did you mean it?}`},
		{`flga || it.id == ""`, `1:1+4 unknown name "flga" {did you mean flag?}`},
		{`[1].exists(item, itm == 1)`, `1:18+3 unknown name "itm" {did you mean item?}`},
		{`session.has_mian`, `1:9+8 unknown session fact "has_mian" {did you mean has_main?}`},
		{`session`, `1:1+7 session is no value {write session. and a fact's name}`},
		{`session.exit`, `1:1+12 session.exit is a map, it has a value for each key {write session.exit[key]}`},
		{`str(session.exit)`, `1:5+12 session.exit is a map, it has a value for each key {write session.exit[key]}`},
		{`files.sumary`, `1:7+6 unknown file "sumary" {did you mean summary?}`},
		{`files == null`, `1:1+5 files is no value {write files. and a file's name}`},
		// bools
		{`it.id && flag`, `1:1+5 an operand of && must be a bool, this is a JSON value {write it.id == true}`},
		{`flag || it.id`, `1:9+5 an operand of || must be a bool, this is a JSON value {write it.id == true}`},
		{`!it.id`, `1:2+5 the operand of ! must be a bool, this is a JSON value {write it.id != true, or not(it.id), which leaves null as it is}`},
		{`it.id ? 1 : 2`, `1:1+5 the condition before ? must be a bool, this is a JSON value {write it.id == true}`},
		{`not(it.id) && flag`, `1:1+10 an operand of && must be a bool, this is a JSON value {write not(it.id) == true}`},
		{`(it.extra + 1) && flag`, `1:1+14 an operand of && must be a bool, this is an int {write ((it.extra + 1)) != 0}`},
		{`str(it.id) && flag`, `1:1+10 an operand of && must be a bool, this is a string {write str(it.id) != ""}`},
		{`it.content.filter(b, b.type)`, `1:22+6 the condition of filter must be a bool, this is a JSON value {write b.type == true}`},
		// types
		{`"a" + 1`, `1:5+1 + cannot take (string, int)`},
		{`1 + "a" && flag`, `1:3+1 + cannot take (int, string)`},
		{`size(1)`, `1:5+1 size cannot take (int)`},
		{`null > 1`, `1:6+1 > cannot take (null, int)`},
		{`flag ? "a" : 1`, `1:6+1 the two values of ? : are of different types, (string, int) {write dyn(…) around one of them if that is meant}`},
		{`it.message.role.startsWith(1)`, `1:27+1 startsWith of a JSON value cannot take (int)`},
		{`starts(it.id, "x")`, `1:15+3 starts needs a list here, this is a string {write ["x"]}`},
		{`bytes("a")`, `1:1+10 the result is of type bytes, which JSON does not have`},
		{`it.id.matches("(")`, `1:15+3 invalid regular expression: missing closing ) {the syntax is RE2's}`},
		{`index.x`, `1:7+1 unknown field "x": index is num`},
		// functions
		{`txet(it.id)`, `1:1+4 unknown function "txet" {did you mean text?}`},
		{`it.id.startswith("a")`, `1:7+10 unknown function "startswith" {did you mean startsWith?}`},
		{`base64.encod(it.id)`, `1:1+12 unknown function "base64.encod" {did you mean base64.encode?}`},
		{`it.id.text()`, `1:7+4 text is a function {write text(it.id)}`},
		{`startsWith(it.id, "a")`, `1:1+10 startsWith is a method {write x.startsWith(…)}`},
		{`text()`, `1:1+4 text takes 1 or 2 arguments {write text(v[, sep])}`},
		{`coalesce(1)`, `1:1+8 coalesce takes 2 to 4 arguments {write coalesce(a, b[, c[, d]])}`},
		{`lines(it.id, 1)`, `1:1+5 lines takes one argument {write lines(list)}`},
		{`has()`, `1:1+3 has takes one argument`},
		{`it.content.exists(b)`, `1:12+6 wrong arguments for exists {write list.exists(x, …), where x names the item}`},
		{`map()`, `1:1+3 wrong arguments for map {write list.map(x, …), where x names the item}`},
		{`it.content.exists(it.id, true)`, `1:19+5 exists needs a name here, for the item`},
		// syntax
		{`it.id = "x"`, `1:7+1 unexpected "=" {equality is ==}`},
		{`it.id & flag`, `1:7+1 unexpected "&" {and is &&}`},
		{`it.id and flag`, `1:7+3 unexpected and {and is &&}`},
		{`(it.id`, `1:7+1 unexpected end of the expression {expected ) before the end of what ( begins}`},
		{`it.id)`, `1:6+1 unexpected )`},
		{``, `1:1+1 unexpected end of the expression {expected a value}`},
		{`it.true`, `1:4+4 unexpected true {expected a name after the dot; any key can be written as ["key"]}`},
		{`"abc`, `1:1+1 this string has no end`},
		{`"\q"`, `1:2+2 invalid escape {in a raw string, r"…", a backslash is itself}`},
		{`[1, 2`, `1:6+1 unexpected end of the expression {expected ] after the items of a list}`},
		{`{"a" 1}`, `1:6+1 unexpected 1 {expected : between a key and its value}`},
		{`999999999999999999999`, `1:1+21 number out of range`},
		{`if`, `1:1+2 unexpected if {this word is reserved}`},
		{`#`, `1:1+1 unexpected "#"`},
		{`text(it.id,)`, `1:12+1 unexpected )`},
		{strings.Repeat("(", 300), `1:201+1 nested too deeply`},
	}
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		p, found := env.Compile(test.src, shapedStatic)
		if diff := cmp.Diff(test.want, formatIssues(found)); diff != "" {
			t.Errorf("%s\n%s", test.src, diff)
		}
		if (p == nil) != (len(found) > 0) {
			t.Errorf("%s: a program and issues, or neither", test.src)
		}
	}
}

func formatIssues(list []Issue) string {
	var lines []string
	for _, i := range list {
		line := fmt.Sprintf("%d:%d+%d %s", i.Line, i.Col, i.Len, i.Message)
		if i.Hint != "" {
			line += " {" + i.Hint + "}"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestPathIssues(t *testing.T) {
	tests := []struct{ path, want string }{
		{`content`, ``}, {`content.0.text`, ``}, {`message.any.thing`, ``}, {`@this`, ``}, {`content.#(type=="text").txt`, ``}, {`message.x\.y`, ``}, {`extra.0.x`, ``},
		{`contnet`, `1:1+7 unknown field "contnet" {did you mean content?}`},
		{`message.role.x`, `1:14+1 unknown field "x": message.role is str`},
		{`content.0.txet`, `1:11+4 unknown field "txet" {did you mean text?}`},
		{`content.text`, `1:9+4 unknown field "text": content is str|list`},
		{`message..x`, `1:9+1 empty key in a path`},
		{``, `1:1+1 empty key in a path`},
	}
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		p, found := env.Path(test.path, shapedStatic)
		if diff := cmp.Diff(test.want, formatIssues(found)); diff != "" {
			t.Errorf("%s\n%s", test.path, diff)
		}
		if (p == nil) != (len(found) > 0) {
			t.Errorf("%s: a program and issues, or neither", test.path)
		}
	}
}

func TestShapesOfResults(t *testing.T) {
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for src, want := range map[string]string{
		`it.id`: "str", `it.content`: "str|list", `it.content[0]`: "object", `text(it.content)`: "str|null", `str(it.id)`: "str", `list(it.content)`: "list", `list(it.content)[0]`: "str|object",
		`it.id == "x"`: "bool", `size(it.id)`: "num", `not(it.id)`: "bool|null", `it.extra`: "unknown", `it.id + "x"`: "str", `coalesce(it.id, it.content)`: "str|list", `it.id == "" ? it.id : null`: "str|null",
		`list(it.content).map(b, b.type)[0]`: "str", `line`: "num", `null`: "null", `[it.id, 1][0]`: "str|num", `{"a": 1}.b`: "unknown", `parse(it.id)`: "unknown", `seconds(it.id)`: "num|null", `it.id.lowerAscii()`: "str",
	} {
		p, found := env.Compile(src, shapedStatic)
		if len(found) > 0 {
			t.Errorf("%s: %v", src, found)
			continue
		}
		got := "unknown"
		if p.Shape != nil {
			got = p.Shape.Types.String()
		}
		if got != want {
			t.Errorf("%s: shape %s, want %s", src, got, want)
		}
		if want := want == "bool"; p.IsBool != want {
			t.Errorf("%s: IsBool is %v", src, p.IsBool)
		}
	}
}
