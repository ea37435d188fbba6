package conformance

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/internal/cli"
)

// refused are samples that a mapping knows and does not read.
var refused = map[string]bool{
	"fx/schema3-manifest-only/.fx/sessions/trajmap-schema3": true,
}

// foreign is what a sample holds that was made to hold it.
var foreign = map[string]string{
	"cursor": "unknown-field.db#5b8e6f0a-1c2d-4e3f-8a9b-0c1d2e3f4a5b: cursor: unknown.ConversationStateStructure.900: new key",
}

// TestDrift wants every kind and field of the samples known.
func TestDrift(t *testing.T) {
	dir := samples(t)
	harnesses, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range harnesses {
		t.Run(h.Name(), func(t *testing.T) {
			load(t, h.Name())
			var stdout, stderr bytes.Buffer
			w := &cli.World{Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }}
			code := w.Run(t.Context(), []string{"drift", h.Name(), filepath.Join(dir, h.Name())})
			if !strings.Contains(stderr.String(), " sessions, ") {
				t.Errorf("exit code %d\n%s", code, &stderr)
			}
			known := foreign[h.Name()]
			for line := range strings.Lines(stdout.String()) {
				if known == "" || !strings.Contains(line, known) {
					t.Error(line)
				}
			}
			if known != "" && stdout.Len() == 0 {
				t.Errorf("without %q", known)
			}
			for line := range strings.Lines(stderr.String()) {
				path, _, failed := strings.Cut(strings.TrimPrefix(line, "trajmap: "), ": invalid_input: ")
				if name, err := filepath.Rel(dir, path); failed && (err != nil || !refused[filepath.ToSlash(name)]) {
					t.Error(line)
				}
			}
		})
	}
}
