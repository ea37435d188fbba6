// Package render writes a session as another harness's native files, by the
// writing half of that harness's mapping.
//
// It is pure: a session and options in, files out, no clock, no home, no
// program. The same input gives the same bytes.
package render

import (
	"fmt"

	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/engine/value"
)

// Options are what whoever writes asks for. Empty ones are absent.
type Options struct {
	Model, Provider string
	SessionID       string // in place of the id that the mapping makes
	Salt            string // makes another id, for a second copy
}

// File is a file of an export. Its path is below the export's folder.
type File struct {
	Name    string
	Path    string
	Data    []byte
	Rewrite []string // see mapping.OutFile
}

// Export is a session as files.
type Export struct {
	ID    string
	Files []File
}

// An Error says which place of the mapping could not be written.
type Error struct {
	File   string
	Pos    mapping.Pos
	Reason string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Pos.Line, e.Pos.Col, e.Reason)
}

// Render writes a session. The error is an *[Error].
func Render(m *mapping.Mapping, s *session.Session, o Options) (*Export, error) {
	if m.Write == nil {
		return nil, &Error{File: m.File, Reason: "sessions of " + m.Harness + " are only read"}
	}
	r := newRenderer(m, s, o)
	export := &Export{ID: o.SessionID}
	if export.ID == "" {
		export.ID = r.text(m.Write.ID)
	}
	if export.ID == "" {
		return nil, r.fail(m.Write.Pos, "the session's id came out empty")
	}
	r.named(export.ID)
	r.bind(m.Write.Lets)
	for _, f := range m.Write.Files {
		file, err := r.file(f)
		if err != nil {
			return nil, err
		}
		export.Files = append(export.Files, *file)
	}
	if r.failure != nil {
		return nil, r.failure
	}
	return export, nil
}

// renderer is the state of one export.
type renderer struct {
	m       *mapping.Mapping
	s       *session.Session
	scope   expr.Scope
	outer   value.Arena // values that live as long as the export
	inner   value.Arena // values of the message or turn at hand
	view    value.Value // the session, which is `it` at the top
	all     []*mapping.TemplateMember
	prev    [2]value.Doc
	counter value.Doc
	out     []byte
	count   int
	written []byte // members of written
	failure error
}

func newRenderer(m *mapping.Mapping, s *session.Session, o Options) *renderer {
	r := &renderer{m: m, s: s}
	slots := 0
	for _, f := range m.Formats {
		slots = max(slots, f.Lets)
	}
	r.scope = expr.Scope{Lets: make([]value.Value, max(slots, 16)), Arena: &r.outer}
	r.scope.Failed = func(p *expr.Program, reason string) {
		if r.failure == nil {
			r.failure = &Error{File: m.File, Reason: "the expression " + p.Source + " failed: " + reason}
		}
	}
	seed := s.Seed
	if o.Salt != "" {
		seed += "#" + o.Salt
	}
	r.view = r.outer.JSON(func(dst []byte) []byte { return appendSession(dst, s, "", seed) })
	r.scope.It = r.view
	r.scope.Lets[mapping.SessionName] = r.view
	r.scope.Lets[mapping.OptionsName] = r.outer.JSON(func(dst []byte) []byte {
		w := object(dst)
		w.str("model", o.Model)
		w.str("provider", o.Provider)
		return w.end()
	})
	return r
}

// named makes the view of the session with its id.
func (r *renderer) named(id string) {
	seed := r.view.Get("seed").Str()
	r.view = r.outer.JSON(func(dst []byte) []byte { return appendSession(dst, r.s, id, seed) })
	r.scope.It = r.view
	r.scope.Lets[mapping.SessionName] = r.view
}

func (r *renderer) fail(pos mapping.Pos, reason string) error {
	return &Error{File: r.m.File, Pos: pos, Reason: reason}
}

// bind evaluates names at once: their values live as long as the arena of the
// place where they stand.
func (r *renderer) bind(lets []*mapping.Let) {
	for _, l := range lets {
		r.scope.Bind(l.Slot, l.Value.Prog)
		r.scope.Let(l.Slot)
	}
}

// text evaluates a value to a text, "" when absent.
func (r *renderer) text(v *mapping.Value) string {
	out := v.Prog.Eval(&r.scope)
	if out.IsString() {
		return out.Str()
	}
	return string(out.AppendJSON(nil))
}

// file writes one file.
func (r *renderer) file(f *mapping.OutFile) (*File, error) {
	r.scope.It = r.view
	r.out, r.count, r.all = nil, 0, nil
	r.scope.Lets[mapping.PrevName] = value.Value{}
	r.scope.Lets[mapping.CountName] = r.outer.Int(0)
	r.scope.Lets[mapping.WrittenName] = r.outer.JSON(func(dst []byte) []byte {
		return append(append(append(dst, '{'), r.written...), '}')
	})
	r.bind(f.Lets)
	path, err := r.string(f.Path)
	if err != nil {
		return nil, err
	}
	if !local(path) {
		return nil, r.fail(f.Pos, "the path of a file leaves the export")
	}
	switch {
	case f.Document != nil:
		r.out, err = r.document(f.Document)
	case f.Text != nil:
		var text string
		text, err = r.string(f.Text)
		r.out = []byte(text)
	default:
		err = r.steps(f.Frames)
	}
	if err != nil {
		return nil, err
	}
	if f.Name != "" {
		r.wrote(f.Name, path)
	}
	return &File{Name: f.Name, Path: path, Data: r.out, Rewrite: f.Rewrite}, nil
}

// wrote makes a file known to those after it.
func (r *renderer) wrote(name, path string) {
	if len(r.written) > 0 {
		r.written = append(r.written, ',')
	}
	r.written = append(value.AppendEncoded(append(r.written, '"'), name), '"', ':')
	w := object(r.written)
	w.str("path", path)
	w.int("n", int64(r.count))
	w.int("bytes", int64(len(r.out)))
	r.written = w.end()
}
