package discover

import (
	"bytes"
	"testing"

	"github.com/trajmap/trajmap/engine/value"
)

func TestClosed(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"a":1,"b":[{"c":"x y"},{"d":`, `{"a":1,"b":[{"c":"x y"},{}]}`},
		{`{"a":1,"b`, `{"a":1}`},
		{`{"a":1,"b"`, `{"a":1}`},
		{`{"a":12`, `{}`},
		{`{"a":12,`, `{"a":12}`},
		{`{"a":tru`, `{}`},
		{`{"a":"wor`, `{"a":"wor"}`},
		{`{"a":"w\`, `{"a":"w"}`},
		{`{"a":"w\u00e`, `{"a":"w"}`},
		{`{"a":"w\u00e4`, `{"a":"w\u00e4"}`},
		{"{\"a\":\"w\xc3", `{"a":"w"}`},
		{`[[1,2],[3`, `[[1,2],[]]`},
		{`[1 ,`, `[1]`},
		{`{"a":{"b":{}},"c`, `{"a":{"b":{}}}`},
		{`{"a":1}`, `{"a":1}`},
		{``, ``},
		{`}`, ``},
	} {
		if got := string(closed([]byte(test.text))); got != test.want {
			t.Errorf("%s is closed as %s, want %s", test.text, got, test.want)
		}
	}
}

// FuzzClosed wants JSON of the beginning of any JSON text that is an object or a
// list, and of nothing else no panic.
func FuzzClosed(f *testing.F) {
	f.Add([]byte(`{"a":[1,"x\"\u00e4",{"b":null,"":-1.5e3}],"c":true}`), 20)
	f.Add([]byte("[\"\u00e4\U0001f600\", [[]], {}]"), 3)
	f.Fuzz(func(t *testing.T, text []byte, n int) {
		n = min(max(n, 0), len(text))
		got := closed(bytes.Clone(text[:n]))
		var doc value.Doc
		trimmed := bytes.TrimLeft(text, " \t\r\n")
		if n <= len(text)-len(trimmed) || len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' || doc.Parse(text) != nil {
			return
		}
		if err := doc.Parse(got); err != nil {
			t.Errorf("%q is closed as %q: %v", text[:n], got, err)
		}
	})
}
