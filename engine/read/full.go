package read

import (
	"bytes"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/beside"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/value"
)

// Hazards of results whose text is elsewhere.
const (
	persistedResult = "persisted_result"
	lineageMissing  = "lineage_missing"
)

// fulls are the files that have the whole text of results.
type fulls struct {
	found []string
	paths map[*mapping.Full]map[string]string // by name; "" is missing
}

// full notes that the result at hand is a part, and takes the whole in its place
// where that is asked for.
func (s *session) full(f *mapping.Full) {
	if s.pass != planning && (s.pass != emitting || !s.o.FullResults) {
		return
	}
	name := s.scalar(f.Name.Prog.Eval(&s.scope)).Str()
	if name == "" {
		return
	}
	at := s.fulls.find(f, s.siblings, name)
	if !s.o.FullResults {
		s.hazards.note(persistedResult, "", s.at.Line)
		return
	}
	text, ok := s.fullText(at)
	if !ok {
		if s.pass == planning {
			s.hazards.note(lineageMissing, "", s.at.Line)
		}
		return
	}
	s.events.values[textOf] = s.arena.Text(func(dst []byte) []byte { return value.AppendEncoded(dst, text) })
}

// find gives the file of a name that a session states. Of a path only the last
// name counts: nothing else is reached than what the mapping names.
func (l *fulls) find(f *mapping.Full, files *siblings, name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	if at, known := l.paths[f][name]; known {
		return at
	}
	at := ""
	if name != "" && name != "." && name != ".." && files.dir != "" {
		for _, in := range f.In {
			found, err := beside.Glob(files.dir, path.Join(files.quoted.Replace(in), quoteMeta(name)))
			if err == nil && len(found) > 0 {
				at = filepath.Join(files.dir, filepath.FromSlash(found[0]))
				break
			}
		}
	}
	if l.paths == nil {
		l.paths = map[*mapping.Full]map[string]string{}
	}
	if l.paths[f] == nil {
		l.paths[f] = map[string]string{}
	}
	l.paths[f][name] = at
	if at != "" && !slices.Contains(l.found, at) {
		l.found = append(l.found, at)
	}
	return at
}

// fullText reads the whole text of a result; ok is false when it cannot be had.
func (s *session) fullText(at string) (text []byte, ok bool) {
	if at == "" {
		return nil, false
	}
	file, err := os.Open(at)
	if err != nil {
		return nil, false
	}
	defer file.Close()
	most := s.o.Limits.Most()
	text, err = io.ReadAll(io.LimitReader(file, most+1))
	if err != nil || int64(len(text)) > most {
		return nil, false
	}
	return bytes.ToValidUTF8(text, []byte("\ufffd")), true
}
