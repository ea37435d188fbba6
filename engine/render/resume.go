package render

import (
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/engine/value"
)

// Stand-ins in the words of a [Resume] for what is not known when a session is
// written.
const (
	RootMark   = "{root}"   // the folder that the files are below
	PromptMark = "{prompt}" // what is said next
	ExportMark = "{export}" // the folder of the export
)

// Resume says how a harness goes on with a session.
type Resume struct {
	Cwd        string
	Argv       []string          // for a person at a terminal
	Prompt     []string          // with one prompt; nil when there is no such way
	ACP        []string          // starts the program as an agent of the Agent Client Protocol
	Env        map[string]string // always
	Home       map[string]string // make the root the program's home
	NeedsModel bool              // nothing can be said before a model is named
}

// Commands gives the ways to go on with an export.
func Commands(m *mapping.Mapping, s *session.Session, e *Export, o Options) (*Resume, error) {
	if m.Resume == nil {
		return nil, &Error{File: m.File, Reason: "the mapping does not say how " + m.Harness + " resumes"}
	}
	r := after(m, s, e, o)
	r.bind(m.Resume.Lets)
	c := &Resume{
		Argv: r.words(m.Resume.Argv), Prompt: r.words(m.Resume.Prompt), ACP: r.words(m.Resume.ACP),
		Env: r.variables(m.Resume.Env), Home: r.variables(m.Resume.Home),
	}
	if m.Resume.Cwd != nil {
		var err error
		if c.Cwd, err = r.string(m.Resume.Cwd); err != nil && r.failure == nil {
			r.failure = err
		}
	}
	c.NeedsModel = m.Resume.NeedsModel != nil && m.Resume.NeedsModel.Prog.Test(&r.scope)
	return c, r.failure
}

// Step is something that is done with an export before the program finds the
// session.
type Step struct {
	Step             string
	Argv, Show, Undo []string
	Env              map[string]string

	Store string `json:",omitempty"` // handler of a StoreStep, which makes the store Path of File
	File  string `json:",omitempty"` // path below the export
	Path  string `json:",omitempty"` // path below the program's home
}

// Steps are what is to be done with an export, see [mapping.Prepare].
func Steps(m *mapping.Mapping, s *session.Session, e *Export, o Options) ([]Step, error) {
	if len(m.Write.Prepare) == 0 {
		return nil, nil
	}
	stores, err := Stores(m, placeOf(s, e.ID))
	if err != nil {
		return nil, err
	}
	r := after(m, s, e, o)
	r.bind(m.Write.Lets)
	var list []Step
	for _, p := range m.Write.Prepare {
		if p.Store != "" {
			list = append(list, Step{Step: p.Step, Store: p.Store, File: e.named(p.File).Path, Path: stores[0]})
			stores = stores[1:]
			continue
		}
		list = append(list, Step{Step: p.Step, Argv: r.words(p.Argv), Show: r.words(p.Show), Undo: r.words(p.Undo), Env: r.variables(p.Env)})
	}
	return list, r.failure
}

// after is a renderer that knows what was written.
func after(m *mapping.Mapping, s *session.Session, e *Export, o Options) *renderer {
	r := newRenderer(m, s, o)
	r.named(e.ID)
	for i := range e.Files {
		if e.Files[i].Name != "" {
			r.wrote(&e.Files[i])
		}
	}
	r.knows()
	r.scope.Lets[mapping.RootName] = r.arenas[0].String(RootMark)
	r.scope.Lets[mapping.ExportName] = r.arenas[0].String(ExportMark)
	r.scope.Lets[mapping.PromptName] = r.arenas[0].String(PromptMark)
	return r
}

// value evaluates a template to a value.
func (r *renderer) value(t *mapping.Template) value.Value {
	if t == nil {
		return value.Value{}
	}
	b, ok, err := r.template(nil, t)
	if err != nil && r.failure == nil {
		r.failure = err
	}
	var doc value.Doc
	if err != nil || !ok || doc.Parse(b) != nil {
		return value.Value{}
	}
	return doc.Root()
}

func (r *renderer) words(t *mapping.Template) []string {
	var list []string
	for item := range r.value(t).Items() {
		list = append(list, word(item))
	}
	return list
}

func (r *renderer) variables(t *mapping.Template) map[string]string {
	list := map[string]string{}
	for name, item := range r.value(t).Members() {
		list[name.String()] = word(item)
	}
	return list
}

// word is a value as it stands on a command line.
func word(v value.Value) string {
	if v.IsString() {
		return v.Str()
	}
	return string(v.Raw())
}
