package discover

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
)

func init() { handler.Register("book", openBook) }

// openBook reads a made-up database: a line for each session, its id and what the
// user said.
func openBook(in *frame.Input, o handler.Options) (frame.Stream, func() error, error) {
	text := make([]byte, in.Size)
	if _, err := in.ReadAt(text, 0); err != nil {
		return nil, nil, err
	}
	body, ok := strings.CutPrefix(string(text), "book\n")
	switch {
	case string(text) == "torn\n":
		return nil, nil, errors.New("it is torn")
	case !ok:
		return nil, nil, handler.Foreign("it is no book")
	}
	b := &book{session: o.Session}
	said := ""
	for line := range strings.Lines(body) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		b.list = append(b.list, handler.Session{ID: id, Row: []byte(`{"id":"` + id + `","folder":"/w/` + id + `","updated_at":` + rest + `}`)})
		if id == o.Session {
			said = `{"type":"user","text":"I am ` + id + `"}`
		}
	}
	b.Stream = frame.Lines(engine.Bytes("", []byte(said)), frame.Options{})
	return b, func() error { return nil }, nil
}

type book struct {
	frame.Stream
	list    []handler.Session
	session string
}

var _ handler.Store = (*book)(nil)

func (b *book) Session() string { return b.session }

func (b *book) Sessions() ([]handler.Session, error) { return b.list, nil }

// TestDatabase lists the sessions that one file holds, each with what its own
// list says.
func TestDatabase(t *testing.T) {
	m := agentOf(t, `
  - {format: book, native: none, frames: {handler: book}, kind: type, rules: {user: {user: text}}}
store:
  roots: [~/.agent]
  sessions:
    - path: "*.db"
      format: book
      if: it.id != "hidden"
      cwd: folder
    - path: "{id}.jsonl"
`)
	home := tree(t, `
-- .agent/a.db --
book
x 1772359200000
y 1772359300000
hidden 1772359400000
-- .agent/torn.db --
torn
-- .agent/y.jsonl --
{"type":"user","text":"an older copy of y"}
`)
	l := scan(t, home, m)
	var got []Session
	for _, s := range all(t, l) {
		s.Mapping = nil
		got = append(got, s)
	}
	path := filepath.Join(home, ".agent/a.db")
	want := []Session{
		{Harness: "agent", ID: "y", Member: "y", Title: "I am y", Cwd: "/w/y", Updated: time.UnixMilli(1772359300000).UTC(), Path: path},
		{Harness: "agent", ID: "x", Member: "x", Title: "I am x", Cwd: "/w/x", Updated: time.UnixMilli(1772359200000).UTC(), Path: path},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if p := l.Problems(); len(p) != 1 || p[0].Path != filepath.Join(home, ".agent/torn.db") || p[0].Err.Error() != "it is torn" {
		t.Errorf("problems: %v", p)
	}
	if s, err := l.Find(t.Context(), "x"); err != nil || s.Member != "x" {
		t.Errorf("x is %+v, %v", s, err)
	}
}

// TestLog takes the write-ahead log for the change of a database.
func TestLog(t *testing.T) {
	m := agentOf(t, `
  - {format: book, native: none, frames: {handler: book}, kind: type, rules: {user: {user: text}}}
store: [{roots: [~/.agent], sessions: [{path: "*.db", format: book, updated_at: modified}]}]
`)
	home := tree(t, "-- .agent/a.db --\nbook\nx 0\n-- .agent/a.db-wal --\nlog\n")
	at := longAgo.Add(time.Hour)
	touch(t, filepath.Join(home, ".agent/a.db-wal"), at)
	if list := all(t, scan(t, home, m)); len(list) != 1 || !list[0].Updated.Equal(at) {
		t.Errorf("%+v", list)
	}
}
