package read

import (
	"errors"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/trajmap/trajmap/engine/beside"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/value"
)

// source is an input whose frames belong to the session.
type source struct {
	stream frame.Stream
	in     *frame.Input
	until  int64        // bytes of it that count; 0 is all
	group  []byte       // of a parent session, as text
	close  func() error // never nil
}

// maxParents bounds how far a session's line of parents is followed.
const maxParents = 64

// lineage finds the sessions that the input continues, oldest first, the input
// itself last.
func (s *session) lineage(input opened) error {
	s.sources = []source{{stream: input.stream, in: s.in, close: input.close}}
	j := s.format.Join
	if j == nil || s.o.Head > 0 {
		return nil
	}
	seen := map[string]bool{}
	for len(s.sources) <= maxParents {
		id, until, line, ok := s.parentOf(j, s.sources[0].stream)
		if !ok {
			return nil
		}
		path := findSession(j, filepath.Dir(s.in.Name), id)
		if path == "" || s.in.Name == "-" || seen[path] {
			s.hazards.note(j.Missing, "", line)
			s.before.hazards = len(s.hazards)
			return nil
		}
		seen[path] = true
		in, done, err := frame.Open(path)
		if err != nil {
			return err
		}
		parent, err := openFrames(s.m, s.format, in, Options{Limits: s.o.Limits, Alone: true})
		if err != nil {
			done()
			return err
		}
		closeBoth := func() error { return errors.Join(parent.close(), done()) }
		group := value.AppendEncoded(nil, id)
		s.sources = append([]source{{parent.stream, in, until, group, closeBoth}}, s.sources...)
	}
	return nil
}

// parentOf reads which session a stream continues from its first frames.
func (s *session) parentOf(j *mapping.Join, stream frame.Stream) (id string, until int64, line int, ok bool) {
	kinds := kindSet(j.On)
	if stream.Rewind() != nil {
		return
	}
	for range detectFrames {
		fr, err := stream.Next()
		if err != nil {
			return
		}
		if fr.TooBig || s.doc.Parse(fr.Data) != nil {
			continue
		}
		s.arena.Reset()
		it := s.doc.Root()
		s.scope.It, s.scope.Frame = it, it
		if kinds != nil && !kinds[string(s.topKind(it))] {
			continue
		}
		if v := j.Session.Prog.Eval(&s.scope); !blank(v) {
			if j.Until != nil {
				until, _ = j.Until.Prog.Eval(&s.scope).Int()
			}
			return str(v), until, fr.Line, true
		}
		return
	}
	return
}

// sessionID is what may stand in a file name: an id from an input never
// reaches out of the folder.
var sessionID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

func findSession(j *mapping.Join, dir, id string) string {
	if !sessionID.MatchString(id) {
		return ""
	}
	for _, pattern := range j.Find {
		if found, _ := beside.Glob(dir, strings.ReplaceAll(pattern, "{session}", id)); len(found) > 0 {
			return filepath.Join(dir, filepath.FromSlash(found[0]))
		}
	}
	return ""
}

// closeSources closes what lineage opened.
func (s *session) closeSources() {
	for _, src := range s.sources {
		src.close()
	}
	s.sources = nil
}
