package langgraph

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/trajmap/trajmap/engine/database"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/trajectory"
)

func init() {
	handler.RegisterStorer("langgraph", &handler.Storer{Shared: true, Find: find, Store: store, Remove: remove})
}

// now is the time at which a thread is written.
var now = time.Now

// before is called before each step that changes something; tests let it fail.
var before = func(step string) error { return nil }

// patience is how long a lock of another program is waited for.
var patience = 5 * time.Second

// tables are those of LangGraph's saver, as it makes them itself.
const tables = `
CREATE TABLE IF NOT EXISTS checkpoints (
	thread_id TEXT NOT NULL,
	checkpoint_ns TEXT NOT NULL DEFAULT '',
	checkpoint_id TEXT NOT NULL,
	parent_checkpoint_id TEXT,
	type TEXT,
	checkpoint BLOB,
	metadata BLOB,
	PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id)
);
CREATE TABLE IF NOT EXISTS writes (
	thread_id TEXT NOT NULL,
	checkpoint_ns TEXT NOT NULL DEFAULT '',
	checkpoint_id TEXT NOT NULL,
	task_id TEXT NOT NULL,
	task_path TEXT NOT NULL DEFAULT '',
	idx INTEGER NOT NULL,
	channel TEXT NOT NULL,
	type TEXT,
	value BLOB,
	PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
);
`

// store writes the thread of a document into a database, which it makes when
// there is none: one row, in one transaction. Other threads are not touched.
func store(ctx context.Context, from *frame.Input, to handler.Place) error {
	return leased(from, to, func(s *seed) error {
		r := s.makeRow(to.Cwd, now())
		err := create(ctx, to.Path, r)
		if errors.Is(err, fs.ErrExist) {
			err = within(ctx, to.Path, r.insert)
		}
		return err
	})
}

// leased does something with the thread of a document while no program holds it.
func leased(from *frame.Input, to handler.Place, do func(*seed) error) error {
	s, err := readSeed(from, to)
	if err != nil {
		return err
	}
	done, err := lease(to.Path, s.thread)
	if err != nil {
		return err
	}
	defer done()
	return do(s)
}

// find looks for the thread of a document in a database.
func find(_ context.Context, from *frame.Input, to handler.Place) (handler.Found, error) {
	s, err := readSeed(from, to)
	if err != nil {
		return handler.Nothing, err
	}
	in, done, err := frame.Open(to.Path)
	if err != nil {
		return handler.Nothing, err
	}
	defer done()
	db, err := database.Open(in, frame.Options{MaxFrame: longest})
	switch {
	case database.IsKind(err, database.Empty):
		return handler.Nothing, nil
	case err != nil:
		return handler.Nothing, plain(err)
	}
	defer db.Close()
	found, err := s.find(db)
	return found, plain(err)
}

// plain is an error in the words of one that is no matter of reading a session.
func plain(err error) error {
	var fault *trajectory.Error
	if errors.As(err, &fault) {
		return errors.New(fault.Message)
	}
	return err
}

// remove takes a thread away that store has written and nobody has gone on with.
func remove(ctx context.Context, from *frame.Input, to handler.Place) error {
	return leased(from, to, func(s *seed) error { return within(ctx, to.Path, s.delete) })
}

// longest is how long a document may be: SQLite takes no value of more bytes.
const longest = 1_000_000_000

func readSeed(from *frame.Input, to handler.Place) (*seed, error) {
	if from.Size > longest {
		return nil, errors.New("the session is too long for a value in a SQLite database")
	}
	text, err := io.ReadAll(io.NewSectionReader(from, 0, from.Size))
	if err != nil {
		return nil, err
	}
	s, err := parseSeed(text)
	if err == nil && s.thread != to.ID {
		err = errors.New("the document is of another thread")
	}
	return s, err
}

// older is where a program had its database before it was moved into a folder for
// what is not to be edited. The program moves it when it is started, unless
// there is one already: then nobody would see the old threads again.
func older(path string) string {
	return filepath.Join(filepath.Dir(filepath.Dir(path)), filepath.Base(path))
}

var errOlder = errors.New("the program has its threads elsewhere still, and moves them when it is started: start it once, and try again")

// create makes a database that holds the row and nothing else. It gets its name
// when it is whole; the error is fs.ErrExist when something has that name.
func create(ctx context.Context, path string, r *row) error {
	if _, err := os.Lstat(path); err == nil {
		return fs.ErrExist
	}
	if _, err := os.Lstat(older(path)); err == nil {
		return errOlder
	}
	if err := before("create"); err != nil {
		return err
	}
	// Names that begin so belong to no program.
	file, err := os.CreateTemp(filepath.Dir(path), ".trajmap-*.tmp") // mode 0600
	if err != nil {
		return err
	}
	temp := file.Name()
	defer os.Remove(temp)
	defer os.Remove(temp + "-journal")
	if err := file.Close(); err != nil {
		return err
	}
	if err := within(ctx, temp, r.insert); err != nil {
		return err
	}
	if err := before("name"); err != nil {
		return err
	}
	return name(temp, path)
}

// name gives a file another name, unless something has it.
func name(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// Some file systems have no second names. An empty file keeps the place.
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = f.Close(); err == nil {
		err = os.Rename(from, to)
	}
	if err != nil {
		_ = os.Remove(to)
	}
	return err
}

// within runs f in a transaction that keeps others from writing.
func within(ctx context.Context, path string, f func(context.Context, *sql.Conn) error) (err error) {
	db, err := openToWrite(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return fault(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return fault(err)
	}
	err = f(ctx, conn)
	if err == nil {
		err = before("commit")
	}
	if err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		return fault(err)
	}
	return nil
}

// openToWrite opens a database that is there.
func openToWrite(path string) (*sql.DB, error) {
	path = filepath.ToSlash(path)
	if path[0] != '/' {
		path = "/" + path // a drive's letter
	}
	dsn := url.Values{}
	dsn.Set("mode", "rw")
	dsn.Add("_pragma", "trusted_schema(0)")
	dsn.Add("_pragma", "synchronous(full)")
	dsn.Set("_dqs", "0")
	dsn.Set("_error_rc", "1")
	dsn.Set("_busy_timeout", fmt.Sprint(patience.Milliseconds()))
	connector, err := sqlite.NewConnector((&url.URL{Scheme: "file", OmitHost: true, Path: path}).String() + "?" + dsn.Encode())
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

// fault is an error of SQLite in words that help.
func fault(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return fmt.Errorf("the database is locked by another program: close that program, or try again (%w)", err)
	case lib.SQLITE_ERROR:
		return fmt.Errorf("the tables of the database are not those of a checkpoint store: nothing was changed (%w)", err)
	case lib.SQLITE_NOTADB, lib.SQLITE_CORRUPT:
		return fmt.Errorf("what is there is no database, or is damaged: nothing was changed (%w)", err)
	case lib.SQLITE_READONLY, lib.SQLITE_PERM, lib.SQLITE_CANTOPEN:
		return fmt.Errorf("the database must not be written to (%w)", err)
	case lib.SQLITE_FULL:
		return fmt.Errorf("the disk is full: nothing was changed (%w)", err)
	}
	return err
}
