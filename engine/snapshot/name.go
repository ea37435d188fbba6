package snapshot

import (
	"io/fs"
	"path"
	"strings"
)

// longestName bounds the path of a native file, in bytes.
const longestName = 4096

// validName reports whether a native file may have a name: it is a path below a
// folder, on every system.
func validName(name string) bool {
	return fs.ValidPath(name) && name != "." && len(name) <= longestName && !strings.ContainsAny(name, "\\\x00") &&
		!strings.Contains(strings.SplitN(name, "/", 2)[0], ":")
}

// checkNames holds names against each other: the attachments are sorted, and none
// stands twice or where another needs a folder.
func checkNames(raw File, attachments []File) error {
	seen := map[string]bool{}
	last := ""
	for i, f := range append([]File{raw}, attachments...) {
		switch {
		case !validName(f.Name):
			return formf("%q is no path below the harness's home", f.Name)
		case seen[f.Name]:
			return formf("the file %q is in it twice", f.Name)
		case i > 1 && f.Name < last:
			return formf("the attachments are not sorted: %q stands behind %q", f.Name, last)
		}
		seen[f.Name] = true
		last = f.Name
	}
	for name := range seen {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if seen[dir] {
				return formf("%q is a file, and %q would be in it", dir, name)
			}
		}
	}
	return nil
}
