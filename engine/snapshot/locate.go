package snapshot

import (
	"iter"
	"path/filepath"
	"strings"

	"github.com/trajmap/trajmap/engine/mapping"
)

// place is where the file with a session's frames stands.
type place struct {
	home  []string // names of the folders above it, from the root of the file system
	below []string // its path below its harness's home
	depth int      // of its last names, how many are in a session that is a folder
	sure  bool     // a layout of the harness's stores has such paths
}

// locate finds the home that a file of a session is below, by what the mapping
// says of its stores. Of a path that fits none, the home is the folder that it is
// in. folder is the session's own; "" when it is the file.
func locate(m *mapping.Mapping, path, folder string) place {
	names := namesOf(path)
	own := names
	if folder != "" {
		own = namesOf(folder)
	}
	depth := len(names) - len(own)
	for p := range patterns(m) {
		if start, ok := fits(p, own); ok && p.Folder == (folder != "") {
			return place{names[:start], names[start:], depth, true}
		}
	}
	at := len(names) - 1
	return place{home: names[:at], below: names[at:]}
}

// patterns are those of the paths of a harness's sessions, with their stores.
func patterns(m *mapping.Mapping) iter.Seq2[*mapping.Pattern, *mapping.Store] {
	return func(yield func(*mapping.Pattern, *mapping.Store) bool) {
		for _, store := range m.Stores {
			for _, layout := range store.Layouts {
				for _, p := range layout.Paths {
					if !yield(p, store) {
						return
					}
				}
			}
		}
	}
}

func namesOf(path string) []string {
	return strings.Split(strings.Trim(filepath.ToSlash(path), "/"), "/")
}

// path is the session's own path below the home.
func (p *place) path() string {
	path := strings.Join(p.below[:len(p.below)-p.depth], "/")
	if p.depth > 0 {
		path += "/"
	}
	return path
}

// fits finds where the end of a path begins that a pattern fits.
func fits(p *mapping.Pattern, names []string) (start int, ok bool) {
	for start := len(names) - 1; start >= 0 && len(p.Segments) > 0; start-- {
		if match(p.Segments, names[start:], nil) {
			return start, true
		}
	}
	return 0, false
}

func match(segments []mapping.Segment, names []string, above []mapping.Part) bool {
	switch {
	case len(segments) == 0:
		return len(names) == 0
	case segments[0].Any:
		for n := range len(names) + 1 {
			if match(segments[1:], names[n:], above) {
				return true
			}
		}
		return false
	case len(names) == 0:
		return false
	}
	parts, ok := segments[0].Match(names[0], above)
	return ok && match(segments[1:], names[1:], parts)
}

// up takes one more folder into the session's path; false when there is none.
func (p *place) up() bool {
	if len(p.home) == 0 {
		return false
	}
	n := len(p.home) - 1
	p.home, p.below = p.home[:n], append([]string{p.home[n]}, p.below...)
	return true
}

// name is the path of a file below the home; false when it is elsewhere.
func (p *place) name(path string) (string, bool) {
	names := namesOf(path)
	if len(names) <= len(p.home) {
		return "", false
	}
	for i, name := range p.home {
		if names[i] != name {
			return "", false
		}
	}
	return strings.Join(names[len(p.home):], "/"), true
}
