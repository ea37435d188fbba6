// Package render writes a session as another harness's native files, by the
// writing half of that harness's mapping.
//
// It is pure: a session and options in, files out, no clock, no home, no
// program. The same input gives the same bytes. Files are written as they are
// made: those of frames a message or turn at a time, a document an item of its
// lists at a time.
package render

import (
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/engine/value"
	"github.com/trajmap/trajmap/scripts"
)

// Options are what whoever writes asks for. Empty ones are absent.
type Options struct {
	Model, Provider string
	KeepReasoning   bool   // where the target has a place for it
	SessionID       string // in place of the id that the mapping makes
	Salt            string // makes another id, for a second copy
	// Own are the target's own options, by their names; see mapping.OutOption.
	Own map[string]string
}

// File is a file of an export. Its path is below the export's folder.
type File struct {
	Name    string
	Path    string
	Size    int64
	SHA256  string   // in hexadecimal
	Rewrite []string // see mapping.OutFile
}

// Export is a session as files.
type Export struct {
	ID      string
	Files   []File
	Hazards []Hazard // what the mapping noted about the session at this target
}

// Hazard is what makes a session unsafe to go on with at the target. Verdict is
// "" or the mapping's own, which is stricter than the general one.
type Hazard struct {
	Code, Verdict string
	Count         int
}

// named is the file of a name, which the mapping has.
func (e *Export) named(name string) *File {
	return &e.Files[slices.IndexFunc(e.Files, func(f File) bool { return f.Name == name })]
}

// Create makes a file of an export, which does not exist yet. Its path is below
// the export's folder, with slashes.
type Create func(path string) (io.WriteCloser, error)

// An Error says which place of the mapping could not be written.
type Error struct {
	File   string
	Pos    mapping.Pos
	Reason string
}

func (e *Error) Error() string {
	if e.Pos.Line == 0 {
		return e.File + ": " + e.Reason
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Pos.Line, e.Pos.Col, e.Reason)
}

// Render writes a session. The error is an *[Error], or one of writing a file.
func Render(m *mapping.Mapping, s *session.Session, o Options, create Create) (*Export, error) {
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
	// Who installs the files knows of the session only what Place has.
	places, err := Paths(m, placeOf(s, export.ID))
	if err != nil {
		return nil, err
	}
	r.scope.It = r.view
	if err := r.steps(m.Write.Before); err != nil {
		return nil, err
	}
	for i, f := range m.Write.Files {
		file, err := r.file(f, create)
		if err != nil {
			return nil, err
		}
		if file.Path != places[i] {
			return nil, r.fail(f.Pos, "the path of a file depends on more than id, cwd, created and title")
		}
		export.Files = append(export.Files, *file)
	}
	if r.failure != nil {
		return nil, r.failure
	}
	export.Hazards = r.hazards
	return export, s.Err()
}

// renderer is the state of one export.
type renderer struct {
	m       *mapping.Mapping
	s       *session.Session
	scope   expr.Scope
	arenas  []*value.Arena // by depth of what is given one by one; the first lives as long as the export
	depth   int
	view    value.Value // the session, which is `it` at the top
	all     []*mapping.TemplateMember
	out     []byte
	spills  bool // what is made is a document, that need not be whole in memory
	to      *sink
	count   int
	written []byte // members of written
	hazards []Hazard
	failure error

	// What is at hand, and whose parts are given one by one: each asks for them
	// when `it` is still the view.
	message owner[*session.Message]
	turn    owner[*session.Turn]
}

type owner[T any] struct {
	view value.Value
	of   T
}

func newRenderer(m *mapping.Mapping, s *session.Session, o Options) *renderer {
	r := &renderer{m: m, s: s, arenas: []*value.Arena{new(value.Arena)}}
	slots := 0
	for _, f := range m.Formats {
		slots = max(slots, f.Lets)
	}
	r.scope = expr.Scope{Lets: make([]value.Value, max(slots, 16)), Arena: r.arenas[0]}
	r.scope.Failed = func(p *expr.Program, reason string) {
		if r.failure == nil {
			r.failure = r.fail(m.Write.Places[p], "the expression "+p.Source+" failed: "+reason)
		}
	}
	seed := s.Seed
	if o.Salt != "" {
		seed += "#" + o.Salt
	}
	r.it(func(dst []byte) []byte { return r.appendSession(dst, s, "", seed) })
	r.scope.Lets[mapping.OptionsName] = r.arenas[0].JSON(func(dst []byte) []byte { return appendOptions(dst, o, m.Write.Options) })
	return r
}

// it makes the view of the session.
func (r *renderer) it(view func(dst []byte) []byte) {
	r.view = r.arenas[0].JSON(view)
	r.scope.It = r.view
	r.scope.Lets[mapping.SessionName] = r.view
}

// named makes the view of the session with its id.
func (r *renderer) named(id string) {
	seed := r.view.Get("seed").Str()
	r.it(func(dst []byte) []byte { return r.appendSession(dst, r.s, id, seed) })
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
func (r *renderer) file(f *mapping.OutFile, create Create) (*File, error) {
	r.scope.It = r.view
	r.out, r.count, r.all = r.out[:0], 0, nil
	r.scope.Lets[mapping.PrevName] = value.Value{}
	r.scope.Lets[mapping.CountName] = r.arenas[0].Int(0)
	r.knows()
	r.bind(f.Lets)
	path, err := r.path(f.Path)
	if err != nil {
		return nil, err
	}
	encoder, err := encoder(f)
	if err != nil {
		return nil, r.fail(f.Pos, err.Error())
	}
	w, err := create(path)
	if err != nil {
		return nil, err
	}
	r.to = newSink(w, encoder)
	switch {
	case f.Document != nil:
		r.spills = true
		r.out, err = r.document(r.out, f.Document)
		r.spills = false
	case f.Text != nil:
		var text string
		text, err = r.string(f.Text)
		r.out = append(r.out, text...)
	case f.Script != "":
		text, _ := scripts.Text(f.Script) // the mapping's parser has found it
		r.out = append(r.out, text...)
	default:
		err = r.steps(f.Frames)
	}
	if err == nil {
		err = r.flush()
	}
	if err == nil {
		err = r.to.end()
	}
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, err
	}
	file := &File{Name: f.Name, Path: path, Size: r.to.size, SHA256: hex.EncodeToString(r.to.sum.Sum(nil)), Rewrite: f.Rewrite}
	if f.Name != "" {
		r.wrote(file)
	}
	return file, nil
}

// enough is how much of a file waits in memory.
const enough = 256 << 10

// flush writes what has been made of the file.
func (r *renderer) flush() error {
	_, err := r.to.in.Write(r.out)
	if cap(r.out) > 16*enough {
		r.out = nil
	}
	r.out = r.out[:0]
	return err
}

// wrote makes a file known to those after it, and to `resume`.
func (r *renderer) wrote(f *File) {
	if len(r.written) > 0 {
		r.written = append(r.written, ',')
	}
	r.written = append(value.AppendEncoded(append(r.written, '"'), f.Name), '"', ':')
	w := object(r.written)
	w.str("path", f.Path)
	w.int("n", int64(r.count))
	w.int("bytes", f.Size)
	r.written = w.end()
}

// knows makes what was written so far visible.
func (r *renderer) knows() {
	r.scope.Lets[mapping.WrittenName] = r.arenas[0].JSON(func(dst []byte) []byte {
		return append(slices.Concat(dst, []byte{'{'}, r.written), '}')
	})
}

// note notes a hazard.
func (r *renderer) note(st *mapping.OutStep) {
	for i := range r.hazards {
		if h := &r.hazards[i]; h.Code == st.Hazard && h.Verdict == st.Verdict {
			h.Count++
			return
		}
	}
	r.hazards = append(r.hazards, Hazard{st.Hazard, st.Verdict, 1})
}
