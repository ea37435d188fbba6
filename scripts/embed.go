// Package scripts holds programs that are written beside an export, for people
// who prepare it without trajmap. They are the same for every session: what is
// particular to one is read from the files beside them, or is an argument.
package scripts

import (
	"embed"
	"io/fs"
	"path"
)

//go:embed *
var files embed.FS

// Names are the names of the scripts.
func Names() (names []string) {
	list, _ := fs.ReadDir(files, ".")
	for _, e := range list {
		if path.Ext(e.Name()) != ".go" {
			names = append(names, e.Name())
		}
	}
	return names
}

// Text is the text of a script; false when there is none of the name.
func Text(name string) ([]byte, bool) {
	text, err := files.ReadFile(name)
	return text, err == nil
}
