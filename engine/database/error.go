package database

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// Kind says what is wrong with a database.
type Kind uint8

// The kinds of errors.
const (
	Other    Kind = iota
	NotOne        // no database at all: what it begins with is something else
	Empty         // it has no bytes
	Opaque        // encrypted, or damaged from its first page on
	Damaged       // truncated or malformed
	Locked        // another program keeps it locked
	Changing      // it changed while it was read
	Denied        // it may not be read
	Schema        // a table or column is missing, or the query has another fault
	TooBig        // a value is longer than the limit
)

// Error is why a database cannot be read: invalid_input.
type Error struct {
	Kind    Kind
	Missing string // the table or column that is missing, for Schema
	err     *trajectory.Error
	cause   error
}

func (e *Error) Error() string { return e.err.Error() }

// Unwrap gives the error of the contract and what SQLite said.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.err}
	}
	return []error{e.err, e.cause}
}

// Message is the error without its code.
func (e *Error) Message() string { return e.err.Message }

func faulty(kind Kind, cause error, format string, args ...any) *Error {
	return &Error{Kind: kind, err: trajectory.Errorf(trajectory.InvalidInput, format, args...), cause: cause}
}

// IsKind reports whether an error is one of a database, and of that kind.
func IsKind(err error, kind Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == kind
}

// magic begins every database that is not encrypted.
const magic = "SQLite format 3\x00"

// looksLike reports what can be said about an input by its first bytes.
func looksLike(in *frame.Input) error {
	named := Named(in.Name)
	if in.Size == 0 {
		if named {
			return faulty(Empty, nil, "the database is empty: it has no bytes")
		}
		return faulty(NotOne, nil, "not a SQLite database: there are no bytes")
	}
	head := make([]byte, len(magic))
	n, err := in.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return err
	}
	switch {
	case bytes.Equal(head[:n], []byte(magic)):
		return nil
	case named:
		return faulty(Opaque, nil, "not a SQLite database, or an encrypted one: it does not begin as a database does")
	}
	return faulty(NotOne, nil, "not a SQLite database")
}

// Named reports whether a file's name says that it is a database.
func Named(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".db", ".sqlite", ".sqlite3", ".vscdb":
		return true
	}
	return false
}

var noSuch = regexp.MustCompile(`no such (table|column): "?([^\s"]+)`)

// fault is an error of SQLite in words that help.
func (db *DB) fault(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB, lib.SQLITE_IOERR:
		// What is read without locks may be torn because it is being written.
		if changed := db.unchanged(); changed != nil {
			return changed
		}
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_NOTADB:
		return faulty(Opaque, e, "the file is not a database: it is encrypted, or damaged from its first page on")
	case lib.SQLITE_CORRUPT:
		return faulty(Damaged, e, "the database is damaged or cut off (SQLite: %s)", reason(e))
	case lib.SQLITE_IOERR:
		if e.Code() == lib.SQLITE_IOERR_SHORT_READ {
			return faulty(Damaged, e, "the database is cut off")
		}
		return faulty(Other, e, "the database could not be read (SQLite: %s)", reason(e))
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED, lib.SQLITE_PROTOCOL:
		return faulty(Locked, e, "the database is locked by another program: try again, or close that program")
	case lib.SQLITE_READONLY:
		return faulty(Denied, e, "the database was left in the middle of a write, and only a program that may write can mend it: open it once with the program that it belongs to")
	case lib.SQLITE_CANTOPEN, lib.SQLITE_PERM, lib.SQLITE_AUTH:
		return faulty(Denied, e, "the database cannot be opened (SQLite: %s)", reason(e))
	case lib.SQLITE_TOOBIG:
		return faulty(TooBig, e, "a value of the database is longer than the limit")
	case lib.SQLITE_ERROR:
		if m := noSuch.FindStringSubmatch(e.Error()); m != nil {
			f := faulty(Schema, e, "the database has no %s %s: it is another program's, or of a version that is not known", m[1], m[2])
			f.Missing = m[2]
			return f
		}
		return faulty(Schema, e, "a query failed (SQLite: %s)", reason(e))
	}
	return faulty(Other, e, "the database could not be read (SQLite: %s)", reason(e))
}

// reason is what SQLite says, without the number.
func reason(e *sqlite.Error) string {
	text := e.Error()
	if at := strings.LastIndex(text, " ("); at > 0 {
		text = text[:at]
	}
	return text
}

// unchanged is an error when the database is being written while it is read
// without locks.
func (db *DB) unchanged() error {
	if db.files == nil || db.files.unchanged() {
		return nil
	}
	return faulty(Changing, nil, "the database changed while it was read: read it again")
}
