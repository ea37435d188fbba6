// Package langgraph is the handler for the checkpoints that LangGraph's SQLite
// saver keeps of threads: it gives the messages of a thread as its program would
// show them, the newest thread unless another is asked for.
//
// A frame is {message, checkpoint}: the fields of a message as JSON, and the
// checkpoint that it came with, {id, ts, position, pending}. The document is what
// the store knows of the thread, see describe. Objects are never made and code
// is never run: what is not known is an error.
package langgraph

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/trajmap/trajmap/engine/database"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

func init() { handler.Register("langgraph", open) }

// stream gives the messages of a thread.
type stream struct {
	db       *database.DB
	threads  []thread
	state    *state
	doc      []byte
	limit    int64
	next     int
	buf, own []byte // of Next and of At
}

func open(in *frame.Input, o handler.Options) (frame.Stream, func() error, error) {
	if _, err := os.Stat(in.Name); errors.Is(err, fs.ErrNotExist) && in.Size == 0 && in.Name != "-" {
		return nil, nil, trajectory.Errorf(trajectory.CheckpointDatabaseNotFound, "there is no checkpoint database %s", in.Name)
	}
	// A value holds the messages of a whole thread, each of which is a frame.
	db, err := database.Open(in, frame.Options{MaxFrame: max(o.Limits.Most(), min(in.Size, longest))})
	var fault *database.Error
	switch {
	case database.IsKind(err, database.NotOne):
		return nil, nil, handler.Foreign("%s", err.(*database.Error).Message())
	case errors.As(err, &fault):
		return nil, nil, trajectory.Errorf(trajectory.CheckpointDatabaseUnreadable, "%s", fault.Message())
	case err != nil:
		return nil, nil, err
	}
	s := &stream{db: db, limit: o.Limits.Most()}
	if err := s.choose(o.Session); err != nil {
		db.Close()
		return nil, nil, err
	}
	return s, db.Close, nil
}

// choose settles which thread is read, and reads it.
func (s *stream) choose(id string) (err error) {
	if s.threads, err = threads(s.db); err != nil {
		return err
	}
	if len(s.threads) == 0 {
		return trajectory.Errorf(trajectory.CheckpointNotFound, "the store has no checkpoints")
	}
	if id == "" {
		id = s.threads[0].id
	}
	for i := range s.threads {
		if s.threads[i].id == id {
			if s.state, err = load(s.db, id); err == nil {
				s.doc, err = describe(s.db, s.state, &s.threads[i], s.limit)
			}
			return err
		}
	}
	const some = 5
	missing := &handler.MissingError{}
	for _, t := range s.threads[:min(some, len(s.threads))] {
		missing.Have = append(missing.Have, t.id)
	}
	more := ""
	if len(s.threads) > some {
		more = ", …"
	}
	missing.Err = trajectory.Errorf(trajectory.CheckpointNotFound, "the store has no checkpoint of thread %q (it has %d threads, the last used first: %s%s)",
		id, len(s.threads), strings.Join(missing.Have, ", "), more)
	return missing
}

// Sessions lists the threads.
func (s *stream) Sessions() ([]handler.Session, error) {
	var list []handler.Session
	for i := range s.threads {
		list = append(list, handler.Session{ID: s.threads[i].id, Row: s.threads[i].row()})
	}
	return list, nil
}

// Session is the id of the thread.
func (s *stream) Session() string { return s.state.thread }

func (s *stream) Doc() []byte { return s.doc }

func (s *stream) Next() (frame.Frame, error) {
	if s.next == len(s.state.messages) {
		return frame.Frame{}, io.EOF
	}
	f, err := s.frame(&s.buf, s.next)
	s.next++
	return f, err
}

func (s *stream) Rewind() error {
	s.next = 0
	return nil
}

func (s *stream) At(f frame.Frame) (frame.Frame, error) {
	if f.Index < 0 || f.Index >= len(s.state.messages) {
		return frame.Frame{}, fmt.Errorf("there is no message %d", f.Index)
	}
	return s.frame(&s.own, f.Index)
}

// keep is how much memory is kept between frames, in bytes.
const keep = 4 << 20

// frame makes the frame of a message.
func (s *stream) frame(buf *[]byte, n int) (frame.Frame, error) {
	if cap(*buf) > keep {
		*buf = nil
	}
	m := &s.state.messages[n]
	from := &s.state.origins[m.origin]
	b := append((*buf)[:0], `{"message":`...)
	b, err := appendMessage(b, m, s.limit)
	b = appendMember(append(b, `,"checkpoint":{`...), "id", from.id)
	b = appendMember(append(b, ','), "ts", from.ts)
	b = strconv.AppendInt(append(b, `,"position":`...), int64(n), 10)
	b = strconv.AppendBool(append(b, `,"pending":`...), from.pending)
	b = append(b, "}}"...)
	*buf = b
	f := frame.Frame{Index: n, Data: b, Length: int64(len(b))}
	switch {
	case errors.Is(err, errTooBig) || err == nil && f.Length > s.limit:
		f.Data, f.TooBig = nil, true
	case err != nil:
		return frame.Frame{}, invalid("message %d: %w", n, err)
	}
	return f, nil
}

// appendMessage appends a message's fields.
func appendMessage(dst []byte, m *message, limit int64) ([]byte, error) {
	if m.role == "" {
		return appendJSON(dst, m.fields, limit)
	}
	dst = appendMember(append(dst, '{'), "role", m.role)
	dst, err := appendJSON(append(dst, `,"content":`...), m.fields, limit)
	return append(dst, '}'), err
}

// appendMember appends a member of an object; "" is null.
func appendMember(dst []byte, name, text string) []byte {
	dst = append(append(append(dst, '"'), name...), '"', ':')
	if text == "" {
		return append(dst, "null"...)
	}
	dst = value.AppendEncoded(append(dst, '"'), text)
	return append(dst, '"')
}

// unreadable is the error of a query.
func unreadable(err error) error {
	var fault *database.Error
	switch {
	case database.IsKind(err, database.Schema):
		errors.As(err, &fault)
		return trajectory.Errorf(trajectory.CheckpointDatabaseUnreadable, "%s", fault.Message())
	case errors.As(err, &fault):
		return trajectory.Errorf(trajectory.CheckpointReadFailed, "%s", fault.Message())
	}
	return err
}
