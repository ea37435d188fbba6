package conformance

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// TestTree wants a session in many files to give what the database and the
// exported document of the same session give.
func TestTree(t *testing.T) {
	cases := filepath.Join("..", "..", "testdata", "opencode")
	early := "tree-early/input/project/home-dev-project/storage/session/info/ses_dd4142b37ffe8DOPBOvsfNXDmf.json"
	const legacy = "legacy-1.1.65/.local/share/opencode/storage/session/global/*.json"
	for _, pair := range []struct{ files, other sample }{
		{sample{path: "tree/input/storage/session/*/*.json"}, sample{path: "store/input.db"}},
		{sample{path: early}, sample{path: "store/input.db"}},
		{sample{path: "tree-rewind/input/storage/session/*/*.json"}, sample{path: "rewind-part/input.json"}},
		{sample{harness: "opencode", path: legacy}, sample{harness: "opencode", path: "legacy-1.1.65/export.json"}},
	} {
		for name, view := range views {
			t.Run(pair.files.String()+"/"+name, func(t *testing.T) {
				read := func(s sample) *engine.Session {
					if s.harness == "" {
						s.harness, s.dir = "opencode", cases
					}
					session, err := s.read(t, view)
					if err != nil {
						t.Fatal(err)
					}
					return session
				}
				got, want := read(pair.files), read(pair.other)
				if len(want.Records) < 5 {
					t.Fatalf("%d records", len(want.Records))
				}
				if d := cmp.Diff(want.Records, got.Records); d != "" {
					t.Errorf("records (-want +got):\n%s", d)
				}
				if d := cmp.Diff(want.Diagnostics, got.Diagnostics, cmp.Comparer(func(a, b trajectory.Diagnostic) bool { return a.Code == b.Code })); d != "" {
					t.Errorf("diagnostics (-want +got):\n%s", d)
				}
			})
		}
	}
}
