package read

import (
	"io"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/value"
)

// Recognise gives those of several mappings that recognise an input, in their
// order. Formats that cut the input alike look at the same frames together.
func Recognise(ms []*mapping.Mapping, in *frame.Input, limits frame.Options) []*mapping.Mapping {
	var groups []*cut
	byName := map[string]*cut{}
	for _, m := range ms {
		for _, f := range m.Formats {
			name := cutName(f)
			c := byName[name]
			if c == nil || name == "" {
				c = &cut{}
				groups = append(groups, c)
				byName[name] = c
			}
			c.formats, c.owners = append(c.formats, f), append(c.owners, m)
		}
	}
	found := map[*mapping.Mapping]bool{}
	for _, c := range groups {
		c.detect(in, limits, found)
	}
	return slices.DeleteFunc(slices.Clone(ms), func(m *mapping.Mapping) bool { return !found[m] })
}

// cut is a way to cut an input into frames, with the formats that want it.
type cut struct {
	formats []*mapping.Format
	owners  []*mapping.Mapping // of the formats
}

// cutName is equal for formats that cut an input alike; "" is alike to none.
func cutName(f *mapping.Format) string {
	switch {
	case f.File != "": // it may not be the input that is cut
	case f.Frames.Lines:
		return "lines"
	case f.Frames.JSON != nil:
		return "json\x00" + strings.Join(f.Frames.JSON, "\x00")
	}
	return ""
}

// detect notes the mappings that recognise the input by one of the formats.
func (c *cut) detect(in *frame.Input, limits frame.Options, found map[*mapping.Mapping]bool) {
	if !slices.ContainsFunc(c.owners, func(m *mapping.Mapping) bool { return !found[m] }) {
		return
	}
	o, err := openFrames(c.owners[0], c.formats[0], in, Options{Limits: limits})
	if err != nil {
		return
	}
	defer o.close()
	var probes []*probe
	for n, f := range c.formats {
		if owner := c.owners[n]; !found[owner] {
			probes = append(probes, newProbe(f, o.in, func() { found[owner] = true }))
		}
	}
	look(o.stream, probes)
}

// probe looks for a frame that a format recognises.
type probe struct {
	format *mapping.Format
	scope  expr.Scope
	file   string // of the frame, in a folder
	found  func()
}

func newProbe(f *mapping.Format, in *frame.Input, found func()) *probe {
	p := &probe{format: f, found: found}
	p.scope = expr.Scope{
		Lets: make([]value.Value, f.Lets), Arena: new(value.Arena), Failed: func(*expr.Program, string) {},
		Facts: noFacts{}, Files: newSiblings(f, in).get,
	}
	p.scope.File = func() value.Value { return p.scope.Arena.String(pathOf(in, p.file)) }
	return p
}

// look shows the first frames of a stream to the probes, until each has found
// one.
func look(stream frame.Stream, probes []*probe) {
	probes = slices.DeleteFunc(probes, func(p *probe) bool {
		if p.format.Detect == nil {
			p.found()
		}
		return p.format.Detect == nil
	})
	var around value.Doc
	if text := stream.Doc(); text != nil && around.Parse(text) == nil {
		for _, p := range probes {
			p.scope.Doc = around.Root()
		}
	}
	var doc value.Doc
	for n := 0; n < detectFrames && len(probes) > 0; n++ {
		fr, err := stream.Next()
		if n == 0 && err == io.EOF {
			// A document without frames is recognised by what is around them.
			for _, p := range probes {
				if !p.scope.Doc.IsNull() && p.format.Detect.Prog.Test(&p.scope) {
					p.found()
				}
			}
		}
		if err != nil {
			return
		}
		if fr.TooBig || doc.Parse(fr.Data) != nil {
			continue
		}
		probes = slices.DeleteFunc(probes, func(p *probe) bool {
			s := &p.scope
			s.Arena.Reset()
			p.file = fr.File
			s.It, s.Frame, s.Index, s.Line = doc.Root(), doc.Root(), fr.Index, fr.Line
			seen := p.format.Detect.Prog.Test(s)
			if seen {
				p.found()
			}
			return seen
		})
	}
}

// noFacts is a session of which nothing is known yet.
type noFacts struct{}

func (noFacts) Fact(int) value.Value            { return value.Value{} }
func (noFacts) MapFact(int, string) value.Value { return value.Value{} }
