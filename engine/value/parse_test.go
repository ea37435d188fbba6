package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	valid := []string{
		"null", "true", "false", "0", "-0", "-1", "10", "1.5", "-0.0e+10", "1E5", "1e-05", `""`, `"a"`, "[]", "{}", " \t\r\n[ ]\n",
		`{"a":1}`, `{"a":{},"b":[[],{}]}`, `[1,"2",[3],{"4":5}]`, "{ \"a\" : 1 , \"b\" : [ 1 , 2 ] }", `{"":""}`, `{"a":1,"a":2}`,
		`"\"\\\/\b\f\n\r\t\u0000\uFFFF\uabCD"`, "\"\u2028é𝄞\x7f\"", `"0123456789abcdef0123456789"`, `"0123456789abcde\n"`,
	}
	for _, text := range valid {
		var d Doc
		if err := d.Parse([]byte(text)); err != nil {
			t.Errorf("Parse(%q): %v", text, err)
		}
		if string(d.Source()) != text {
			t.Errorf("Source() = %q, want %q", d.Source(), text)
		}
	}
	invalid := []struct {
		text   string
		offset int
		reason string
	}{
		{"", 0, "unexpected end"},
		{" ", 1, "unexpected end"},
		{"[", 1, "unexpected end"},
		{"[1", 2, "unexpected end"},
		{"[1,", 3, "unexpected end"},
		{"[1,]", 3, "invalid value"},
		{"[,1]", 1, "invalid value"},
		{"[1 2]", 3, "expected a comma or the end of the container"},
		{"[1}", 2, "expected a comma or the end of the container"},
		{"[}", 1, "invalid value"},
		{"]", 0, "invalid value"},
		{"{", 1, "expected a member name"},
		{"{]", 1, "expected a member name"},
		{"{1:2}", 1, "expected a member name"},
		{`{"a"`, 4, "expected a colon"},
		{`{"a" 1}`, 5, "expected a colon"},
		{`{"a":}`, 5, "invalid value"},
		{`{"a":1`, 6, "unexpected end"},
		{`{"a":1,}`, 7, "expected a member name"},
		{`{"a":1,,}`, 7, "expected a member name"},
		{`{"a":1]`, 6, "expected a comma or the end of the container"},
		{`{"a"}`, 4, "expected a colon"},
		{"1 2", 2, "text after the value"},
		{"{}{}", 2, "text after the value"},
		{"null\x00", 4, "text after the value"},
		{"nul", 0, "invalid word"},
		{"nulL", 0, "invalid word"},
		{"tru", 0, "invalid word"},
		{"falsy", 0, "invalid word"},
		{"True", 0, "invalid value"},
		{"NaN", 0, "invalid value"},
		{"01", 0, "invalid value"},
		{"-", 0, "invalid value"},
		{"-a", 0, "invalid value"},
		{"+1", 0, "invalid value"},
		{".5", 0, "invalid value"},
		{"1.", 0, "invalid value"},
		{"1.e5", 0, "invalid value"},
		{"1e", 0, "invalid value"},
		{"1e+", 0, "invalid value"},
		{"0x10", 1, "text after the value"},
		{`"`, 1, "unterminated string"},
		{`"abc`, 4, "unterminated string"},
		{`"abc\`, 4, "unterminated string"},
		{`"abc\"`, 6, "unterminated string"},
		{`"abc\u12`, 4, "unterminated string"},
		{`"\u12`, 1, "unterminated string"},
		{`"\x"`, 1, "invalid escape"},
		{`"\u12g4"`, 1, "invalid escape"},
		{`"\U0041"`, 1, "invalid escape"},
		{"\"a\nb\"", 2, "control character in a string"},
		{"\"\x00\"", 1, "control character in a string"},
		{"\"0123456789abcdef\x1f\"", 17, "control character in a string"},
		{"{\"a\n\":1}", 3, "control character in a string"},
		{"\uFEFF{}", 0, "invalid value"},
		{"\x00", 0, "invalid value"},
		{"\v1", 0, "invalid value"},
		{"'a'", 0, "invalid value"},
		{"[1]//", 3, "text after the value"},
		{strings.Repeat("[", MaxDepth+1), MaxDepth, "nested too deeply"},
		{strings.Repeat("[", 100_000), MaxDepth, "nested too deeply"},
	}
	for _, test := range invalid {
		var d Doc
		err := d.Parse([]byte(test.text))
		var at *SyntaxError
		if !errors.As(err, &at) || at.Offset != test.offset || at.Reason != test.reason {
			t.Errorf("Parse(%.20q) = %v, want offset %d: %s", test.text, err, test.offset, test.reason)
		}
		if d.Root().Exists() {
			t.Errorf("Parse(%.20q): there is a root after an error", test.text)
		}
	}
}

func TestParseDepth(t *testing.T) {
	for _, test := range []struct {
		depth int
		ok    bool
	}{{1, true}, {MaxDepth, true}, {MaxDepth + 1, false}} {
		for _, unit := range []string{"[]", `{"a":|}`} {
			open, end, ok := strings.Cut(unit, "|")
			if !ok {
				open, end = "[", "]"
			}
			text := strings.Repeat(open, test.depth-1) + strings.TrimSuffix(open, `"a":`) + strings.Repeat(end, test.depth)
			var d Doc
			err := d.Parse([]byte(text))
			if (err == nil) != test.ok {
				t.Errorf("%d levels of %s: %v", test.depth, unit, err)
			}
			if err == nil && string(d.Root().AppendJSON(nil)) != text {
				t.Errorf("%d levels of %s are not written as they were", test.depth, unit)
			}
		}
	}
}

// TestParseStrings puts what ends a run of plain bytes at every place of a word.
func TestParseStrings(t *testing.T) {
	for n := range 40 {
		plain := strings.Repeat("é", n/2) + strings.Repeat("x", n%2)
		for _, after := range []string{"", "y", "0123456789abcdef"} {
			for _, c := range []struct {
				text string
				ok   bool
			}{{`\n`, true}, {`\\`, true}, {`\"`, true}, {`\u0041`, true}, {`\t\t\t`, true}, {"\n", false}, {"\x1f", false}, {`\z`, false}, {`\u004-`, false}, {"", true}, {"!#]^[", true}} {
				text := `["` + plain + c.text + after + `",1]`
				var d Doc
				err := d.Parse([]byte(text))
				if (err == nil) != c.ok {
					t.Fatalf("Parse(%q): %v", text, err)
				}
				if err != nil {
					if at := err.(*SyntaxError).Offset; at != len(plain)+2 {
						t.Fatalf("Parse(%q): error at %d, want %d", text, at, len(plain)+2)
					}
					continue
				}
				v := d.Root().Index(0)
				var want string
				if err := json.Unmarshal(v.Raw(), &want); err != nil {
					t.Fatal(err)
				}
				if v.Str() != want || v.Escaped() != strings.Contains(text, `\`) {
					t.Fatalf("Parse(%q): string %q, want %q", text, v.Str(), want)
				}
			}
		}
	}
}

func TestScanLiteralResumes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := []byte(genBody().Draw(rt, "body") + `"` + genBody().Draw(rt, "after"))
		end, flags, stop := ScanLiteral(text, 0)
		if stop != Closed {
			rt.Fatalf("ScanLiteral(%q) = %v", text, stop)
		}
		var next int
		var all uint8
		for known := 0; ; known++ {
			n, f, stop := ScanLiteral(text[:known], next)
			next, all = n, all|f
			if stop == Closed {
				break
			}
			if stop != Torn {
				rt.Fatalf("ScanLiteral(%q) = %v", text[:known], stop)
			}
		}
		if next != end || flags != all {
			rt.Fatalf("ScanLiteral(%q) by bytes ends at %d, at once at %d", text, next, end)
		}
	})
}

// TestParseKeepsNoHugeIndex parses one text of many values, then a small one.
func TestParseKeepsNoHugeIndex(t *testing.T) {
	var d Doc
	huge := []byte("[0" + strings.Repeat(",0", 2<<20) + "]")
	for range 2 {
		if err := d.Parse(huge); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Parse([]byte("[1]")); err != nil {
		t.Fatal(err)
	}
	if cap(d.nodes) > keepNodes {
		t.Errorf("an index of %d nodes is kept for a text of 3 bytes", cap(d.nodes))
	}
}

// comparable reports whether encoding/json takes a text, and whether they can be
// compared: it goes no deeper than Parse, but counts otherwise.
func comparable(text []byte) bool {
	return utf8.Valid(text) && bytes.Count(text, []byte{'['})+bytes.Count(text, []byte{'{'}) < MaxDepth
}

func check(t testing.TB, text []byte) {
	t.Helper()
	var d Doc
	err := d.Parse(text)
	if (err == nil) != json.Valid(text) {
		t.Fatalf("Parse(%q): %v; encoding/json says %v", text, err, json.Valid(text))
	}
	if err != nil {
		var at *SyntaxError
		if !errors.As(err, &at) || at.Offset < 0 || at.Offset > len(text) {
			t.Fatalf("Parse(%q): error %#v", text, err)
		}
		return
	}
	checkNodes(t, &d)
	checkValue(t, d.Root(), decode(t, d.Root().Raw()))
	for _, sorted := range []bool{false, true} {
		checkWritten(t, d.Root(), sorted)
	}
}

// checkNodes checks that the index is one: in document order, nested, linked.
func checkNodes(t testing.TB, d *Doc) {
	t.Helper()
	for i, n := range d.nodes {
		if n.start >= n.end || int(n.end) > len(d.src) || int(n.next) <= i || int(n.next) > len(d.nodes) {
			t.Fatalf("%q: node %d is %+v of %d", d.src, i, n, len(d.nodes))
		}
		if i > 0 && n.start <= d.nodes[i-1].start {
			t.Fatalf("%q: node %d stands before node %d", d.src, i, i-1)
		}
		inside := d.nodes[i+1 : n.next]
		if n.kind == key {
			continue
		}
		if len(inside) > 0 && inside[len(inside)-1].end >= n.end {
			t.Fatalf("%q: node %d holds one that ends after it", d.src, i)
		}
	}
}

func TestParseModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := []byte(genJSON(true).Draw(rt, "text"))
		check(t, text)
		// One change makes most of them invalid.
		at := rapid.IntRange(0, len(text)-1).Draw(rt, "at")
		with := rapid.SampledFrom([]string{"", "\"", "\\", ",", "}", "]", "x", "0", "\x00"}).Draw(rt, "with")
		if changed := fmt.Appendf(nil, "%s%s%s", text[:at], with, text[at+1:]); comparable(changed) {
			check(t, changed)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"x\u0041\ud834"],"a":null}`, ` [true , false ] `, `{"10":1,"9":2,"":-0}`, `"`, "1e999"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !comparable(text) {
			var d Doc
			if d.Parse(text) == nil {
				d.Root().AppendJSON(nil) // must not panic
			}
			return
		}
		check(t, text)
	})
}
