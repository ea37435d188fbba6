package mapping

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/trajmap/trajmap/engine/diag"
)

// Whatever the file: no panic, a mapping or an error, and every finding at a
// place that the file has.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/*.yaml", "testdata/errors/*.yaml", "../../mappings/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, found := Parse("f.yaml", data)
		if (m == nil) != (found.Err() != nil) {
			t.Fatalf("a mapping: %t, errors: %v", m != nil, found.Err())
		}
		report := diag.NewReporter("f.yaml", data)
		for _, p := range found {
			if p.Line > report.Lines() || p.Line > 0 && p.Col > utf8.RuneCountInString(report.Line(p.Line))+1 || p.Code == "" || p.Message == "" {
				t.Errorf("%+v is outside of the file", p)
			}
		}
	})
}
