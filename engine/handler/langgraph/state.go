package langgraph

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/trajmap/trajmap/engine/database"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// state is the last state of a thread: its messages, put together from the
// checkpoints that lead to the newest one.
//
// A checkpoint holds the list of messages, or leaves it to what was written
// since the nearest one that does: every checkpoint's writes are what the step
// after it will have done. Those of the newest are pending, and already shown.
type state struct {
	thread      string
	head        checkpoint
	origins     []origin
	messages    []message
	places      map[string]int // of messages, by id
	overwritten int            // how often the list was replaced or emptied
	pending     int            // values written after the newest checkpoint
	torn        bool           // a checkpoint on the way is missing
}

// origin is where messages came from.
type origin struct {
	id, ts  string
	pending bool
}

// checkpoint is what is wanted of one.
type checkpoint struct {
	id, parent, ts string
	messages       []byte // nil when it does not hold them
	summarization  []byte // what of them was summed up for the model
	cwd, model     string
	files          int // in the virtual file system
	todos          int
}

const root = "checkpoint_ns = ''"

// load reads a thread's newest checkpoint and what leads to it.
func load(db *database.DB, thread string) (*state, error) {
	s := &state{thread: thread, places: map[string]int{}}
	head, ok, err := s.read(db, "SELECT checkpoint_id, parent_checkpoint_id, type, checkpoint FROM checkpoints"+
		" WHERE thread_id = :thread AND "+root+" ORDER BY checkpoint_id DESC LIMIT 1", "")
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, trajectory.Errorf(trajectory.CheckpointNotFound, "the store has no checkpoint of thread %q", thread)
	}
	s.head = head
	way, err := s.ancestry(db, head)
	if err != nil {
		return nil, err
	}
	written := false
	for i, c := range slices.Backward(way) { // oldest first
		if c.messages != nil {
			written = true
			list, err := changeOf(c.messages)
			if err != nil {
				return nil, invalid("the messages of checkpoint %s: %w", c.id, err)
			}
			s.enter(&list, origin{id: c.id, ts: c.ts})
		}
		came := origin{id: c.id, ts: c.ts, pending: true}
		if i > 0 { // not the newest: the next one has it
			came = origin{id: way[i-1].id, ts: way[i-1].ts}
		}
		changes, err := s.writes(db, c.id)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			s.pending = len(changes)
		}
		for n := range changes {
			written = true
			s.from(&changes[n], came)
		}
		s.step(changes)
	}
	if !written {
		return nil, trajectory.Errorf(trajectory.CheckpointMessagesMissing, "the checkpoints of thread %q hold no messages: the channel is missing", thread)
	}
	s.messages = slices.DeleteFunc(s.messages, func(m message) bool { return m.fields == nil })
	return s, nil
}

// enter makes the list of messages that of a checkpoint.
func (s *state) enter(list *change, came origin) {
	s.from(list, came)
	s.clear()
	s.apply(list.items)
}

// from notes where the messages of a change came from.
func (s *state) from(c *change, came origin) {
	s.origins = append(s.origins, came)
	for i := range c.items {
		c.items[i].origin = len(s.origins) - 1
	}
}

// ancestry lists the checkpoints from the newest to the nearest one that holds
// the messages.
func (s *state) ancestry(db *database.DB, head checkpoint) ([]checkpoint, error) {
	way := []checkpoint{head}
	seen := map[string]bool{head.id: true}
	for c := head; c.messages == nil && c.parent != ""; {
		if seen[c.parent] {
			return nil, invalid("checkpoint %s is among its own ancestors", c.parent)
		}
		seen[c.parent] = true
		next, ok, err := s.read(db, "SELECT checkpoint_id, parent_checkpoint_id, type, checkpoint FROM checkpoints"+
			" WHERE thread_id = :thread AND "+root+" AND checkpoint_id = :id", c.parent)
		if err != nil {
			return nil, err
		}
		if !ok {
			s.torn = true
			return way, nil
		}
		way = append(way, next)
		c = next
	}
	return way, nil
}

// read reads the checkpoint that a query gives.
func (s *state) read(db *database.DB, query, id string) (c checkpoint, ok bool, err error) {
	rows, err := db.Query(query, map[string]any{"thread": s.thread, "id": id})
	if err != nil {
		return c, false, unreadable(err)
	}
	defer rows.Close()
	row, err := rows.Next()
	if err == io.EOF {
		return c, false, nil
	}
	if err != nil {
		return c, false, unreadable(err)
	}
	c.id, c.parent = asText(row[0]), asText(row[1])
	b, err := decoded(asText(row[2]), asBytes(row[3]))
	if err == nil {
		err = c.parse(b)
	}
	if err != nil {
		return c, false, invalid("checkpoint %s: %w", c.id, err)
	}
	return c, true, nil
}

// parse reads the value of a checkpoint.
func (c *checkpoint) parse(b []byte) error {
	if err := whole(b); err != nil {
		return err
	}
	var channels []byte
	err := members(b, func(key string, value []byte) bool {
		switch key {
		case "ts":
			c.ts = text(value)
		case "channel_values":
			channels = value
		}
		return true
	})
	if err != nil || channels == nil {
		return err
	}
	return members(channels, func(key string, value []byte) bool {
		switch key {
		case "messages":
			c.messages = value
		case "_summarization_event":
			if first(value).kind != nilKind {
				c.summarization = value
			}
		case "cwd":
			c.cwd = text(value)
		case "_model_spec":
			c.model = text(value)
		case "files":
			c.files = size(value)
		case "todos":
			c.todos = size(value)
		}
		return true
	})
}

// size is the number of a container's items.
func size(b []byte) int {
	switch t := first(b); t.kind {
	case arrayKind:
		return t.count
	case mapKind:
		return t.count / 2
	case extKind:
		if o, err := objectOf(t); err == nil && o.value != nil {
			return size(o.value)
		}
	}
	return 0
}

// writes are what was written to the messages after a checkpoint.
func (s *state) writes(db *database.DB, id string) ([]change, error) {
	rows, err := db.Query("SELECT type, value FROM writes WHERE thread_id = :thread AND "+root+
		" AND checkpoint_id = :id AND channel = 'messages' ORDER BY task_id, idx", map[string]any{"thread": s.thread, "id": id})
	if err != nil {
		return nil, unreadable(err)
	}
	defer rows.Close()
	var list []change
	for {
		row, err := rows.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, unreadable(err)
		}
		kind := asText(row[0])
		if kind == "null" || kind == "" {
			continue
		}
		b, err := decoded(kind, asBytes(row[1]))
		if err == nil {
			err = whole(b)
		}
		var c change
		if err == nil {
			c, err = changeOf(b)
		}
		if err != nil {
			return nil, invalid("what was written after checkpoint %s: %w", id, err)
		}
		list = append(list, c)
	}
}

// decoded is a stored value as msgpack.
func decoded(kind string, b []byte) ([]byte, error) {
	switch kind {
	case "msgpack":
		return b, nil
	case "json":
		return fromJSON(b)
	case "pickle":
		return nil, errors.New("it was written as pickle, which cannot be read without running it")
	}
	return nil, errors.New("it was written in a way that is not known")
}

func asText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

func asBytes(v any) []byte {
	switch v := v.(type) {
	case string:
		return []byte(v)
	case []byte:
		return v
	}
	return nil
}

// invalid is the error of a checkpoint that is not what it should be.
func invalid(format string, args ...any) error {
	return trajectory.Errorf(trajectory.InvalidCheckpointState, "%v", fmt.Errorf(format, args...))
}
