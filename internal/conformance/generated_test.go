package conformance

import (
	"bytes"
	"testing"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/internal/sessiongen"
)

// TestGenerated holds what performance is measured on to be real input: the
// mappings know every key of it and find in it all that a session has.
func TestGenerated(t *testing.T) {
	c, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range sessiongen.Formats() {
		t.Run(format, func(t *testing.T) {
			name := format
			if name == "gemini" {
				name = "gemini-cli"
			}
			m, err := c.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := sessiongen.Write(&b, format, 1, 1); err != nil {
				t.Fatal(err)
			}
			in := engine.Bytes("session"+sessiongen.Ext(format), b.Bytes())
			s, err := m.ReadAll(t.Context(), in, engine.Options{Drift: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range s.Ledger.Entries {
				if e.Bucket == "unmapped" {
					t.Errorf("unmapped: %+v", e)
				}
			}
			for _, k := range s.Ledger.Keys {
				t.Errorf("not in the native schema: %+v", k)
			}
			var prompts, replies, calls, results int
			for _, r := range s.Records {
				switch {
				case r.Args != "":
					calls++
				case r.CallID != "":
					results++
				case r.Role == "user":
					prompts++
				case r.Role == "assistant" && r.Content != "":
					replies++
				}
			}
			if format == "cursor" { // its transcript has no results
				results = calls
			}
			if prompts == 0 || replies == 0 || calls == 0 || results != calls {
				t.Errorf("%d prompts, %d replies, %d calls, %d results", prompts, replies, calls, results)
			}
		})
	}
}
