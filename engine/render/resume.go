package render

import (
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/engine/value"
)

// Command is how a harness goes on with a session.
type Command struct {
	Argv       []string
	Env        map[string]string
	Cwd        string
	NeedsModel bool
}

// Resume gives the command for an export whose files are below root; with a
// prompt, the one that sends it.
func Resume(m *mapping.Mapping, s *session.Session, e *Export, o Options, root, prompt string) (*Command, error) {
	if m.Resume == nil {
		return nil, &Error{File: m.File, Reason: "the mapping does not say how " + m.Harness + " resumes"}
	}
	r := newRenderer(m, s, o)
	r.named(e.ID)
	for _, f := range e.Files {
		if f.Name != "" {
			r.wrote(f.Name, f.Path)
		}
	}
	r.scope.Lets[mapping.WrittenName] = r.outer.JSON(func(dst []byte) []byte {
		return append(append(append(dst, '{'), r.written...), '}')
	})
	r.scope.Lets[mapping.RootName] = r.outer.String(root)
	r.scope.Lets[mapping.PromptName] = r.outer.String(prompt)
	r.bind(m.Resume.Lets)
	c := &Command{Env: map[string]string{}}
	argv := m.Resume.Argv
	if prompt != "" && m.Resume.Prompt != nil {
		argv = m.Resume.Prompt
	}
	var doc value.Doc
	read := func(t *mapping.Template) (value.Value, error) {
		if t == nil {
			return value.Value{}, nil
		}
		b, ok, err := r.template(nil, t)
		if err != nil || !ok || doc.Parse(b) != nil {
			return value.Value{}, err
		}
		return doc.Root(), nil
	}
	v, err := read(argv)
	if err != nil {
		return nil, err
	}
	for item := range v.Items() {
		c.Argv = append(c.Argv, item.Str())
	}
	if v, err = read(m.Resume.Env); err != nil {
		return nil, err
	}
	for name, item := range v.Members() {
		c.Env[name.String()] = item.Str()
	}
	if v, err = read(m.Resume.Cwd); err != nil {
		return nil, err
	}
	c.Cwd = v.Str()
	c.NeedsModel = m.Resume.NeedsModel != nil && m.Resume.NeedsModel.Prog.Test(&r.scope)
	return c, r.failure
}
