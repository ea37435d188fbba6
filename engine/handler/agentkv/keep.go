package agentkv

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
)

func init() { handler.RegisterStorer("agentkv", &handler.Storer{Store: Keep}) }

// Keep writes a store of the one session that a readout holds. Every blob must be
// what its id says, and what the root needs must be there; a key for encryption
// is left out, for the runtime makes its own. The database is complete when it is
// closed: it has no log beside it.
func Keep(ctx context.Context, from *frame.Input, to handler.Place) error {
	if !isReadout(from, readoutFormat) {
		return faultf("the file to be stored is no %s", readoutFormat)
	}
	list, meta, around, err := openReadout(from, readoutFormat)
	if err != nil {
		return err
	}
	s, err := begin(list, meta, around)
	if err != nil {
		return err
	}
	defer s.close()
	switch {
	case s.session != to.ID:
		return faultf("the readout is of another session")
	case s.root != (id{}):
		if err := s.check(); err != nil {
			return err
		}
	}
	if meta, err = withoutSecret(meta); err != nil {
		return err
	}
	return s.keep(ctx, to.Path, list.(*readout), meta)
}

// keep writes the database.
func (s *store) keep(ctx context.Context, path string, list *readout, meta []byte) error {
	// SQLite would make a file that others may read.
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	db, err := openNew(path)
	if err != nil {
		return err
	}
	err = fill(ctx, db, s, list, meta)
	if err = errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, rest := range []string{path + "-wal", path + "-shm", path + "-journal"} {
		if _, err := os.Stat(rest); !errors.Is(err, os.ErrNotExist) {
			return faultf("the database left %s behind", filepath.Base(rest))
		}
	}
	return nil
}

// openNew opens an empty database as the runtime keeps its own.
func openNew(path string) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if path = filepath.ToSlash(path); path[0] != '/' {
		path = "/" + path // a drive's letter
	}
	name := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: "mode=rw&_pragma=journal_mode(wal)&_pragma=synchronous(full)"}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// fill writes the tables in one transaction.
func fill(ctx context.Context, db *sql.DB, s *store, list *readout, meta []byte) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, statement := range []string{
		"CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)",
		"CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)",
		fmt.Sprintf("PRAGMA user_version=%d", userVersion),
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO meta (key, value) VALUES ('0', ?)", fmt.Sprintf("%x", meta)); err != nil {
		return err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO blobs (id, data) VALUES (?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, i := range slices.SortedFunc(maps.Keys(list.where), compareIDs) {
		data, err := s.get(i)
		if err != nil {
			return err
		}
		if _, err := insert.ExecContext(ctx, i.String(), data); err != nil {
			return err
		}
	}
	return tx.Commit()
}
