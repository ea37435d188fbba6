package read

import (
	"path/filepath"
	"strings"

	"github.com/trajmap/trajmap/engine/beside"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/value"
)

// siblings are the files beside an input, read on first use.
type siblings struct {
	format *mapping.Format
	dir    string
	named  *strings.Replacer // fills in a path what the input's own path says
	quoted *strings.Replacer // the same for a pattern
	docs   map[string]value.Value
}

func newSiblings(f *mapping.Format, in *frame.Input) *siblings {
	s := &siblings{format: f}
	if in.Name != "-" && in.Name != "" {
		s.dir = filepath.Dir(in.Name)
		name, _, _ := strings.Cut(filepath.Base(in.Name), ".")
		folder := ""
		if dir, err := filepath.Abs(s.dir); err == nil {
			folder = filepath.Base(dir)
		}
		s.named = strings.NewReplacer("{name}", name, "{folder}", folder)
		s.quoted = strings.NewReplacer("{name}", quoteMeta(name), "{folder}", quoteMeta(folder))
	}
	return s
}

// get is the content of a declared file; absent when there is no such file.
func (s *siblings) get(name string) value.Value {
	if v, ok := s.docs[name]; ok {
		return v
	}
	if s.docs == nil {
		s.docs = map[string]value.Value{}
	}
	s.docs[name] = s.load(name)
	return s.docs[name]
}

func (s *siblings) load(name string) value.Value {
	for _, ref := range s.format.Files {
		if ref.Name != name || s.dir == "" {
			continue
		}
		return beside.Load(s.path(ref))
	}
	return value.Value{}
}

// path is where a declared file would be.
func (s *siblings) path(ref *mapping.FileRef) string {
	return filepath.Join(s.dir, filepath.FromSlash(s.named.Replace(ref.Path)))
}

// quoteMeta makes a pattern that only a text itself fits.
func quoteMeta(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(s)
}
