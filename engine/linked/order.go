package linked

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// sort puts the files of the frames in the order that they state. One that states
// none stands behind the one before it by name.
func (s *stream) sort(dir string) error {
	keys := make(map[string]key, len(s.files))
	b := builder{stream: s}
	var before key
	for _, e := range s.files {
		k := before
		if b.read(path.Join(dir, e.name)) == "" && b.parse() == "" {
			v := b.doc.Root()
			for name := range strings.SplitSeq(s.spec.Order, ".") {
				v = v.Get(name)
			}
			if number, ok := v.Float(); ok {
				k = key{number: number}
			} else if v.IsString() {
				k = key{text: v.Str()}
			}
		}
		keys[e.name], before = k, k
	}
	slices.SortStableFunc(s.files, func(a, b entry) int {
		x, y := keys[a.name], keys[b.name]
		return cmp.Or(cmp.Compare(x.number, y.number), cmp.Compare(x.text, y.text))
	})
	return nil
}

// key is what files are sorted by: a number, or a text.
type key struct {
	number float64
	text   string
}
