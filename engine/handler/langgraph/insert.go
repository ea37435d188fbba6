package langgraph

import (
	"bytes"
	"context"
	"database/sql"
	"errors"

	"github.com/trajmap/trajmap/engine/database"
	"github.com/trajmap/trajmap/engine/handler"
)

// insert adds the row, as the first one of its thread.
func (r *row) insert(ctx context.Context, db *sql.Conn) error {
	if err := before("tables"); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, tables); err != nil {
		return err
	}
	n, err := rowsOf(ctx, db, r.thread)
	switch {
	case err != nil:
		return err
	case n > 0:
		return handler.ErrPresent
	}
	if err := before("insert"); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)"+
		" VALUES (?, '', ?, NULL, 'msgpack', ?, ?)", r.thread, r.id, r.checkpoint, r.metadata)
	return err
}

// find says what a database has of the thread.
func (s *seed) find(db *database.DB) (handler.Found, error) {
	// Nothing has been written yet when there are no tables.
	n, err := count(db, nil, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('checkpoints', 'writes')")
	if err != nil || n == 0 {
		return handler.Nothing, err
	}
	n, err = count(db, map[string]any{"thread": s.thread},
		"SELECT (SELECT count(*) FROM checkpoints WHERE thread_id = :thread) + (SELECT count(*) FROM writes WHERE thread_id = :thread)")
	if err != nil || n == 0 {
		return handler.Nothing, err
	}
	st := &state{thread: s.thread}
	first, ok, err := st.read(db, "SELECT checkpoint_id, parent_checkpoint_id, type, checkpoint FROM checkpoints"+
		" WHERE thread_id = :thread AND "+root+" AND parent_checkpoint_id IS NULL ORDER BY checkpoint_id LIMIT 1", "")
	if err == nil && ok && bytes.Equal(first.messages, s.packMessages(nil)) {
		return handler.Begun, nil
	}
	return handler.Another, nil
}

// rowsOf counts what a store has of a thread.
func rowsOf(ctx context.Context, db *sql.Conn, thread string) (n int, err error) {
	err = db.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM checkpoints WHERE thread_id = ?1) + (SELECT count(*) FROM writes WHERE thread_id = ?1)", thread).Scan(&n)
	return n, err
}

// delete takes the row of the thread away, unless it is not the only one or
// holds something else.
func (s *seed) delete(ctx context.Context, db *sql.Conn) error {
	n, err := rowsOf(ctx, db, s.thread)
	if err != nil || n == 0 {
		return err
	}
	var b []byte
	if err := db.QueryRowContext(ctx, "SELECT checkpoint FROM checkpoints WHERE thread_id = ?", s.thread).Scan(&b); err != nil {
		return err
	}
	var c checkpoint
	if n > 1 || c.parse(b) != nil || !bytes.Equal(c.messages, s.packMessages(nil)) {
		return errors.New("the thread has been gone on with: it stays")
	}
	if err := before("delete"); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "DELETE FROM checkpoints WHERE thread_id = ?", s.thread)
	return err
}
