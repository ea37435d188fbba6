package mapping

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/diag"
)

// What each faulty mapping in testdata/errors is told is the text beside it,
// read by a person: places, wording, hints.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m, found := Parse(filepath.Base(file), data)
			if len(found) == 0 {
				t.Error("nothing was found")
			}
			if (m == nil) != (found.Err() != nil) {
				t.Errorf("a mapping: %t, an error: %t", m != nil, found.Err() != nil)
			}
			var text bytes.Buffer
			if err := diag.Write(&text, "text", found); err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(file, ".yaml")+".txt", text.Bytes())
		})
	}
}
