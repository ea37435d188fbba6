package read

import (
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/normalize"
)

// TestNothingMapped: a session in which nothing was said is told from a file of
// another harness.
func TestNothingMapped(t *testing.T) {
	m := parse(t, "mapping: v1\nharness: x\nread:\n  - {format: x, native: none, frames: jsonl, kind: type, ignored: [session], rules: {user: {user: text}}}\n")
	const empty, foreign = "this session of x holds no conversation", "no frame of this input is mapped by x"
	for text, want := range map[string]string{
		`{"type":"session"}`:                             empty,
		`{"type":"session"}` + "\n" + `{"type":"other"}`: foreign,
		`{"type":"session"}` + "\nnot JSON\n":            foreign,
		"\n":                                             foreign,
	} {
		_, _, err := tryRead(m, input(text), Options{Normalize: normalize.Options{NoRoles: true}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("input %q: error = %v, want %q", text, err, want)
		}
	}
}
