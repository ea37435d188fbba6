package discover

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/value"
)

// readers are one worker's, by mapping: they keep their buffers.
type readers map[*engine.Mapping]*read.Reader

func (rs readers) of(m *engine.Mapping) *read.Reader {
	r := rs[m]
	if r == nil {
		r = read.New(m.Mapping)
		rs[m] = r
	}
	return r
}

// open reads what is to be known of a candidate, by reading samples of it as
// sessions are read: c.session is nil when it turns out to be none. The error
// is of what cannot be read.
func (c *candidate) open(ctx context.Context, rs readers) error {
	if c.opened {
		return nil
	}
	c.opened = true
	s := Session{Harness: c.agent.Harness, Path: c.path, Folder: c.folder(), Member: c.member, Mapping: c.agent.Mapping}
	l := c.look(nil)
	c.fill(&s, l)
	if c.row.Exists() && s.Title != "" {
		return c.known(s, l)
	}
	var err error
	for _, size := range sampleSizes {
		var g glance
		var whole bool
		if whole, err = g.read(ctx, c, rs.of(c.agent.Mapping), size); errors.Is(err, context.Canceled) {
			c.opened = false
			return err
		}
		if g.result == nil {
			if whole || size == sampleMost {
				return err
			}
			continue
		}
		l = c.look(g.result.Session)
		s = Session{Harness: s.Harness, Path: s.Path, Folder: s.Folder, Member: s.Member, Mapping: s.Mapping}
		c.fill(&s, l)
		g.fill(&s)
		if whole && !g.said {
			return nil
		}
		if whole || s.Title != "" && s.Cwd != "" {
			break
		}
	}
	return c.known(s, l)
}

// fill takes what the layout says.
func (c *candidate) fill(s *Session, l *look) {
	s.ID = l.text(mapping.ListID)
	s.Title = oneLine(l.text(mapping.ListTitle))
	s.Cwd = l.text(mapping.ListCwd)
	s.GitBranch = l.text(mapping.ListGitBranch)
	s.Model = l.text(mapping.ListModel)
	s.Parent = l.text(mapping.ListParent)
	if t, ok := l.time(mapping.ListCreated); ok {
		s.Created = time.UnixMilli(t).UTC()
	}
	if t, ok := l.time(mapping.ListUpdated); ok && c.updated == 0 {
		c.updated = t
	}
}

// known keeps a session that is one.
func (c *candidate) known(s Session, l *look) error {
	if l.excluded() {
		return nil
	}
	if c.updated == 0 {
		c.updated = c.lastTime()
	}
	if s.ID == "" {
		s.ID = c.member
	}
	if s.ID == "" {
		s.ID = stem(c.path)
	}
	c.id = s.ID
	s.Updated = time.UnixMilli(c.updated).UTC()
	c.session = &s
	return nil
}

// glance is what the reading of a sample tells.
type glance struct {
	result *read.Result // nil when it could not be read
	said   bool         // something was said in it
	prompt string       // the first thing that the user said, one line
	model  string       // the last one
	first  int64        // time, in ms
}

func (g *glance) read(ctx context.Context, c *candidate, r *read.Reader, size int64) (whole bool, err error) {
	sample, done, err := c.sample(size)
	if err != nil {
		return true, err // a larger one does no better
	}
	defer done()
	o := read.Options{
		Alone: true, Head: 1 << 30, Session: c.member,
		Normalize: normalize.Options{Partial: true, OmitResults: true, Group: c.member},
	}
	if sample.head > 0 {
		o.Head = sample.head
	}
	g.result, err = r.Read(ctx, sample.in, o, func(*normalize.Plan) (normalize.Sink, error) { return g, nil })
	return sample.whole || sample.head > 0, err
}

// Record looks at a record.
func (g *glance) Record(r *normalize.Record) error {
	if len(r.Model) > 0 && r.Type != normalize.MetaRecord {
		g.model = string(value.AppendDecoded(nil, r.Model))
	}
	switch r.Type {
	case normalize.UserRecord, normalize.AssistantRecord, normalize.CallRecord:
		g.said = true
		if g.prompt == "" && r.Type == normalize.UserRecord {
			g.prompt = oneLine(string(value.AppendDecoded(nil, r.Content)))
		}
	}
	if r.HasSourceTime && g.first == 0 {
		g.first = r.Time
	}
	return nil
}

// fill takes what nothing else has said.
func (g *glance) fill(s *Session) {
	fact := func(at *string, name string) {
		if *at == "" {
			*at = text(g.fact(name))
		}
	}
	fact(&s.ID, "group")
	fact(&s.Cwd, "cwd")
	fact(&s.GitBranch, "git_branch")
	if s.Model == "" {
		s.Model = g.model
	}
	fact(&s.Model, "model")
	if s.Title == "" {
		s.Title = oneLine(text(g.fact("title")))
	}
	if s.Title == "" {
		s.Title = g.prompt
	}
	if s.Created.IsZero() {
		t, ok := read.Millis(g.fact("created_at"))
		if !ok {
			t, ok = g.first, g.first != 0
		}
		if ok {
			s.Created = time.UnixMilli(t).UTC()
		}
	}
}

func (g *glance) fact(name string) value.Value {
	for i, f := range g.result.Format.Session {
		if f.Name == name && f.Agg != mapping.MapOf {
			return g.result.Session.Fact(i)
		}
	}
	return value.Value{}
}

// maxTitle is the longest title, in characters.
const maxTitle = 200

// oneLine is a text without breaks and control characters, cut where it is too
// long.
func oneLine(s string) string {
	var b strings.Builder
	count, space := 0, false
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			count++
		}
		space = false
		if count++; count > maxTitle {
			return strings.TrimSuffix(b.String(), " ") + "…"
		}
		b.WriteRune(r)
	}
	return b.String()
}
