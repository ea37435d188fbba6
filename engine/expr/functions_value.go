package expr

import (
	"crypto/md5"
	"encoding/hex"
	"math"
	"strings"

	"lukechampine.com/blake3"

	"github.com/trajmap/trajmap/engine/value"
)

var fnCoalesce = &function{
	Function: Function{
		Name: "coalesce", Signature: "coalesce(a, b[, c[, d]])", Result: "value",
		Doc:      "The first that is neither null nor `\"\"`; if none is, the last as it is.",
		Examples: []Example{{`coalesce(null, "", "a")`, `"a"`}, {`coalesce(null, "")`, `""`}, {`coalesce(0, 1)`, `0`}},
	},
	min: 2, max: 4, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value {
		for _, v := range args {
			if present(v) {
				return v
			}
		}
		return args[len(args)-1]
	},
}

// present reports whether v counts among alternatives: neither null nor "".
func present(v value.Value) bool {
	return !v.IsNull() && (!v.IsString() || len(v.Body()) > 0)
}

var fnList = &function{
	Function: Function{
		Name: "list", Signature: "list(v)", Result: "list",
		Doc:      "A list itself; null is an empty list, everything else a list of itself.",
		Examples: []Example{{`list([1, 2])`, `[1,2]`}, {`list(null)`, `[]`}, {`list("a")`, `["a"]`}},
	},
	min: 1, max: 1, gives: listType,
	run: func(s *Scope, args []value.Value) value.Value {
		switch args[0].Kind() {
		case value.Null:
			return emptyList
		case value.Array:
			return args[0]
		}
		return s.listOf(args)
	},
}

var fnNot = &function{
	Function: Function{
		Name: "not", Signature: "not(v)", Result: "bool or null",
		Doc:      "The negation of a bool; null for everything else. Because of that null it is no condition: there, write `v != true`.",
		Examples: []Example{{`not(true)`, `false`}, {`not(false)`, `true`}, {`not(null)`, `null`}},
	},
	min: 1, max: 1, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value {
		if b, ok := args[0].Bool(); ok {
			return value.Of(!b)
		}
		return value.Value{}
	},
}

var fnStatus = &function{
	Function: Function{
		Name: "status", Signature: "status(v, yes[, no])", Result: "bool or null",
		Doc: "Whether something went well: true when `v` is in the list `yes`. With a list `no`, false when it is in that, else null. " +
			"Without, false, and null when `v` is null.",
		Examples: []Example{
			{`status("ok", ["ok"], ["error"])`, `true`}, {`status("error", ["ok"], ["error"])`, `false`}, {`status("?", ["ok"], ["error"])`, `null`},
			{`status(1, [0])`, `false`}, {`status(null, [0])`, `null`},
		},
	},
	min: 2, max: 3, lists: 1<<1 | 1<<2, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value {
		v := args[0]
		switch {
		case s.contains(args[1], v):
			return value.Of(true)
		case len(args) == 2 && !v.IsNull(), len(args) > 2 && s.contains(args[2], v):
			return value.Of(false)
		}
		return value.Value{}
	},
}

var fnStarts = &function{
	Function: Function{
		Name: "starts", Signature: "starts(v, prefixes)", Result: "bool",
		Doc:      "Whether `v` is a string that begins, white space aside, with one of the prefixes of a list.",
		Examples: []Example{{`starts("\n<b>", ["<a>", "<b>"])`, `true`}, {`starts(null, ["a"])`, `false`}},
	},
	min: 2, max: 2, lists: 1 << 1, gives: boolType,
	run: func(s *Scope, args []value.Value) value.Value {
		return value.Of(args[0].IsString() && startsAny(args[0], args[1]))
	},
}

var fnWithout = &function{
	Function: Function{
		Name: "without", Signature: "without(v, keys)", Result: "value",
		Doc:      "An object without the members that a list names. What is no object stays as it is.",
		Examples: []Example{{`without({"a": 1, "b": 2}, ["a"])`, `{"b":2}`}, {`without(null, ["a"])`, `null`}},
	},
	min: 2, max: 2, lists: 1 << 1, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value {
		if args[0].Kind() != value.Object {
			return args[0]
		}
		return s.Arena.JSON(func(dst []byte) []byte {
			dst = append(dst, '{')
			sep := ""
			for name, v := range args[0].Members() {
				if named(args[1], name) {
					continue
				}
				dst = append(append(append(dst, sep...), '"'), name.Body()...)
				dst = append(append(dst, '"', ':'), v.Raw()...)
				sep = ","
			}
			return append(dst, '}')
		})
	},
}

func named(keys value.Value, name value.Name) bool {
	for k := range keys.Items() {
		if k.IsString() && name.Is(k.Str()) {
			return true
		}
	}
	return false
}

var fnSeconds = &function{
	Function: Function{
		Name: "seconds", Signature: "seconds(v)", Result: "int or null",
		Doc:      "Seconds since 1970 as milliseconds, rounded. A number above 1e11 is in milliseconds already. Null for what is no number.",
		Examples: []Example{{`seconds(1764500000.1234)`, `1764500000123`}, {`seconds(1764500000123)`, `1764500000123`}, {`seconds("1")`, `null`}},
	},
	min: 1, max: 1, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value {
		const limit = 1e11
		if n, ok := args[0].Int(); ok {
			if n > limit {
				return args[0]
			}
			if n > -limit {
				return s.Arena.Int(n * 1000)
			}
		}
		f, ok := args[0].Float()
		if !ok {
			return value.Value{}
		}
		if f <= limit {
			f *= 1000
		}
		if math.Abs(f) >= 1<<63 {
			return value.Value{}
		}
		n := math.Floor(f)
		if f-n >= 0.5 {
			n++
		}
		return s.Arena.Int(int64(n))
	},
}

var fnMD5 = &function{
	Function: Function{
		Name: "md5", Signature: "md5(v)", Result: "str or null",
		Doc:      "The MD5 of a string's UTF-8 in hexadecimal; null for everything else. Some harnesses name their folders with it.",
		Examples: []Example{{`md5("/home/me/project")`, `"7eb7c5d1a12f148d4bfd9673187a838f"`}, {`md5(null)`, `null`}},
	},
	min: 1, max: 1, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value {
		if !args[0].IsString() {
			return value.Value{}
		}
		sum := md5.Sum([]byte(strings.ToValidUTF8(args[0].Str(), "\ufffd")))
		return s.Arena.Text(func(dst []byte) []byte { return hex.AppendEncode(dst, sum[:]) })
	},
}

var fnBLAKE3 = &function{
	Function: Function{
		Name: "blake3", Signature: "blake3(v)", Result: "str or null",
		Doc:      "The BLAKE3 of a string's UTF-8, 32 bytes in hexadecimal; null for everything else. Some harnesses name their folders with the beginning of it.",
		Examples: []Example{{`blake3("abc").substring(0, 16)`, `"6437b3ac38465133"`}, {`blake3(null)`, `null`}},
	},
	min: 1, max: 1, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value {
		if !args[0].IsString() {
			return value.Value{}
		}
		sum := blake3.Sum256([]byte(strings.ToValidUTF8(args[0].Str(), "\ufffd")))
		return s.Arena.Text(func(dst []byte) []byte { return hex.AppendEncode(dst, sum[:]) })
	},
}

var fnStem = &function{
	Function: Function{
		Name: "stem", Signature: "stem(path)", Result: "str or null",
		Doc:      "A file's name without folders and without its last extension; null for what is no string.",
		Examples: []Example{{`stem("/a/b.c/session.2.jsonl")`, `"session.2"`}, {`stem("C:\\a\\.env")`, `".env"`}, {`stem(null)`, `null`}},
	},
	min: 1, max: 1, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value {
		if !args[0].IsString() {
			return value.Value{}
		}
		path := args[0].Str()
		name := path[strings.LastIndexAny(path, `/\`)+1:]
		if i := strings.LastIndexByte(name, '.'); i > 0 {
			name = name[:i]
		}
		return s.Arena.String(name)
	},
}
