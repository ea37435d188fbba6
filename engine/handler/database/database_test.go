package database

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// TestMain makes the test binary also the program whose database is read.
func TestMain(m *testing.M) {
	if path := os.Getenv("DATABASE_TEST_PROGRAM"); path != "" {
		program(path)
		return
	}
	os.Exit(m.Run())
}

// program has a database open, executes the statements of its input and answers
// each with its error, or "ok". It ends without tidying up.
func program(path string) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(1)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if _, err := db.Exec(lines.Text()); err != nil {
			fmt.Println(strings.ReplaceAll(err.Error(), "\n", " "))
			continue
		}
		fmt.Println("ok")
	}
	os.Exit(0)
}

// owner is a running program.
type owner struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start(t *testing.T, path string) *owner {
	t.Helper()
	o := &owner{t: t, cmd: exec.Command(os.Args[0])}
	o.cmd.Env = append(os.Environ(), "DATABASE_TEST_PROGRAM="+path)
	var err error
	if o.in, err = o.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	o.out = bufio.NewReader(out)
	if err := o.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.end)
	return o
}

// does executes statements.
func (o *owner) does(statements ...string) {
	o.t.Helper()
	for _, s := range statements {
		if answer := o.asks(s); answer != "ok" {
			o.t.Fatalf("%s: %s", s, answer)
		}
	}
}

func (o *owner) asks(statement string) string {
	o.t.Helper()
	if _, err := fmt.Fprintln(o.in, statement); err != nil {
		o.t.Fatal(err)
	}
	answer, err := o.out.ReadString('\n')
	if err != nil {
		o.t.Fatal(err)
	}
	return strings.TrimSpace(answer)
}

// end ends the program as a crash does.
func (o *owner) end() {
	o.in.Close()
	o.cmd.Wait()
}

const table = "CREATE TABLE rows (n INTEGER, text TEXT)"

func insert(n int) string {
	return fmt.Sprintf("INSERT INTO rows VALUES (%d, hex(randomblob(500)))", n)
}

// input opens a file as the engine does.
func input(t *testing.T, path string) *frame.Input {
	t.Helper()
	in, done, err := frame.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { done() })
	return in
}

// folder is what is in a folder.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		found[e.Name()] = fmt.Sprintf("%x %s", sha256.Sum256(data), info.ModTime())
	}
	return found
}

// rows counts what a database shows.
func rows(t *testing.T, db *DB) (n int) {
	t.Helper()
	if err := db.QueryRow("SELECT count(*) FROM rows").Scan(&n); err != nil {
		t.Fatal(db.Explain(err))
	}
	return n
}

// reads opens a database, wants that many rows of it, and that its folder stays
// as it is.
func reads(t *testing.T, path string, want int) {
	t.Helper()
	before := folder(t, filepath.Dir(path))
	db, err := Open(input(t, path))
	if err != nil {
		t.Fatal(err)
	}
	if got := rows(t, db); got != want {
		t.Errorf("%d rows, want %d", got, want)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(before, folder(t, filepath.Dir(path))); diff != "" {
		t.Errorf("the folder changed (-before +after):\n%s", diff)
	}
}

// copied is a folder with some of the files of another.
func copied(t *testing.T, from string, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestClosed(t *testing.T) {
	for _, mode := range []string{"delete", "wal"} {
		t.Run(mode, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "store.db")
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			db.SetMaxOpenConns(1)
			for _, s := range []string{"PRAGMA journal_mode=" + mode, table, insert(1), insert(2)} {
				if _, err := db.Exec(s); err != nil {
					t.Fatal(err)
				}
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if found := folder(t, filepath.Dir(path)); len(found) != 1 {
				t.Fatalf("the folder of a closed database has %v", found)
			}
			reads(t, path, 2)

			odd := filepath.Join(filepath.Dir(path), "a ?#%41.db")
			if err := os.Rename(path, odd); err != nil {
				t.Fatal(err)
			}
			path = odd
			reads(t, path, 2)

			link := filepath.Join(t.TempDir(), "link.db")
			if err := os.Symlink(path, link); err == nil {
				reads(t, link, 2)
			}
		})
	}
}

func TestLive(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "store.db")
	o := start(t, path)
	o.does("PRAGMA journal_mode=WAL", table, insert(1), insert(2))
	reads(t, path, 2)

	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err == nil {
		reads(t, link, 2)
	}

	t.Run("while it writes", func(t *testing.T) {
		db, err := Open(input(t, path))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		o.does(insert(3), "BEGIN", insert(4), "COMMIT", "PRAGMA wal_checkpoint(PASSIVE)", insert(5))
		if got := rows(t, db); got != 2 {
			t.Errorf("%d rows, want the 2 of the moment of opening", got)
		}
	})
	reads(t, path, 5)

	t.Run("in a transaction", func(t *testing.T) {
		o.does("BEGIN IMMEDIATE", insert(6))
		reads(t, path, 5)
		o.does("COMMIT")
		reads(t, path, 6)
	})

	o.end()
	if !busy(path, "-wal") {
		t.Fatal("the program has tidied up: the rest tests nothing")
	}
	t.Run("after a crash", func(t *testing.T) { reads(t, path, 6) })
	t.Run("without its index", func(t *testing.T) {
		reads(t, filepath.Join(copied(t, dir, "store.db", "store.db-wal"), "store.db"), 6)
	})
	t.Run("with a torn log", func(t *testing.T) {
		dir := copied(t, dir, "store.db", "store.db-wal")
		info, err := os.Stat(filepath.Join(dir, "store.db-wal"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(dir, "store.db-wal"), info.Size()-100); err != nil {
			t.Fatal(err)
		}
		reads(t, filepath.Join(dir, "store.db"), 5)
	})
	t.Run("in a folder that cannot be written", func(t *testing.T) {
		dir := copied(t, dir, "store.db", "store.db-wal")
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(dir, 0o700)
		reads(t, filepath.Join(dir, "store.db"), 6)
	})
}

// TestJournal is of a program that died in the middle of a transaction without a
// write-ahead log.
func TestJournal(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "store.db")
	o := start(t, path)
	o.does("PRAGMA cache_size=1", table, insert(1), "BEGIN")
	for n := range 100 {
		o.does(insert(2 + n)) // more than the cache holds: the file has some of it
	}
	if !busy(path, "-journal") {
		t.Fatal("there is no journal: this tests nothing")
	}
	reads(t, path, 1)
	o.end()
	reads(t, path, 1)
}

func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	o := start(t, path)
	o.does("PRAGMA journal_mode=WAL", "PRAGMA locking_mode=EXCLUSIVE", table, insert(1))
	reads(t, path, 1)
}

func TestInMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	o := start(t, path)
	o.does(table, insert(1))
	o.end()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"-", "no such file", path} {
		in := &frame.Input{Name: name, ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
		if !Is(in) {
			t.Error("Is = false")
		}
		db, err := Open(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := rows(t, db); got != 1 {
			t.Errorf("%d rows, want 1", got)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestHas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	o := start(t, path)
	o.does(table, "CREATE VIEW seen AS SELECT n FROM rows")
	o.end()
	db, err := Open(input(t, path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, test := range []struct {
		table   string
		columns []string
		want    bool
	}{
		{"rows", nil, true},
		{"rows", []string{"n", "text"}, true},
		{"rows", []string{"n", "other"}, false},
		{"other", nil, false},
		{"seen", []string{"n"}, false},
	} {
		if got := db.Has(test.table, test.columns...); got != test.want {
			t.Errorf("Has(%q, %q) = %v", test.table, test.columns, got)
		}
	}
}

func TestBad(t *testing.T) {
	good := filepath.Join(t.TempDir(), "store.db")
	o := start(t, good)
	o.does(table)
	for n := range 50 {
		o.does(insert(n))
	}
	o.end()
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	encrypted := make([]byte, len(data))
	random := rand.NewChaCha8([32]byte{})
	random.Read(encrypted)
	half := bytes.Clone(data[:len(data)/2])
	garbled := append(bytes.Clone(data[:100]), encrypted[100:]...)
	cases := map[string]struct {
		data []byte
		want string
	}{
		"encrypted": {encrypted, "encrypted"},
		"cut off":   {half, "damaged or was cut off"},
		"garbled":   {garbled, "damaged"},
		"a few":     {data[:20], "no SQLite database"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "store.db")
			if err := os.WriteFile(path, c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			db, err := Open(input(t, path))
			if err == nil {
				var n int
				err = db.Explain(db.QueryRow("SELECT sum(length(text)) FROM rows").Scan(&n))
				db.Close()
			}
			if e := (*trajectory.Error)(nil); !errors.As(err, &e) || e.Code != trajectory.InvalidInput || !strings.Contains(e.Error(), c.want) {
				t.Errorf("error = %v, want invalid_input with %q", err, c.want)
			}
		})
	}
	t.Run("empty", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "store.db")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := Open(input(t, path))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if db.Has("rows") {
			t.Error("an empty database has a table")
		}
	})
}
