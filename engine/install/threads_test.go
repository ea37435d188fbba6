package install

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/database"
	"github.com/trajmap/trajmap/engine/frame"
	_ "github.com/trajmap/trajmap/engine/handler/langgraph" // a target keeps its sessions in its stores
)

const threads = "/.state/sessions.db"

// said answers a target that is strict about versions.
var said = Machine{AllowUntested: true}

func at(root string) Machine {
	on := said
	on.Root = root
	return on
}

// others makes a store of threads with two that are nobody's business, of which
// one is being written to.
func others(t *testing.T, root string) *sql.DB {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(root+threads), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", root+threads)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	change(t, db, `PRAGMA journal_mode=WAL;
CREATE TABLE checkpoints(thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL, parent_checkpoint_id TEXT,
  type TEXT, checkpoint BLOB, metadata BLOB, PRIMARY KEY(thread_id, checkpoint_ns, checkpoint_id));
CREATE TABLE writes(thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL, task_id TEXT NOT NULL,
  idx INTEGER NOT NULL, channel TEXT NOT NULL, type TEXT, value BLOB, PRIMARY KEY(thread_id, checkpoint_ns, checkpoint_id, task_id, idx));
INSERT INTO checkpoints VALUES('a', '', '1', NULL, 'msgpack', x'80', '{}'), ('b', '', '1', NULL, 'msgpack', x'c0', '{}');
INSERT INTO writes VALUES('b', '', '1', 'x', 0, 'messages', 'msgpack', x'90');`)
	return db
}

func change(t *testing.T, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.Exec(query, args...); err != nil {
		t.Fatal(err)
	}
}

// rows are those of a store, but for one thread.
func rows(t *testing.T, root, but string) (list []string) {
	t.Helper()
	in, done, err := open(root + threads)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	db, err := database.Open(in, frame.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range []string{"checkpoints", "writes"} {
		found, err := db.Query("SELECT * FROM "+table+" WHERE thread_id != :but ORDER BY 1, 2, 3, 4, 5", map[string]any{"but": but})
		if err != nil {
			t.Fatal(err)
		}
		for {
			row, err := found.Next()
			if err != nil {
				break
			}
			list = append(list, fmt.Sprintf("%s %q", table, row))
		}
	}
	return list
}

// TestThread installs a session into a store of threads that is in use: once,
// beside the others, and finds it again when it has been gone on with.
func TestThread(t *testing.T) {
	x := export(t, shipped(t, "deepagents"), texts, project, convert.Options{})
	id := x.Manifest.Target.SessionID
	root := t.TempDir()
	db := others(t, root)
	was := rows(t, root, id)
	for _, want := range []State{Installed, Already} {
		done, err := x.Install(context.Background(), at(root))
		if err != nil || done.State != want {
			t.Fatalf("%+v, %v, want %s", done, err, want)
		}
	}
	if diff := cmp.Diff(was, rows(t, root, id)); diff != "" {
		t.Errorf("other threads have changed: %s", diff)
	}
	// What the program writes when it goes on, also when it sums everything up.
	change(t, db, `INSERT INTO writes SELECT thread_id, '', checkpoint_id, 'x', 0, 'messages', 'json', '[["human", "More."]]' FROM checkpoints WHERE thread_id = ?`, id)
	done, err := x.Install(context.Background(), at(root))
	if err != nil || done.State != Resumed {
		t.Errorf("gone on with: %+v, %v", done, err)
	}
	change(t, db, `INSERT INTO checkpoints SELECT thread_id, '', 'f', checkpoint_id, 'json', '{"channel_values":{"messages":[["human","A summary."]]}}', '{}' FROM checkpoints WHERE thread_id = ?`, id)
	done, err = x.Install(context.Background(), at(root))
	if err != nil || done.State != Resumed {
		t.Errorf("summed up: %+v, %v", done, err)
	}
	// Something else under its id.
	change(t, db, `DELETE FROM writes WHERE thread_id = ?`, id)
	change(t, db, `DELETE FROM checkpoints WHERE thread_id = ? AND checkpoint_id != 'f'`, id)
	_, err = x.Install(context.Background(), at(root))
	var conflict *ConflictError
	if !errors.As(err, &conflict) {
		t.Errorf("something else: %v", err)
	}
	if diff := cmp.Diff(was, rows(t, root, id)); diff != "" {
		t.Errorf("other threads have changed: %s", diff)
	}
}

// TestThreadFails lets every step fail: nothing of the session stays, and the
// others are as they were.
func TestThreadFails(t *testing.T) {
	x := export(t, shipped(t, "deepagents"), texts, project, convert.Options{})
	id := x.Manifest.Target.SessionID
	root := t.TempDir()
	others(t, root)
	was := rows(t, root, id)
	for n := 1; ; n++ {
		seen, _ := failAt(t, n, syscall.EIO)
		_, err := x.Install(context.Background(), at(root))
		if *seen < n {
			if err != nil {
				t.Error(err)
			}
			break
		}
		if !errors.Is(err, syscall.EIO) {
			t.Errorf("step %d: %v", n, err)
		}
		if diff := cmp.Diff(was, rows(t, root, "")); diff != "" {
			t.Errorf("step %d: %s", n, diff)
		}
	}
}

// TestThreadElsewhere tells of stores that cannot be used, and leaves them.
func TestThreadElsewhere(t *testing.T) {
	x := export(t, shipped(t, "deepagents"), texts, project, convert.Options{})
	root := t.TempDir()
	db := others(t, root)
	change(t, db, "BEGIN EXCLUSIVE")
	if _, err := x.Install(context.Background(), at(root)); err == nil || !strings.Contains(err.Error(), "locked by another program") {
		t.Errorf("locked: %v", err)
	}
	change(t, db, "ROLLBACK")
	db.Close()
	for _, text := range []string{"no database at all", "SQLite format 3\x00 and nothing like it"} {
		if err := os.WriteFile(root+threads, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := x.Install(context.Background(), at(root))
		var conflict *ConflictError
		if err == nil || errors.As(err, &conflict) || !strings.Contains(err.Error(), threads) {
			t.Errorf("%q: %v", text, err)
		}
		if now, _ := os.ReadFile(root + threads); string(now) != text {
			t.Errorf("%q has changed", text)
		}
	}
}
