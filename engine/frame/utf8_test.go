package frame

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestAppendValid(t *testing.T) {
	const r = "\uFFFD"
	tests := []struct{ in, want string }{
		{"", ""},
		{"plain", "plain"},
		{"é€𝄞", "é€𝄞"},
		{"a\xffb", "a" + r + "b"},
		{"\xff\xfe", r + r},
		{"\x80\xbf", r + r},
		{"\xc0\x80", r + r},         // overlong
		{"\xc1\xbf", r + r},         //
		{"\xe0\x80\x80", r + r + r}, //
		{"\xf0\x80\x80\x80", r + r + r + r},
		{"\xed\xa0\x80", r + r + r},         // a surrogate
		{"\xf4\x90\x80\x80", r + r + r + r}, // beyond U+10FFFF
		{"\xf5\x80", r + r},
		{"\xc3", r},
		{"\xe2\x82", r},
		{"\xe2\x82A", r + "A"},
		{"\xf0\x9f\x98", r},
		{"\xf0\x9f\x98\"", r + `"`},
		{"\xf0\x9f\xe2\x82\xac", r + "€"},
		{"\xe2\xe2\x82\xac", r + "€"},
		{"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", r + r + r + r + "A"}, // Unicode 16, table 3-11
	}
	for _, test := range tests {
		if got := string(appendValid(nil, []byte(test.in))); got != test.want {
			t.Errorf("appendValid(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

// repaired is appendValid in the plainest way: per byte, try all that is possible.
func repaired(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		if r, n := utf8.DecodeRuneInString(s); r != utf8.RuneError || n > 1 {
			b.WriteString(s[:n])
			s = s[n:]
			continue
		}
		n := 1
		for n < len(s) && n < 4 && beginsRune(s[:n+1]) {
			n++
		}
		b.WriteString("\uFFFD")
		s = s[n:]
	}
	return b.String()
}

// beginsRune reports whether continuation bytes could make a character of s.
func beginsRune(s string) bool {
	if len(s) >= 4 {
		return utf8.ValidString(s)
	}
	for c := 0x80; c <= 0xbf; c++ {
		if r := s + string([]byte{byte(c)}); utf8.ValidString(r) && utf8.RuneCountInString(r) == 1 || beginsRune(r) {
			return true
		}
	}
	return false
}

func genBytes() *rapid.Generator[[]byte] {
	return rapid.SliceOf(rapid.SampledFrom([]byte("a\"\xc0\xc2\xdf\xe0\xe1\xed\xef\xf0\xf1\xf4\xf5\xff\x80\x8f\x90\x9f\xa0\xbf")))
}

func TestAppendValidModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := genBytes().Draw(rt, "bytes")
		if got, want := string(appendValid(nil, b)), repaired(string(b)); got != want {
			rt.Fatalf("appendValid(%q) = %q, want %q", b, got, want)
		}
	})
}

// TestAppendValidNode compares with what JavaScript reads.
func TestAppendValidNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not on PATH: nothing to compare with")
	}
	var cases [][]byte
	for i := range 500 {
		cases = append(cases, genBytes().Example(i))
	}
	in, err := json.Marshal(cases) // base64
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", `let s="";process.stdin.on("data",d=>s+=d).on("end",()=>
		console.log(JSON.stringify(JSON.parse(s).map(b=>Buffer.from(b??"","base64").toString("utf8")))))`)
	cmd.Stdin = strings.NewReader(string(in))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		if got := string(appendValid(nil, c)); got != want[i] {
			t.Errorf("appendValid(%q) = %q, node has %q", c, got, want[i])
		}
	}
}
