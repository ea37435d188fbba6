package value

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestAppendText(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{``, ``}, {`plain é𝄞`, `plain é𝄞`}, {`a\/b`, `a/b`}, {`\"\\\b\f\n\r\t`, `\"\\\b\f\n\r\t`},
		{`\u0041\u00e9\u20AC`, `Aé€`}, {`\u0022\u005c`, `\"\\`}, {`\u000a\u000A`, `\n\n`}, {`\u001F`, `\u001f`}, {`\u001f`, `\u001f`}, {`\u0000`, `\u0000`},
		{`\uD834\udd1E`, `𝄞`}, {`\uD834`, `\ud834`}, {`\ud834`, `\ud834`}, {`\uDD1E\uD834`, `\udd1e\ud834`}, {`\u2028`, "\u2028"}, {`\\u0041`, `\\u0041`},
	} {
		if got := string(AppendText([]byte(">"), []byte(test.body))); got != ">"+test.want {
			t.Errorf("AppendText(%s) = %s, want %s", test.body, got[1:], test.want)
		}
		if got := IsText([]byte(test.body)); got != (test.body == test.want) {
			t.Errorf("IsText(%s) = %v", test.body, got)
		}
	}
}

// TestTextRoundTrips checks each function against another way to the same end.
func TestTextRoundTrips(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		body := []byte(genBody().Draw(rt, "body"))
		text := AppendText(nil, body)
		decoded := AppendDecoded(nil, body)
		if want := decodeString(t, []byte(`"`+string(body)+`"`)); string(decoded) != want {
			rt.Fatalf("AppendDecoded(%s) = %q, want %q", body, decoded, want)
		}
		if !IsText(text) || !json.Valid([]byte(`"`+string(text)+`"`)) {
			rt.Fatalf("AppendText(%s) = %s, which is no text", body, text)
		}
		if IsText(body) != bytes.Equal(body, text) {
			rt.Fatalf("IsText(%s) = %v, AppendText gives %s", body, IsText(body), text)
		}
		if again := AppendDecoded(nil, text); !bytes.Equal(again, decoded) {
			rt.Fatalf("text %s stands for %q, not %q", text, again, decoded)
		}
		if encoded := AppendEncoded(nil, decoded); !bytes.Equal(encoded, text) {
			rt.Fatalf("AppendEncoded(%q) = %s, want %s", decoded, encoded, text)
		}
		if encoded := AppendEncoded(nil, string(decoded)); !bytes.Equal(encoded, text) {
			rt.Fatalf("AppendEncoded of the string %q = %s, want %s", decoded, encoded, text)
		}
		if !decodesTo(body, string(decoded)) || decodesTo(body, string(decoded)+"x") {
			rt.Fatalf("decodesTo(%s, %q) is wrong", body, decoded)
		}
		runes := runesOf(string(decoded))
		if got := CodePoints(text); got != len(runes) {
			rt.Fatalf("CodePoints(%s) = %d, want %d", text, got, len(runes))
		}
		n := rapid.IntRange(0, len(runes)+1).Draw(rt, "n")
		head := text[:Head(text, n)]
		if want := AppendEncoded(nil, strings.Join(runes[:min(n, len(runes))], "")); !bytes.Equal(head, want) {
			rt.Fatalf("Head(%s, %d) = %s, want %s", text, n, head, want)
		}
	})
}

// runesOf gives a decoded string's code points, surrogates included.
func runesOf(s string) (list []string) {
	for s != "" {
		n := 3
		if s[0] != 0xed || s[1] < 0xa0 {
			_, n = utf8.DecodeRuneInString(s)
		}
		list = append(list, s[:n])
		s = s[n:]
	}
	return list
}

func TestAppendEncoded(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"\"\\/\b\f\n\r\t\x00\x1f\x7f", `\"\\/\b\f\n\r\t\u0000\u001f` + "\x7f"},
		{"<&>\u2028é𝄞", "<&>\u2028é𝄞"},
		{"\ud7ff\ue000", "\ud7ff\ue000"}, // beside the surrogates
		{"\xed\xa0\xb4", `\ud834`},
		{"\xed\xa0\xb4\xed\xb4\x9e", "𝄞"}, // two strings, joined
		{"\xed\xb4\x9e\xed\xa0\xb4", `\udd1e\ud834`},
		{"\xed\xa0\xb4\xed\xa0\xb4\xed\xb4\x9e", `\ud834𝄞`},
		{"a\xffb\"", "a\uFFFDb\\\""},
		{"\xed\xa0", "\uFFFD\uFFFD"},
		{"\xed\xa0\xb4\xed", "\\ud834\uFFFD"},
		{"\xe2\x82\n", "\uFFFD\uFFFD\\n"},
	} {
		if got := string(AppendEncoded([]byte("\xff"), test.in)); got != "\xff"+test.want {
			t.Errorf("AppendEncoded(%q) = %q, want %q", test.in, got[1:], test.want)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		s := rapid.SliceOf(rapid.Byte()).Draw(rt, "bytes")
		text := AppendEncoded(nil, s)
		if !json.Valid([]byte(`"`+string(text)+`"`)) || !utf8.Valid(text) || !IsText(text) {
			rt.Fatalf("AppendEncoded(%q) = %q, which is no text", s, text)
		}
	})
}

// TestBrokenText gives the functions what no literal body is: they must not
// panic.
func TestBrokenText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		piece := rapid.SampledFrom([]string{`\`, `\u`, `\u12`, `\ud834\u`, "\xff", "é", "a", `"`})
		b := []byte(strings.Join(rapid.SliceOf(piece).Draw(rt, "pieces"), ""))
		AppendText(nil, b)
		AppendDecoded(nil, b)
		decodesTo(b, string(b))
		IsText(b)
		if n := CodePoints(b); n < 0 || n > len(b) {
			rt.Fatalf("CodePoints(%q) = %d", b, n)
		}
		for n := range len(b) + 2 {
			if at := Head(b, n); at < 0 || at > len(b) {
				rt.Fatalf("Head(%q, %d) = %d", b, n, at)
			}
		}
	})
}
