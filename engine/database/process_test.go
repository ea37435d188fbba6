package database

import (
	"bufio"
	"database/sql"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMain makes the test binary also a program that has a database open: one in
// the same process shares its memory with the reader.
func TestMain(m *testing.M) {
	if path := os.Getenv("DATABASE_TEST_PROGRAM"); path != "" {
		program(path)
		return
	}
	os.Exit(m.Run())
}

// program executes the statements of its input, and ends as in a crash.
func program(path string) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(1)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		_, err := db.Exec(lines.Text())
		fmt.Println(strings.ReplaceAll(fmt.Sprint(err), "\n", " "))
	}
	os.Exit(0)
}

// start starts such a program. do has it execute statements, end ends it.
func start(t *testing.T, path string) (do func(statements ...string), end func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DATABASE_TEST_PROGRAM="+path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	end = func() {
		in.Close()
		cmd.Wait()
	}
	t.Cleanup(end)
	return func(statements ...string) {
		t.Helper()
		for _, s := range statements {
			if _, err := io.WriteString(in, s+"\n"); err != nil {
				t.Fatal(err)
			}
			if answer, err := answers.ReadString('\n'); err != nil || answer != "<nil>\n" {
				t.Fatalf("%s: %s (%v)", s, answer, err)
			}
		}
	}, end
}

// TestOtherProcess reads the database of another process, in all its states: not
// a byte beside it changes, and it need not wait.
func TestOtherProcess(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.db")
	reads := func(path string, want ...string) {
		t.Helper()
		before := listing(t, filepath.Dir(path))
		db := opens(t, path)
		wantRows(t, db, "SELECT n FROM t", want...)
		db.Close()
		if diff := cmp.Diff(before, listing(t, filepath.Dir(path))); diff != "" {
			t.Error("the folder has changed")
		}
	}
	do, end := start(t, path)
	do("PRAGMA busy_timeout=0", "PRAGMA journal_mode=wal", three[0], three[1])
	reads(path, "1", "2", "3")

	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err == nil {
		reads(link, "1", "2", "3")
	}
	db := opens(t, path)
	do("INSERT INTO t VALUES(4,'four')", "PRAGMA wal_checkpoint(passive)", "INSERT INTO t VALUES(5,'five')")
	wantRows(t, db, "SELECT n FROM t", "1", "2", "3")
	db.Close()
	do("BEGIN IMMEDIATE", "INSERT INTO t VALUES(6,'six')")
	reads(path, "1", "2", "3", "4", "5")
	do("COMMIT")
	reads(path, "1", "2", "3", "4", "5", "6")

	end()
	if !exists(path + "-wal") {
		t.Fatal("the program has tidied up: the rest tests nothing")
	}
	reads(path, "1", "2", "3", "4", "5", "6")
	torn := filepath.Join(t.TempDir(), "x.db")
	copyFiles(t, path, torn, "", "-wal")
	info, err := os.Stat(torn + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(torn+"-wal", info.Size()-1); err != nil {
		t.Fatal(err)
	}
	reads(torn, "1", "2", "3", "4", "5")
}
