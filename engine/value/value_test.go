package value

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// object is a decoded object; encoding/json's own loses the order of members.
type object []pair

type pair struct {
	name  string // as Name.String gives it
	value any
}

// decode is the plain way to read a JSON text: numbers stay as written, lone
// surrogates survive.
func decode(t testing.TB, text []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	v := decodeNext(t, dec, text)
	if dec.More() {
		t.Fatalf("more than a value in %q", text)
	}
	return v
}

func decodeNext(t testing.TB, dec *json.Decoder, text []byte) any {
	t.Helper()
	token := func() json.Token {
		tok, err := dec.Token()
		if err != nil {
			t.Fatalf("decode %q: %v", text, err)
		}
		if _, ok := tok.(string); ok {
			// The literal itself ends where the decoder stands.
			end := dec.InputOffset()
			return decodeString(t, literalBefore(text, int(end)))
		}
		return tok
	}
	switch tok := token().(type) {
	case json.Delim:
		if tok == '[' {
			list := []any{}
			for dec.More() {
				list = append(list, decodeNext(t, dec, text))
			}
			token()
			return list
		}
		members := object{}
		for dec.More() {
			name := token().(string)
			members = append(members, pair{name, decodeNext(t, dec, text)})
		}
		token()
		return members
	default:
		return tok
	}
}

// literalBefore is the string literal that ends at end.
func literalBefore(text []byte, end int) []byte {
	for start := end - 2; ; start-- {
		slashes := len(text[:start]) - len(bytes.TrimRight(text[:start], `\`))
		if text[start] == '"' && slashes%2 == 0 {
			return text[start:end]
		}
	}
}

// decodeString decodes a literal; a lone surrogate gets its three bytes.
func decodeString(t testing.TB, literal []byte) string {
	var b strings.Builder
	units := []uint16{}
	flush := func() {
		for i := 0; i < len(units); i++ {
			if u := rune(units[i]); u >= 0xd800 && u < 0xdc00 && i+1 < len(units) && units[i+1] >= 0xdc00 && units[i+1] < 0xe000 {
				b.WriteRune((u-0xd800)<<10 + rune(units[i+1]) - 0xdc00 + 0x10000)
				i++
			} else if u >= 0xd800 && u < 0xe000 {
				b.Write([]byte{0xe0 | byte(u>>12), 0x80 | byte(u>>6)&0x3f, 0x80 | byte(u)&0x3f})
			} else {
				b.WriteRune(u)
			}
		}
		units = units[:0]
	}
	for s := string(literal[1 : len(literal)-1]); s != ""; {
		if s[0] == '\\' && s[1] == 'u' {
			u, err := strconv.ParseUint(s[2:6], 16, 16)
			if err != nil {
				t.Fatal(err)
			}
			units = append(units, uint16(u))
			s = s[6:]
			continue
		}
		flush()
		if s[0] == '\\' {
			b.WriteString(map[byte]string{'"': `"`, '\\': `\`, '/': "/", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t"}[s[1]])
			s = s[2:]
			continue
		}
		b.WriteByte(s[0])
		s = s[1:]
	}
	flush()
	return b.String()
}

// checkValue compares a value, in every way that there is to read one.
func checkValue(t testing.TB, v Value, want any) {
	t.Helper()
	fail := func(got any) {
		t.Helper()
		t.Fatalf("%s: %v, want %v", v.Raw(), got, want)
	}
	if !v.Exists() {
		fail("absent")
	}
	switch want := want.(type) {
	case nil:
		if v.Kind() != Null || !v.IsNull() {
			fail(v.Kind())
		}
	case bool:
		if got, ok := v.Bool(); v.Kind() != Bool || !ok || got != want {
			fail(got)
		}
	case json.Number:
		if v.Kind() != Number || string(v.Raw()) != want.String() {
			fail(v.Kind())
		}
		i, err := strconv.ParseInt(want.String(), 10, 64)
		if got, ok := v.Int(); ok != (err == nil) || ok && got != i {
			fail(got)
		}
		f, err := strconv.ParseFloat(want.String(), 64)
		if got, ok := v.Float(); ok != (err == nil) || ok && got != f {
			fail(got)
		}
	case string:
		if v.Kind() != String || !v.IsString() || v.Str() != want || !v.Equal(want) {
			fail(v.Str())
		}
		if v.Equal(want+"x") || want != "" && (v.Equal(want[1:]) || v.Equal(want[:len(want)-1])) {
			fail("equal to others")
		}
		if string(v.Raw()) != `"`+string(v.Body())+`"` || v.Escaped() != bytes.ContainsRune(v.Body(), '\\') {
			fail(v.Raw())
		}
	case []any:
		if v.Kind() != Array || v.Len() != len(want) {
			fail(v.Len())
		}
		items := slices.Collect(v.Items())
		cursor := v.Cursor()
		for i := range items {
			if item, ok := cursor.Next(); !ok || item != items[i] {
				t.Fatalf("%s: Cursor gives %s as item %d", v.Raw(), item.Raw(), i)
			}
		}
		if _, ok := cursor.Next(); ok {
			fail("more items by Cursor")
		}
		for i, w := range want {
			checkValue(t, items[i], w)
			if v.Index(i) != items[i] {
				t.Fatalf("%s: Index(%d) is not item %d", v.Raw(), i, i)
			}
		}
		if v.Index(len(want)).Exists() || v.Index(-1).Exists() {
			fail("items out of range")
		}
	case object:
		if v.Kind() != Object || v.Len() != len(want) {
			fail(v.Len())
		}
		i := 0
		last := map[string]Value{}
		for n, m := range v.Members() {
			if n.String() != want[i].name || !n.Is(want[i].name) || n.Is(want[i].name+"x") {
				fail(n.String())
			}
			checkValue(t, m, want[i].value)
			last[want[i].name] = m
			i++
		}
		for name, m := range last {
			if v.Get(name) != m {
				t.Fatalf("%s: Get(%q) is not the last such member", v.Raw(), name)
			}
		}
		if v.Get("no such member").Exists() {
			fail("a member that is none")
		}
	}
	if c := v.Cursor(); v.Kind() != Array {
		if _, ok := c.Next(); ok {
			fail("items by Cursor")
		}
	}
	if v.Kind() != Object && v.Get("a").Exists() || v.Kind() != Array && v.Index(0).Exists() {
		fail("parts of a scalar")
	}
	if off := v.Offset(); !bytes.HasPrefix(v.d.src[off:], v.Raw()) {
		fail(off)
	}
}

func TestAbsent(t *testing.T) {
	list := parse(t, `[null,{"a":1}]`)
	for name, v := range map[string]Value{
		"zero":               {},
		"of an unused Doc":   new(Doc).Root(),
		"item out of range":  list.Index(2),
		"item of a scalar":   list.Index(0).Index(0),
		"member of a list":   list.Get("a"),
		"missing member":     list.Index(1).Get("b"),
		"member of a number": list.Index(1).Get("a").Get("a"),
		"member of absence":  list.Get("a").Get("b").Index(3),
	} {
		if v.Exists() || v.Kind() != Null || !v.IsNull() || v.IsString() || v.Escaped() || v.Raw() != nil || v.Body() != nil || v.Str() != "" || v.Len() != 0 || v.Offset() != 0 {
			t.Errorf("%s: %+v does not behave as absent", name, v)
		}
		if _, ok := v.Bool(); ok || v.Equal("") {
			t.Errorf("%s: has a content", name)
		}
		if _, ok := v.Int(); ok {
			t.Errorf("%s: has an Int", name)
		}
		if _, ok := v.Float(); ok {
			t.Errorf("%s: has a Float", name)
		}
		for range v.Items() {
			t.Errorf("%s: has items", name)
		}
		for range v.Members() {
			t.Errorf("%s: has members", name)
		}
		if got := string(v.AppendJSON(nil)); got != "null" {
			t.Errorf("%s: written as %s", name, got)
		}
	}
	if null := list.Index(0); !null.Exists() || !null.IsNull() {
		t.Error("null does not exist")
	}
}

func TestNumbers(t *testing.T) {
	for _, test := range []struct {
		text  string
		i     int64
		isInt bool
		f     float64
	}{
		{"0", 0, true, 0},
		{"-0", 0, true, math.Copysign(0, -1)},
		{"9223372036854775807", math.MaxInt64, true, 1 << 63},
		{"9223372036854775808", 0, false, 1 << 63},
		{"-9223372036854775808", math.MinInt64, true, -1 << 63},
		{"1.0", 0, false, 1},
		{"1e2", 0, false, 100},
	} {
		v := parse(t, test.text)
		if i, ok := v.Int(); ok != test.isInt || ok && i != test.i {
			t.Errorf("%s: Int() = %d, %v", test.text, i, ok)
		}
		if f, ok := v.Float(); !ok || f != test.f {
			t.Errorf("%s: Float() = %v, %v", test.text, f, ok)
		}
	}
	if f, ok := parse(t, "1e999").Float(); ok {
		t.Errorf("1e999: Float() = %v, want none", f)
	}
}

func TestKindString(t *testing.T) {
	for text, want := range map[string]string{"null": "null", "true": "bool", "1": "number", `""`: "string", "[]": "list", "{}": "object"} {
		if got := parse(t, text).Kind().String(); got != want {
			t.Errorf("kind of %s = %s, want %s", text, got, want)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	text := []byte(`{"type":"user","m\u0065ssage":{"content":["a","b\n",{"x":1.5}]},"n":-12,"esc":"tab\tand \ud834\udd1e"}`)
	var d Doc
	if err := d.Parse(text); err != nil {
		t.Fatal(err)
	}
	root := d.Root()
	sum := 0
	for name, f := range map[string]func(){
		"Parse": func() {
			if d.Parse(text) != nil {
				t.Fatal("parse failed")
			}
		},
		"Get": func() {
			if !root.Get("message").Get("content").Exists() || root.Get("messages").Exists() {
				t.Fatal("wrong member")
			}
		},
		"Items": func() {
			for v := range root.Get("message").Get("content").Items() {
				sum += len(v.Raw())
			}
		},
		"Cursor": func() {
			for c := root.Get("message").Get("content").Cursor(); ; sum++ {
				if _, ok := c.Next(); !ok {
					return
				}
			}
		},
		"Members": func() {
			for n, v := range root.Members() {
				sum += len(n.Body()) + len(v.Raw())
			}
		},
		"Index and Len": func() { sum += root.Get("message").Get("content").Index(2).Len() },
		"Equal": func() {
			if !root.Get("type").Equal("user") || !root.Get("esc").Equal("tab\tand 𝄞") || root.Get("esc").Equal("tab") {
				t.Fatal("wrong string")
			}
		},
		"Is": func() {
			for n := range root.Members() {
				if n.Is("message") {
					sum++
				}
			}
		},
		"Int": func() {
			if n, ok := root.Get("n").Int(); !ok || n != -12 {
				t.Fatal("wrong number")
			}
		},
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
