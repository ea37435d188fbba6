// Package sqlite is the handler that makes frames of the rows of a SQLite
// database, by the queries of a mapping.
//
// A row is an object of its columns, in their order. JSON in a column stays a
// text, unless the query makes JSON of the row: a single column named frame, of
// the document doc, holds it whole. A binary value that zstd has compressed is
// what was compressed; if it is no text then, it is given in base64.
//
// Rows are read one by one, so that a database may be of any size. What belongs
// to one read is one state of the database, see package database.
package sqlite

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/trajmap/trajmap/engine/database"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/trajectory"
)

func init() { handler.Register("sqlite", open) }

// argument is the name of the session's id in queries.
const argument = "session"

// store is an open database: the frames of one of its sessions.
type store struct {
	db       *database.DB
	queries  *mapping.Queries
	session  string // "" when the database is one session, or holds none
	sessions []handler.Session
	listed   bool
	doc      []byte
	encoder  encoder
	next, at cursor
}

func open(in *frame.Input, o handler.Options) (frame.Stream, func() error, error) {
	db, err := database.Open(in, o.Limits)
	switch {
	case database.IsKind(err, database.NotOne):
		return nil, nil, handler.Foreign("%s", err.(*database.Error).Message())
	case err != nil:
		return nil, nil, err
	}
	s := &store{db: db, queries: o.Queries, session: o.Session}
	s.encoder.limit = o.Limits.Most()
	s.next.store, s.at.store = s, s
	if err := s.choose(); err != nil {
		s.close()
		return nil, nil, err
	}
	if len(s.queries.Sessions) == 0 {
		return one{s}, s.close, nil
	}
	return s, s.close, nil
}

// one is a database that is one session: no [handler.Store].
type one struct{ frame.Stream }

// choose settles which session is read, and reads the document around its
// frames.
func (s *store) choose() error {
	many := len(s.queries.Sessions) > 0
	if many && s.session == "" {
		list, err := s.Sessions()
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return nil
		}
		s.session = list[0].ID
	}
	if len(s.queries.Doc) > 0 {
		doc, err := s.document()
		if err != nil || doc != nil || !many {
			s.doc = doc
			return err
		}
		return s.missing()
	}
	if many && !s.listed {
		list, err := s.Sessions()
		if err != nil {
			return err
		}
		for _, other := range list {
			if other.ID == s.session {
				return nil
			}
		}
		return s.missing()
	}
	return nil
}

// missing is the error of a session that is not there.
func (s *store) missing() error {
	list, err := s.Sessions()
	if err != nil {
		return err
	}
	const some = 5
	e := &handler.MissingError{Err: trajectory.Errorf(trajectory.InvalidInput, "the database holds no session %q", s.session)}
	for _, other := range list[:min(some, len(list))] {
		e.Have = append(e.Have, other.ID)
	}
	if len(list) > 0 {
		e.Err.Message += fmt.Sprintf(" (it holds %d, the last used first: %s", len(list), strings.Join(e.Have, ", "))
		if len(list) > some {
			e.Err.Message += ", …"
		}
		e.Err.Message += ")"
	}
	return e
}

// query runs the first form of a query that fits the database. The error is that
// of the first form.
func (s *store) query(forms []string, wrap string) (*database.Rows, error) {
	var first error
	for _, form := range forms {
		if wrap != "" {
			form = fmt.Sprintf(wrap, strings.TrimRight(form, "; \t\r\n"))
		}
		rows, err := s.db.Query(form, map[string]any{argument: s.session})
		if err == nil || !database.IsKind(err, database.Schema) {
			return rows, err
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// from gives the session's rows from one of them on.
func (s *store) from(n int) (*database.Rows, error) {
	if n == 0 {
		return s.query(s.queries.Rows, "")
	}
	return s.query(s.queries.Rows, fmt.Sprintf("SELECT * FROM (%%s\n) LIMIT -1 OFFSET %d", n))
}

// document is the row around the frames; nil when there is none.
func (s *store) document() ([]byte, error) {
	rows, err := s.query(s.queries.Doc, "")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	row, err := rows.Next()
	if err == io.EOF {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.encoder.row(nil, rows.Columns, row, "doc")
}

// Sessions gives all sessions of the database.
func (s *store) Sessions() ([]handler.Session, error) {
	if s.listed {
		return s.sessions, nil
	}
	rows, err := s.query(s.queries.Sessions, "")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for {
		row, err := rows.Next()
		if err == io.EOF {
			s.listed = true
			return s.sessions, nil
		}
		if err != nil {
			return nil, err
		}
		text, err := s.encoder.row(nil, rows.Columns, row, "")
		if err != nil {
			return nil, err
		}
		s.sessions = append(s.sessions, handler.Session{ID: plain(row[0]), Row: text})
	}
}

func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []byte:
		return string(v)
	}
	return fmt.Sprint(v)
}

// Session is the id of the session whose frames the stream gives.
func (s *store) Session() string { return s.session }

func (s *store) Doc() []byte { return s.doc }

func (s *store) Next() (frame.Frame, error) {
	if s.session == "" && len(s.queries.Sessions) > 0 {
		return frame.Frame{}, trajectory.Errorf(trajectory.InvalidInput, "the database holds no session")
	}
	return s.next.frame(s.next.n)
}

func (s *store) At(f frame.Frame) (frame.Frame, error) {
	got, err := s.at.frame(f.Index)
	if err == io.EOF {
		return got, trajectory.Errorf(trajectory.InvalidInput, "the database has no row %d any more", f.Index)
	}
	return got, err
}

func (s *store) Rewind() error {
	s.next.close()
	s.next.n = 0
	return nil
}

func (s *store) close() error {
	s.encoder.close()
	return s.db.Close()
}

// cursor reads the rows of the session, forward from any one of them.
type cursor struct {
	store *store
	rows  *database.Rows // nil: to be opened
	n     int            // the row that comes next
	buf   []byte
}

// ahead is how many rows are passed over before the query is run again, which
// passes over rows without reading them.
const ahead = 32

func (c *cursor) frame(n int) (frame.Frame, error) {
	if c.rows == nil || n < c.n || n-c.n > ahead {
		c.close()
		rows, err := c.store.from(n)
		if database.IsKind(err, database.TooBig) {
			return c.tooBig(n)
		}
		if err != nil {
			return frame.Frame{}, err
		}
		c.rows, c.n = rows, n
	}
	for {
		row, err := c.rows.Next()
		switch {
		case database.IsKind(err, database.TooBig) && c.n < n:
			c.close()
			return c.frame(n)
		case database.IsKind(err, database.TooBig):
			return c.tooBig(n)
		case err != nil:
			return frame.Frame{}, err
		}
		c.n++
		if c.n > n {
			return c.encode(n, row)
		}
	}
}

// tooBig passes over a row with a value beyond the limit, after which the query
// has to be run again. Where SQLite sorts whole rows, none can be passed over:
// not even what stands behind the last can be asked for.
func (c *cursor) tooBig(n int) (frame.Frame, error) {
	c.close()
	rows, err := c.store.from(math.MaxInt)
	if err != nil {
		return frame.Frame{}, err
	}
	rows.Close()
	c.n = n + 1
	return frame.Frame{Index: n, TooBig: true}, nil
}

func (c *cursor) encode(n int, row []any) (frame.Frame, error) {
	if cap(c.buf) > keep {
		c.buf = nil
	}
	var err error
	c.buf, err = c.store.encoder.row(c.buf[:0], c.rows.Columns, row, "frame")
	f := frame.Frame{Index: n, Data: c.buf, Length: int64(len(c.buf))}
	if errors.Is(err, errTooBig) || err == nil && f.Length > c.store.encoder.limit {
		f.Data, f.TooBig, err = nil, true, nil
	}
	return f, err
}

func (c *cursor) close() {
	if c.rows != nil {
		c.rows.Close()
		c.rows = nil
	}
}

// keep is how much memory a cursor keeps between rows, in bytes.
const keep = 4 << 20
