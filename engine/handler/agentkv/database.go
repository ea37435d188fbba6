package agentkv

import (
	"encoding/hex"
	"io"

	"github.com/trajmap/trajmap/engine/database"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
)

// userVersion is the one version of the tables that is known.
const userVersion = 1

// tables are the blobs and the metadata of a store that is a database.
type tables struct{ *database.DB }

// openDatabase opens a store that is a database, and gives what it keeps as its
// metadata.
func openDatabase(in *frame.Input) (blobs, []byte, error) {
	db, err := database.Open(in, frame.Options{MaxFrame: maxBlob})
	if err != nil {
		return nil, nil, err
	}
	t := tables{db}
	meta, err := t.meta()
	if err != nil {
		db.Close()
		return nil, nil, err
	}
	return t, meta, nil
}

// meta reads the metadata, which stands as the hex text of a JSON object.
func (t tables) meta() ([]byte, error) {
	names, err := t.column("SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('blobs', 'meta')", nil)
	if err != nil {
		return nil, err
	}
	if len(names) != 2 {
		return nil, handler.Foreign("the database is no AgentKv store: it has not the tables blobs and meta")
	}
	version, err := t.column("PRAGMA user_version", nil)
	if err != nil {
		return nil, err
	}
	if len(version) != 1 || version[0] != int64(userVersion) {
		return nil, faultf("its tables have version %v, and only version %d is known", version, userVersion)
	}
	values, err := t.column("SELECT value FROM meta WHERE key = '0'", nil)
	if err != nil {
		return nil, err
	}
	if len(values) == 0 {
		return nil, faultf("it has no metadata: nothing was said in it yet")
	}
	return decodeMeta(text(values[0]))
}

func (t tables) load(i id) ([]byte, error) {
	values, err := t.column("SELECT data FROM blobs WHERE id = :id", map[string]any{"id": i.String()})
	if err != nil || len(values) == 0 || values[0] == nil {
		return nil, err
	}
	return text(values[0]), nil
}

func (t tables) close() error { return t.Close() }

// column are the first values of a query's rows.
func (t tables) column(query string, args map[string]any) ([]any, error) {
	rows, err := t.Query(query, args)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var values []any
	for {
		row, err := rows.Next()
		if err == io.EOF {
			return values, nil
		}
		if err != nil {
			return nil, err
		}
		values = append(values, row[0])
	}
}

// text is a value as bytes; never nil.
func text(v any) []byte {
	switch v := v.(type) {
	case string:
		return []byte(v)
	case []byte:
		return append([]byte{}, v...)
	}
	return []byte{}
}

// decodeMeta reads the hex text of the metadata.
func decodeMeta(value []byte) ([]byte, error) {
	meta := make([]byte, hex.DecodedLen(len(value)))
	if _, err := hex.Decode(meta, value); err != nil {
		return nil, faultf("its metadata is not in hex")
	}
	return meta, nil
}
