package render

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/normalize"
)

// talk is a conversation with a bit of everything.
func talk(t testing.TB) []item {
	return []item{
		user("U1"), thinks("R1"), says("T1"), calls("a", `{"x":1}`), calls("b", `{}`),
		gives("b", "second").is(normalize.True), gives("a", "first").is(normalize.False), says("T2"), user("U2"), says("T3"),
	}
}

func TestTemplates(t *testing.T) {
	s := conversation(t, talk(t)...)
	s.Title = "Title"
	for _, test := range []struct{ name, template, want string }{
		{"scalars", `{a: text, b: 1, c: true, d: null, e: "1.0", f: 0x10, g: -5, h: "", i: 12345678901234567890}`,
			`{"a":"text","b":1,"c":true,"d":null,"e":"1.0","f":16,"g":-5,"h":"","i":12345678901234567890}`},
		{"an expression alone", `= it.title`, `"Title"`},
		{"a text with = in front", `{const: = it.title}`, `"= it.title"`},
		{"keys as written", `{z: 1, a: 2, "1": 3, 0: 4, "é\"": 5}`, `{"z":1,"a":2,"1":3,"0":4,"é\"":5}`},
		{"control characters of a text", `"a\tb\u0000c\u2028\U0001F389"`, `"a\tb\u0000c` + "\u2028\U0001F389" + `"`},
		// what is absent
		{"an absent member", `{a: 1, b: = options.model, c: 2}`, `{"a":1,"c":2}`},
		{"the first member absent", `{a: = options.model, b: 1}`, `{"b":1}`},
		{"all members absent", `{a: = options.model, b: {c: = options.model}}`, `{"b":{}}`},
		{"an absent item", `[= options.model, 1, = options.model, 2]`, `[1,2]`},
		{"an absent path in an expression", `{a: '= it.turn_count > 9 ? it.title : null'}`, `{}`},
		{"null on purpose", `{a: = nullable(options.model), b: [= nullable(options.model)], c: = nullable(it.title)}`, `{"a":null,"b":[null],"c":"Title"}`},
		{"null in one branch", `{a: '= it.turn_count > 1 ? nullable(options.model) : null', b: '= it.turn_count > 9 ? nullable(options.model) : null'}`, `{"a":null}`},
		{"an empty text", `{a: = str(options.model)}`, `{"a":""}`},
		// forms in members
		{"if that holds", `{a: {if: has(it.title), give: 1}}`, `{"a":1}`},
		{"if that does not", `{a: {if: has(options.model), give: 1}, b: 2}`, `{"b":2}`},
		{"each in a member", `{a: {each: messages, give: = it.role}}`, `{"a":["user","assistant","assistant","user","assistant"]}`},
		{"each of nothing", `{a: {each: "= []", give: 1}}`, `{"a":[]}`},
		{"each of what is absent", `{a: {each: = parse(options.model), give: 1}}`, `{"a":[]}`},
		{"each without items that are given", `{a: {each: messages, give: = options.model}}`, `{"a":[]}`},
		{"if beside each is asked before", `{a: {if: has(options.model), each: messages, give: 1}}`, `{}`},
		{"each of an object", `{a: {each: calls, give: {each: result, give: = it.content}}}`, `{"a":["first","second"]}`},
		{"let before each", `{a: {let: {who: title}, each: turns, give: = who + it.text}}`, `{"a":["TitleU1","TitleU2"]}`},
		{"let below each", `{a: {each: turns, give: {let: {who: text}, give: = who}}}`, `{"a":["U1","U2"]}`},
		{"a form that gives a list", `{a: {if: has(it.title), give: [1, 2]}}`, `{"a":[1,2]}`},
		{"a form that gives a form", `{a: {if: has(it.title), give: {if: has(options.model), give: 1}}, b: {if: has(it.title), give: {if: has(it.title), give: 2}}}`, `{"b":2}`},
		{"by kind", `{a: {kind: '= it.turn_count > 1 ? "many" : "one"', rules: {many: {n: 2}, one: {n: 1}}}}`, `{"a":{"n":2}}`},
		{"by an ignored kind", `{a: {kind: source, rules: {other: 1}, ignored: [source]}}`, `{}`},
		{"several kinds", `[{each: messages, kind: role, rules: {"user, assistant": = it.role}, ignored: [system, observation]}]`, `["user","assistant","assistant","user","assistant"]`},
		{"keys in quotes", `{"if": 1, "each": 2, a: {"give": 1, "rules": 2}}`, `{"if":1,"each":2,"a":{"give":1,"rules":2}}`},
		// forms in lists
		{"one item", `[1, {if: has(it.title), give: = it.title}, 2]`, `[1,"Title",2]`},
		{"no item", `[1, {if: has(options.model), give: x}, 2]`, `[1,2]`},
		{"no item at either end", `[{if: has(options.model), give: x}, 1, {if: has(options.model), give: x}]`, `[1]`},
		{"many items", `[0, {each: turns, give: = it.text}, 9]`, `[0,"U1","U2",9]`},
		{"lists are spliced", `[0, {if: has(it.title), give: [--title, = it.title]}, 9]`, `[0,"--title","Title",9]`},
		{"lists of each are spliced", `[{each: calls, give: [= it.id, = it.result.content]}]`, `["a","first","b","second"]`},
		{"forms in a spliced list", `[{each: turns, give: [= it.text, {each: steps, give: [{each: texts, give: = it}, {each: calls, give: [= it.id]}]}]}]`, `["U1","T1","a","b","T2","U2","T3"]`},
		{"a form's form is spliced", `[{each: turns, give: {each: steps, give: {each: texts, give: = it}}}]`, `["T1","T2","T3"]`},
		{"a list in a spliced list", `[{each: turns, give: [[= it.text]]}]`, `[["U1"],["U2"]]`},
		{"a list in a list", `[[1, = options.model], {a: [{each: turns, give: = it.text}]}]`, `[[1],{"a":["U1","U2"]}]`},
		{"an expression that is a list", `[1, '= ["a", "b"]']`, `[1,["a","b"]]`},
		{"an ignored kind", `[{each: messages, kind: role, ignored: [user, system, observation], rules: {assistant: {text: = it.text}}}]`, `[{"text":"T1"},{"text":"T2"},{"text":"T3"}]`},
		{"index", `[{each: turns, give: [= index, {each: steps, give: = index}]}, = index]`, `[0,0,1,1,0,0]`},
		{"session at any depth", `[{each: turns, give: {each: steps, give: {each: calls, give: = session.title + it.id}}}]`, `["Titlea","Titleb"]`},
		// views
		{"batches", `[{each: turns, give: {each: batches, give: {texts: = it.texts, ids: [{each: calls, give: = it.id}]}}}]`, `[{"texts":["T1"],"ids":["a","b"]}]`},
		{"final texts", `[{each: turns, give: {final: = it.final, complete: = it.complete, asked: = it.asked}}]`, `[{"final":"T2","complete":true,"asked":0},{"final":"T3","complete":true,"asked":3}]`},
		{"status", `[{each: calls, give: {ok: = it.result.ok, order: = it.result.order, bytes: = it.result.bytes}}]`, `[{"ok":false,"order":1,"bytes":5},{"ok":true,"order":0,"bytes":6}]`},
		{"reasoning", `[{each: messages, kind: role, ignored: [user, system, observation], rules: {assistant: {each: reasoning, give: = it}}}]`, `["R1"]`},
		{"options", `= [str(options.model), str(options.provider), str(options.reasoning)]`, `["","",""]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, written(t, document(test.template), s, Options{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What comes from the session is written with its own digits and order; of
// repeated members the last value stands at the first one's place.
func TestValuesOfTheSession(t *testing.T) {
	for _, test := range []struct{ name, args, want string }{
		{"digits", `{"a":1.0,"b":9007199254740993,"c":1e5,"d":-0,"e":0.10,"f":123456789012345678901234567890}`, ""},
		{"order", `{"z":1,"10":2,"9":3,"a":{"b":1,"2":2,"1":3}}`, ""},
		{"white space", " { \"a\" : [ 1 ,\t2 ] ,\n\"b\" : { } } ", `{"a":[1,2],"b":{}}`},
		{"repeated members", `{"a":1,"b":2,"a":{"c":1,"c":2},"b":3}`, `{"a":{"c":2},"b":3}`},
		{"members repeated in other words", `{"a":1,"\u0061":2}`, `{"a":2}`},
		{"escapes", `{"\u0061\u2028":"\u00e9\/\ud83c\udf89\u0000\t"}`, "{\"a\u2028\":\"é/🎉\\u0000\\t\"}"},
		{"all kinds", `{"n":null,"t":true,"f":false,"s":"","l":[],"o":{}}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := conversation(t, user("U"), calls("a", test.args), gives("a", "x"), says("T"))
			want := test.want
			if want == "" {
				want = test.args
			}
			got := written(t, document(`{each: calls, give: = it.args}`), s, Options{})
			if diff := cmp.Diff("["+want+"]", got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var source []string
			if err := json.Unmarshal([]byte(written(t, document(`{each: calls, give: = it.args_json}`), s, Options{})), &source); err != nil {
				t.Fatal(err)
			}
			if len(source) != 1 || source[0] != test.args {
				t.Errorf("the source's bytes are %q, want %q", source, test.args)
			}
		})
	}
}

// Half a character is no character: no wire carries it.
func TestLoneSurrogates(t *testing.T) {
	raw := func(i item) item { i.undecoded = true; return i }
	s := conversation(t, raw(user(`a\ud800b`)), raw(says(`\udfff\ud83c\udf89`)), raw(calls("c", `{\"k\":\"\\ud800\"}`)), raw(gives("c", `x\ud83cy`)), says("T"))
	got := written(t, document("- {each: messages, give: {each: texts, give: = it}}\n- {each: calls, give: [= it.args, = it.args_json, = it.result.content]}"), s, Options{})
	want := "[\"a\ufffdb\",\"\ufffd🎉\",\"T\",{\"k\":\"\ufffd\"},\"{\\\"k\\\":\\\"\ufffd\\\"}\",\"x\ufffdy\"]"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
