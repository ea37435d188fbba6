// Package database reads the SQLite databases in which programs keep their
// sessions, also while a program is running.
//
// Nothing is ever written: not the database, nor a file beside it. All that is
// read through one [DB] is one state of the database, with what stands in its
// write-ahead log. A program that has it open is not kept from writing: either
// SQLite's own snapshots of the log are used, or the files are read without any
// lock, and a database that changes meanwhile is an error.
package database

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/trajmap/trajmap/engine/frame"
)

// DB is an open database, for one goroutine.
type DB struct {
	pool  *sql.DB // of conn alone; it runs a goroutine until it is closed
	conn  *sql.Conn
	files *files // nil when SQLite itself opened the file
	rows  map[*Rows]bool
}

// busy is how long another program's lock is waited for.
const busy = 2 * time.Second

// Open opens the database of an input and takes the state that it has now. An
// input that is no file, such as standard input, is one whose log was left
// behind. The error is a *[Error].
func Open(in *frame.Input, o frame.Options) (*DB, error) {
	if err := looksLike(in); err != nil {
		return nil, err
	}
	db := &DB{rows: map[*Rows]bool{}}
	dsn := url.Values{}
	// A database is a stranger's: nothing in its schema may run what it likes, and
	// a name that is not there is an error and no text.
	dsn.Add("_pragma", "trusted_schema(0)")
	dsn.Add("_pragma", "query_only(1)")
	dsn.Set("_dqs", "0")
	dsn.Set("_error_rc", "1")
	dsn.Set("_busy_timeout", fmt.Sprint(busy.Milliseconds()))
	dsn.Set("mode", "ro")
	name, path := "", in.Name
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // the log stands beside the database, not beside a link to it
	}
	if live(path) {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		if path = filepath.ToSlash(path); path[0] != '/' {
			path = "/" + path // a drive's letter
		}
		name = (&url.URL{Scheme: "file", OmitHost: true, Path: path}).String()
		// What readers note in the index of the log is a change of that file.
		dsn.Set("readonly_shm", "1")
	} else {
		var err error
		if db.files, err = openFiles(in, path); err != nil {
			return nil, err
		}
		// Without shared memory there is a log only for a database of one's own.
		dsn.Add("_pragma", "locking_mode(exclusive)")
		dsn.Add("_pragma", "temp_store(memory)")
		dsn.Set("vfs", db.files.vfs)
		name = "file:" + db.files.name
	}
	connector, err := sqlite.NewConnector(name + "?" + dsn.Encode())
	if err != nil {
		db.Close()
		return nil, err
	}
	db.pool = sql.OpenDB(connector)
	if err := db.begin(o); err != nil {
		err = db.fault(err)
		db.Close()
		return nil, err
	}
	return db, nil
}

// begin starts the one transaction.
func (db *DB) begin(o frame.Options) (err error) {
	ctx := context.Background()
	if db.conn, err = db.pool.Conn(ctx); err != nil {
		return err
	}
	if _, err := sqlite.Limit(db.conn, lib.SQLITE_LIMIT_LENGTH, int(min(o.Most(), 1<<30))); err != nil {
		return err
	}
	if _, err := db.conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	// A transaction begins with its first read.
	var n int
	return db.conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&n)
}

// Close ends the use of the database and of all rows.
func (db *DB) Close() error {
	var err error
	for r := range db.rows {
		r.Close()
	}
	if db.conn != nil {
		db.conn.Close()
	}
	if db.pool != nil {
		err = db.pool.Close()
	}
	if db.files != nil {
		db.files.close()
	}
	return err
}

// Query runs a query; :NAME in it stands for the argument of that name, which
// may be there without being used. The error is a *[Error].
func (db *DB) Query(query string, args map[string]any) (*Rows, error) {
	var named []any
	for name, v := range args {
		if strings.Contains(query, ":"+name) {
			named = append(named, sql.Named(name, v))
		}
	}
	rows, err := db.conn.QueryContext(context.Background(), query, named...)
	if err != nil {
		return nil, db.fault(err)
	}
	columns, err := rows.Columns()
	if err != nil {
		rows.Close()
		return nil, db.fault(err)
	}
	r := &Rows{db: db, rows: rows, Columns: columns, values: make([]any, len(columns)), dest: make([]any, len(columns))}
	for i := range r.values {
		r.dest[i] = &r.values[i]
	}
	db.rows[r] = true
	return r, nil
}

// Rows are what a query gives.
type Rows struct {
	Columns []string
	db      *DB
	rows    *sql.Rows
	values  []any
	dest    []any
}

// Next gives the next row, io.EOF after the last. A value is nil, an int64, a
// float64, a string or a []byte; the list is good until the next call, the values
// stay. A value beyond the limit of the database's frames is a *[Error] that is TooBig, and
// ends the rows.
func (r *Rows) Next() ([]any, error) {
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return nil, r.db.fault(err)
		}
		if err := r.db.unchanged(); err != nil {
			return nil, err
		}
		return nil, io.EOF
	}
	if err := r.rows.Scan(r.dest...); err != nil {
		return nil, r.db.fault(err)
	}
	for i, v := range r.values {
		// Of a text in a column for times the driver makes a time.
		if t, ok := v.(time.Time); ok {
			r.values[i] = t.UTC().Format("2006-01-02T15:04:05.999999999Z")
		}
	}
	return r.values, nil
}

// Close ends the rows before their end.
func (r *Rows) Close() error {
	delete(r.db.rows, r)
	return r.rows.Close()
}
