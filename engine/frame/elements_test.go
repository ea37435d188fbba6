package frame

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestElements(t *testing.T) {
	messages := []string{"messages"}
	many := []string{"messages", "history.items", "history", "@this"}
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	tests := []struct {
		name, input string
		paths       []string
		want        []string
		doc         string
	}{
		{"a member", `{"a":1,"messages":[{"x":[1]}, "two",3],"z":{}}`, messages, []string{`{"x":[1]}`, `"two"`, "3"}, `{"a":1,"messages":[],"z":{}}`},
		{"all kinds", `{"messages":[null,true,false,-1.5e+7,0,"",[],{}]}`, messages, []string{"null", "true", "false", "-1.5e+7", "0", `""`, "[]", "{}"}, `{"messages":[]}`},
		{"empty list", `{"messages":[ ]}`, messages, nil, `{"messages":[]}`},
		{"root", " [1 , 2]\r\n", many, []string{"1", "2"}, "[]"},
		{"nested", `{"h":0,"history":{"b":[0],"items":[1],"c":"d"} , "k":2}`, many, []string{"1"}, `{"h":0,"history":{"b":[0],"items":[],"c":"d"},"k":2}`},
		{"earlier alternative stands later", `{"history":[1],"messages":[2]}`, many, []string{"2"}, `{"history":[1],"messages":[]}`},
		{"earlier alternative is no list", `{"messages":{"a":[]},"history":[1]}`, many, []string{"1"}, `{"messages":{"a":[]},"history":[]}`},
		{"byte order mark", "\uFEFF{\"messages\":[1]}", messages, []string{"1"}, `{"messages":[]}`},
		{"CRLF", "{\r\n\"messages\":[\r\n1\r\n]\r\n}\r\n", messages, []string{"1"}, `{"messages":[]}`},
		{"escaped name", `{"mess\u0061ges":[1]}`, messages, []string{"1"}, `{"mess\u0061ges":[]}`},
		{"escaped quote in a name", `{"messages\"":[0],"\\":1,"messages":[1]}`, messages, []string{"1"}, `{"messages\"":[0],"\\":1,"messages":[]}`},
		{"the last of duplicates", `{"messages":[1],"messages":[2]}`, messages, []string{"2"}, `{"messages":[1],"messages":[]}`},
		{"the last of duplicates is no list", `{"messages":[1],"history":[2],"messages":3}`, many, []string{"2"}, `{"messages":[1],"history":[],"messages":3}`},
		{"the last of duplicates around it", `{"history":{"items":[1]},"history":{"x":3,"items":[2]}}`, many, []string{"2"}, `{"history":{"items":[1]},"history":{"x":3,"items":[]}}`},
		{"duplicate keys in an element", `{"messages":[{"a":1,"a":2}]}`, messages, []string{`{"a":1,"a":2}`}, `{"messages":[]}`},
		{"invalid UTF-8", "{\"a\xff\":\"\xe2\x82\",\"messages\":[\"\xf0\x9f\"]}", messages, []string{"\"\uFFFD\""}, "{\"a\uFFFD\":\"\uFFFD\",\"messages\":[]}"},
		{"100,000 levels in an element", `{"messages":[1,` + deep + `,2]}`, messages, []string{"1", deep, "2"}, `{"messages":[]}`},
		{"100,000 levels beside the list", `{"a":` + deep + `,"messages":[1]}`, messages, []string{"1"}, `{"a":null,"messages":[]}`},
	}
	for _, test := range tests {
		for _, step := range []int{windowStep, 4, 7, 32} {
			t.Run(fmt.Sprintf("%s/%d", test.name, step), func(t *testing.T) {
				s := narrow(Elements(input(test.input), test.paths, Options{}), step)
				got, err := all(t, s)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, data(got)); diff != "" {
					t.Errorf("elements (-want +got):\n%s", diff)
				}
				for i, c := range got {
					if c.Index != i || c.Line != 0 || repaired(test.input[c.Offset:c.Offset+c.Length]) != c.Data {
						t.Errorf("element %d = %+v, which is not where it says", i, c)
					}
				}
				if doc := string(s.Doc()); doc != test.doc && step == windowStep {
					t.Errorf("Doc = %s\nwant  %s", doc, test.doc)
				}
				if !json.Valid(s.Doc()) {
					t.Errorf("Doc is no JSON: %s", s.Doc())
				}
			})
		}
	}
}

func data(list []cut) (texts []string) {
	for _, c := range list {
		texts = append(texts, c.Data)
	}
	return texts
}

func TestElementsInvalid(t *testing.T) {
	tests := []struct {
		name, input string
		want        string // in the message
		line        int
	}{
		{"empty", "", "unexpected end in line 1, at byte offset 0", 1},
		{"blank", " \n\n", "unexpected end in line 3, at byte offset 3", 3},
		{"only a byte order mark", "\uFEFF", "unexpected end in line 1, at byte offset 3", 1},
		{"torn in the list", "{\"messages\":[1,\n2,", "unexpected end in line 2", 2},
		{"torn in a string", `{"messages":[1],"a":"b`, "unexpected end in line 1, at byte offset 22", 1},
		{"torn in an escape", `{"a":"\u00`, "unexpected end", 1},
		{"torn at the end", `{"messages":[1]`, "unexpected end", 1},
		{"text after", "{\"messages\":[1]}\n\n{}", "text after the document in line 3, at byte offset 18", 3},
		{"NUL after", "{\"messages\":[1]}\x00", "text after the document", 1},
		{"JSON lines", "{\"messages\":[1]}\n{\"messages\":[1]}\n", "text after the document in line 2", 2},
		{"NUL", "\x00", "invalid value in line 1, at byte offset 0", 1},
		{"NUL in a string", "{\"messages\":[\"\x00\"]}", "control character in a string", 1},
		{"newline in a string", "{\"messages\":[\"\n\"]}", "control character in a string", 1},
		{"foreign", "<html></html>", "invalid value in line 1", 1},
		{"trailing comma", `{"messages":[1,]}`, "invalid value in line 1, at byte offset 15", 1},
		{"missing comma", `{"messages":[1 2]}`, "expected a comma or the end of the container", 1},
		{"missing member name", `{"a":{1:2}}`, "expected a member name", 1},
		{"missing colon", `{"messages" [1]}`, "expected a colon", 1},
		{"wrong bracket", `{"messages":[1}}`, "expected a comma or the end of the container", 1},
		{"wrong bracket of the root", `{"messages":[1]]`, "expected a comma or the end of the object", 1},
		{"escape", `{"messages":["\x"]}`, "invalid escape", 1},
		{"hexadecimal escape", `{"messages":["\u00g0"]}`, "invalid escape", 1},
		{"leading zero", `{"messages":[01]}`, "invalid value", 1},
		{"fraction", `{"messages":[1.]}`, "invalid number", 1},
		{"exponent", `{"messages":[1e]}`, "invalid number", 1},
		{"word", `{"messages":[nul]}`, "invalid value", 1},
		{"too deep", strings.Repeat("[", maxDepth+2), "nested too deeply", 1},
		{"no list", `{"Messages":[1],"a":{"messages":[2]}}`, "no list at messages, nor at a.b", 0},
		{"a scalar", `"messages"`, "no list at messages", 0},
		{"a list of another kind", `[1]`, "no list at messages", 0},
	}
	for _, test := range tests {
		for _, step := range []int{windowStep, 4, 7} {
			t.Run(fmt.Sprintf("%s/%d", test.name, step), func(t *testing.T) {
				got, err := all(t, narrow(Elements(input(test.input), []string{"messages", "a.b"}, Options{}), step))
				e := wantInvalid(t, err)
				if !strings.Contains(e.Message, test.want) || e.Line != test.line {
					t.Errorf("error = %v (line %d), want %q (line %d)", e, e.Line, test.want, test.line)
				}
				if len(got) > 0 {
					t.Errorf("%d frames of an invalid document", len(got))
				}
			})
		}
	}
}

func TestElementsTooBig(t *testing.T) {
	text := `{"messages":["` + strings.Repeat("x", 8) + `","` + strings.Repeat("x", 9) + `",[` + strings.Repeat("1,", 500) + `1],2]}`
	want := []cut{
		{`"xxxxxxxx"`, 13, 0, 0, 10, false},
		{"", 24, 0, 1, 11, true},
		{"", 36, 0, 2, 1003, true},
		{"2", 1040, 0, 3, 1, false},
	}
	for _, step := range []int{windowStep, 4, 7, 64} {
		got, err := all(t, narrow(Elements(input(text), []string{"messages"}, Options{MaxFrame: 10}), step))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("elements with windows of %d (-want +got):\n%s", step, diff)
		}
	}
}

// TestElementsDocBounded has more around the list than memory should hold.
func TestElementsDocBounded(t *testing.T) {
	read := func(text string) string {
		t.Helper()
		s := Elements(input(text), []string{"a.list"}, Options{})
		if _, err := all(t, s); err != nil {
			t.Fatal(err)
		}
		return string(s.Doc())
	}
	mib := strings.Repeat("m", memberMost)
	long, fits := `"`+mib+`"`, `"`+mib[2:]+`"`
	if got, want := read(`{"x":1,"x":`+long+`,"a":{"y":`+long+`,"list":[1],"z":`+fits+`}}`), `{"x":1,"x":"","a":{"y":"","list":[],"z":`+fits+`}}`; got != want {
		t.Errorf("Doc with long members has %d bytes, want %d", len(got), len(want))
	}
	if got, want := read(`{`+long+`:1,"a":{"list":[1],`+long+`:2,"z":3}}`), `{"a":{"list":[],"z":3}}`; got != want {
		t.Errorf("Doc with long names has %d bytes, want %s", len(got), want)
	}
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, `"%d":%s,`, i, fits)
	}
	got := read(`{` + b.String() + `"a":{"list":[1]},"z":1}`)
	if len(got) > surroundMost+100 || !json.Valid([]byte(got)) || !strings.HasSuffix(got, `,"a":{"list":[]},"z":1}`) {
		t.Errorf("Doc with many members has %d bytes and ends in %q", len(got), got[max(0, len(got)-40):])
	}
}

func TestElementsReadErrors(t *testing.T) {
	t.Run("failing reader", func(t *testing.T) {
		in := &Input{Name: "x", ReaderAt: failing{}, Size: 3}
		if _, err := Elements(in, []string{"@this"}, Options{}).Next(); !errors.Is(err, errDisk) {
			t.Errorf("error = %v, want %v", err, errDisk)
		}
	})
	t.Run("changed between passes", func(t *testing.T) {
		text := []byte(`[1,"` + strings.Repeat("x", 100) + `",2]`)
		in := &Input{Name: "x", ReaderAt: bytesAt(text), Size: int64(len(text))}
		s := narrow(Elements(in, []string{"@this"}, Options{}), 4)
		if _, err := all(t, s); err != nil {
			t.Fatal(err)
		}
		text[2] = '}'
		if err := s.Rewind(); err != nil {
			t.Fatal(err)
		}
		_, err := once(t, s)
		wantInvalid(t, err)
	})
}

type bytesAt []byte

func (b bytesAt) ReadAt(p []byte, at int64) (int, error) {
	n := copy(p, b[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// genJSON makes documents, most of them JSON.
func genJSON() *rapid.Generator[string] {
	space := rapid.SampledFrom([]string{"", "", "", " ", "\r\n\t"})
	name := rapid.SampledFrom([]string{`"a"`, `"b"`, `"\u0061"`, `"c\"\\"`, "\"\xff\""})
	scalar := rapid.SampledFrom([]string{"null", "true", "false", "0", "-0.5E-7", `"a b c"`, `"\n\\\"\ud834\udd1e"`, `""`, "\"\xe2\x82\"", "01", "x", "1e5", "12345678"})
	var value func(depth int) *rapid.Generator[string]
	value = func(depth int) *rapid.Generator[string] {
		return rapid.Custom(func(t *rapid.T) string {
			kind := rapid.IntRange(0, 5).Draw(t, "kind")
			if kind > 3 || depth > 4 {
				return scalar.Draw(t, "scalar")
			}
			var items []string
			for range rapid.IntRange(0, 3).Draw(t, "items") {
				item := space.Draw(t, "space") + value(depth+1).Draw(t, "value") + space.Draw(t, "space")
				if kind > 1 {
					item = space.Draw(t, "space") + name.Draw(t, "name") + space.Draw(t, "space") + ":" + item
				}
				items = append(items, item)
			}
			if kind > 1 {
				return "{" + strings.Join(items, ",") + "}"
			}
			return "[" + strings.Join(items, ",") + "]"
		})
	}
	return value(0)
}

func TestElementsModel(t *testing.T) {
	valid := 0
	rapid.Check(t, func(rt *rapid.T) {
		text := genJSON().Draw(rt, "text")
		if cutAt := rapid.IntRange(0, 10*len(text)).Draw(rt, "cut"); cutAt < len(text) {
			text = text[:cutAt]
		}
		step := rapid.IntRange(4, 20).Draw(rt, "step")
		if checkElements(t, text, []string{"a.b", "b", "@this", "a"}, step) {
			valid++
		}
	})
	if valid == 0 {
		t.Error("no document had a list: the test tests nothing")
	}
}

// checkElements compares with decoding the whole document at once.
func checkElements(t testing.TB, text string, paths []string, step int) bool {
	t.Helper()
	s := narrow(Elements(input(text), paths, Options{}), step)
	got, err := all(t, s)
	want, valid := decodeList(repaired(strings.TrimPrefix(text, byteOrderMark)), paths)
	if !valid {
		wantInvalid(t, err)
		return false
	}
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if !slices.Equal(data(got), want) {
		t.Fatalf("%q: elements %q, want %q", text, data(got), want)
	}
	for _, c := range got {
		if repaired(text[c.Offset:c.Offset+c.Length]) != c.Data {
			t.Fatalf("%q: element %+v is not where it says", text, c)
		}
	}
	if !json.Valid(s.Doc()) {
		t.Fatalf("%q: Doc is no JSON: %q", text, s.Doc())
	}
	return true
}

// decodeList is Elements in the plainest way.
func decodeList(text string, paths []string) (elements []string, ok bool) {
	if !json.Valid([]byte(text)) {
		return nil, false
	}
	for _, path := range paths {
		at := json.RawMessage(text)
		for name := range strings.SplitSeq(path, ".") {
			if name == root {
				break
			}
			var object map[string]json.RawMessage
			if json.Unmarshal(at, &object) != nil || object[name] == nil {
				at = nil
				break
			}
			at = object[name]
		}
		var list []json.RawMessage
		if json.Unmarshal(at, &list) == nil && list != nil {
			for _, e := range list {
				elements = append(elements, string(e))
			}
			return elements, true
		}
	}
	return nil, false
}

func FuzzElements(f *testing.F) {
	for _, seed := range []string{`{"a":{"b":[1]},"b":[2,{}]}`, ` [1 ,"\u0041", -0.5e7]`, "\uFEFF[{}]", `{"a":[1],"a":{"b":[tru`} {
		f.Add([]byte(seed), byte(3))
	}
	f.Fuzz(func(t *testing.T, text []byte, step byte) {
		depth, deepest := 0, 0
		for _, c := range text {
			switch c {
			case '[', '{':
				depth++
				deepest = max(deepest, depth)
			case ']', '}':
				depth--
			}
		}
		if deepest >= 10_000 {
			t.Skip("encoding/json goes no deeper")
		}
		checkElements(t, string(text), []string{"a.b", "b", "@this", "a"}, 4+int(step))
	})
}

// TestElementsDocShortened wants a long member to keep its type and its names.
func TestElementsDocShortened(t *testing.T) {
	long := strings.Repeat("m", memberMost)
	half := `"` + long[:memberMost/2] + `"`
	rest := `"` + long[:memberMost/2-5] + `"`  // with a comma nothing more fits
	less := `"` + long[:memberMost/2-10] + `"` // with a comma and a name
	for _, test := range []struct{ member, want string }{
		{`"` + long + `"`, `""`},
		{strings.Repeat("1", memberMost+1), `0`},
		{`[1,"` + long + `",{"a":"` + long + `","b":2},[ ]]`, `[1,"",{"a":"","b":2},[ ]]`},
		{`[` + half + ` , ` + half + `,3,4]`, `[` + half + `,"",3,4]`},
		{`[` + half + `,` + rest + `,3,4]`, `[` + half + `,` + rest + `]`},
		{`{"a":` + half + `,"b":` + less + `,"c":{"d":1,"e":"` + long[:100] + `"},"f":` + half + `,"g":[` + half + `],"h":7}`,
			`{"a":` + half + `,"b":` + less + `,"c":{},"f":"","g":[],"h":7}`},
		{`{"` + long + `":1,"b":2,"c":` + half + `}`, `{"b":2,"c":` + half + `}`},
		{`[[[[[["` + long + `"]]]],9]]`, `[[[[[]]],9]]`},
		{`{}`, `{}`},
	} {
		for _, around := range []string{`{"a":{"list":[1],"x":%s,"y":1}}`, `{"x":%s,"a":{"list":[]},"y":1}`} {
			s := Elements(input(fmt.Sprintf(around, test.member)), []string{"a.list"}, Options{})
			if _, err := all(t, s); err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf(strings.Replace(around, "[1]", "[]", 1), test.want)
			if got := string(s.Doc()); got != want {
				if len(got) > 200 {
					got = got[:200] + "…"
				}
				t.Errorf("Doc of %.40s… has %d bytes, want %d: %s", test.member, len(s.Doc()), len(want), got)
			}
		}
	}
}
