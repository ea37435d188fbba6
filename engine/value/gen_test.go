package value

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// parse indexes a text that must be JSON.
func parse(t testing.TB, text string) Value {
	t.Helper()
	var d Doc
	if err := d.Parse([]byte(text)); err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return d.Root()
}

// genBody makes bodies of string literals.
func genBody() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"a", "abcdefgh", "0123456789abcdef", "é", "€", "𝄞", "\u2028", "\x7f", "/", " ",
		`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`,
		`\u0041`, `\u000a`, `\u0000`, `\u001F`, `\u001f`, `\u002f`, `\u005c`, `\u0022`, `\u00e9`, `\u2028`, `\uABCD`, `\uFFFF`,
		`\ud834\udd1e`, `\uD834\uDD1E`, `\ud834`, `\udd1e`, `\uDBFF`, `\uDFFF`, `\udd1e\ud834`, `\ud834\n`, `\ud834\u0041`,
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "pieces"), "")
	})
}

// genJSON makes JSON texts, with white space if spaced.
func genJSON(spaced bool) *rapid.Generator[string] {
	spaces := []string{""}
	if spaced {
		spaces = []string{"", "", "", " ", "\r\n\t"}
	}
	space := rapid.SampledFrom(spaces)
	names := rapid.SampledFrom([]string{"a", "b", `\u0061`, "10", "9", "01", `\u0031`, "", "4294967294", "4294967295", "é", "\U00010000", "\uFFFD", `\ud800`})
	scalar := rapid.SampledFrom([]string{
		"null", "true", "false", "0", "-0", "1", "-17", "1.0", "1.50", "0.1", "1e21", "1E400", "-1e-7", "123456789012345678", "1e5", "0.000001", "5e-324",
	})
	var value func(depth int) *rapid.Generator[string]
	value = func(depth int) *rapid.Generator[string] {
		return rapid.Custom(func(t *rapid.T) string {
			kind := rapid.IntRange(0, 5).Draw(t, "kind")
			switch {
			case kind == 5:
				return scalar.Draw(t, "scalar")
			case kind == 4 || depth > 4:
				return `"` + genBody().Draw(t, "body") + `"`
			}
			var items []string
			for range rapid.IntRange(0, 4).Draw(t, "items") {
				item := space.Draw(t, "space") + value(depth+1).Draw(t, "value") + space.Draw(t, "space")
				if kind > 1 {
					name := names.Draw(t, "name")
					item = space.Draw(t, "space") + `"` + name + `"` + space.Draw(t, "space") + ":" + item
				}
				items = append(items, item)
			}
			open, end := "[", "]"
			if kind > 1 {
				open, end = "{", "}"
			}
			if items == nil {
				return open + space.Draw(t, "space") + end
			}
			return open + strings.Join(items, ",") + end
		})
	}
	return rapid.Custom(func(t *rapid.T) string {
		return space.Draw(t, "space") + value(0).Draw(t, "value") + space.Draw(t, "space")
	})
}
