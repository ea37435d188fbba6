package conformance

import (
	"path"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/render"
)

// The names of folders that a program looks for are made as the program makes
// them: seen in Grok Build, for paths of all lengths.
func TestFoldersOfLongPaths(t *testing.T) {
	c, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	m, err := c.Open("grok")
	if err != nil {
		t.Fatal(err)
	}
	deep := "/home/dev/project" + strings.Repeat("/"+strings.Repeat("é", 20), 6)
	fits := "/" + strings.Repeat("a", 252)
	for _, test := range []struct{ cwd, want string }{
		{"/home/dev/project", "%2Fhome%2Fdev%2Fproject"},
		{fits, "%2F" + fits[1:]},
		{deep + "/My Leaf_Dir", "my-leaf-dir-20cede595e8b489d"},
		{fits + "a", ""},            // nobody has seen how a long name is cut
		{deep + "/…", ""},           // nor what becomes of other characters
		{deep + "/two  blanks", ""}, // or of several that stand together
	} {
		paths, err := render.Paths(m.Mapping, render.Place{ID: "01a22bff-1d30-7aa2-8946-09815dbee6c4", Cwd: test.cwd, Created: 1796034511079})
		if err != nil || test.want == "" {
			if test.want != "" || err == nil {
				t.Errorf("%s: %v, %v", test.cwd, paths, err)
			}
			continue
		}
		for _, p := range paths {
			if got := path.Base(path.Dir(path.Dir(p))); got != test.want {
				t.Errorf("%s is in %s, want %s", test.cwd, p, test.want)
			}
		}
	}
}
