package agentkv

import (
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
)

// Fields as they stand in messages.

func tag(number int, w wire) []byte {
	return binary.AppendUvarint(nil, uint64(number)<<3|uint64(w))
}

func num(number int, v uint64) []byte { return binary.AppendUvarint(tag(number, varint), v) }

func str(number int, s string) []byte {
	return append(binary.AppendUvarint(tag(number, delimited), uint64(len(s))), s...)
}

func msg(number int, parts ...[]byte) []byte { return str(number, string(slices.Concat(parts...))) }

func ref(number int, i id) []byte { return str(number, string(i[:])) }

// kept is a store that is being made.
type kept struct {
	order []id
	bytes map[id][]byte
	meta  map[string]any
}

func newKept() *kept {
	return &kept{bytes: map[id][]byte{}, meta: map[string]any{"agentId": "session-1", "latestRootBlobId": "", "name": "New Agent", "createdAt": 1791187200000}}
}

// add keeps a blob.
func (k *kept) add(parts ...[]byte) id {
	data := slices.Concat(parts...)
	i := id(sha256.Sum256(data))
	if _, ok := k.bytes[i]; !ok {
		k.order = append(k.order, i)
	}
	k.bytes[i] = data
	return i
}

// root keeps the root.
func (k *kept) root(parts ...[]byte) *kept {
	k.meta["latestRootBlobId"] = k.add(parts...).String()
	return k
}

// turn keeps a turn of the model.
func (k *kept) turn(prompt string, steps ...[]byte) id {
	parts := [][]byte{ref(1, k.add(str(1, prompt), str(2, "message-"+prompt)))}
	for _, s := range steps {
		parts = append(parts, ref(2, k.add(s)))
	}
	return k.add(msg(1, parts...))
}

// load, close: a kept store is blobs as well.
func (k *kept) load(i id) ([]byte, error) { return k.bytes[i], nil }
func (k *kept) close() error              { return nil }

func (k *kept) metaHex(t testing.TB) string {
	t.Helper()
	text, err := json.Marshal(k.meta)
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(text)
}

// database writes the store as a database.
func (k *kept) database(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "store.db")
	statements(t, path, "PRAGMA user_version=1", "CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)", "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("INSERT INTO meta VALUES ('0', ?)", k.metaHex(t)); err != nil {
		t.Fatal(err)
	}
	for _, i := range k.order {
		if _, err := db.Exec("INSERT INTO blobs VALUES (?, ?)", i.String(), k.bytes[i]); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// statements runs statements on a database.
func statements(t testing.TB, path string, list ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range list {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// readout is the store as a readout.
func (k *kept) readout(t testing.TB) []byte {
	t.Helper()
	blobs := []any{}
	for _, i := range k.order {
		blobs = append(blobs, map[string]string{"id": i.String(), "data": base64.StdEncoding.EncodeToString(k.bytes[i])})
	}
	text, err := json.Marshal(map[string]any{
		"format": readoutFormat, "sessionId": k.meta["agentId"], "cwd": "/home/dev/project", "userVersion": 1,
		"meta": []any{map[string]string{"key": "0", "value": k.metaHex(t)}}, "blobs": blobs,
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// input opens a file as the engine does.
func input(t testing.TB, path string) *frame.Input {
	t.Helper()
	in, done, err := frame.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { done() })
	return in
}

// opens opens a store for the time of a test.
func opens(t testing.TB, in *frame.Input, o handler.Options) frame.Stream {
	t.Helper()
	s, end, err := Open(in, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// all are the frames that are left, as text.
func all(t testing.TB, s frame.Stream) (list []string, frames []frame.Frame) {
	t.Helper()
	for {
		f, err := s.Next()
		if err == io.EOF {
			return list, frames
		}
		if err != nil {
			t.Fatal(err)
		}
		list, frames = append(list, string(f.Data)), append(frames, f)
	}
}
