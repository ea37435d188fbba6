package expr

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/value"
)

// The functions that writers need: ids, times and numbers in the forms that
// native files have them in. All are functions of their arguments alone, so that
// the same session always gives the same bytes.

// Written is the value of nullable(null): a template writes it as null, where it
// leaves out what is absent.
var Written = value.MustParse("null")

// joined is what the hashes are made of: the arguments as str, NUL between them.
func (s *Scope) joined(args []value.Value) []byte {
	var b []byte
	for i, v := range args {
		if i > 0 {
			b = append(b, 0)
		}
		b = value.AppendDecoded(b, s.str(v).Body())
	}
	return b
}

var fnSHA256 = &function{
	Function: Function{
		Name: "sha256", Signature: "sha256(a[, b[, c[, d]]])", Result: "str",
		Doc:      "SHA-256 of the arguments as str, joined with NUL, in hexadecimal.",
		Examples: []Example{{`sha256("a").substring(0, 8)`, `"ca978112"`}},
	},
	min: 1, max: 4, gives: stringType,
	run: func(s *Scope, args []value.Value) value.Value {
		sum := sha256.Sum256(s.joined(args))
		return s.Arena.String(hex.EncodeToString(sum[:]))
	},
}

var fnUUID5 = &function{
	Function: Function{
		Name: "uuid5", Signature: "uuid5(a[, b[, c[, d]]])", Result: "str",
		Doc:      "The UUID of version 5 of the arguments, in the namespace of object identifiers.",
		Examples: []Example{{`uuid5("a", 1) == uuid5("a", "1")`, `true`}},
	},
	min: 1, max: 4, gives: stringType,
	run: func(s *Scope, args []value.Value) value.Value {
		namespace := []byte{0x6b, 0xa7, 0xb8, 0x12, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8}
		sum := sha1.Sum(append(namespace, s.joined(args)...))
		return s.uuid([16]byte(sum[:16]), 5)
	},
}

var fnUUID7 = &function{
	Function: Function{
		Name: "uuid7", Signature: "uuid7(ms, a[, b[, c]])", Result: "str",
		Doc:      "A UUID of version 7 of that time, its other bits from the SHA-256 of the other arguments.",
		Examples: []Example{{`uuid7(1767225600000, "a").substring(0, 13)`, `"019b76da-a800"`}},
	},
	min: 2, max: 4, takes: []shape.Types{shape.Num}, gives: stringType,
	run: func(s *Scope, args []value.Value) value.Value {
		sum := sha256.Sum256(s.joined(args[1:]))
		id := [16]byte(sum[:16])
		ms, _ := args[0].Int()
		for i := range 6 {
			id[i] = byte(ms >> (8 * (5 - i)))
		}
		return s.uuid(id, 7)
	},
}

var fnUUID4 = &function{
	Function: Function{
		Name: "uuid4", Signature: "uuid4(a[, b[, c[, d]]])", Result: "str",
		Doc:      "A UUID in the layout of version 4 from the SHA-256 of the arguments.",
		Examples: []Example{{`uuid4("a").substring(14, 15)`, `"4"`}},
	},
	min: 1, max: 4, gives: stringType,
	run: func(s *Scope, args []value.Value) value.Value {
		sum := sha256.Sum256(s.joined(args))
		return s.uuid([16]byte(sum[:16]), 4)
	},
}

func (s *Scope) uuid(id [16]byte, version byte) value.Value {
	id[6] = id[6]&0x0f | version<<4
	id[8] = id[8]&0x3f | 0x80
	h := hex.EncodeToString(id[:])
	return s.Arena.String(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:])
}

const base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

var fnBase62 = &function{
	Function: Function{
		Name: "base62", Signature: "base62(hex, width)", Result: "str",
		Doc:      "The low end of a hexadecimal number in base 62, of that width.",
		Examples: []Example{{`base62("3d", 2)`, `"0z"`}, {`base62("3e", 2)`, `"10"`}},
	},
	min: 2, max: 2, takes: []shape.Types{shape.Str, shape.Num}, gives: stringType,
	run: func(s *Scope, args []value.Value) value.Value {
		n, ok := new(big.Int).SetString(args[0].Str(), 16)
		width, _ := args[1].Int()
		if !ok || width < 1 || width > 64 {
			return value.Value{}
		}
		out := make([]byte, width)
		mod, base := new(big.Int), big.NewInt(62)
		for i := width - 1; i >= 0; i-- {
			n.DivMod(n, base, mod)
			out[i] = base62Digits[mod.Int64()]
		}
		return s.Arena.String(string(out))
	},
}

var fnRadix = &function{
	Function: Function{
		Name: "radix", Signature: "radix(n, base[, width])", Result: "str",
		Doc:      "An integer in a base from 2 to 36, zeros in front up to the width.",
		Examples: []Example{{`radix(255, 16, 4)`, `"00ff"`}, {`radix(35, 36)`, `"z"`}},
	},
	min: 2, max: 3, takes: []shape.Types{shape.Num, shape.Num, shape.Num}, gives: stringType,
	run: func(s *Scope, args []value.Value) value.Value {
		n, ok := args[0].Int()
		base, _ := args[1].Int()
		if !ok || base < 2 || base > 36 {
			return value.Value{}
		}
		text := strconv.FormatInt(n, int(base))
		if len(args) > 2 {
			if width, _ := args[2].Int(); int64(len(text)) < width && width <= 64 {
				text = strings.Repeat("0", int(width)-len(text)) + text
			}
		}
		return s.Arena.String(text)
	},
}

var fnHash31 = &function{
	Function: Function{
		Name: "hash31", Signature: "hash31(s)", Result: "int",
		Doc:      "The absolute value of the 32-bit hash h·31 + unit over the UTF-16 units of a text.",
		Examples: []Example{{`hash31("a")`, `97`}, {`hash31("ab")`, `3105`}},
	},
	min: 1, max: 1, takes: []shape.Types{shape.Str}, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value {
		var h int32
		for _, unit := range utf16.Encode([]rune(args[0].Str())) {
			h = h*31 + int32(unit)
		}
		n := int64(h)
		return s.Arena.Int(max(n, -n))
	},
}

var fnSub = &function{
	Function: Function{
		Name: "sub", Signature: "sub(s, pattern, with)", Result: "str",
		Doc:      "A text with all matches of a regular expression (RE2) replaced.",
		Examples: []Example{{`sub("a.b/c", "[^a-z]", "-")`, `"a-b-c"`}},
	},
	min: 3, max: 3, takes: []shape.Types{shape.Str, shape.Str, shape.Str}, gives: stringType,
	run: func(s *Scope, args []value.Value) value.Value {
		re, err := regexp.Compile(args[1].Str())
		if err != nil {
			return value.Value{}
		}
		return s.Arena.String(re.ReplaceAllLiteralString(args[0].Str(), args[2].Str()))
	},
}

var fnISO = &function{
	Function: Function{
		Name: "iso", Signature: "iso(ms)", Result: "str or null",
		Doc:      "A time in ms since 1970 in the form of RFC 3339 with milliseconds, in UTC.",
		Examples: []Example{{`iso(0)`, `"1970-01-01T00:00:00.000Z"`}, {`iso(null)`, `null`}},
	},
	min: 1, max: 1, takes: []shape.Types{shape.Num | shape.Str}, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value {
		if args[0].IsString() {
			return args[0]
		}
		ms, ok := args[0].Int()
		if !ok {
			return value.Value{}
		}
		return s.Arena.String(time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z"))
	},
}

var fnLargest = &function{
	Function: Function{
		Name: "largest", Signature: "largest(list)", Result: "int",
		Doc:      "The largest integer of a list, 0 when there is none.",
		Examples: []Example{{`largest([3, 7, 5])`, `7`}, {`largest([])`, `0`}},
	},
	min: 1, max: 1, lists: 1, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value {
		var most int64
		for v := range args[0].Items() {
			if n, ok := v.Int(); ok {
				most = max(most, n)
			}
		}
		return s.Arena.Int(most)
	},
}

var fnCompact = &function{
	Function: Function{
		Name: "compact", Signature: "compact(v)", Result: "str",
		Doc:      "A value's JSON without white space, numbers and the order of members as in the source; of repeated members the last value.",
		Examples: []Example{{`compact(parse("{\"b\": 1.0, \"10\": 2, \"9\": [ ]}"))`, `"{\"b\":1.0,\"10\":2,\"9\":[]}"`}},
	},
	min: 1, max: 1, gives: stringType,
	run: func(s *Scope, args []value.Value) value.Value {
		return s.Arena.Text(func(dst []byte) []byte { return value.AppendEncoded(dst, args[0].AppendOwn(nil)) })
	},
}

var fnNullable = &function{
	Function: Function{
		Name: "nullable", Signature: "nullable(v)", Result: "value",
		Doc:      "In a template: v, written as null where it is absent instead of being left out.",
		Examples: []Example{{`nullable(1)`, `1`}, {`nullable(null)`, `null`}},
	},
	min: 1, max: 1, gives: dynType,
	run: func(_ *Scope, args []value.Value) value.Value {
		if args[0].IsNull() {
			return Written
		}
		return args[0]
	},
}

var fnPercent = &function{
	Function: Function{
		Name: "percent", Signature: "percent(s)", Result: "str",
		Doc:      "A text with every byte but letters, digits and `-_.~` as % and two hexadecimal digits.",
		Examples: []Example{{`percent("/a b")`, `"%2Fa%20b"`}},
	},
	min: 1, max: 1, takes: []shape.Types{shape.Str}, gives: stringType,
	run: func(s *Scope, args []value.Value) value.Value {
		var b strings.Builder
		for _, c := range []byte(args[0].Str()) {
			if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("-_.~", c) >= 0 {
				b.WriteByte(c)
				continue
			}
			const digits = "0123456789ABCDEF"
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
		return s.Arena.String(b.String())
	},
}

var fnSpaces = &function{
	Function: Function{
		Name: "spaces", Signature: "spaces(n)", Result: "str",
		Doc:      "A text of n spaces, at most 4,096.",
		Examples: []Example{{`spaces(2) + "."`, `"  ."`}, {`spaces(-1)`, `""`}},
	},
	min: 1, max: 1, takes: []shape.Types{shape.Num}, gives: stringType,
	run: func(s *Scope, args []value.Value) value.Value {
		n, _ := args[0].Int()
		return s.Arena.String(strings.Repeat(" ", int(max(0, min(n, 4096)))))
	},
}
