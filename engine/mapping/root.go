package mapping

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Root is a folder that a store is in. It has alternatives: the first counts
// all of whose variables are set, whether it exists or not, as programs do it.
type Root struct {
	Pos    Pos
	Places []string // with ~, $NAME and * as written
}

// Expand gives the folder; "" when a variable is missing in every alternative.
// What is below it is the rest of the place from the first name on that holds a
// `*`, which stands for any characters there; with slashes, "" when there is none.
// A `*` in the value of a variable is itself. getenv looks a variable up; an empty
// one counts as not set.
func (r *Root) Expand(getenv func(string) string, home string) (folder, below string) {
	for _, place := range r.Places {
		below = ""
		if star := strings.IndexByte(place, '*'); star >= 0 {
			cut := strings.LastIndexByte(place[:star], '/')
			place, below = place[:max(cut, 0)], place[cut+1:]
		}
		missing := false
		path := variable.ReplaceAllStringFunc(place, func(name string) string {
			value := getenv(name[1:])
			missing = missing || value == ""
			return value
		})
		if missing {
			continue
		}
		if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') {
			if home == "" {
				continue
			}
			path = home + rest
		}
		if path == "" {
			path = "/"
		}
		return filepath.FromSlash(path), below
	}
	return "", ""
}

// MatchStars reports whether a name fits a pattern in which `*` stands for any
// characters, and nothing else for anything but itself.
func MatchStars(pattern, name string) bool {
	first, rest, ok := strings.Cut(pattern, "*")
	if !ok {
		return pattern == name
	}
	if !strings.HasPrefix(name, first) {
		return false
	}
	name = name[len(first):]
	pieces := strings.Split(rest, "*")
	for _, piece := range pieces[:len(pieces)-1] {
		at := strings.Index(name, piece)
		if at < 0 {
			return false
		}
		name = name[at+len(piece):]
	}
	return strings.HasSuffix(name, pieces[len(pieces)-1])
}

var variable = regexp.MustCompile(`\$[A-Za-z_][A-Za-z0-9_]*`)

// Variables are the environment variables that move the root.
func (r *Root) Variables() []string {
	var names []string
	for _, place := range r.Places {
		for _, name := range variable.FindAllString(place, -1) {
			if !slices.Contains(names, name[1:]) {
				names = append(names, name[1:])
			}
		}
	}
	return names
}

// aPlace is a folder's path: it must not depend on where the program runs.
var aPlace = pattern{"a path that begins with ~, $NAME or /", `^(~(/|$)|\$[A-Za-z_]|/)`, func(s string) bool {
	return s == "~" || strings.HasPrefix(s, "~/") || strings.HasPrefix(s, "/") || variable.MatchString(s) && s[0] == '$'
}}

// aFolder is a folder below another: it must not lead out of it.
var aFolder = pattern{"a path below a folder, without . and ..", `^[^/\\]+(/[^/\\]+)*$`, func(s string) bool {
	return fs.ValidPath(s) && s != "." && !strings.ContainsAny(s, `\:`)
}}

func (d *decoder) root(n *yaml.Node) *Root {
	r := &Root{Pos: pos(n)}
	for _, place := range items(n) {
		if d.accept(text(aPlace), place, "a root") {
			r.Places = append(r.Places, place.Value)
		}
	}
	return r
}
