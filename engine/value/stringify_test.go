package value

import (
	"bytes"
	"encoding/json"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// stringified has JSON texts and what JSON.stringify(JSON.parse(text)) gives.
var stringified = []struct{ text, want string }{
	// numbers
	{"0", "0"}, {"-0", "0"}, {"-0.0", "0"}, {"0e5", "0"}, {"1.0", "1"}, {"1.50", "1.5"}, {"0.1", "0.1"}, {"-12", "-12"},
	{"100000000000000000000", "100000000000000000000"}, {"1000000000000000000000", "1e+21"}, {"1e20", "100000000000000000000"}, {"1e21", "1e+21"}, {"1E+21", "1e+21"}, {"123e19", "1.23e+21"},
	{"0.000001", "0.000001"}, {"1e-6", "0.000001"}, {"1e-7", "1e-7"}, {"0.00000012", "1.2e-7"}, {"1e-10", "1e-10"}, {"-1.5e-100", "-1.5e-100"},
	{"5e-324", "5e-324"}, {"1e-400", "0"}, {"1.7976931348623157e308", "1.7976931348623157e+308"}, {"1e400", "null"}, {"-1e400", "null"},
	{"999999999999999", "999999999999999"}, {"9007199254740991", "9007199254740991"}, {"9007199254740992", "9007199254740992"}, {"123456789012345680000", "123456789012345680000"},
	{"1e5", "100000"}, {"1.7e3", "1700"}, {"0.30000000000000004", "0.30000000000000004"},
	// strings
	{`""`, `""`}, {`"a/b"`, `"a/b"`}, {`"a\/b"`, `"a/b"`}, {`"\uABCD"`, "\"\uabcd\""}, {`"\u0041"`, `"A"`}, {`"\u2028"`, "\"\u2028\""}, {"\"\u2028\u2029\"", "\"\u2028\u2029\""},
	{`"\"\\\b\f\n\r\t"`, `"\"\\\b\f\n\r\t"`}, {`"\u0022\u005C\u0008\u000C\u000A\u000D\u0009"`, `"\"\\\b\f\n\r\t"`},
	{`"\u0000\u001F\u000b"`, `"\u0000\u001f\u000b"`}, {`"\u007f"`, "\"\x7f\""}, {`"<>&\u003c"`, `"<>&<"`},
	{`"\ud834\udd1e"`, `"𝄞"`}, {`"\uD834"`, `"\ud834"`}, {`"\uDD1E"`, `"\udd1e"`}, {`"\uDD1E\uD834"`, `"\udd1e\ud834"`}, {`"\ud834\ud834\udd1e"`, `"\ud834𝄞"`}, {`"\ud834x"`, `"\ud834x"`}, {`"\ud834\u0041"`, `"\ud834A"`},
	// containers
	{" [ ] ", "[]"}, {"{ }", "{}"}, {"[ 1 , [ 2 , { } ] ]", "[1,[2,{}]]"}, {`{ "a" : { "b" : null } , "c" : true }`, `{"a":{"b":null},"c":true}`},
	{`{"b":1,"a":2}`, `{"b":1,"a":2}`},
	{`{"b":1,"10":2,"9":3,"a":4,"0":5}`, `{"0":5,"9":3,"10":2,"b":1,"a":4}`},
	{`{"01":1,"1":2,"-1":3,"1.0":4}`, `{"1":2,"01":1,"-1":3,"1.0":4}`},
	{`{"4294967295":1,"4294967294":2,"a":3}`, `{"4294967294":2,"4294967295":1,"a":3}`},
	{`{"\u0031":1,"0":2}`, `{"0":2,"1":1}`},
	{`{"a":1,"b":2,"a":3}`, `{"a":3,"b":2}`},
	{`{"a":1,"b":2,"\u0061":3}`, `{"a":3,"b":2}`},
	{`{"2":1,"1":2,"2":3}`, `{"1":2,"2":3}`},
	{`{"a":{"x":1},"a":{"y":2}}`, `{"a":{"y":2}}`},
	{`{"\/":"\/","\u000a":1}`, `{"/":"/","\n":1}`},
	{`{"__proto__":1,"constructor":2}`, `{"__proto__":1,"constructor":2}`},
}

func TestAppendJSON(t *testing.T) {
	for _, test := range stringified {
		if got := string(parse(t, test.text).AppendJSON([]byte("["))); got != "["+test.want {
			t.Errorf("%s: %s, want %s", test.text, got[1:], test.want)
		}
	}
}

// TestAppendJSONKeepsIntegers has the one difference from JavaScript.
func TestAppendJSONKeepsIntegers(t *testing.T) {
	for _, text := range []string{"9007199254740993", "-9007199254740993", "12345678901234567890", strings.Repeat("9", 400), "-1" + strings.Repeat("0", 350)} {
		if got := string(parse(t, text).AppendJSON(nil)); got != text {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestAppendJSONNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not on PATH: nothing to compare with")
	}
	texts := []string{}
	for _, test := range stringified {
		texts = append(texts, test.text)
	}
	for i := range 1000 {
		// Integers that JavaScript would round are not to be equal.
		texts = append(texts, strings.ReplaceAll(genJSON(true).Example(i), "123456789012345678", "7"))
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", `let s="";process.stdin.setEncoding("utf8").on("data",d=>s+=d).on("end",()=>
		console.log(JSON.stringify(JSON.parse(s).map(t=>JSON.stringify(JSON.parse(t))))))`)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if got := string(parse(t, text).AppendJSON(nil)); got != want[i] {
			t.Errorf("%s:\ngot  %s\nnode %s", text, got, want[i])
		}
	}
}

func TestAppendSorted(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"b":1,"a":{"d":1,"c":2},"10":3,"9":4}`, `{"10":3,"9":4,"a":{"c":2,"d":1},"b":1}`},
		{`[{"b":1,"a":2}]`, `[{"a":2,"b":1}]`},
		{`{"a":1,"a":2}`, `{"a":2}`},
		{`{"é":1,"z":2,"":3,"Z":4}`, `{"":3,"Z":4,"z":2,"é":1}`},
		{"{\"\uffff\":1,\"\U00010000\":2,\"\ue000\":3}", "{\"\U00010000\":2,\"\ue000\":3,\"\uffff\":1}"},
		{`{"\ud834":1,"\ud834\udd1e":2,"\ud833":3,"\ud835":4}`, `{"\ud833":3,"\ud834":1,"𝄞":2,"\ud835":4}`},
	} {
		if got := string(parse(t, test.text).AppendSorted(nil)); got != test.want {
			t.Errorf("%s: %s, want %s", test.text, got, test.want)
		}
	}
}

// checkWritten checks that what is written reads as the same value, and that
// writing it again changes nothing.
func checkWritten(t testing.TB, v Value, sorted bool) {
	t.Helper()
	out := v.appendJSON(nil, sorted)
	var d Doc
	if err := d.Parse(out); err != nil {
		t.Fatalf("%s: written as %s: %v", v.Raw(), out, err)
	}
	want := plainest(decode(t, v.Raw()), sorted)
	if diff := cmp.Diff(want, decode(t, out), cmp.AllowUnexported(pair{})); diff != "" {
		t.Fatalf("%s: written as %s (-want +got):\n%s", v.Raw(), out, diff)
	}
	if again := d.Root().appendJSON(nil, sorted); !bytes.Equal(again, out) {
		t.Fatalf("%s: written as %s, then as %s", v.Raw(), out, again)
	}
	for i, c := range out {
		if c < 0x20 || c == ' ' && !bytes.ContainsRune(v.Raw(), '"') {
			t.Fatalf("%s: written as %q: byte %d", v.Raw(), out, i)
		}
	}
}

// plainest is a decoded value as JavaScript has it after JSON.parse.
func plainest(v any, sorted bool) any {
	switch v := v.(type) {
	case json.Number:
		if !strings.ContainsAny(v.String(), ".eE") {
			if n, ok := jsNumber(v.String()); ok && n == strings.TrimPrefix(v.String(), "-") || n == v.String() {
				return json.Number(n)
			}
			if f, _ := strconv.ParseFloat(v.String(), 64); f == 0 {
				return json.Number("0")
			} else if n, ok := jsNumber(v.String()); ok && strconv.FormatFloat(f, 'f', -1, 64) == v.String() {
				return json.Number(n)
			}
			return v
		}
		if n, ok := jsNumber(v.String()); ok {
			return json.Number(n)
		}
		return nil
	case []any:
		out := []any{}
		for _, item := range v {
			out = append(out, plainest(item, sorted))
		}
		return out
	case object:
		out := object{}
		for _, p := range v {
			i := slices.IndexFunc(out, func(q pair) bool { return q.name == p.name })
			p.value = plainest(p.value, sorted)
			if i >= 0 {
				out[i] = p
			} else {
				out = append(out, p)
			}
		}
		slices.SortStableFunc(out, func(a, b pair) int {
			if sorted {
				return slices.Compare(unitsOf(a.name), unitsOf(b.name))
			}
			return indexOf(a.name) - indexOf(b.name)
		})
		return out
	}
	return v
}

func jsNumber(text string) (string, bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", false
	}
	return string(AppendNumber(nil, f)), true
}

func indexOf(name string) int {
	n, err := strconv.ParseUint(name, 10, 32)
	if err != nil || strconv.FormatUint(n, 10) != name || n == math.MaxUint32 {
		return math.MaxInt
	}
	return int(n)
}

// unitsOf is UTF-16 in a plain way, for names without lone surrogates beside
// each other.
func unitsOf(s string) (units []uint16) {
	for s != "" {
		if s[0] == 0xed && s[1] >= 0xa0 {
			units = append(units, 0xd000|uint16(s[1]&0x3f)<<6|uint16(s[2]&0x3f))
			s = s[3:]
			continue
		}
		for _, r := range s {
			units = utf16.AppendRune(units, r)
			s = s[len(string(r)):]
			break
		}
	}
	return units
}

func TestCompareUTF16(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "z", "é", "\ud7ff", "\ue000", "\ufffd", "\uffff", "\U00010000", "𝄞", "\U0010ffff", "\xed\xa0\xb4", "\xed\xb4\x9e"})
	gen := rapid.Map(rapid.SliceOfN(piece, 0, 4), func(p []string) string { return strings.Join(p, "") })
	sign := func(n int) int { return min(1, max(-1, n)) }
	rapid.Check(t, func(rt *rapid.T) {
		a, b := gen.Draw(rt, "a"), gen.Draw(rt, "b")
		if got, want := sign(CompareUTF16(a, b)), slices.Compare(unitsOf(a), unitsOf(b)); got != want {
			rt.Fatalf("CompareUTF16(%q, %q) = %d, want %d", a, b, got, want)
		}
	})
}

func TestAppendNumber(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0", 1: "1", -1.5: "-1.5", 1e21: "1e+21", 1e20: "100000000000000000000", 1e-6: "0.000001", 1e-7: "1e-7", -1e-7: "-1e-7",
		123456789: "123456789", 1.23e-10: "1.23e-10", math.MaxFloat64: "1.7976931348623157e+308", math.SmallestNonzeroFloat64: "5e-324", 1e100: "1e+100",
	} {
		if got := string(AppendNumber([]byte("x"), f)); got != "x"+want {
			t.Errorf("AppendNumber(%v) = %s, want %s", f, got[1:], want)
		}
	}
	if got := string(AppendNumber(nil, math.Copysign(0, -1))); got != "0" {
		t.Errorf("AppendNumber(-0) = %s", got)
	}
}

func TestManyMembers(t *testing.T) {
	var in, out strings.Builder
	for i := range 50 {
		in.WriteString(`"n` + strconv.Itoa(i) + `":1,`)
		out.WriteString(`"n` + strconv.Itoa(i) + `":1,`)
	}
	if got, want := string(parse(t, "{"+in.String()+`"z":2}`).AppendJSON(nil)), "{"+out.String()+`"z":2}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string(parse(t, `{"z":0,`+in.String()+`"z":2}`).AppendJSON(nil)), `{"z":2,`+strings.TrimSuffix(out.String(), ",")+"}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
