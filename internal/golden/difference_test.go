package golden

import (
	"strings"
	"testing"
)

func TestDifference(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, test := range []struct {
		name, want, got string
		line, col       int
		says            string
	}{
		{"the same", "{}\n", "{}\n", 0, 0, ""},
		{"written otherwise", `{"a":1,"b":[2]}`, "{\"b\": [2],\n \"a\": 1}\n", 0, 0, ""},
		{"another value", "{\"a\":[\n  1,\n  2\n]}\n", "{\"a\":[\n  1,\n  3\n]}\n", 3, 3, "got 3"},
		{"another number", `{"a":1}`, `{"a":1.0}`, 1, 7, "got"},
		{"more lines", "[\n  1\n]\n", "[\n  1,\n  2\n]\n", 2, 4, "got 1,; 5 lines, expected 4"},
		{"nothing expected", "", "{\n}\n", 1, 1, "got {; 3 lines, expected 1"},
		{"a long line", `["` + long + `a"]`, `["` + long + `b` + long + `"]`, 1, 203, "got …" + long[:30] + "b" + long[:59] + "…"},
		{"beyond ASCII", `["äöü"]`, `["äöx"]`, 1, 5, `got ["äöx"]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := difference("f", []byte(test.want), []byte(test.got))
			switch {
			case d == nil && test.line > 0:
				t.Error("no difference is found")
			case d != nil && (d.Line != test.line || d.Col != test.col || !strings.Contains(d.Message, test.says)):
				t.Errorf("%v", d)
			}
		})
	}
}
