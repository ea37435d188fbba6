package cli

import (
	"context"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// auto is the mapping's name that stands for the one that recognises an input.
const auto = "auto"

// picker finds the mapping for an input.
type picker struct {
	catalog *engine.Catalog // of all mappings, when one is to be recognised
	named   *engine.Mapping // else
	say     func(string)
}

// picker compiles the mapping of a name or file; "auto" compiles those there are
// when they are needed.
func (w *World) picker(name string) (*picker, error) {
	c, err := w.catalog()
	if err != nil {
		return nil, err
	}
	if name == auto {
		return &picker{catalog: c, say: w.say}, nil
	}
	m, err := c.Open(name)
	if err != nil {
		return nil, err
	}
	return &picker{named: m, say: w.say}, nil
}

// mapping is the one to read an input with: the one that was named, that of the
// store where the input was found, or the one that recognises it.
func (p *picker) mapping(ctx context.Context, in *engine.Input, t target) (*engine.Mapping, error) {
	switch {
	case p.named != nil:
		return p.named, nil
	case t.m != nil:
		return t.m, nil
	}
	m, err := p.recognise(ctx, in)
	switch {
	case err != nil:
		return nil, err
	case m == nil && in.Size == 0:
		return nil, trajectory.Errorf(trajectory.InvalidInput, "the input is empty")
	case m == nil:
		return nil, trajectory.Errorf(trajectory.UnknownSource,
			"no mapping recognises this input (name one; trajmap mappings lists them)")
	}
	return m, nil
}

// recognise is the mapping that recognises an input; nil when none does.
func (p *picker) recognise(ctx context.Context, in *engine.Input) (*engine.Mapping, error) {
	if p.named == nil {
		return p.catalog.Detect(ctx, in)
	}
	if p.named.Recognises(in) {
		return p.named, nil
	}
	return nil, nil
}

// sessions are the ids of the sessions that an input holds; none when it is no
// input of several, or when that cannot be told without reading it.
func (p *picker) sessions(ctx context.Context, t target) []string {
	in, done, err := t.open()
	if err != nil {
		return nil
	}
	defer done()
	m, err := p.recognise(ctx, in)
	if m == nil || err != nil {
		return nil
	}
	list, err := m.Sessions(in)
	if err != nil {
		return nil
	}
	var ids []string
	for _, s := range list {
		ids = append(ids, s.ID)
	}
	return ids
}

// readsFolders reports whether a folder may be a session.
func (p *picker) readsFolders() (bool, error) {
	if p.named != nil {
		return p.named.ReadsFolders(), nil
	}
	for _, e := range p.catalog.Entries() {
		m, err := e.Open()
		if err != nil {
			return false, err
		}
		if m.ReadsFolders() {
			return true, nil
		}
	}
	return false, nil
}

// String names the mapping for people.
func (p *picker) String() string {
	if p.named != nil {
		return "the mapping of " + p.named.Harness
	}
	return "any mapping"
}
