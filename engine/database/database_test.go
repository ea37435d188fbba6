package database

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// openNew runs statements in a new database and gives it open.
func openNew(path string, statements ...string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", OmitHost: true, Path: path}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			return nil, fmt.Errorf("%s: %w", s, err)
		}
	}
	return db, nil
}

func create(t *testing.T, path string, statements ...string) *sql.DB {
	t.Helper()
	db, err := openNew(path, statements...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func run(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

var three = []string{"CREATE TABLE t(n INTEGER PRIMARY KEY, s TEXT)", "INSERT INTO t VALUES(1,'one'),(2,'two'),(3,'three')"}

const many = "WITH RECURSIVE c(i) AS (SELECT 11 UNION ALL SELECT i+1 FROM c WHERE i<200) INSERT INTO t SELECT i, hex(randomblob(2000)) FROM c"

func open(t *testing.T, path string) (*DB, error) {
	t.Helper()
	in, done, err := frame.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { done() })
	db, err := Open(in, frame.Options{})
	if err == nil {
		t.Cleanup(func() { db.Close() })
	}
	return db, err
}

func opens(t *testing.T, path string) *DB {
	t.Helper()
	db, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// all is a query's rows as text.
func all(db *DB, query string, args map[string]any) ([]string, error) {
	rows, err := db.Query(query, args)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []string
	for {
		row, err := rows.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		list = append(list, strings.Trim(fmt.Sprint(row), "[]"))
	}
}

func wantRows(t *testing.T, db *DB, query string, want ...string) {
	t.Helper()
	got, err := all(db, query, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", query, diff)
	}
}

// listing is what is in a folder, with contents.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range list {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	return files
}

// TestForms reads the forms in which a program leaves its database.
func TestForms(t *testing.T) {
	wal := append([]string{"PRAGMA journal_mode=wal"}, three...)
	for name, prepare := range map[string]func(t *testing.T, path string){
		"rollback journal":      func(t *testing.T, path string) { create(t, path, three...).Close() },
		"log that was put away": func(t *testing.T, path string) { create(t, path, wal...).Close() },
		"log beside it": func(t *testing.T, path string) {
			create(t, path+".live", wal...)
			copyFiles(t, path+".live", path, "", "-wal")
		},
		"log with its memory": func(t *testing.T, path string) {
			create(t, path+".live", wal...)
			copyFiles(t, path+".live", path, "", "-wal", "-shm")
		},
		"open in a program":             func(t *testing.T, path string) { create(t, path, wal...) },
		"open, with a rollback journal": func(t *testing.T, path string) { create(t, path, three...) },
		"open by one alone": func(t *testing.T, path string) {
			create(t, path, append([]string{"PRAGMA locking_mode=exclusive"}, wal...)...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a?b#c %41.db")
			prepare(t, path)
			before := listing(t, dir)
			db := opens(t, path)
			wantRows(t, db, "SELECT s FROM t ORDER BY n", "one", "two", "three")
			db.Close()
			after := listing(t, dir)
			for name := range after {
				if strings.HasSuffix(name, "-shm") { // what the programs tell each other
					delete(before, name)
					delete(after, name)
				}
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Error("the folder has changed")
			}
		})
	}
}

func copyFiles(t *testing.T, from, to string, suffixes ...string) {
	t.Helper()
	for _, s := range suffixes {
		data, err := os.ReadFile(from + s)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to+s, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSnapshot writes while it reads: the reader sees one state, and the writer
// does not wait.
func TestSnapshot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	w := create(t, path, append([]string{"PRAGMA journal_mode=wal", "PRAGMA busy_timeout=0"}, three...)...)
	db := opens(t, path)
	run(t, w, "INSERT INTO t VALUES(4,'four')", "PRAGMA wal_checkpoint(passive)", "DELETE FROM t WHERE n=1")
	wantRows(t, db, "SELECT n FROM t", "1", "2", "3")
	db.Close()
	wantRows(t, opens(t, path), "SELECT n FROM t", "2", "3", "4")
}

// TestChanging writes to a database that is read without locks.
func TestChanging(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	w := create(t, path, three...)
	db := opens(t, path)
	wantRows(t, db, "SELECT n FROM t", "1", "2", "3")
	run(t, w, "PRAGMA busy_timeout=0", "INSERT INTO t SELECT n+10, hex(zeroblob(9000)) FROM t")
	if _, err := all(db, "SELECT s FROM t", nil); !IsKind(err, Changing) {
		t.Errorf("reading on gives %v", err)
	}
}

func TestInMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	create(t, path, append([]string{"PRAGMA journal_mode=wal"}, three...)...).Close()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db, err := Open(&frame.Input{Name: "-", ReaderAt: bytes.NewReader(data), Size: int64(len(data))}, frame.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	wantRows(t, db, "SELECT count(*) FROM t", "3")
}

func TestValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	create(t, path, "CREATE TABLE t(a, b, c, d, e DATETIME)", "INSERT INTO t VALUES(NULL, 9007199254740993, 0.5, x'00ff', '2026-01-02 03:04:05.678')").Close()
	rows, err := opens(t, path).Query("SELECT * FROM t WHERE b > :least AND :least > 0", map[string]any{"least": 1, "other": "x"})
	if err != nil {
		t.Fatal(err)
	}
	row, err := rows.Next()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{nil, int64(9007199254740993), 0.5, []byte{0, 0xff}, "2026-01-02T03:04:05.678Z"}, row); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b", "c", "d", "e"}, rows.Columns); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
}

// TestFaults opens what is no good database.
func TestFaults(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.db")
	create(t, good, append(three, many)...).Close()
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	encrypted := bytes.Repeat([]byte{0x5a, 0xc3, 0x91}, 3000)
	page1 := bytes.Clone(data)
	copy(page1[18:], bytes.Repeat([]byte{7}, 40))
	for _, test := range []struct {
		name string
		data []byte
		kind Kind
		want string
	}{
		{"empty.db", nil, Empty, "no bytes"},
		{"empty.jsonl", nil, NotOne, "no bytes"},
		{"encrypted.db", encrypted, Opaque, "encrypted"},
		{"encrypted.sqlite3", encrypted, Opaque, "encrypted"},
		{"text.jsonl", []byte("{}\n"), NotOne, "not a SQLite database"},
		{"page1.db", page1, Opaque, "encrypted, or damaged"},
		{"half.db", data[:len(data)/2], Damaged, "cut off"},
		{"header.db", data[:100], Damaged, ""},
		{"magic.db", data[:16], Opaque, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(dir, test.name)
			if err := os.WriteFile(path, test.data, 0o600); err != nil {
				t.Fatal(err)
			}
			db, err := open(t, path)
			if err == nil {
				_, err = all(db, "SELECT * FROM t", nil)
			}
			var e *Error
			if !errors.As(err, &e) || e.Kind != test.kind || !strings.Contains(e.Message(), test.want) {
				t.Fatalf("error %v, want one with %q", err, test.want)
			}
			var fault *trajectory.Error
			if !errors.As(err, &fault) || fault.Code != trajectory.InvalidInput {
				t.Errorf("%v is no invalid input", err)
			}
		})
	}
}

func TestSchemaFaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	create(t, path, three...).Close()
	db := opens(t, path)
	for query, missing := range map[string]string{
		"SELECT * FROM other":    "other",
		"SELECT x FROM t":        "x",
		`SELECT "x" FROM t`:      "x",
		"SELECT a.y FROM t AS a": "a.y",
		"SELECT":                 "",
		"DELETE FROM t":          "",
	} {
		_, err := all(db, query, nil)
		var e *Error
		if !errors.As(err, &e) || e.Missing != missing || missing != "" && e.Kind != Schema {
			t.Errorf("%s: %v, missing %q, want %q", query, err, e.Missing, missing)
		}
	}
}

// TestLocked reads a database that a program keeps locked while it writes.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	w := create(t, path, append(three, "PRAGMA cache_size=1", "PRAGMA cache_spill=1", "BEGIN EXCLUSIVE", many)...)
	if _, err := open(t, path); !IsKind(err, Locked) {
		t.Errorf("opening gives %v", err)
	}
	run(t, w, "ROLLBACK")
	wantRows(t, opens(t, path), "SELECT count(*) FROM t", "3")
}

// TestInterrupted reads what a program left that died while it wrote.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.db")
	create(t, path, append(three, "PRAGMA cache_size=1", "PRAGMA cache_spill=1", "BEGIN EXCLUSIVE", "UPDATE t SET s='x'", many)...)
	left := filepath.Join(dir, "left.db")
	copyFiles(t, path, left, "", "-journal")
	if _, err := open(t, left); !IsKind(err, Denied) || !strings.Contains(err.Error(), "middle of a write") {
		t.Errorf("opening gives %v", err)
	}
}

func TestTooBig(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	create(t, path, three[0], "INSERT INTO t VALUES(1,'x'),(2,printf('%.*c',100000,'y')),(3,'z')").Close()
	in, done, err := frame.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	db, err := Open(in, frame.Options{MaxFrame: 50_000})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	got, err := all(db, "SELECT s FROM t ORDER BY n", nil)
	if len(got) != 1 || !IsKind(err, TooBig) {
		t.Errorf("%d rows, then %v", len(got), err)
	}
	wantRows(t, db, "SELECT s FROM t ORDER BY n LIMIT 1 OFFSET 2", "z")
}
