package database

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/trajmap/trajmap/engine/frame"
)

// FuzzOpen reads what is, or was, a database. Each fault is a *Error.
func FuzzOpen(f *testing.F) {
	for name, statements := range map[string][]string{
		"rollback": {three[0], three[1], "CREATE INDEX i ON t(s)"},
		"log":      {"PRAGMA journal_mode=wal", three[0], three[1]},
	} {
		path := filepath.Join(f.TempDir(), name)
		db, err := openNew(path, append([]string{"PRAGMA page_size=512"}, statements...)...)
		if err != nil {
			f.Fatal(err)
		}
		db.Close()
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint16(0), byte(0))
		f.Add(data, uint16(100), byte(0xff))
		f.Add(data[:len(data)/2], uint16(16), byte(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, at uint16, xor byte) {
		data = bytes.Clone(data)
		if int(at) < len(data) {
			data[at] ^= xor
		}
		in := &frame.Input{Name: "-", ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
		db, err := Open(in, frame.Options{MaxFrame: 1 << 20})
		if err != nil {
			check(t, err)
			return
		}
		defer db.Close()
		for _, query := range []string{"SELECT * FROM sqlite_schema", "SELECT * FROM t ORDER BY s", "SELECT count(*) FROM t"} {
			rows, err := db.Query(query, nil)
			if err != nil {
				check(t, err)
				continue
			}
			for n := 0; n < 10_000; n++ {
				if _, err := rows.Next(); err != nil {
					check(t, err)
					break
				}
			}
			rows.Close()
		}
	})
}

func check(t *testing.T, err error) {
	t.Helper()
	var fault *Error
	if !errors.As(err, &fault) && err.Error() != "EOF" {
		t.Errorf("%T: %v", err, err)
	}
}
