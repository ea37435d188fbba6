package cli

import (
	"context"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine"
)

// TestShipped runs the golden cases of every mapping that ships, and checks that
// it has some.
func TestShipped(t *testing.T) {
	t.Chdir("../..") // where testdata is
	catalog, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range catalog.Entries() {
		t.Run(e.Name, func(t *testing.T) {
			w, stdout, stderr := world()
			w.Getenv = func(name string) string {
				if name == "XDG_CONFIG_HOME" {
					return t.TempDir() // not the mappings of whoever runs this
				}
				return ""
			}
			for _, args := range [][]string{{"check", e.Name}, {"test", e.Name}} {
				if code := w.Run(context.Background(), args); code != exitDone {
					t.Errorf("trajmap %s: exit code %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
				}
			}
		})
	}
}
