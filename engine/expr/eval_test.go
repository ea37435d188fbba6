package expr

import (
	"strings"
	"sync"
	"testing"

	"github.com/trajmap/trajmap/engine/value"
)

// evaluate gives an expression's JSON, or "failed: " and the reason.
func evaluate(t *testing.T, src, it string) string {
	t.Helper()
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	p, found := env.Compile(src, testStatic)
	if len(found) > 0 {
		t.Fatalf("%s: %v", src, found)
	}
	s := testScope(it)
	failed := ""
	s.Failed = func(q *Program, reason string) {
		if q != p {
			t.Errorf("%s: another program is said to have failed", src)
		}
		failed = "failed: " + reason
	}
	v := p.Eval(s)
	if failed == "" {
		return string(v.AppendJSON(nil))
	}
	if v.Exists() {
		t.Errorf("%s: failed, with a value", src)
	}
	if p.Test(s) {
		t.Errorf("%s: failed, and true", src)
	}
	return failed
}

func TestAbsence(t *testing.T) {
	const it = `{"a":{"b":1},"n":null,"s":"text","l":[1,null],"z":0,"e":"","f":false}`
	tests := []struct{ src, want string }{
		// what is not there is null, at any depth
		{`it.x`, `null`}, {`it.x.y.z`, `null`}, {`it.n.y`, `null`}, {`it.s.y`, `null`}, {`it.l.y`, `null`}, {`it.z.y.x`, `null`},
		{`it.l[2]`, `null`}, {`it.l[-1]`, `null`}, {`it.l["a"]`, `null`}, {`it.a[0]`, `null`}, {`it.a["x"]`, `null`}, {`it.x[0]`, `null`}, {`it.x["y"][1]`, `null`}, {`it.l[it.x]`, `null`}, {`it[it.n]`, `null`},
		{`amendment.x`, `null`}, {`session.exit["none"]`, `null`}, {`session.exit[it.x]`, `null`}, {`files.summary.none`, `null`},
		// null compares
		{`it.x == null`, `true`}, {`it.n == null`, `true`}, {`it.x == it.n`, `true`}, {`it.a.b == null`, `false`}, {`it.x != true`, `true`}, {`it.x == ""`, `false`}, {`it.x == 0`, `false`}, {`it.z == false`, `false`}, {`it.x in [null]`, `true`}, {`it.x in ["a"]`, `false`},
		{`has(it.x)`, `false`}, {`has(it.n)`, `false`}, {`has(it.e)`, `true`}, {`has(it.f)`, `true`}, {`has(it.x.y)`, `false`}, {`!has(it.a.b)`, `false`}, {`it.l.exists(x, x == null)`, `true`},
		// wrong types fail
		{`it.x > 1`, `failed: cannot compare a number with null`}, {`it.s > 1`, `failed: cannot compare a number with string`}, {`it.s > it.z`, `failed: cannot compare string with number`}, {`it.x < "a"`, `failed: cannot compare null with string`},
		{`it.x.startsWith("a")`, `failed: startsWith needs a string, not null`}, {`it.x.exists(y, true)`, `failed: expected a list, not null`}, {`it.s.all(y, true)`, `failed: expected a list, not string`}, {`it.x.size()`, `failed: expected something that has a size, not null`},
		{`"a" + it.x`, `failed: cannot add a string and null`}, {`it.s + it.z`, `failed: cannot add string and number`}, {`it.z + 1.5`, `failed: cannot calculate with int and double`}, {`it.x in it.s`, `failed: expected a list after in, not string`}, {`1 / it.z`, `failed: division by zero`},
		{`it.s.replace("t", it.x, 1)`, `failed: a value has the wrong type`}, {`int(it.s)`, `failed: a function cannot take its arguments`}, {`1.0 / (0.0 * 1.0)`, `failed: the result is no JSON value`}, {`off && flag`, `failed: expected a bool, not null`}, {`it.s.substring(9)`, `failed: substring beyond the string`},
		{`9223372036854775807 + line`, `failed: integer overflow`}, {`it.s.matches("(?P<x>t)") && it.x.matches("t")`, `failed: matches needs a string, not null`},
		// && and || decide without the operand that fails, which ?: cannot
		{`it.x > 1 && false`, `false`}, {`false && it.x > 1`, `false`}, {`it.x > 1 || true`, `true`}, {`it.x > 1 && true`, `failed: cannot compare a number with null`}, {`it.x > 1 ? 1 : 2`, `failed: cannot compare a number with null`},
		{`it.l.exists(x, x > 0)`, `true`}, {`it.l.all(x, x > 0)`, `failed: cannot compare a number with null`}, {`it.l.all(x, x > 5)`, `false`}, {`it.l.filter(x, x > 0)`, `failed: cannot compare a number with null`},
		// guards
		{`str(it.x).startsWith("a")`, `false`}, {`list(it.x).exists(y, true)`, `false`}, {`list(it.s).exists(y, y == "text")`, `true`}, {`str(it.x) == ""`, `true`}, {`coalesce(it.x, it.e, it.s)`, `"text"`}, {`not(it.x)`, `null`}, {`text(it.x)`, `null`},
	}
	for _, test := range tests {
		if got := evaluate(t, test.src, it); got != test.want {
			t.Errorf("%s gave %s, want %s", test.src, got, test.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	tests := []struct{ src, it, want string }{
		{`it`, `12345678901234567890`, `12345678901234567890`},
		{`it == 9007199254740993`, `9007199254740993`, `true`},
		{`it == 9007199254740992`, `9007199254740993`, `false`},
		{`it == 1`, `1.0`, `true`}, {`it == 1.0`, `1`, `true`}, {`it in [1]`, `1.0`, `true`}, {`it == "1"`, `1`, `false`},
		{`it > 9223372036854775807`, `9223372036854775808`, `false`}, // a double, which is not exact here
		{`it > 9223372036854775807`, `9223372036854780000`, `true`},
		{`it > 1`, `1e400`, `true`}, {`it < 1`, `-1e400`, `true`},
		{`it + 1`, `1764500000123456789`, `1764500000123456790`},
		{`it * 2.0`, `1.5`, `3`}, {`type(it * 2.0) == double`, `1.5`, `true`},
		{`str(it)`, `1764500000123456789`, `"1764500000123456789"`}, {`str(it)`, `1.50`, `"1.5"`}, {`str(it)`, `1e21`, `"1e+21"`},
		{`compact(it)`, `1.50`, `"1.50"`}, {`compact([it])`, `-0`, `"[-0]"`}, {`compact(it)`, `{"2":1e21,"1":12345678901234567890}`, `"{\"2\":1e21,\"1\":12345678901234567890}"`},
	}
	for _, test := range tests {
		if got := evaluate(t, test.src, test.it); got != test.want {
			t.Errorf("%s on %s gave %s, want %s", test.src, test.it, got, test.want)
		}
	}
}

// What stands in a string reaches the output as it is, whatever it passes.
func TestStringsSurvive(t *testing.T) {
	tests := []struct{ src, it, want string }{
		{`it`, `"\ud800 \u0041"`, `"\ud800 A"`},
		{`"<" + it + ">"`, `"\ud800\u0000"`, `"<\ud800\u0000>"`},
		{`trim(it)`, `" \udfff\n"`, `"\udfff"`},
		{`it.substring(1)`, `"é\ud800\u00e9"`, `"\ud800é"`},
		{`it.size()`, `"\ud83d\ude00\ud800\/"`, `3`},
		{`it.replace("a", "b")`, `"a\ud800"`, `"b\ud800"`},
		{`it.split(",")`, `"\ud800,x"`, `["\ud800","x"]`},
		{`it.lowerAscii()`, `"\ud800X"`, `"\ud800x"`}, {`it.indexOf("x")`, `"\ud800é\u00e9x"`, `3`}, {`it.trim()`, `" \ud800 "`, `"\ud800"`}, {`it.split("-").map(x, x.size())`, `"\ud800-ab"`, `[1,2]`},
		{`json(it)`, `{"k\ud800":"\udc00"}`, `"{\"k\\ud800\":\"\\udc00\"}"`},
		{`parse(it)`, `"[\"\ud800\"]"`, `["\ud800"]`},
		{`parse(json(it))`, `{"b":1,"a":"\ud800","1":2}`, `{"1":2,"b":1,"a":"\ud800"}`},
		{`it == "\U0001F600"`, `"\ud83d\ude00"`, `true`},
		{`lines([it, 1])`, `"\ud800"`, `"\ud800\n1"`},
		{`unwrap(it, "q")`, `"<q>\ud800</q>"`, `"\ud800"`},
	}
	for _, test := range tests {
		if got := evaluate(t, test.src, test.it); got != test.want {
			t.Errorf("%s on %s gave %s, want %s", test.src, test.it, got, test.want)
		}
	}
}

func TestReasonsHoldNoContent(t *testing.T) {
	const secret = `{"s":"SECRET","o":{"SECRET":1},"n":["SECRET"]}`
	for _, src := range []string{
		`it.s > 1`, `it.s + 1`, `int(it.s)`, `timestamp(it.s) > timestamp(it.s)`, `duration(it.s) > duration(it.s)`, `"x".matches(it.s + "(")`, `it.o.replace("a", "b")`, `it.s.charAt(100)`, `base64.decode(it.s + "!") == b"x"`, `"%d".format(it.n)`, `it.n.join(it.o)`,
		`it.s.substring(100)`, `bool(it.s)`, `double(it.s)`, `it.n.slice(3, 9)`, `"%d".format([it.s])`, `it.o < it.n`,
	} {
		got := evaluate(t, src, secret)
		if !strings.HasPrefix(got, "failed: ") {
			t.Errorf("%s did not fail: %s", src, got)
		}
		if strings.Contains(got, "SECRET") {
			t.Errorf("%s tells content: %s", src, got)
		}
	}
}

func TestExamplesOfFunctions(t *testing.T) {
	for _, f := range Functions() {
		if len(f.Examples) == 0 || f.Doc == "" || !strings.HasPrefix(f.Signature, f.Name+"(") {
			t.Errorf("%s is not documented", f.Name)
		}
		for _, e := range f.Examples {
			if got := evaluate(t, e.Expr, ""); got != e.Result {
				t.Errorf("%s gave %s, want %s", e.Expr, got, e.Result)
			}
			agree(t, testStatic, e.Expr, true)
		}
	}
}

// The functions are total: they take any values.
func TestFunctionsAreTotal(t *testing.T) {
	for _, f := range library {
		for n := f.min; n <= f.max; n++ {
			for _, a := range testValues {
				for _, b := range []string{"", `"text"`, `["text","type"]`, `{"text":1}`, `7`} {
					s := testScope(a)
					args := []value.Value{s.It, {}, {}, {}}[:n]
					for i := range args[1:] {
						if b != "" {
							args[i+1] = value.MustParse(b)
						}
					}
					f.run(s, args)
					if len(s.stack) != 0 {
						t.Fatalf("%s: left %d values on the stack", f.Name, len(s.stack))
					}
				}
			}
		}
	}
}

func TestPaths(t *testing.T) {
	tests := []struct{ path, it, want string }{
		{`a`, `{"a":1}`, `1`}, {`a.b.c`, `{"a":{"b":{"c":"x"}}}`, `"x"`}, {`a.b`, `{"a":"s"}`, `null`}, {`a`, ``, `null`}, {`a.b.c.d`, `[]`, `null`},
		{`@this`, `[1]`, `[1]`}, {`a.1`, `{"a":[5,6]}`, `6`}, {`a.9`, `{"a":[5]}`, `null`}, {`a.1`, `{"a":{"1":"key"}}`, `"key"`}, {`0`, `["x"]`, `"x"`}, {`it`, `{"it":1}`, `1`}, {`frame.x`, `{"frame":{"x":2}}`, `2`},
		{`x\.ai/tool.name`, `{"x.ai/tool":{"name":"n"}}`, `"n"`}, {`$set.messages`, `{"$set":{"messages":[1]}}`, `[1]`}, {`a b-c.d_e`, `{"a b-c":{"d_e":3}}`, `3`},
		{`parts.#(type=="c").id`, `{"parts":[{"type":"a","id":1},{"type":"c","id":2}]}`, `2`}, {`l.#`, `{"l":[1,2,3]}`, `3`}, {`l.#.t`, `{"l":[{"t":1},{"t":"\ud800"}]}`, `[1,"\ud800"]`}, {`l.#(t==9)`, `{"l":[]}`, `null`}, {`l.#`, ``, `null`},
		{`a`, `{"a":1,"a":2}`, `2`},
	}
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		p, found := env.Path(test.path, &Static{})
		if len(found) > 0 {
			t.Errorf("%s: %v", test.path, found)
			continue
		}
		if got := string(p.Eval(testScope(test.it)).AppendJSON(nil)); got != test.want {
			t.Errorf("%s on %s gave %s, want %s", test.path, test.it, got, test.want)
		}
		if p.Unchecked != strings.ContainsAny(test.path, "#") {
			t.Errorf("%s: Unchecked is %v", test.path, p.Unchecked)
		}
	}
}

func TestConstAndAlternatives(t *testing.T) {
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	path := func(p string) *Program {
		prog, _ := env.Path(p, &Static{})
		return prog
	}
	for _, test := range []struct {
		prog     *Program
		it, want string
		isBool   bool
	}{
		{Const("a\n\"é"), ``, `"a\n\"é"`, false}, {Const(7), ``, `7`, false}, {Const(int64(-9223372036854775808)), ``, `-9223372036854775808`, false}, {Const(2.0), ``, `2`, false}, {Const(true), ``, `true`, true},
		{Alternatives([]*Program{path("a"), path("b"), Const("x")}), `{"a":"","b":0}`, `0`, false},
		{Alternatives([]*Program{path("a"), path("b"), Const("x")}), `{"a":null}`, `"x"`, false},
		{Alternatives([]*Program{path("a"), path("b")}), `{"b":""}`, `""`, false},
		{Alternatives([]*Program{path("a"), path("b")}), `{"a":""}`, `null`, false},
		{Alternatives([]*Program{path("a"), Const(true)}), `{}`, `true`, false},
		{Alternatives([]*Program{Const(false), Const(true)}), ``, `false`, true},
	} {
		s := testScope(test.it)
		if got := string(test.prog.Eval(s).AppendJSON(nil)); got != test.want || test.prog.IsBool != test.isBool || test.prog.Test(s) != (test.want == "true") {
			t.Errorf("%s on %s gave %s, IsBool %v, tests %v; want %s", test.prog.Source, test.it, got, test.prog.IsBool, test.prog.Test(s), test.want)
		}
	}
}

func TestProgramsAreConcurrent(t *testing.T) {
	env, err := NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []string{`list(it.l).filter(x, x != 1).map(x, str(x) + "!")`, `str(it.n).replace("1", "2")`} {
		p, found := env.Compile(src, &Static{})
		if len(found) > 0 {
			t.Fatal(found)
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				s := testScope(`{"n":1,"l":[1,2,"\u0041"]}`)
				want := string(p.Eval(s).AppendJSON(nil))
				for range 100 {
					s.Arena.Reset()
					if got := string(p.Eval(s).AppendJSON(nil)); got != want {
						t.Errorf("%s gave %s, then %s", src, want, got)
					}
				}
			})
		}
		wg.Wait()
	}
}
