package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestPage wants every package on the page about the architecture, and no others.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`((?:cmd|internal|engine)(?:/[a-z]+)*|mappings|schema|descriptors|scripts|docs/[a-z]+)`").FindAllStringSubmatch(string(text), -1) {
		named[m[1]] = true
	}
	list, _ := files(t)
	there := map[string]bool{}
	for _, f := range list {
		if pkg := f.pkg(); !there[pkg] {
			there[pkg] = true
			if !named[pkg] {
				t.Errorf("docs/architecture.md does not say what %s is", pkg)
			}
		}
	}
	for pkg := range named {
		if !there[pkg] {
			t.Errorf("docs/architecture.md names %s, which is no package", pkg)
		}
	}
}
