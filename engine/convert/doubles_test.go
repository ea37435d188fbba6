package convert

import (
	"testing"

	"github.com/trajmap/trajmap/engine/value"
)

// TestDoubles tells numbers that a double holds from those that it does not.
func TestDoubles(t *testing.T) {
	for text, want := range map[string]string{
		`{"b":1,"a":1.0}`:                "",
		`9007199254740992`:               "",
		`-9007199254740992`:              "",
		`9007199254740993`:               "9007199254740992",
		`{"a":[9007199254740993]}`:       `{"a":[9007199254740992,],}`,
		`123456789012345678901234567890`: "1.2345678901234568e+29",
		`0.1234567890123456789`:          "",
		`100000000000000000000`:          "",
		`1e400`:                          "null",
		`"9007199254740993"`:             "",
		`-0`:                             "",
	} {
		var doc value.Doc
		if err := doc.Parse([]byte(text)); err != nil {
			t.Fatal(err)
		}
		got := ""
		if lossy(doc.Root()) {
			if !perhapsLossy(text) {
				t.Errorf("%s: not looked at", text)
			}
			got = string(appendDoubled(nil, doc.Root()))
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
