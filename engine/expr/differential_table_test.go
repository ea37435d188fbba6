package expr

// testValues are what `it`, `frame` and `doc` are; "" is absent.
var testValues = []string{
	``, `null`, `true`, `0`, `-0`, `1`, `1.0`, `1.5`, `-7`, `9007199254740993`, `9223372036854775807`,
	`""`, `"x"`, `"a\u0000b"`, `"\ud83d\ude00 \u00e9\/"`, `[]`, `[1,2,3]`, `["a","b","a"]`, `[null]`, `[[1],[2]]`, `{}`,
	`{"type":"x"}`, `{"type":"\u0078","a":{"b":{"c":"deep"}}}`, `{"type":null,"a":1}`, `{"type":["x"],"a":{"b":[1,2,{"c":3}]}}`,
	`{"type":"user","type":"assistant"}`,
	`{"n":1,"m":2,"s":"1","l":[1,2,3],"o":{"k":"v","1":"one"},"b":true}`,
	`{"n":1.0,"m":1,"s":"","l":[],"o":{},"b":false}`,
	`{"n":1.5,"m":-2.25,"s":"A\nB","l":[{"type":"text","text":"one"}],"o":{"b":1,"a":2},"b":null}`,
	`{"n":9223372036854775807,"m":1,"s":"  padded\t","l":["a",1,null,true,[],{}],"o":[1],"b":"true"}`,
	`{"n":-9223372036854775808,"m":-1,"s":"\u00a0\ufeffx\u2028","l":{"a":1,"b":2},"o":"str","b":1}`,
	`{"n":1e21,"m":-1e-7,"s":"naïve 🎉","l":"abc","o":null,"b":[]}`,
	`{"n":"1","m":"2","s":{"a":1},"l":null,"o":7}`,
	`{"n":null,"m":null,"s":null,"l":[null,null]}`,
	`{"n":[1],"m":[2,3],"s":["x"],"l":[[1,2],[3]]}`,
	`{"n":0,"m":0,"l":[0,0.0,-0,1e0,10e-1]}`,
	`{"content":"plain","message":{"content":"[Request interrupted by user] now","role":"user"}}`,
	`{"content":"\n\t <environment_context> \"q\"","message":{"content":[{"type":"text","text":"  [Request interrupted by user]"}]}}`,
	`{"content":[{"type":"text","text":"a\u0022b"},{"type":"image","source":{}},{"type":"input_text","text":"c"},{"type":"output_text","text":""},{"text":"no type"},{"type":"tool_use","text":"no"},"str",7,null]}`,
	`{"content":[{"type":"text","text":"only \u00e9 one"}]}`,
	`{"content":[{"type":"image"}]}`, `{"content":[{"type":"text","text":5}]}`, `{"content":{"text":"object"}}`, `{"content":[]}`,
	`{"content":[{"type":"text","text":"Error: x"},{"type":"text","text":"y\\n"}],"is_error":true,"isError":true,"status":"error","call_id":"c1"}`,
	`{"isSidechain":true,"is_error":false,"status":"success","call_id":"c2","id":"c1","timestamp":1764500000.123}`,
	`{"isSidechain":false,"timestamp":1764500000123,"id":5,"status":"completed"}`,
	`{"timestamp":"2025-01-01T00:00:00Z","isSidechain":"true","id":"c1","call_id":7}`,
	`{"payload":{"type":"message","role":"user","content":[{"type":"input_image"}],"item":{"id":"i","exit_code":1}},"type":"response_item"}`,
	`{"output":{"content":"obj","success":true}}`, `{"output":"text"}`, `{"output":[{"type":"text","text":"p"}]}`, `{"output":{"content":""}}`,
	`{"summary":[{"text":"s1"},{"text":null},{"text":"s\u00322"}],"content":{"text":"single"}}`,
	`{"tool_calls":"[{\"id\":\"1\",\"function\":{\"name\":\"f\"}}]"}`, `{"tool_calls":[{"id":"2"}]}`, `{"tool_calls":"not json"}`, `{"tool_calls":"\ud800"}`,
	`{"content":"\u0000json:[{\"type\":\"text\",\"text\":\"inner\"}]"}`, `{"content":"\u0000json:\"quoted\""}`,
	`{"a":"x","b":"x"}`, `{"a":[1,{"k":2}],"b":[1.0,{"k":2}]}`, `{"a":{"p":1,"q":[2]},"b":{"q":[2],"p":1}}`, `{"a":{"p":1,"p":2},"b":{"p":2}}`, `{"a":{"p":1},"b":{"p":1,"q":2}}`,
	`{"a":"\u0061","b":"a"}`, `{"a":9007199254740993,"b":9007199254740992.0}`, `{"a":1,"b":true}`,
	`{"$set":{"messages":[1]},"result":[{"functionResponse":{"id":"c1","response":{"output":"o"}}},{"functionResponse":{"id":"x"}}],"id":"c1"}`,
	`{"type":"gemini","content":[{"text":"t1","thought":true},{"text":"t2"},{"inlineData":{}}],"subject":"S","description":""}`,
}

// expressions have closures.
var expressions = []string{
	// names, selects, indexes
	`it`, `frame`, `doc`, `amendment`, `amendment.x`, `file`, `file.split("/")[2]`, `file + "x"`, `file == it.s`, `stem(file)`, `line`, `index`, `ordinal`, `t`, `flag`, `off`, `session.has_main`, `session.preserved`, `session.turns`, `files.summary`, `files.summary.info.cwd`,
	`it.type`, `it.a.b.c`, `it.a.b[2].c`, `it["type"]`, `it["$set"].messages`, `it["$set"]["messages"][0]`, `it.l[0]`, `it.l[-1]`, `it.l[1000]`, `it.l[9223372036854775807]`,
	`it.l[it.n]`, `it.o[it.s]`, `it.o[it.n]`, `it.l[it.s]`, `it[0]`, `it["l"][1]`, `(it.l)[1]`, `session.exit[it.id]`, `session.exit[str(it.call_id)]`, `session.exit["c1"]`, `session.exit.c1`, `session.exit["c1"].x`,
	`frame.message.content`, `doc.info.revert.messageID`, `[1, 2, 3][1]`, `[it.a, it.b][1]`, `{"a": it.n}.a`, `list(it.l)[0]`, `it.l.filter(x, x != null)[0]`, `it.l.map(x, x)[line - 7]`,
	// equality
	`it == null`, `it != null`, `it.type == "x"`, `"x" == it.type`, `it.type != "x"`, `it.n == 1`, `it.n == 1.0`, `it.n != 1`, `it.b == true`, `it.b != true`, `it.b == false`, `it.a == it.b`, `it.a != it.b`,
	`it.s == "A\nB"`, `it.s == ""`, `it == it.a`, `it.l == [1, 2, 3]`, `it.l == []`, `it.o == {"k": "v", "1": "one"}`, `it.o == {}`, `line == 7`, `line == index`, `7 == line`, `it.n == line`, `flag == true`, `flag == off`, `it.b == flag`,
	`(it.n == 1) == (it.m == 2)`, `it.n == it.m == true`, `has(it.x)`, `has(it.a.b)`, `has(flag)`, `has(line)`, `has(t)`, `null == null`, `it.content == "\u0000json:\"quoted\""`,
	`type(it.content) == string`, `type(it.content) != string`, `string == type(it.s)`, `type(it.n) == int`, `type(it.n) == double`, `type(it.l) == list`, `type(it.o) == map`, `type(it.b) == bool`, `type(it.x) == null_type`,
	// logic
	`it.type == "x" && it.n == 1`, `it.type == "x" || it.n == 1`, `!(it.type == "x")`, `!flag`, `!session.has_main && flag`, `it.isSidechain == true && session.has_main`, `!!flag`,
	`it.n > 1 || true`, `it.n > 1 && false`, `true || it.n > 1`, `false && it.n > 1`, `it.n > 1 && it.m > 1`, `it.n > 1 || it.m > 1`, `off && flag`, `off || flag`, `flag && off`,
	`it.b == true ? it.n : it.m`, `it.n > 1 ? "big" : "small"`, `flag ? 1 : 2`, `it.b == true ? it.b == false : flag`, `it.b == true ? list(it.l) : [1]`, `it.b == true ? list(it.l) : it.l`, `flag ? it.a : null`,
	`it.b == true ? (it.n > 0 ? 1 : 2) : 3`, `it.b == true ? 1 : it.n == 1 ? 2 : 3`,
	// comparison
	`it.n < 1`, `it.n <= 1`, `it.n > 1`, `it.n >= 1`, `1 < it.n`, `it.n < 1.5`, `it.n > it.m`, `it.s < "b"`, `it.s >= it.type`, `it.b > false`, `line > 3`, `line > index`, `line <= it.n`, `size(it.l) > 1`, `"a" < "b"`, `it.timestamp < "2026"`,
	`it.l.size() >= 3`, `it.n > 9007199254740992`, `it.n < 9223372036854775807`, `1.5 < 2.5`, `true > false`,
	// membership
	`it.type in ["user", "assistant"]`, `it.type in ["a", "b", "c", "d", "e", "x"]`, `it.n in [0, 1]`, `it.b in [0, false]`, `it.type in []`, `it.type in it.l`, `1 in it.l`, `"k" in it.o`, `it.s in it.o`, `it.n in it.l`, `it.content in ["\u0000json:\"quoted\""]`,
	`it.id in session.exit`, `"c1" in session.exit`, `it.n in [it.m, 1]`, `null in it.l`, `it.type in ["x", 1, null]`, `[1] in it.l`, `it.n in list(it.l)`, `"a" in {"a": it.n}`,
	// precedence
	`1 + 2 * 3 - 4 % 3 == 6 && !(1 > 2) || off ? 1 : 2`, `line - 1 - 2 * 3`, `-line - -1`, `- -line`, `true || false && false`, `1 < 2 == true`, `line > 3 == flag`, `("a" + "b" == "ab") in [true]`, `7 - 2 in [5]`, `!flag == false`, `-it.l[0] + 1 == 0`, `it.a == it.b && it.a != null || it.n == 1 && flag`,
	// sums
	`2.5 * 2.0`, `"oh_" + str(it.id)`, `"a" + it.s`, `it.s + "b" + it.s`, `it.s + it.type`, `it.n + it.m`, `it.n + 1`, `1 + it.n`, `line + 1`, `line + index - 3`, `it.l + it.l`, `it.l + [1]`, `[1] + it.l`, `list(it.l) + list(it.o)`, `it.a + it.b`,
	`"é" + "\n" + "\U0001F389"`, `line * 2`, `line / 2`, `line % 2`, `line / (line - 7)`, `line % (line - 7)`, `-line`, `it.n - 1`, `it.n * it.m`, `it.n / it.m`, `it.n % it.m`, `-it.n`, `-(it.n)`, `it.n - it.m`, `9223372036854775807 + line`, `-9223372036854775808 - line`, `9223372036854775807 * line`,
	`"x".size() + 1`, `session.turns + 1`,
	// CEL's functions
	`size(it)`, `size(it.l)`, `size(it.s)`, `size(it.o)`, `it.s.size()`, `size([1, 2])`, `size("é\n")`, `it.s.startsWith("A")`, `it.s.startsWith("A\nB")`, `it.s.endsWith("B")`, `it.s.contains("\n")`, `it.s.contains(it.s)`, `it.s.startsWith(it.type)`, `it.s.startsWith("")`,
	`it.s.matches("^[A-Z]")`, `it.s.matches("(?i)^a")`, `matches(str(it.s), "é|🎉")`, `t.matches("\\s")`, `str(it.s).substring(1)`, `str(it.content).substring(6)`, `it.s.substring(0, 1)`, `it.s.substring(1, 0)`, `str(it.s).substring(line)`, `it.s.substring(index)`, `str(it.s).substring(it.n)`, `str(it.s).substring(0, it.n)`, `str(it.s).substring(it.x)`, `str(it.s).substring(it.s)`, `str(it.s).substring(it.l[0], it.n)`,
	`it.l.join(",")`, `it.l.join()`, `["a", it.s].join("-")`, `list(it.l).map(x, str(x)).join(" — ")`, `it.l.join(it.s)`, `dyn(it.n) == 1`, `"abc".contains("b")`,
	`it.s.indexOf("B")`, `it.s.indexOf("")`, `it.s.lastIndexOf("\n")`, `it.s.lastIndexOf("")`, `it.s.indexOf(it.type)`, `str(it.s).split("\n")`, `it.s.split("")`, `str(it.s).split(" ")[1]`, `str(it.s).split("p").size()`, `it.s.replace("A", "B")`, `it.s.replace("", "-")`, `str(it.s).lowerAscii()`,
	`it.s.upperAscii()`, `it.s.trim()`, `t.split(it.s)`, `lists.range(3)`, `lists.range(line - 8)`, `lists.range(size(str(it.s))).filter(i, i > 1)`, `lists.range(2).map(i, it.l[i])`, `it.s.contains("")`, `str(it.s).substring(0, str(it.s).lastIndexOf("d"))`,
	// macros
	`it.l.exists(x, x == 1)`, `it.l.all(x, x == 1)`, `it.l.exists_one(x, x == 1)`, `it.l.filter(x, x != null)`, `it.l.map(x, x)`, `it.l.map(x, x == 1)`, `it.l.map(x, x != 1, [x])`, `list(it.l).exists(x, x == 1)`, `list(it.content).exists(b, b.type == "image")`,
	`it.l.exists(x, x > 1)`, `it.l.all(x, x > 0)`, `it.l.filter(x, x > 1)`, `it.l.map(x, x + 1)`, `it.l.map(x, x.y)`, `it.l.exists(x, it.l.exists(y, y == x))`, `it.l.map(x, it.l.filter(y, y != x))`, `it.l.filter(x, it.l.exists(x, x == 2))`, `it.l.map(line, line)`, `it.l.map(it, it)`,
	`it.exists(k, k == "type")`, `it.o.map(k, k)`, `it.o.all(k, k != "a")`, `!list(it.kinds).exists(k, str(k).startsWith("user."))`, `it.l.exists_one(x, x > 0)`, `[1, 2].exists(x, x == it.n)`, `[it.n, it.m].filter(x, str(x) != "").map(x, str(x))`, `it.l.exists(x, x == null)`,
	`it.l.map(x, x.size())`, `it.l.map(x, list(x).map(y, str(y)))`, `(list(it.summary) + list(it.content)).map(b, b.text)`, `list(it.l).filter(x, x != 1).size()`,
	// literals
	`null`, `true`, `-1`, `0x1F`, `-0x1f`, `1.5`, `1e3`, `-1.5e-3`, `.5`, `"a\x41\101\u00e9\U0001F389\\\"\'\?\a\b\f\n\r\t\v"`, `r"a\n"`, `'''a"b'''`, `"""a
b"""`, `'it"s'`, `[]`, `[1, "a", null, 2.5, [true]]`, `{}`, `{"b": 1, "a": [it.n]}`, `[1, 2,]`, `[,]`, `{,}`, `{"a": 1,}`, `(1)`, `--1`, `- 1`, `-9223372036854775808`, "1 // comment", "1 +\n  2", `R'\d'`, `r"\"`,
	// our own functions
	`text(it.content)`, `text(it.content, "")`, `text(it.content, ", ")`, `text(it.content, it.sep)`, `text(it)`, `text(it.message.content)`, `text(it.content) == null`, `text(list(it.content))`, `text([{"text": it.s}])`,
	`str(it)`, `str(it.n)`, `str(it.l)`, `str(it.s)`, `str(text(it.content))`, `str(it.x) == ""`, `str(line)`, `str(flag)`, `str([it.n])`, `show(it.content)`, `show(coalesce(it.output.content, it.output))`, `json(it)`, `json(it.o)`, `json(it.s)`, `json(coalesce(it.tools, []))`,
	`parse(it.tool_calls)`, `list(parse(it.tool_calls))`, `parse("[1, 2]")`, `parse("no")`, `parse(it)`, `coalesce(it.a, it.b)`, `coalesce(it.s, it.type, it.n, 0)`, `coalesce(it.x, "")`, `coalesce(it.n > 1, 2)`, `list(it.l)`, `list(it)`, `list(it.x)`, `list([it.n])`, `list(list(it.l))`,
	`lines(it.l)`, `lines(it.s)`, `lines([it.n, it.s, it.o])`, `lines((list(it.summary) + list(it.content)).map(b, b.text))`, `not(it.b)`, `not(it.is_error)`, `not(flag)`, `not(it.b) == true`, `status(it.status, ["success"], ["error", "cancelled"])`, `status(it.is_error, [], [true])`, `status(session.exit[str(it.call_id)], [0])`,
	`status(it.n, it.l)`, `status(it.n, list(it.l), list(it.m))`, `starts(text(it.content), ["<environment_context>", "[Request"])`, `starts(it.content, ["\u0000json:"])`, `starts(it.s, ["padded", "x"])`, `starts(it.s, it.l)`, `starts(it.s, [])`, `!starts(it.s, ["A"])`,
	`trim(it.s)`, `trim(it.content)`, `trim(it)`, `trim(it.s) != ""`, `unwrap(it.s, "q")`, `unwrap("<q a=1>\n" + str(it.s) + "</q>", "q")`, `without(it, ["type", "n"])`, `without(it.o, ["k"])`, `without(it.o, list(it.l))`, `seconds(it.timestamp)`, `seconds(it.n)`, `seconds(it)`, `md5(it.s)`, `blake3(it.s)`, `stem(it.s)`, `stem("/a/b.c")`,
	// those of writers
	`sha256(it.s)`, `sha256(it.s, it.n)`, `sha256(it, it.l, it.x, line)`, `sha256("a\u0000", "b") == sha256("a", "\u0000b")`, `sha256(it.id).substring(0, 24)`, `uuid4(it.s)`, `uuid4(it.x, index, flag, it.n)`, `uuid5(it.s, "turn", index)`, `uuid5(it)`, `uuid7(it.timestamp, it.s)`, `uuid7(it.n, it.a, it.b)`, `uuid7(it.x, "")`,
	`base62(sha256(it.s), 14)`, `base62(it.s, it.n)`, `base62("ff", 0)`, `base62("ff", 65)`, `base62("", 3)`, `base62("-ff", 4)`, `base62(it.x, line)`, `radix(it.n, 16, 8)`, `radix(it.n, 36)`, `radix(it.m, 2, 64)`, `radix(it.n, 1)`, `radix(it.n, 37)`, `radix(-1, 16, 4)`, `radix(line, it.n, it.m)`, `radix(281474976710655 - line, 16, 12)`,
	`hash31(it.s)`, `hash31(it)`, `hash31("\U0001F389")`, `hash31("")`, `sub(it.s, "[A-Z]", "-")`, `sub(it.s, it.s, it.s)`, `sub(sub(str(it.s), r"[\x{10000}-\x{10ffff}]", "--"), r"[^A-Za-z0-9]", "-")`, `sub("aaa", "a", "$1")`, `sub("", "^", "x")`, `sub(it.x, "a", "b")`,
	`iso(it.timestamp)`, `iso(it.n)`, `iso(it.s)`, `iso(null)`, `iso(-1)`, `iso(253402300800000)`, `iso(index).substring(0, 10)`, `largest(it.l)`, `largest(list(it.n))`, `largest([it.n, it.m, 3])`, `largest(list(it.l).map(x, size(str(x))))`, `compact(it.o)`, `compact(it.l)`, `compact(it.s)`, `compact(it.x)`, `compact(parse(it.tool_calls))`, // of a number alone cel-go has no digits
	`nullable(it.x)`, `nullable(it.s)`, `nullable(it)`, `flag ? nullable(it.x) : null`, `it.n == 1 ? nullable(it.s) : it.x`, `percent(it.s)`, `spaces(it.n)`, `spaces(3) + str(it.s)`, `spaces(it.s)`, `spaces(5000).size()`, `percent("a/é b~_-.")`, `percent(it)`, `percent(it.x)`,
	`starts(it.content, ["\u0000json:"]) ? coalesce(text(parse(str(it.content).substring(6))), str(it.content).substring(6)) : it.content`,
	`it.is_error == true && !str(text(it.content)).matches("(?i)^error") ? "Error: " + str(text(it.content)) : text(it.content)`,
}

// slowExpressions are run by cel-go.
var slowExpressions = []string{
	`it.s.indexOf("B", 1)`, `str(it.s).split("\n", 2)`, `it.s.replace("A", "B", 1)`, `it.l.sortBy(x, str(x))`, `[3, 1, 2].sort()`, `string(line)`, `int("12")`, `int(it.s)`, `base64.encode(bytes(str(it.s)))`, `size(bytes(str(it.s)))`,
	`1u == 2u`, `it.l.slice(0, 1)`, `it.l.flatten()`, `type(it) == type(it.n)`, `1 < 1.5`, `timestamp("2025-01-01T00:00:00Z") < timestamp("2026-01-01T00:00:00Z")`, `str(it.n).charAt(0)`,
	`bool("true") && flag`, `"%s".format([str(it.s)])`, `{"a": 1, "b": 2}.map(k, k).size() > 0 && 3u > 2u`,
}
