package discover

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/value"
)

// candidate is what may be a session: a path that fits a layout, or a row of a
// database's own list.
type candidate struct {
	agent   *agent
	layout  *mapping.Layout
	pattern *mapping.Pattern
	rank    int // of the pattern among all of the mapping
	root    string
	path    string
	key     string // the path below its root, with the number of that
	parts   []mapping.Part
	size    int64
	changed int64 // of the file, in ms

	row    value.Value // of the database's own list
	member string      // its id there

	// What the first look tells. An id is "" when the session must be opened for it.
	id      string
	updated int64
	tie     string // of those with the same time the smallest comes first

	session *Session // once it has been opened; nil: it is none
	opened  bool
}

func (c *candidate) folder() bool { return c.pattern.Folder }

// it is what the values of the layout look at.
func (c *candidate) it() value.Value {
	if c.row.Exists() {
		return c.row
	}
	text := append([]byte(`{"`+mapping.Modified+`":`), strconv.FormatInt(c.changed, 10)...)
	for _, p := range c.parts {
		text = append(value.AppendEncoded(append(text, `,"`...), p.Name), `":"`...)
		text = append(value.AppendEncoded(text, p.Value), '"')
	}
	var doc value.Doc
	if doc.Parse(append(text, '}')) != nil {
		return value.Value{}
	}
	return doc.Root()
}

// look is a place from which the values of a layout can be seen.
type look struct {
	*candidate
	scope expr.Scope
	facts bool // those of the session are known
}

// look sets up a scope; facts are nil before the session has been opened.
func (c *candidate) look(facts expr.Facts) *look {
	l := &look{candidate: c, facts: facts != nil}
	it := c.it()
	l.scope = expr.Scope{
		It: it, Frame: it, Arena: new(value.Arena), Facts: facts,
		Files: func(name string) value.Value { return c.agent.files.get(c, name) },
	}
	if c.layout.ReadsDocument() {
		l.scope.Doc = c.document()
	}
	return l
}

// needs reports whether a value cannot be seen before the session is opened.
func (l *look) needs(v *mapping.ListValue) bool { return v != nil && v.Facts && !l.facts }

// field is what the layout itself says, or else the path's part or the row's
// column of that name.
func (l *look) field(f mapping.ListField) value.Value {
	if v := l.layout.Fields[f]; v != nil && !l.needs(v) {
		if out := v.Prog.Eval(&l.scope); !blank(out) {
			return out
		}
	}
	return l.scope.It.Get(f.String())
}

func (l *look) text(f mapping.ListField) string { return text(l.field(f)) }

func (l *look) time(f mapping.ListField) (int64, bool) { return read.Millis(l.field(f)) }

// excluded reports whether the layout says that this is no session.
func (l *look) excluded() bool {
	v := l.layout.If
	return v != nil && !l.needs(v) && !v.Prog.Test(&l.scope)
}

// first fills in what can be known without opening the session; false when it
// is none. When it was used last may need that after all: see dated.
func (c *candidate) first() bool {
	l := c.look(nil)
	if l.excluded() {
		return false
	}
	if !l.needs(c.layout.Fields[mapping.ListID]) {
		if c.id = l.text(mapping.ListID); c.id == "" {
			c.id = c.member
		}
	}
	c.tie = c.name()
	if c.id == "" {
		c.tie += c.key
	}
	if t, ok := l.time(mapping.ListUpdated); ok {
		c.updated = t
	} else if !l.needs(c.layout.Fields[mapping.ListUpdated]) {
		c.updated = c.lastTime()
	}
	return true
}

// dated reports whether it is known when the session was used last.
func (c *candidate) dated() bool { return c.updated != 0 || c.opened }

// name is what a session is called among those of all harnesses.
func (c *candidate) name() string { return c.agent.Harness + ":" + c.id }

// modified is when a path was changed last, in ms. Of a database it is its log
// that changes, of a folder what is in it.
func modified(path string, info os.FileInfo) int64 {
	latest := info.ModTime().UnixMilli()
	if info.IsDir() {
		list, _ := os.ReadDir(path)
		for _, e := range list {
			if below, err := e.Info(); err == nil {
				latest = max(latest, below.ModTime().UnixMilli())
			}
		}
		return latest
	}
	if ext := filepath.Ext(path); !strings.HasPrefix(ext, ".json") {
		if log, err := os.Stat(path + "-wal"); err == nil {
			latest = max(latest, log.ModTime().UnixMilli())
		}
	}
	return latest
}

func blank(v value.Value) bool { return v.IsNull() || v.IsString() && len(v.Body()) == 0 }

// text is a string, or a number as it is written; "" for all else.
func text(v value.Value) string {
	switch v.Kind() {
	case value.String:
		return v.Str()
	case value.Number:
		return string(v.Raw())
	}
	return ""
}
