// Package database opens the SQLite database of another program, which may be
// running, and leaves no trace: nothing is written beside the database, no lock
// keeps the program from working, and what it has committed but not yet moved
// out of its write-ahead log is seen.
package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// magic is how a database begins.
const magic = "SQLite format 3\x00"

// Is reports whether an input begins as a database does.
func Is(in *frame.Input) bool {
	head := make([]byte, len(magic))
	n, _ := in.ReadAt(head, 0)
	return string(head[:n]) == magic
}

// DB is an open database. All that it is asked is of one moment: it holds one
// read transaction. It is for one goroutine.
type DB struct {
	name string
	pool *sql.DB
	tx   *sql.Tx
	done func() error
}

// Open opens the database in an input. An input that has no file, such as
// standard input, is copied to a temporary one. An error that the input is to
// blame for is a *[trajectory.Error].
func Open(in *frame.Input) (*DB, error) {
	db := &DB{name: in.Name, done: func() error { return nil }}
	path, inPlace := file(in)
	var err error
	switch {
	case !inPlace:
		if path, db.done, err = spool(in); err == nil {
			err = db.begin(path, "mode=ro&immutable=1")
		}
	case busy(path, "-journal"):
		// Only a program that may write can finish or undo a transaction.
		err = db.openCopy(path, "-journal")
	case !busy(path, "-wal"):
		// Without `immutable` SQLite would create the log that is missing.
		err = db.begin(path, "mode=ro&immutable=1")
	default:
		if err = db.begin(path, "mode=ro&readonly_shm=1"); err != nil {
			// The log's index is missing: its program has ended without
			// tidying up, or does not share it.
			err = db.openCopy(path, "-wal")
		}
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// file is the file that an input is in, if there is one: links resolved, for the
// log stands beside the database itself.
func file(in *frame.Input) (path string, ok bool) {
	path, err := filepath.EvalSymlinks(in.Name)
	if err != nil {
		return "", false
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", false
	}
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() < in.Size {
		return "", false
	}
	// An input in memory may have the name of some file.
	const head = 24 // what follows changes with every transaction
	var own, there [head]byte
	n, _ := in.ReadAt(own[:], 0)
	m, _ := f.ReadAt(there[:], 0)
	return path, n == m && own == there
}

// busy reports whether a file that belongs to a database has content.
func busy(path, suffix string) bool {
	info, err := os.Stat(path + suffix)
	return err == nil && info.Size() > 0
}

// begin opens the file and starts the transaction.
func (db *DB) begin(path, query string) error {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive
	}
	// The schema comes with the data: nothing in it may run code.
	name := url.URL{Scheme: "file", Path: slashed, RawQuery: query +
		"&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)&_pragma=query_only(1)&_pragma=mmap_size(0)"}
	pool, err := sql.Open("sqlite", name.String())
	if err != nil {
		return db.Explain(err)
	}
	pool.SetMaxOpenConns(1)
	tx, err := pool.BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		pool.Close()
		return db.Explain(err)
	}
	// The transaction begins with what it reads first.
	var tables int
	if err := tx.QueryRow("SELECT count(*) FROM sqlite_master").Scan(&tables); err != nil {
		tx.Rollback()
		pool.Close()
		return db.Explain(err)
	}
	db.pool, db.tx = pool, tx
	return nil
}

// Query runs a query; see [sql.Tx.Query].
func (db *DB) Query(query string, args ...any) (*sql.Rows, error) {
	return db.tx.Query(query, args...)
}

// QueryRow runs a query that gives at most one row; see [sql.Tx.QueryRow].
func (db *DB) QueryRow(query string, args ...any) *sql.Row {
	return db.tx.QueryRow(query, args...)
}

// Has reports whether there is a table with the columns given. A view is none.
func (db *DB) Has(table string, columns ...string) bool {
	var kind string
	if db.tx.QueryRow("SELECT type FROM sqlite_master WHERE name = ?", table).Scan(&kind) != nil || kind != "table" {
		return false
	}
	for _, c := range columns {
		var n int
		if db.tx.QueryRow("SELECT count(*) FROM pragma_table_info(?) WHERE name = ?", table, c).Scan(&n) != nil || n != 1 {
			return false
		}
	}
	return true
}

// Close ends the use of the database.
func (db *DB) Close() error {
	var errs []error
	if db.tx != nil {
		errs = append(errs, db.tx.Rollback())
	}
	if db.pool != nil {
		errs = append(errs, db.pool.Close())
	}
	db.tx, db.pool = nil, nil
	return errors.Join(append(errs, db.done())...)
}

// Explain gives an error of SQLite as one that tells the user what to do.
func (db *DB) Explain(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("%s: %w", db.name, err)
	}
	blame := func(what string) error { return trajectory.Errorf(trajectory.InvalidInput, "%s: %s", db.name, what) }
	switch e.Code() & 0xff {
	case codes.SQLITE_NOTADB:
		return blame("no SQLite database, or an encrypted one")
	case codes.SQLITE_CORRUPT:
		return blame("the database is damaged or was cut off (take it from a backup, or let `sqlite3 FILE .recover` save what can be saved)")
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return blame("a program has locked the database (end the program, or read a copy)")
	case codes.SQLITE_TOOBIG, codes.SQLITE_NOMEM:
		return blame("the database holds a value that is too long")
	case codes.SQLITE_ERROR, codes.SQLITE_SCHEMA:
		return blame("the database has not the tables that are read here: " + e.Error())
	}
	return fmt.Errorf("%s: %w", db.name, err)
}
